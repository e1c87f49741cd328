/* SPDX-License-Identifier: MIT */
/* MODEL of learn: a header in JSON, and floats. */
#include "tests/fuzz.h"

#include "filters/base/err.h"
#include "filters/parts/network/network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rn_network net;
    char why[RN_TEXT_WHY];
    float *weights = NULL;
    int err = rn_network_parse(&net, (const char *)data, size, "", &weights, why);
    FUZZ_CHECK(err ? err == RN_EUSAGE && memchr(why, 0, sizeof why)
                   : net.output < RN_NETWORK_OUTPUTS && net.layers >= 2);
    free(err ? NULL : weights);
    return err ? -1 : 0;
}
