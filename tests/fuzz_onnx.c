/* SPDX-License-Identifier: MIT */
/* ONNX files, and the models that they make. */
#include "tests/fuzz.h"

#include "filters/parts/network/network.h"
#include "app/onnx/onnx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rn_network net;
    char why[RN_TEXT_WHY] = "", *model = NULL;
    float *floats = NULL;
    size_t n;
    FILE *f = open_memstream(&model, &n);
    bool done = rn_onnx_convert(data, size, f, why);
    fclose(f);
    FUZZ_CHECK(done || (*why && memchr(why, 0, sizeof why)));
    int err = done ? rn_network_parse(&net, model, n, "", &floats, why) : -1;
    FUZZ_CHECK(err <= 0 && (!err || !done || strstr(why, "finite")));
    free(err ? NULL : floats);
    free(model);
    return err ? -1 : 0;
}
