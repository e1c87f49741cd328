/* SPDX-License-Identifier: MIT */
#include "io/volumes/bytes.h"
#include "io/common/av.h"

#include <libavutil/avconfig.h>
#include <libavutil/intfloat.h>

const struct rn_vol_sample_info rn_vol_sample_types[RN_STORED_TYPES] = {
    [RN_STORED_U8] = {"uint8", 1, RN_NUMBER_UNSIGNED},
    [RN_STORED_S8] = {"int8", 1, RN_NUMBER_SIGNED},
    [RN_STORED_U16] = {"uint16", 2, RN_NUMBER_UNSIGNED},
    [RN_STORED_S16] = {"int16", 2, RN_NUMBER_SIGNED},
    [RN_STORED_U32] = {"uint32", 4, RN_NUMBER_UNSIGNED},
    [RN_STORED_S32] = {"int32", 4, RN_NUMBER_SIGNED},
    [RN_STORED_U64] = {"uint64", 8, RN_NUMBER_UNSIGNED},
    [RN_STORED_S64] = {"int64", 8, RN_NUMBER_SIGNED},
    [RN_STORED_F16] = {"float16", 2, RN_NUMBER_FLOAT},
    [RN_STORED_F32] = {"float32", 4, RN_NUMBER_FLOAT},
    [RN_STORED_F64] = {"float64", 8, RN_NUMBER_FLOAT},
};

bool rn_vol_sample_type_find(const char *const names[RN_STORED_TYPES], const char *name,
                             enum rn_vol_sample_type *type)
{
    int i = 0;
    while (i < RN_STORED_TYPES && !(names[i] && av_match_name(name, names[i])))
        i++;
    if (i < RN_STORED_TYPES)
        *type = (enum rn_vol_sample_type)i;
    return i < RN_STORED_TYPES;
}

enum rn_vol_sample_type rn_vol_sample_type_of(const struct rn_format *fmt)
{
    static const enum rn_vol_sample_type stored[RN_SAMPLES] = {[RN_SAMPLE_U8] = RN_STORED_U8,
                                                               [RN_SAMPLE_U16] = RN_STORED_U16,
                                                               [RN_SAMPLE_S16] = RN_STORED_S16,
                                                               [RN_SAMPLE_F32] = RN_STORED_F32};
    return stored[rn_format_sample(fmt)];
}

bool rn_vol_sample_type_format(enum rn_vol_sample_type type, int comps, struct rn_format *fmt)
{
    *fmt = (struct rn_format){.model = comps > 2 ? RN_RGB : RN_GRAY,
                              .depth = 32,
                              .alpha = comps == 2 || comps == 4,
                              .number = RN_NUMBER_FLOAT};
    if (type == RN_STORED_U8 || type == RN_STORED_U16) {
        fmt->depth = type == RN_STORED_U8 ? 8 : 16;
        fmt->number = RN_NUMBER_UNSIGNED;
    } else if (type == RN_STORED_S8 || type == RN_STORED_S16) {
        fmt->depth = 16;
        fmt->number = RN_NUMBER_SIGNED;
    }
    return fmt->number != RN_NUMBER_FLOAT || comps != 2;
}

enum AVPixelFormat rn_vol_pixfmt(const struct rn_format *fmt)
{
    static const enum AVPixelFormat table[][2][3] = {
        /* gray and RGB, each without and with alpha; of 1, 2 and 4 bytes */
        {{AV_PIX_FMT_GRAY8, AV_PIX_FMT_GRAY16, AV_PIX_FMT_GRAYF32},
         {AV_PIX_FMT_YA8, AV_PIX_FMT_YA16, AV_PIX_FMT_NONE}},
        {{AV_PIX_FMT_RGB24, AV_PIX_FMT_RGB48, AV_PIX_FMT_GBRPF32},
         {AV_PIX_FMT_RGBA, AV_PIX_FMT_RGBA64, AV_PIX_FMT_GBRAPF32}},
    };
    if (fmt->complex)
        return AV_PIX_FMT_GBRPF32;
    return table[fmt->model != RN_GRAY][fmt->alpha][rn_format_bytes(fmt) / 2];
}

const uint8_t *rn_vol_pixels_row(const struct rn_image *img, int y, uint8_t *to)
{
    static const int plane_of[] = {2, 0, 1, 3};
    int planes = rn_format_planes(&img->geom.fmt), bytes = rn_format_bytes(&img->geom.fmt);
    if (planes == 1)
        return img->plane[0].data + y * img->plane[0].stride;
    for (int c = 0; c < planes; c++) {
        const struct rn_plane *p = &img->plane[planes > 2 ? plane_of[c] : c];
        const uint8_t *from = p->data + y * p->stride;
        uint8_t *out = to + c * bytes;
        for (int x = 0; x < p->w; x++, out += planes * bytes, from += bytes)
            memcpy(out, from, (size_t)bytes);
    }
    return to;
}

float rn_vol_half_to_float(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    float v = exponent == 31 ? (fraction ? NAN : INFINITY)
              : exponent     ? ldexpf((float)(1024 + fraction), exponent - 25)
                             : ldexpf((float)fraction, -24);
    return half & 0x8000 ? -v : v;
}

double rn_vol_sample_value(enum rn_vol_sample_type type, const uint8_t *from, bool is_big_endian)
{
    const struct rn_vol_sample_info *info = &rn_vol_sample_types[type];
    uint64_t v = rn_vol_number(from, (size_t)info->bytes, is_big_endian);
    int unused = 64 - 8 * info->bytes;
    if (info->number == RN_NUMBER_FLOAT)
        return info->bytes == 8   ? av_int2double(v)
               : info->bytes == 4 ? (double)av_int2float((uint32_t)v)
                                  : (double)rn_vol_half_to_float((uint16_t)v);
    return info->number == RN_NUMBER_SIGNED ? (double)((int64_t)(v << unused) >> unused)
                                            : (double)v;
}

static float load_float(enum rn_vol_sample_type type, const uint8_t *from, bool is_big_endian,
                        unsigned *found)
{
    if (type == RN_STORED_F32) /* also a signalling NaN stays as it is */
        return av_int2float((uint32_t)rn_vol_number(from, 4, is_big_endian));
    double v = rn_vol_sample_value(type, from, is_big_endian);
    if (rn_vol_sample_types[type].number != RN_NUMBER_FLOAT && fabs(v) > 1 << 24)
        *found |= RN_LOAD_TOO_LARGE;
    if (type == RN_STORED_F64 && (double)(float)v != v && !isnan(v))
        *found |= RN_LOAD_ROUNDED;
    return (float)v;
}

bool rn_vol_sample_store(enum rn_vol_sample_type type, double value, uint8_t to[8])
{
    bool is_signed = rn_vol_sample_types[type].number == RN_NUMBER_SIGNED;
    int bits = 8 * rn_vol_sample_types[type].bytes - is_signed;
    if (type == RN_STORED_F64) {
        memcpy(to, &value, sizeof value);
    } else if (type == RN_STORED_F32) {
        float v = (float)value;
        memcpy(to, &v, sizeof v);
    } else if (!(value >= (is_signed ? -ldexp(1, bits) : 0) && value < ldexp(1, bits))) {
        return false;
    } else {
        uint64_t v = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
        const uint8_t *from = (const uint8_t *)&v;
        int bytes = rn_vol_sample_types[type].bytes;
        memcpy(to, from + (AV_HAVE_BIGENDIAN ? 8 - bytes : 0), (size_t)bytes);
    }
    return true;
}

bool rn_vol_sample_type_is_native(enum rn_vol_sample_type type, bool swapped)
{
    return type == RN_STORED_U8 ||
           (!swapped && (type == RN_STORED_U16 || type == RN_STORED_S16 || type == RN_STORED_F32));
}

unsigned rn_vol_samples_load(enum rn_vol_sample_type type, bool swapped, const uint8_t *from,
                             size_t step, size_t n, void *to, size_t to_step)
{
    unsigned found = 0;
    size_t bytes = (size_t)rn_vol_sample_types[type].bytes;
    bool is_big = (AV_HAVE_BIGENDIAN != 0) != swapped;
    if (rn_vol_sample_type_is_native(type, swapped) && step == bytes && to_step == 1) {
        memcpy(to, from, n * step);
        return 0;
    }
    if (type == RN_STORED_U8) {
        uint8_t *out = to;
        for (size_t i = 0; i < n; i++)
            out[i * to_step] = from[i * step];
        return 0;
    }
    if (type == RN_STORED_S8) {
        int16_t *out = to;
        for (size_t i = 0; i < n; i++)
            out[i * to_step] = (int16_t)((from[i * step] ^ 128) - 128);
        return 0;
    }
    if (type == RN_STORED_U16 || type == RN_STORED_S16) {
        uint16_t *out = to;
        for (size_t i = 0; i < n; i++)
            out[i * to_step] = (uint16_t)rn_vol_number(from + i * step, 2, is_big);
        return 0;
    }
    float *out = to;
    for (size_t i = 0; i < n; i++)
        out[i * to_step] = load_float(type, from + i * step, is_big, &found);
    return found;
}
