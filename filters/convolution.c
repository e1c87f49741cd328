/* Convolution with a matrix, in correlation order: the matrix is laid over the image, not flipped.
 *
 * Definition, the same on every device:
 *   whole numbers:   S is the exact integer sum, if 31 bits hold it for every picture; else
 *   other numbers:   S is summed in fp32 in row-major order; a matrix that is the product of a
 *                    column and a row is summed along the rows first, then along the column
 *   result:          clamp(S * (1 / div) + bias), two roundings in fp32, then half to even
 * Whole matrices of rank one are computed in two passes as well; integers do not notice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/core/opencl.h"
#include "filters/core/stage.h"
#include "filters/core/matrix.h"
#include "filters/core/separable.h"

struct convolution {
    const char *matrix, *file, *size;
    int preset;
    float div, bias;
    int planes, border;
};

static const struct preset {
    const char *matrix;
} presets[] = {
    {"1"},
    {"1 1 1 1 1 1 1 1 1"},
    {"1 2 1 2 4 2 1 2 1"},
    {"0 -1 0 -1 5 -1 0 -1 0"},
    {"-2 -1 0 -1 1 1 0 1 2"},
    {"0 1 0 1 -4 1 0 1 0"},
    {"-1 -1 -1 -1 8 -1 -1 -1 -1"},
};
static const char *const preset_names[] = {"identity", "box3",      "gauss3",  "sharpen",
                                           "emboss",   "laplacian", "outline", NULL};

static const struct rn_param params[] = {
    RN_P_TEXT(struct convolution, matrix, "",
              "numbers parted by blanks, row by row; any odd width and height to 129"),
    RN_P_TEXT(struct convolution, file, "", "file with the matrix, one line a row"),
    RN_P_TEXT(struct convolution, size, "", "WxH of a matrix that is not square"),
    RN_P_CHOICE(struct convolution, preset, preset_names, 7, 0,
                "a well-known matrix, where neither matrix nor file is given"),
    RN_P_FLOAT(struct convolution, div, -1000000, 1000000, 1, 0, "",
               "divides the sum; 0 = the sum of the matrix, or 1 where that is 0"),
    RN_P_FLOAT(struct convolution, bias, -255, 255, 1, 0, "8-bit units",
               "added after the division; 128 is mid-scale at every depth"),
    RN_P_BORDER(struct convolution),
    RN_P_PLANES(struct convolution),
    RN_P_END,
};

/* How the sum is taken. */
enum kind { KIND_SHORT, KIND_INT, KIND_FLOAT };

struct priv {
    struct rn_matrix_taps m;
    const char *made_of[3]; /* matrix, file, size that m was read from */
    int made_preset;
    enum kind kind;
    bool separable;
    bool exact; /* no division and a whole bias */
    float scale, bias, max;
    /* device */
    cl_mem taps;
    int ntaps;
    struct rn_kernel *direct;
    struct rn_separable passes;
};

static int read_matrix(struct rn_stage *stage)
{
    const struct convolution *c = stage->params;
    struct priv *priv = stage->priv;
    bool given = *c->matrix, from_file = *c->file;
    if (given + from_file + (c->preset != 0) > 1)
        return rn_fail(RN_EUSAGE, "convolution: give one of matrix, file and preset");
    if (priv->m.w && priv->made_of[0] == c->matrix && priv->made_of[1] == c->file &&
        priv->made_of[2] == c->size && priv->made_preset == c->preset)
        return 0; /* texts are interned: equal pointers are equal texts */
    if (*c->size && !given && !from_file)
        return rn_fail(RN_EUSAGE, "convolution: size belongs to matrix or file; presets are 3x3");
    priv->m.w = 0;
    int err = from_file ? rn_matrix_read(&priv->m, "convolution", c->file, c->size)
                        : rn_matrix_parse(&priv->m, "convolution",
                                          given ? c->matrix : presets[c->preset].matrix,
                                          given ? c->size : "");
    if (err)
        return err;
    priv->made_of[0] = c->matrix;
    priv->made_of[1] = c->file;
    priv->made_of[2] = c->size;
    priv->made_preset = c->preset;
    return 0;
}

static int check(struct rn_stage *stage, const struct rn_geom *in, struct rn_geom *out)
{
    (void)out;
    const struct convolution *c = stage->params;
    struct priv *priv = stage->priv;
    int err = read_matrix(stage);
    if (err)
        return err;
    const struct rn_matrix_taps *m = &priv->m;
    double max = rn_format_max(&in->fmt), div = c->div != 0   ? (double)c->div
                                                : m->sum != 0 ? m->sum
                                                              : 1;
    priv->scale = 1 / (float)div;
    priv->bias = c->bias * (float)(1 << (in->fmt.depth - 8));
    priv->max = (float)max;
    if (!isfinite(priv->scale))
        return rn_fail(RN_EUSAGE, "convolution: div=%g is too close to 0", div);
    priv->kind = !m->whole || m->sum_abs * max > 0x7fffffff ? KIND_FLOAT
                 : m->sum_abs * max < 0x7fff                ? KIND_SHORT
                                                            : KIND_INT;
    /* Two passes pay from 5x5 on. For fp32 they are part of the definition. */
    priv->separable = m->separable && (priv->kind == KIND_FLOAT || m->w * m->h >= 25);
    /* With the bias inside, the sum must still fit its integers. */
    double all = m->sum_abs * max + fabs((double)priv->bias);
    priv->exact = priv->kind != KIND_FLOAT && div == 1 && priv->bias == rintf(priv->bias) &&
                  all < (priv->kind == KIND_SHORT ? 0x7fff : 0x7fffffff);
    int reach = m->w > m->h ? m->w / 2 : m->h / 2;
    stage->margin = reach > 1 ? reach : 1; /* presets change while running, up to 3x3 */
    return 0;
}

/* ---- reference */

static int sample_at(const struct rn_plane *src, int bytes, int x, int y, enum rn_border border)
{
    int sx = rn_border_index(border, x, src->w), sy = rn_border_index(border, y, src->h);
    return sx < 0 || sy < 0 ? 0 : rn_plane_get(src, bytes, sx, sy);
}

static float sum_whole(const struct rn_matrix_taps *m, const struct rn_plane *src, int bytes, int x,
                       int y, enum rn_border border)
{
    int64_t sum = 0;
    for (int i = 0; i < m->h; i++)
        for (int j = 0; j < m->w; j++)
            sum += (int64_t)m->value[i * m->w + j] *
                   sample_at(src, bytes, x + j - m->w / 2, y + i - m->h / 2, border);
    return (float)sum;
}

static float sum_float(const struct rn_matrix_taps *m, const struct rn_plane *src, int bytes, int x,
                       int y, enum rn_border border)
{
    float sum = 0;
    for (int i = 0; i < m->h; i++) {
        float line = m->separable ? 0 : sum;
        for (int j = 0; j < m->w; j++) {
            float weight = (float)(m->separable ? m->row[j] : m->value[i * m->w + j]);
            line = line + weight * (float)sample_at(src, bytes, x + j - m->w / 2, y + i - m->h / 2,
                                                    border);
        }
        sum = m->separable ? sum + (float)m->column[i] * line : line;
    }
    return sum;
}

static int ref(struct rn_stage *stage, const struct rn_call *call, const struct rn_image *src,
               struct rn_image *dst, int p)
{
    (void)call;
    const struct convolution *c = stage->params;
    const struct priv *priv = stage->priv;
    int bytes = rn_format_bytes(&src->geom.fmt);
    const struct rn_plane *s = &src->plane[p];
    for (int y = 0; y < s->h; y++) {
        for (int x = 0; x < s->w; x++) {
            enum rn_border border = (enum rn_border)c->border;
            float sum = priv->kind == KIND_FLOAT ? sum_float(&priv->m, s, bytes, x, y, border)
                                                 : sum_whole(&priv->m, s, bytes, x, y, border);
            float v = sum * priv->scale + priv->bias;
            rn_plane_put(&dst->plane[p], bytes, x, y, rn_round_sample(v, priv->max));
        }
    }
    return 0;
}

/* ---- device */

static cl_int weight_bits(double weight, enum kind kind)
{
    union {
        float f;
        cl_int i;
    } bits = {.f = (float)weight};
    return kind == KIND_FLOAT ? bits.i : (cl_int)weight;
}

/* Uploads the taps of a w x h matrix without its zeros. */
static int make_taps(struct rn_device *dev, const double *value, int w, int h, enum kind kind,
                     cl_mem *mem, int *n)
{
    cl_int4 *taps = calloc((size_t)(w * h), sizeof *taps);
    if (!taps)
        return rn_fail_memory();
    *n = 0;
    for (int k = 0; k < w * h; k++)
        if (value[k] != 0)
            taps[(*n)++] =
                (cl_int4){.s = {k % w - w / 2, k / w - h / 2, weight_bits(value[k], kind), 0}};
    rn_buffer_release(dev, mem);
    int err = rn_buffer_from(dev, taps, (size_t)(*n ? *n : 1) * sizeof *taps, mem);
    free(taps);
    return err;
}

static int prepare(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    int bytes = rn_format_bytes(&stage->in.fmt);
    bool brief = priv->kind == KIND_SHORT && bytes == 1;
    const char *name = priv->kind == KIND_FLOAT ? "convolve_float"
                       : priv->exact ? (brief ? "convolve_exact_short" : "convolve_exact")
                                     : (brief ? "convolve_short" : "convolve_int");
    const struct rn_matrix_taps *m = &priv->m;
    struct rn_factors factors = {m->row, m->column, m->w, m->h, priv->kind != KIND_FLOAT, false};
    if (priv->separable)
        return rn_separable_prepare(&priv->passes, dev, &stage->in, &factors);
    int err = make_taps(dev, m->value, m->w, m->h, priv->kind, &priv->taps, &priv->ntaps);
    return err ? err : rn_kernel_get(dev, "convolution.cl", name, bytes, &priv->direct);
}

static int enqueue(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p)
{
    const struct convolution *c = stage->params;
    struct priv *priv = stage->priv;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    int bytes = rn_format_bytes(&stage->in.fmt);
    struct rn_area area = {0, 0, s->w, s->h};
    int err =
        rn_fill_border(cmd, s, bytes, priv->m.w / 2, priv->m.h / 2, (enum rn_border)c->border, 0);
    if (err)
        return err;
    if (priv->separable)
        return rn_separable_enqueue(&priv->passes, cmd, s, d, bytes, priv->scale, priv->bias,
                                    priv->max);
    if (priv->exact)
        return RN_LAUNCH(cmd, priv->direct, area, RN_ARG_PLANE(s), RN_ARG_PLANE(d),
                         RN_ARG_MEM(priv->taps), RN_ARG_INT(priv->ntaps),
                         RN_ARG_INT((cl_int)priv->bias), RN_ARG_INT((cl_int)priv->max));
    return RN_LAUNCH(cmd, priv->direct, area, RN_ARG_PLANE(s), RN_ARG_PLANE(d),
                     RN_ARG_MEM(priv->taps), RN_ARG_INT(priv->ntaps), RN_ARG_FLOAT(priv->scale),
                     RN_ARG_FLOAT(priv->bias), RN_ARG_FLOAT(priv->max));
}

static void release(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    rn_buffer_release(dev, &priv->taps);
    rn_separable_release(&priv->passes, dev);
}

const struct rn_stage_desc rn_convolution = {
    .name = "convolution",
    .help = "correlates with a matrix of any odd size up to 129x129",
    .params = params,
    .params_size = sizeof(struct convolution),
    .priv_size = sizeof(struct priv),
    .check = check,
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
};
