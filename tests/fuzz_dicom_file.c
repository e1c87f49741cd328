/* DICOM without GDCM: whether a file is whole, and can hold what its header says. */
#include "tests/fuzz.h"

#include "io/dicom/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct rn_dicom_header headers[] = {
        {.w = 1, .h = 1, .frames = 2, .colours = 1, .bytes = 1, .stored = 8},
        {.w = 65535, .h = 65535, .frames = INT32_MAX, .colours = 3, .bytes = 2, .stored = 48},
        {.w = 7, .h = 5, .frames = 3, .colours = 1, .bytes = 2, .stored = 16},
    };
    const char *path = rn_fuzz_file(data, size);
    rn_dicom_is_complete(path);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        rn_dicom_can_hold(path, &headers[i]);
    return 0;
}
