/* SPDX-License-Identifier: MIT */
#include "io/volumes/volume.h"

#include <math.h>
#include <string.h>

#include <libavutil/avconfig.h>
#include <libavutil/avstring.h>

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

/* Copies a sample in the machine's endianness. */
static void fetch(uint8_t out[8], const uint8_t *from, int bytes, bool swapped)
{
    for (int i = 0; i < bytes; i++)
        out[i] = from[swapped ? bytes - 1 - i : i];
}

static float from_integer(int64_t v, unsigned *found)
{
    if (v < -(1 << 24) || v > 1 << 24)
        *found |= RN_LOAD_TOO_LARGE;
    return (float)v;
}

/* Converts the first bytes of b, which are in the machine's endianness. */
static float load_float(enum rn_vol_sample_type type, const uint8_t b[8], unsigned *found)
{
    union {
        uint16_t u16;
        uint32_t u32;
        int32_t s32;
        uint64_t u64;
        int64_t s64;
        float f32;
        double f64;
    } v;
    memcpy(&v, b, sizeof v);
    switch (type) {
    case RN_STORED_U32:
        return from_integer(v.u32, found);
    case RN_STORED_S32:
        return from_integer(v.s32, found);
    case RN_STORED_U64:
        return from_integer(v.u64 < INT64_MAX ? (int64_t)v.u64 : INT64_MAX, found);
    case RN_STORED_S64:
        return from_integer(v.s64, found);
    case RN_STORED_F16:
        return rn_vol_half_to_float(v.u16);
    case RN_STORED_F64:
        *found |= (double)(float)v.f64 != v.f64 && !isnan(v.f64) ? RN_LOAD_ROUNDED : 0;
        return (float)v.f64;
    default:
        return v.f32;
    }
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
    int bytes = rn_vol_sample_types[type].bytes;
    uint8_t b[8] = {0};
    if (rn_vol_sample_type_is_native(type, swapped) && step == (size_t)bytes && to_step == 1) {
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
            fetch((uint8_t *)(out + i * to_step), from + i * step, 2, swapped);
        return 0;
    }
    float *out = to;
    for (size_t i = 0; i < n; i++) {
        fetch(b, from + i * step, bytes, swapped);
        out[i * to_step] = load_float(type, b, &found);
    }
    return found;
}
