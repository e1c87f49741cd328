/* SPDX-License-Identifier: MIT */
/* DICOM without GDCM: whether a file is whole, and can hold what its header says; the fragments of
 * its frames, and what they say of themselves. */
#include "tests/fuzz.h"

#include <fcntl.h>

#include "io/dicom/pixels.h"

static void read_frames(const char *path, const struct rn_dicom_header *header)
{
    struct rn_dicom_pixels pixels = {.bytes = NULL};
    struct rn_dicom_codestream picture;
    const char *why;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (rn_dicom_pixels_open(&pixels, file, header, &why) == RN_DICOM_OK)
        for (int frame = 0; frame < header->frames; frame++) {
            size_t size = rn_dicom_pixels_size(&pixels, frame);
            uint8_t *data = size < 1 << 20 ? malloc(size + 1) : NULL;
            if (data && rn_dicom_pixels_read(&pixels, frame, data))
                rn_dicom_codestream_read(data, size, &picture);
            free(data);
        }
    rn_dicom_pixels_close(&pixels);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct rn_dicom_header headers[] = {
        {.w = 1, .h = 1, .frames = 2, .colours = 1, .bytes = 1, .pixel_bits = 8},
        {.w = 65535, .h = 65535, .frames = INT32_MAX, .colours = 3, .bytes = 2, .pixel_bits = 48},
        {.w = 7, .h = 5, .frames = 3, .colours = 1, .bytes = 2, .pixel_bits = 16},
    };
    const char *path = rn_fuzz_file(data, size);
    for (int i = 0; i < COUNT(headers); i++) {
        struct rn_dicom_surplus surplus;
        rn_dicom_is_complete(path, &headers[i], &surplus);
        rn_dicom_can_hold(path, &headers[i]);
    }
    read_frames(path, &headers[0]);
    read_frames(path, &headers[2]);
    return 0;
}
