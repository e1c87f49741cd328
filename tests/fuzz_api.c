/* The library's own functions: tests/api_calls.h. */
#include "tests/fuzz.h"

#include "tests/api_calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    api_calls(data, size, 1, (int)size);
    rn_intern_reset();
    return 0;
}
