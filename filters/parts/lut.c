/* SPDX-License-Identifier: MIT */
#include "filters/parts/lut.h"

#include "filters/base/sample.h"

int rn_lut_upload(struct rn_device *dev, cl_mem *mem, const uint16_t *table,
                  const struct rn_format *fmt)
{
    uint8_t narrow[256];
    const void *data = table;
    if (rn_format_bytes(fmt) == 1) {
        for (int i = 0; i < 256; i++)
            narrow[i] = (uint8_t)table[i];
        data = narrow;
    }
    return rn_buffer_from(dev, data, ((size_t)1 << fmt->depth) * (size_t)rn_format_bytes(fmt), mem);
}

int rn_lut_apply(struct rn_cmd *cmd, cl_mem table, const struct rn_format *fmt,
                 const struct rn_dplane *src, const struct rn_dplane *dst)
{
    struct rn_kernel *kernel = NULL;
    int err = rn_kernel_get(cmd->dev, "lut.cl", "lut_apply", rn_format_sample(fmt), &kernel);
    return err ? err
               : RN_LAUNCH(cmd, kernel, rn_area_of(dst), RN_ARG_PLANE(src), RN_ARG_PLANE(dst),
                           RN_ARG_MEM(table), RN_ARG_INT(rn_format_max(fmt)));
}

void rn_lut_ref(const uint16_t *table, const struct rn_format *fmt, const struct rn_plane *src,
                struct rn_plane *dst)
{
    enum rn_sample sample = rn_format_sample(fmt);
    int min = rn_format_min(fmt), last = (1 << fmt->depth) - 1;
    RN_EACH_SAMPLE (src, x, y) {
        int i = (int)rn_sample_get(src, sample, x, y) - min;
        uint16_t v = table[i < last ? i : last];
        rn_sample_put(dst, sample, x, y, min < 0 ? (float)(int16_t)v : (float)v);
    }
}
