/* SPDX-License-Identifier: MIT */
/* Volumes in one array: the headers of NRRD, MetaImage, NIfTI, NumPy and BART, and what they say of
 * the samples; and the text of --raw. */
#include "tests/fuzz.h"

#include "io/read/input.h"

static void read_raw(const char *path, const uint8_t *data, size_t size)
{
    OWNED(rn_free_owned) char *text = rn_fuzz_text(data, size);
    struct rn_io_read_opts opts = {.frames = -1, .raw = text};
    struct rn_read_input *in = NULL;
    atomic_bool stop = false;
    if (rn_vol_raw_check(text) && !rn_vol_array_open(&in, path, &opts, &stop))
        in->ops->close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = rn_fuzz_file(data, size);
    if (size < 64)
        read_raw(path, data, size);
    if (!rn_vol_array_match(path))
        return -1;
    rn_fuzz_source(path);
    struct rn_io_read_opts some = {.frames = -1, .threads = 1, .channel = "2-", .series = NULL};
    rn_fuzz_choice(path, &some);
    struct rn_io_read_opts parts = {.frames = -1, .threads = 1, .complex = RN_COMPLEX_PARTS};
    rn_fuzz_choice(path, &parts);
    return 0;
}
