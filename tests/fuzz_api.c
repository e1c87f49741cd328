/* SPDX-License-Identifier: MIT */
/* The library's own functions: tests/api_calls.h. */
#include "tests/fuzz.h"

#include "tests/api_calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct api a = {.data = data, .size = size, .state = 1};
    api_calls(&a, 1 + (int)size / 8); /* a call takes some 20 bytes */
    rn_intern_reset();
    return 0;
}
