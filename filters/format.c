/* SPDX-License-Identifier: MIT */
/* Conversion to other pixel formats: `format` names one, `gray` keeps the depth.
 *
 * What happens to values is the parameter `values`:
 *   keep   1234 stays 1234, whatever the type; a format that cannot hold every value of the source
 *          is refused. To floats: their declared range becomes black..white of the source.
 *   range  black..white of the source becomes black..white of the output (floats: 0..1); what a
 *          rescaled value is stays true, its slope and intercept change
 *   auto   range between the depths of video, otherwise keep
 *
 * Every plane of the output is an affine combination of the source's planes at the same place, in
 * fp32, for integers rounded half to even and saturated: out = ((k0 * c0 + k1 * c1) + k2 * c2) +
 * bias, where planes of weight 0 are not read. Chroma is repeated for a finer grid and averaged for
 * a coarser one. Y'CbCr follows ITU-R BT.601, BT.709 or BT.2020 (non-constant luminance), in
 * limited or full range, as the stream specifies. R'G'B' is full range. Conversions of depth alone
 * are shifts in limited range (ITU-R BT.2100, table 9); in full range they map white to white. */

#include "filters/core/device/opencl.h"
#include "filters/core/chain/stage.h"
#include "filters/parts/texts.h"

enum values { VALUES_AUTO, VALUES_KEEP, VALUES_RANGE };

struct format {
    const char *format;
    enum values values;
};

static const char *const values_names[] = {"auto", "keep", "range", NULL};

static const struct rn_param format_params[] = {
    RN_P_TEXT(struct format, format, "gray", rn_format_names),
    RN_P_FIXED_CHOICE(
        struct format, values, values_names, 3, VALUES_AUTO,
        "keep = every value stays what it is, and a format that cannot hold all is refused; range "
        "= black..white becomes black..white; auto = range between depths of video, else keep"),
    RN_P_END,
};

static const struct rn_param gray_params[] = {
    RN_P_END,
};

extern const struct rn_stage_desc rn_format;

/* code = offset + scale * value, for values of 0..1 (luma, RGB) or -0.5..0.5 (chroma) */
struct coding {
    double offset, scale;
};

static struct coding coding_of(const struct rn_geom *g, int p)
{
    if (g->fmt.number != RN_NUMBER_UNSIGNED)
        return (struct coding){(double)rn_geom_black(g),
                               (double)rn_geom_white(g) - (double)rn_geom_black(g)};
    double max = rn_format_max(&g->fmt), unit = (double)(1 << (g->fmt.depth - 8));
    bool chroma = g->fmt.model == RN_YUV && (p == 1 || p == 2);
    if (g->fmt.model == RN_RGB || (g->full_range && !chroma))
        return (struct coding){0, max};
    if (chroma)
        return (struct coding){128 * unit, g->full_range ? max : 224 * unit};
    return (struct coding){16 * unit, 219 * unit};
}

/* The value of output component p as a combination of the values of the source's components. */
static void combine(const struct rn_geom *in, const struct rn_geom *out, int p, double w[3])
{
    double kr = rn_luma(in->matrix)[0], kb = rn_luma(in->matrix)[1], kg = 1 - kr - kb;
    bool from_rgb = in->fmt.model == RN_RGB, to_rgb = out->fmt.model == RN_RGB;
    w[0] = w[1] = w[2] = 0;
    if (from_rgb && !to_rgb) { /* components of the source are G B R */
        double y[3] = {kg, kb, kr}, scale = p == 1 ? 2 * (1 - kb) : 2 * (1 - kr);
        for (int i = 0; i < 3; i++)
            w[i] = p == 0 ? y[i] : ((p == 1 ? i == 1 : i == 2) - y[i]) / scale;
    } else if (!from_rgb && to_rgb) {
        w[0] = 1;
        if (in->fmt.model == RN_YUV) {
            w[1] = p == 1 ? 2 * (1 - kb) : p == 0 ? -2 * kb * (1 - kb) / kg : 0;
            w[2] = p == 2 ? 2 * (1 - kr) : p == 0 ? -2 * kr * (1 - kr) / kg : 0;
        }
    } else if (p < rn_format_planes(&in->fmt) - in->fmt.alpha) {
        w[p] = 1;
    } /* else chroma of gray: 0 */
}

static bool keeps_values(const struct rn_stage_desc *desc, const void *params,
                         const struct rn_geom *in, const struct rn_format *out)
{
    const struct format *f = params;
    if (desc != &rn_format)
        return in->scan || in->fmt.number != RN_NUMBER_UNSIGNED;
    return f->values == VALUES_KEEP ||
           (f->values == VALUES_AUTO && (in->scan || in->fmt.number != out->number));
}

/* keep: values as they are; chroma of gray is the middle. */
static void make_weights(const struct rn_geom *in, const struct rn_geom *out, int p, bool keep,
                         float k[4])
{
    bool added = out->fmt.model == RN_YUV && in->fmt.model == RN_GRAY && p;
    const struct coding kept = {0, 1};
    struct coding to = keep ? kept : coding_of(out, p);
    double w[3], bias = keep && added ? (double)rn_geom_middle(out) : to.offset;
    combine(in, out, p, w);
    for (int i = 0; i < 3; i++) {
        struct coding from = keep ? kept : coding_of(in, i);
        double factor = w[i] * to.scale / from.scale;
        k[i] = (float)factor;
        bias -= factor * from.offset;
    }
    k[3] = (float)bias;
}

static bool is_alpha(const struct rn_format *fmt, int p)
{
    return fmt->alpha && p == rn_format_planes(fmt) - 1;
}

static void convert_to(const struct rn_geom *in, struct rn_traits *traits)
{
    const struct rn_geom *out = &traits->out;
    traits->planes = 0;
    for (int p = 0; p < rn_format_planes(&out->fmt); p++) {
        int w0, h0, w1, h1;
        rn_geom_plane_size(in, p, &w0, &h0);
        rn_geom_plane_size(out, p, &w1, &h1);
        bool is_same = in->fmt.depth == out->fmt.depth && in->fmt.number == out->fmt.number &&
                       p < rn_format_planes(&in->fmt) && w0 == w1 && h0 == h1 &&
                       is_alpha(&in->fmt, p) == is_alpha(&out->fmt, p) &&
                       (in->fmt.model == RN_RGB) == (out->fmt.model == RN_RGB);
        traits->planes |= is_same ? 0 : 1u << p; /* the source's, sample for sample */
    }
    if (traits->planes)
        traits->reads = rn_geom_all_planes(in);
}

static int check_kept(const struct rn_format *in, const struct rn_format *out)
{
    char a[24], b[24];
    bool holds = out->number == RN_NUMBER_FLOAT ||
                 (in->number != RN_NUMBER_FLOAT && rn_format_min(in) >= rn_format_min(out) &&
                  rn_format_max(in) <= rn_format_max(out));
    bool mixes = (in->model == RN_YUV && out->model == RN_RGB) ||
                 (in->model == RN_RGB && out->model == RN_YUV);
    if (mixes && in->number == RN_NUMBER_UNSIGNED && out->number == RN_NUMBER_UNSIGNED &&
        in->depth == out->depth)
        return 0; /* the matrix of the video, as ever */
    if (!mixes && holds)
        return 0;
    return rn_fail(RN_EUSAGE,
                   "format: %s cannot keep every value of %s; values=range maps black..white to "
                   "black..white, and `levels` before it chooses them",
                   rn_format_name(out, b), rn_format_name(in, a));
}

/* Which stored values the rescaled ones are now. */
static void rescale(const struct rn_geom *in, struct rn_geom *out)
{
    struct coding from = coding_of(in, 0), to = coding_of(out, 0);
    double ratio = from.scale / to.scale;
    if (in->rescale.slope == 0)
        return;
    out->rescale.slope = in->rescale.slope * ratio;
    out->rescale.intercept =
        in->rescale.slope * (from.offset - to.offset * ratio) + in->rescale.intercept;
}

static int refuse_complex(const char *name)
{
    return rn_fail(
        RN_EUSAGE,
        "%s: the parts of complex samples are no colours: --complex magnitude makes gray", name);
}

static int check_format(const struct rn_stage *stage, const struct rn_geom *in,
                        struct rn_traits *traits)
{
    const struct format *f = stage->params;
    struct rn_geom *out = &traits->out;
    if (in->fmt.complex)
        return refuse_complex("format");
    if (!rn_format_parse(f->format, &out->fmt))
        return rn_fail(RN_EUSAGE, "format: '%s' is none of these: %s", f->format, rn_format_names);
    if (out->fmt.model == RN_RGB || (in->fmt.model == RN_RGB && out->fmt.model == RN_GRAY))
        out->full_range = true;
    else if (in->fmt.model == RN_RGB)
        out->full_range = false;
    bool keep = keeps_values(stage->desc, f, in, &out->fmt);
    int err = keep ? check_kept(&in->fmt, &out->fmt) : 0;
    if (out->fmt.number != RN_NUMBER_UNSIGNED)
        out->full_range = true;
    if (out->fmt.number == RN_NUMBER_FLOAT && in->fmt.number != RN_NUMBER_FLOAT) {
        out->low = keep ? rn_geom_black(in) : 0;
        out->high = keep ? rn_geom_white(in) : 1;
    } else if (out->fmt.number != RN_NUMBER_FLOAT) {
        out->low = out->high = 0;
    }
    if (!keep)
        rescale(in, out);
    convert_to(in, traits);
    return err;
}

static int check_gray(const struct rn_stage *stage, const struct rn_geom *in,
                      struct rn_traits *traits)
{
    if (in->fmt.complex)
        return refuse_complex("gray");
    traits->out.fmt =
        (struct rn_format){.model = RN_GRAY, .depth = in->fmt.depth, .number = in->fmt.number};
    convert_to(in, traits);
    return 0;
}

/* log2 of how much finer plane `from` of the source is than plane p of the output. */
static void finer(const struct rn_geom *in, int from, const struct rn_geom *out, int p, int *x,
                  int *y)
{
    bool in_chroma = in->fmt.model == RN_YUV && (from == 1 || from == 2);
    bool out_chroma = out->fmt.model == RN_YUV && (p == 1 || p == 2);
    *x = (out_chroma ? out->fmt.sub_x : 0) - (in_chroma ? in->fmt.sub_x : 0);
    *y = (out_chroma ? out->fmt.sub_y : 0) - (in_chroma ? in->fmt.sub_y : 0);
}

/* The source's planes with their weights, and the bias, for plane p. Alpha comes from the source's
 * alpha alone; without one, everything is opaque. */
static void sources(const struct rn_snapshot *now, int p, int plane[3], float k[4])
{
    const struct rn_geom *in = &now->in, *out = &now->traits.out;
    for (int i = 0; i < 3; i++)
        plane[i] = i < rn_format_planes(&in->fmt) ? i : 0;
    bool keep = keeps_values(now->desc, now->params, in, &out->fmt) &&
                (in->fmt.number != RN_NUMBER_UNSIGNED || out->fmt.number != RN_NUMBER_UNSIGNED ||
                 in->fmt.depth != out->fmt.depth);
    if (!is_alpha(&out->fmt, p)) {
        make_weights(in, out, p, keep, k);
        return;
    }
    k[0] = k[1] = k[2] = k[3] = 0;
    if (in->fmt.alpha) {
        plane[0] = rn_format_planes(&in->fmt) - 1;
        struct coding from = coding_of(in, 0), to = coding_of(out, 0);
        double factor = keep ? 1 : to.scale / from.scale;
        if (in->fmt.number == RN_NUMBER_UNSIGNED && out->fmt.number == RN_NUMBER_UNSIGNED)
            factor = keep ? 1 : (double)rn_format_max(&out->fmt) / rn_format_max(&in->fmt);
        else
            k[3] = keep ? 0 : (float)(to.offset - factor * from.offset);
        k[0] = (float)factor;
    } else {
        k[3] = rn_geom_white(out);
    }
}

/* ---- reference */

static float mean(const struct rn_plane *s, enum rn_sample sample, int x, int y, int to_x, int to_y)
{
    int nx = 1 << (to_x > 0 ? to_x : 0), ny = 1 << (to_y > 0 ? to_y : 0);
    int x0 = to_x < 0 ? x >> -to_x : x << to_x, y0 = to_y < 0 ? y >> -to_y : y << to_y;
    float sum = 0;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            sum = sum + rn_sample_get(s, sample, x0 + i < s->w ? x0 + i : s->w - 1,
                                      y0 + j < s->h ? y0 + j : s->h - 1);
    return sum * (1.0f / (float)(nx * ny));
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    struct rn_plane *d = &dst->plane[p];
    float k[4];
    enum rn_sample from = rn_format_sample(&src->geom.fmt), to = rn_format_sample(&dst->geom.fmt);
    int plane[3];
    sources(now, p, plane, k);
    RN_EACH_SAMPLE (d, x, y) {
        float v = 0;
        for (int i = 0; i < 3; i++) {
            int fx, fy;
            finer(&src->geom, plane[i], &dst->geom, p, &fx, &fy);
            if (k[i] != 0)
                v = v + k[i] * mean(&src->plane[plane[i]], from, x, y, fx, fy);
        }
        rn_sample_put(d, to, x, y, rn_round_sample(&dst->geom.fmt, v + k[3]));
    }
    return 0;
}

/* ---- device */

static unsigned needs(const struct rn_bound *bound, const struct rn_snapshot *now)
{
    return 1U << rn_format_sample(&now->traits.out.fmt);
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct rn_dplane *d = &dst->plane[p], *s[3];
    int plane[3], to[3][2];
    float k[4];
    struct rn_kernel *kernel = bound->kernel[rn_format_sample(&dst->geom.fmt)];
    sources(now, p, plane, k);
    for (int i = 0; i < 3; i++) {
        s[i] = &src->plane[plane[i]];
        finer(&src->geom, plane[i], &dst->geom, p, &to[i][0], &to[i][1]);
    }
    return RN_LAUNCH(cmd, kernel, rn_area_of(d), RN_ARG_PLANE(s[0]), RN_ARG_PLANE(s[1]),
                     RN_ARG_PLANE(s[2]), RN_ARG_INT2(to[0][0], to[0][1]),
                     RN_ARG_INT2(to[1][0], to[1][1]), RN_ARG_INT2(to[2][0], to[2][1]),
                     RN_ARG_PLANE(d), RN_ARG_FLOAT4(k[0], k[1], k[2], k[3]),
                     RN_ARG_FLOAT(rn_geom_white(&dst->geom)));
}

#define CONVERTING(check_)                                                                         \
    .source = "format.cl",                                                                         \
    .kernels = {[RN_SAMPLE_U8] = "convert_to_u8",                                                  \
                [RN_SAMPLE_U16] = "convert_to_u16",                                                \
                [RN_SAMPLE_S16] = "convert_to_s16",                                                \
                [RN_SAMPLE_F32] = "convert_to_f32"},                                               \
    .needs = needs, .check = check_, .ref = ref, .enqueue = enqueue

RN_FILTER(format) = {
    .name = RN_NAMED(format),
    RN_SETTINGS(struct format, format_params),
    CONVERTING(check_format),
};

RN_FILTER(gray) = {
    .name = RN_NAMED(gray),
    .params = gray_params,
    .params_size = 1,
    CONVERTING(check_gray),
};
