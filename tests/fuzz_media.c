/* SPDX-License-Identifier: MIT */
/* Media files: whatever libav takes them for. */
#include "tests/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rn_fuzz_source(rn_fuzz_file(data, size));
    return 0;
}
