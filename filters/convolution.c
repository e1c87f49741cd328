/* SPDX-License-Identifier: MIT */
/* Convolution with a matrix, in correlation order: the matrix is laid over the image, not flipped.
 *
 * Definition, the same on every device:
 *   whole numbers:   S is the exact integer sum, if it fits 31 bits for every picture; otherwise
 *   other numbers:   S is summed in fp32 in row-major order; a matrix that is a column times a row
 *                    is summed along the rows first, then along the column
 *   result:          clamp(S * (1 / div) + bias), two roundings in fp32, then half to even
 *   float samples:   as other numbers, leaving out weights of 0; neither rounded to integers nor
 *                    saturated
 * Whole matrices of rank one also take two passes, which changes nothing in exact sums. */

#include "filters/base/owned.h"
#include "filters/core/chain/level.h"
#include "filters/parts/texts.h"
#include "filters/parts/matrix.h"
#include "filters/parts/separable.h"

struct convolution {
    const char *matrix, *file, *size;
    const char *file_text;
    int preset;
    float div;
    struct rn_level bias;
    int planes;
    enum rn_border border;
};

static const char *const presets[] = {
    "1",
    "1 1 1 1 1 1 1 1 1",
    "1 2 1 2 4 2 1 2 1",
    "0 -1 0 -1 5 -1 0 -1 0",
    "-2 -1 0 -1 1 1 0 1 2",
    "0 1 0 1 -4 1 0 1 0",
    "-1 -1 -1 -1 8 -1 -1 -1 -1",
};
static const char *const preset_names[] = {"identity", "box3",      "gauss3",  "sharpen",
                                           "emboss",   "laplacian", "outline", NULL};

static const struct rn_param params[] = {
    RN_P_TEXT(struct convolution, matrix, "",
              "numbers parted by blanks, row by row; any odd width and height to 129"),
    RN_P_READS(struct convolution, file, file_text, "file with the matrix, one line a row"),
    RN_P_TEXT(struct convolution, size, "", "WxH of a matrix that is not square"),
    RN_P_CHOICE(struct convolution, preset, preset_names, 7, 0,
                "a well-known matrix, where neither matrix nor file is given"),
    RN_P_FLOAT(struct convolution, div, -1000000, 1000000, 1, 0, "",
               "divides the sum; 0 = the sum of the matrix, or 1 where that is 0"),
    RN_P_LEVEL(struct convolution, bias, RN_DISTANCE, -255, 255, 1, 0,
               "added after the division; 128 is mid-scale at every depth"),
    RN_P_BORDER(struct convolution),
    RN_P_PLANES(struct convolution),
    RN_P_END,
};

/* How the sum is taken. */
enum kind { KIND_SHORT, KIND_INT, KIND_FLOAT };

enum kernel { EXACT_SHORT, EXACT, SHORT, INT, FLOAT, WHOLE };

static const char *const by_taps[] = {[EXACT_SHORT] = "convolve_exact_short",
                                      [EXACT] = "convolve_exact",
                                      [SHORT] = "convolve_short",
                                      [INT] = "convolve_int",
                                      [FLOAT] = "convolve_float",
                                      [WHOLE] = "convolve_whole"};
/* convolution_rows.clh; NULL: there is none. */
static const char *const by_rows[] = {
    [EXACT_SHORT] = "rows_exact_short", [SHORT] = "rows_short", [WHOLE] = "rows_whole"};
/* Where so many weights are not 0 a row is worth more than its taps one by one. */
enum { MIN_ROWS3_TAPS = 5, MIN_ROWS5_TAPS = 10 };

/* What is computed. */
struct sum {
    struct rn_matrix_taps m;
    enum kind kind;
    bool separable;
    bool exact; /* no division, integer bias */
    bool whole; /* fp32 holds every sum, a bias included: integers below 2^24 */
    float scale, bias;
    float max; /* the largest sample */
};

#define MAX_SIDE 5 /* of matrices that go by rows */

struct priv {
    struct sum sum;
    struct rn_kernel *nine; /* up to 3x3 on GPUs; else NULL */
    struct rn_separable passes;
    /* neither: */
    enum kernel kind;
    struct rn_kernel *kernel;
    int side;  /* by rows: of its matrix, which weights holds; 0: by taps, which weights lists */
    bool even; /* by rows: the matrix is the same from right to left and from bottom to top */
    struct rn_scratch weights;
    int ntaps;
};

/* The largest magnitude of an integer sample. */
static double magnitude_of(const struct rn_format *fmt)
{
    return fmt->number == RN_NUMBER_SIGNED ? -rn_format_min(fmt) : rn_format_max(fmt);
}

static int make_sum(struct sum *sum, const struct convolution *c, const struct rn_geom *geom)
{
    const struct rn_matrix_taps *m = &sum->m;
    bool floats = geom->fmt.number == RN_NUMBER_FLOAT;
    bool given = *c->matrix, from_file = *c->file;
    if (given + from_file + (c->preset != 0) > 1)
        return rn_fail(RN_EUSAGE, "convolution: give one of matrix, file and preset");
    if (*c->size && !given && !from_file)
        return rn_fail(RN_EUSAGE, "convolution: size belongs to matrix or file; presets are 3x3");
    const char *text = from_file ? c->file_text : given ? c->matrix : presets[c->preset];
    int err = rn_matrix_parse(&sum->m, "convolution", text, c->size, from_file);
    if (err)
        return err;
    double max = floats ? 0 : magnitude_of(&geom->fmt);
    double div = c->div != 0 ? (double)c->div : m->sum != 0 ? m->sum : 1;
    sum->scale = 1 / (float)div;
    sum->bias = (float)rn_level_distance(&c->bias, geom);
    sum->max = rn_geom_white(geom);
    if (!isfinite(sum->scale))
        return rn_fail(RN_EUSAGE, "convolution: div=%g is too close to 0", div);
    sum->kind = floats || !m->whole || m->sum_abs * max > 0x7fffffff ? KIND_FLOAT
                : m->sum_abs * max < 0x7fff                          ? KIND_SHORT
                                                                     : KIND_INT;
    /* Two passes are faster from 5x5 on. For fp32 this limit is part of the definition. */
    sum->separable = m->separable && (sum->kind == KIND_FLOAT || m->w * m->h >= 25);
    /* With the bias inside, the sum must still fit its integers. */
    double all = m->sum_abs * max + fabs((double)sum->bias);
    sum->exact = sum->kind != KIND_FLOAT && div == 1 && sum->bias == rintf(sum->bias) &&
                 all < (sum->kind == KIND_SHORT ? 0x7fff : 0x7fffffff);
    sum->whole = sum->kind != KIND_FLOAT && all < 1 << 24;
    return 0;
}

/* CPUs, whose work-items are alone, multiply floats faster than 32-bit integers. */
static enum kernel kernel_of(const struct rn_device *dev, const struct sum *sum,
                             enum rn_sample sample)
{
    bool brief = sum->kind == KIND_SHORT && sample == RN_SAMPLE_U8;
    if (sum->kind == KIND_FLOAT)
        return FLOAT;
    if (sum->whole && !brief && rn_form_alone(&dev->form))
        return WHOLE;
    return brief ? sum->exact ? EXACT_SHORT : SHORT : sum->exact ? EXACT : INT;
}

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    RN_OWNED(rn_free_owned) struct sum *sum = malloc(sizeof *sum); /* too large for a stack */
    if (!sum)
        return rn_fail_memory();
    int err = make_sum(sum, stage->params, in);
    if (!err) {
        int reach = sum->m.w > sum->m.h ? sum->m.w / 2 : sum->m.h / 2;
        traits->shift_invariant = true;
        traits->margin = reach > 1 ? reach : 1; /* presets change while running, up to 3x3 */
        if (fabs(sum->m.sum * (double)sum->scale - 1) > 1e-6 || sum->bias != 0)
            rn_traits_drop_unit(traits);
    }
    return err;
}

/* ---- reference */

static float sum_whole(const struct rn_matrix_taps *m, const struct rn_plane *src,
                       enum rn_sample sample, int x, int y, enum rn_border border)
{
    int64_t sum = 0;
    for (int i = 0; i < m->h; i++)
        for (int j = 0; j < m->w; j++)
            sum += (int64_t)m->value[i * m->w + j] *
                   (int)rn_sample_around(src, sample, border, x + j - m->w / 2, y + i - m->h / 2);
    return (float)sum;
}

static float sum_float(const struct rn_matrix_taps *m, const struct rn_plane *src,
                       enum rn_sample sample, int x, int y, enum rn_border border)
{
    float sum = 0;
    for (int i = 0; i < m->h; i++) {
        float line = m->separable ? 0 : sum;
        if (m->separable && m->column[i] == 0)
            continue;
        for (int j = 0; j < m->w; j++) {
            double weight = m->separable ? m->row[j] : m->value[i * m->w + j];
            if (weight != 0)
                line = line + (float)weight * rn_sample_around(src, sample, border,
                                                               x + j - m->w / 2, y + i - m->h / 2);
        }
        sum = m->separable ? sum + (float)m->column[i] * line : line;
    }
    return sum;
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct convolution *c = now->params;
    const struct priv *priv = bound->priv;
    const struct sum *sum = &priv->sum;
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    const struct rn_plane *s = &src->plane[p];
    RN_EACH_SAMPLE (s, x, y) {
        float total = sum->kind == KIND_FLOAT ? sum_float(&sum->m, s, sample, x, y, c->border)
                                              : sum_whole(&sum->m, s, sample, x, y, c->border);
        float v = total * sum->scale + sum->bias;
        rn_sample_put(&dst->plane[p], sample, x, y, rn_round_sample(&now->in.fmt, v));
    }
    return 0;
}

/* ---- device */

/* Uploads the taps of a w x h matrix, leaving out zeros. */
static int make_taps(struct rn_device *dev, const double *value, int w, int h, enum kind kind,
                     cl_mem *mem, int *n)
{
    RN_OWNED(rn_free_owned) cl_int4 *taps = calloc((size_t)(w * h), sizeof *taps);
    if (!taps)
        return rn_fail_memory();
    *n = 0;
    for (int k = 0; k < w * h; k++)
        if (value[k] != 0)
            taps[(*n)++] = (cl_int4){.s = {k % w - w / 2, k / w - h / 2,
                                           rn_weight_bits(value[k], kind != KIND_FLOAT), 0}};
    return rn_buffer_from(dev, taps, (size_t)(*n ? *n : 1) * sizeof *taps, mem);
}

/* A GPU does a matrix of up to 3x3 at one go, whatever it is. */
static int prepare_nine(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    const struct sum *sum = &priv->sum;
    bool small = now->in.fmt.number != RN_NUMBER_FLOAT && /* rn_small_to_floats() */
                 sum->m.sum_abs * magnitude_of(&now->in.fmt) < 1 << 22;
    const char *name = sum->separable            ? "nine_lines"
                       : sum->kind == KIND_FLOAT ? "nine_float"
                       : sum->exact              ? "nine_exact"
                       : small                   ? "nine_small"
                                                 : "nine_int";
    priv->nine = NULL;
    return sum->m.w > 3 || sum->m.h > 3 || !rn_form_by_index(&bound->dev->form)
               ? 0
               : rn_kernel_get(bound->dev, "convolution.cl", name, rn_format_sample(&now->in.fmt),
                               &priv->nine);
}

/* Uploads a matrix in the middle of side x side weights. */
static int make_weights(struct rn_device *dev, const struct rn_matrix_taps *m, int side,
                        enum kind kind, cl_mem *mem)
{
    cl_int all[MAX_SIDE * MAX_SIDE] = {0};
    int left = (side - m->w) / 2, top = (side - m->h) / 2;
    for (int i = 0; i < m->h; i++)
        for (int j = 0; j < m->w; j++)
            all[(top + i) * side + left + j] =
                rn_weight_bits(m->value[i * m->w + j], kind != KIND_FLOAT);
    return rn_buffer_from(dev, all, (size_t)(side * side) * sizeof *all, mem);
}

/* The side of the matrix if it goes by rows, as small ones with exact sums do on CPUs; else 0. */
static int side_of(const struct rn_device *dev, const struct rn_matrix_taps *m, enum kernel kind)
{
    int taps = 0, side = m->w <= 3 && m->h <= 3 ? 3 : MAX_SIDE;
    for (int k = 0; k < m->w * m->h; k++)
        taps += m->value[k] != 0;
    bool fits = m->w <= side && m->h <= side && kind != FLOAT && by_rows[kind];
    return fits && rn_form_alone(&dev->form) &&
                   taps >= (side == 3 ? MIN_ROWS3_TAPS : MIN_ROWS5_TAPS)
               ? side
               : 0;
}

/* Whether a matrix is the same from right to left and from bottom to top. */
static bool is_even(const struct rn_matrix_taps *m)
{
    bool even = true;
    for (int i = 0; i < m->h; i++)
        for (int j = 0; j < m->w; j++)
            even &= m->value[i * m->w + j] == m->value[i * m->w + m->w - 1 - j] &&
                    m->value[i * m->w + j] == m->value[(m->h - 1 - i) * m->w + j];
    return even;
}

static int prepare_direct(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    const struct rn_matrix_taps *m = &priv->sum.m;
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    enum kernel kind = priv->kind = kernel_of(bound->dev, &priv->sum, sample);
    enum kind weights = kind == WHOLE ? KIND_FLOAT : priv->sum.kind;
    int side = priv->side = side_of(bound->dev, m, kind);
    const char *file = side == 0   ? "convolution.cl"
                       : side == 3 ? "convolution_rows3.cl"
                                   : "convolution_rows5.cl";
    priv->even = is_even(m);
    cl_mem *mem = &rn_held(bound, &priv->weights)->mem;
    int err = side ? make_weights(bound->dev, m, side, weights, mem)
                   : make_taps(bound->dev, m->value, m->w, m->h, weights, mem, &priv->ntaps);
    return err ? err
               : rn_kernel_get(bound->dev, file, (side ? by_rows : by_taps)[kind], sample,
                               &priv->kernel);
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    struct sum *sum = &priv->sum;
    int err = make_sum(sum, now->params, &now->in);
    if (err || !bound->dev)
        return err;
    err = prepare_nine(bound, now);
    if (err || priv->nine)
        return err;
    const struct rn_matrix_taps *m = &sum->m;
    struct rn_factors factors = {m->row, m->column, m->w, m->h, sum->kind != KIND_FLOAT, false};
    return sum->separable ? rn_separable_prepare(&priv->passes, bound, &now->in, &factors)
                          : prepare_direct(bound, now);
}

/* The middle three of a line of n weights. */
static struct rn_arg three_floats(const double *v, int n)
{
    const double *m = v + n / 2;
    return RN_ARG_FLOAT4(n > 1 ? (float)m[-1] : 0, (float)m[0], n > 1 ? (float)m[1] : 0, 0);
}

/* Launches the kernel that sums: args, then the scale unless sums are exact, bias and maximum. */
static int launch(const struct sum *sum, struct rn_cmd *cmd, struct rn_kernel *kernel,
                  const struct rn_dplane *s, bool exact, struct rn_arg args[], int n)
{
    if (!exact)
        args[n++] = RN_ARG_FLOAT(sum->scale);
    args[n++] = exact ? RN_ARG_INT((cl_int)sum->bias) : RN_ARG_FLOAT(sum->bias);
    args[n++] = exact ? RN_ARG_INT((cl_int)sum->max) : RN_ARG_FLOAT(sum->max);
    return rn_launch(cmd, kernel, rn_area_of(s), args, n);
}

static int enqueue_nine(const struct priv *priv, struct rn_cmd *cmd, enum rn_border border,
                        const struct rn_dplane *s, const struct rn_dplane *d)
{
    const struct sum *sum = &priv->sum;
    const struct rn_matrix_taps *t = &sum->m;
    bool integer = sum->kind != KIND_FLOAT;
    struct rn_arg args[9] = {RN_ARG_PLANE(s), RN_ARG_PLANE(d), RN_ARG_INT2((cl_int)border, 0)};
    if (sum->separable) {
        args[3] = three_floats(t->column, t->h);
        args[4] = three_floats(t->row, t->w);
        return launch(sum, cmd, priv->nine, s, false, args, 5);
    }
    for (int i = 0; i < 3; i++) {
        bool there = i == 1 || t->h > 1, wide = there && t->w > 1;
        const double *m = t->value + (t->h / 2 + (there ? i - 1 : 0)) * t->w + t->w / 2;
        args[3 + i] = RN_ARG_INT4(wide ? rn_weight_bits(m[-1], integer) : 0,
                                  there ? rn_weight_bits(m[0], integer) : 0,
                                  wide ? rn_weight_bits(m[1], integer) : 0, 0);
    }
    return launch(sum, cmd, priv->nine, s, sum->exact, args, 6);
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct convolution *c = now->params;
    struct priv *priv = bound->priv;
    const struct sum *sum = &priv->sum;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    if (priv->nine)
        return enqueue_nine(priv, cmd, c->border, s, d);
    int err = rn_fill_border(cmd, s, sample, sum->m.w / 2, sum->m.h / 2, c->border, 0);
    if (err)
        return err;
    if (sum->separable)
        return rn_separable_enqueue(&priv->passes, cmd, s, d, sample, sum->scale, sum->bias,
                                    sum->max);
    bool exact = priv->kind == EXACT_SHORT || priv->kind == EXACT; /* integers, no division */
    struct rn_arg args[7] = {RN_ARG_PLANE(s), RN_ARG_PLANE(d), RN_ARG_MEM(priv->weights.mem),
                             RN_ARG_INT(priv->side ? priv->even : priv->ntaps)};
    return launch(sum, cmd, priv->kernel, s, exact, args, 4);
}

RN_FILTER(convolution) = {
    .name = RN_NAMED(convolution),
    RN_SETTINGS(struct convolution, params),
    RN_PREPARING(struct priv),
};
