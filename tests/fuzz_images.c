/* SPDX-License-Identifier: MIT */
/* Images: two files of a sequence, the parts of the input before and behind its middle; and one. */
#include "tests/fuzz.h"

#include "filters/base/err.h"

static void put(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    FUZZ_CHECK(f && fwrite(data, 1, size, f) == size && !fclose(f));
}

/* Where the second of the files begins that were put behind each other: at its signature. */
static size_t find_second(const uint8_t *data, size_t size)
{
    for (size_t i = 1; size >= 8 && i + 8 <= size; i++)
        if (!memcmp(data, data + i, 4))
            return i;
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char folder[64];
    char first[80], second[80], pattern[80];
    if (!*folder) {
        snprintf(folder, sizeof folder, "/dev/shm/runnel-fuzz-XXXXXX");
        FUZZ_CHECK(mkdtemp(folder));
    }
    snprintf(first, sizeof first, "%s/a1.png", folder);
    snprintf(second, sizeof second, "%s/a2.png", folder);
    snprintf(pattern, sizeof pattern, "%s/a%%d.png", folder);
    size_t at = find_second(data, size);
    put(first, data, at);
    put(second, data + at, size - at);
    rn_fuzz_source(pattern);
    rn_fuzz_source(first);
    return 0;
}
