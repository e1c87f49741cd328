/* SPDX-License-Identifier: MIT */
#include "filters/parts/separable.h"

#include "filters/base/owned.h"
#include "filters/parts/tile.h"

/* How a pass sums. Integer sums below 2^24 are exact in fp32, which multiplies faster than int. */
enum sums { SUMS_FLOAT, SUMS_INT, SUMS_SHORT, SUMS_WHOLE, SUMS_WHOLE_INT };

/* The kernels: of a pass; and of both passes in one launch, by the sums of the row. No column has
 * sums of short or whole_int. */
#define NAMES(sums)                                                                                \
    {                                                                                              \
        "row_" sums, "column_" sums, "tile_" sums                                                  \
    }
static const struct {
    const char *row, *column, *tile;
} names[] = {NAMES("float"), NAMES("int"), NAMES("short"), NAMES("whole"), NAMES("whole_int")};

/* Both passes in one launch, with so many pairs whose offsets are 0, 1, 2, ... */
#define MAX_DENSE 9
static const char *const dense_names[MAX_DENSE + 1] = {
    [3] = "tile_dense_3", [5] = "tile_dense_5", [7] = "tile_dense_7", [9] = "tile_dense_9"};

static double sum_abs(const double *k, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(k[i]);
    return sum;
}

static bool symmetric(const double *k, int n)
{
    for (int i = 0; i < n / 2; i++)
        if (k[i] != k[n - 1 - i])
            return false;
    return true;
}

cl_int rn_weight_bits(double weight, bool integer)
{
    union {
        float f;
        cl_int i;
    } bits = {.f = (float)weight};
    return integer ? (cl_int)weight : bits.i;
}

/* The largest group size: the most consecutive taps such that, for every group of that many, the
 * sums of 8-bit samples stay below 2^15; 0 if even one tap is too much. In pairs the middle is
 * added to the first group. Zero weights are left out, as in the taps. */
static int taps_of_shorts(const double *k, int n, bool pairs)
{
    const double limit = 32767.0 / 255;
    for (int group = n; group > 0; group--) {
        double sum = pairs ? fabs(k[n / 2]) : 0, largest = 0;
        for (int i = pairs ? n / 2 + 1 : 0, count = 0; i < n; i++) {
            if (k[i] == 0)
                continue;
            sum += (pairs ? 2 : 1) * fabs(k[i]);
            largest = sum > largest ? sum : largest;
            if (++count % group == 0)
                sum = 0;
        }
        if (largest <= limit)
            return group;
    }
    return 0;
}

/* Uploads the taps of one pass (0: row, 1: column), without zeros, but for the middle of pairs. */
static int make_taps(struct rn_separable *s, struct rn_bound *bound, int pass, const double *k,
                     int n, enum sums sums, bool pairs)
{
    RN_OWNED(rn_free_owned) cl_int2 *taps = calloc((size_t)n, sizeof *taps);
    if (!taps)
        return rn_fail_memory();
    int count = 0;
    bool integer = sums == SUMS_INT || sums == SUMS_SHORT;
    for (int i = pairs ? n / 2 : 0; i < n; i++)
        if (k[i] != 0 || (pairs && i == n / 2))
            taps[count++] = (cl_int2){.s = {i - n / 2, rn_weight_bits(k[i], integer)}};
    size_t need = (size_t)n * sizeof *taps;
    s->ntaps[pass] = count;
    return rn_buffer_from(bound->dev, taps, need, &rn_held(bound, &s->taps[pass])->mem);
}

static int make_mid(struct rn_separable *s, struct rn_bound *bound, const struct rn_geom *geom)
{
    int bytes = rn_format_bytes(&geom->fmt);
    struct rn_scratch *mid = rn_held(bound, &s->mid);
    struct rn_layout layout = rn_layout(&bound->dev->form, geom->w, geom->h, bytes, s->reach);
    size_t need = layout.bytes / (size_t)bytes * sizeof(cl_int);
    if (need <= mid->bytes)
        return 0;
    rn_scratch_release(bound->dev, mid);
    int err = rn_buffer_create(bound->dev, CL_MEM_READ_WRITE, need, &mid->mem);
    mid->bytes = err ? 0 : need;
    return err;
}

/* Chooses how both passes sum. Returns the row's sums, and *column. */
static enum sums choose_sums(struct rn_separable *s, const struct rn_factors *f,
                             const struct rn_format *fmt, enum sums *column)
{
    const double exact = 1 << 24; /* fp32 holds all integers below */
    enum rn_sample sample = rn_format_sample(fmt);
    double most = sample == RN_SAMPLE_S16 ? -rn_format_min(fmt) : f->whole ? rn_format_max(fmt) : 0;
    double along_row = sum_abs(f->row, f->w) * most;
    double all = along_row * sum_abs(f->column, f->h);
    *column = !f->whole ? SUMS_FLOAT : all < exact ? SUMS_WHOLE : SUMS_INT;
    s->row_pairs = f->whole ? symmetric(f->row, f->w) : f->paired;
    s->column_pairs = f->whole ? symmetric(f->column, f->h) : f->paired;
    s->group = *column == SUMS_WHOLE && sample == RN_SAMPLE_U8
                   ? taps_of_shorts(f->row, f->w, s->row_pairs)
                   : 0;
    enum sums row = *column == SUMS_INT     ? (along_row < exact ? SUMS_WHOLE_INT : SUMS_INT)
                    : *column == SUMS_FLOAT ? SUMS_FLOAT
                    : s->group > 1          ? SUMS_SHORT
                                            : SUMS_WHOLE;
    s->group = row == SUMS_SHORT ? s->group : 0;
    return row;
}

int rn_separable_prepare(struct rn_separable *s, struct rn_bound *bound, const struct rn_geom *geom,
                         const struct rn_factors *f)
{
    struct rn_device *dev = bound->dev;
    enum rn_sample sample = rn_format_sample(&geom->fmt);
    enum sums column, row = choose_sums(s, f, &geom->fmt, &column);
    s->across = f->w / 2;
    s->reach = f->h / 2;
    s->tile = NULL;
    int err = make_taps(s, bound, 0, f->row, f->w, row, s->row_pairs);
    err = err ? err : make_taps(s, bound, 1, f->column, f->h, column, s->column_pairs);
    if (rn_tile_pays(&dev->form)) {
        /* Pairs without a zero among them lie side by side. */
        int n = s->ntaps[0];
        bool dense = row == SUMS_FLOAT && s->row_pairs && s->column_pairs && n == s->ntaps[1] &&
                     n == s->across + 1 && n == s->reach + 1 && n <= MAX_DENSE && dense_names[n];
        return err ? err
                   : rn_kernel_get(dev, "separable_tile.cl",
                                   dense ? dense_names[n] : names[row].tile, sample, &s->tile);
    }
    err = err ? err : make_mid(s, bound, geom);
    const char *file = "separable.cl";
    err = err ? err : rn_kernel_get(dev, file, names[row].row, sample, &s->row);
    return err ? err : rn_kernel_get(dev, file, names[column].column, sample, &s->column);
}

int rn_separable_enqueue(struct rn_separable *s, struct rn_cmd *cmd, const struct rn_dplane *src,
                         const struct rn_dplane *dst, enum rn_sample sample, float scale,
                         float bias, float max)
{
    if (s->tile) {
        struct rn_tile tile =
            rn_tile_choose(cmd->dev, src->w, src->h, s->reach, sizeof(cl_float), RN_TILE_COLUMNS);
        return RN_LAUNCH_ITEMS(
            cmd, s->tile, rn_tile_range(&tile, src->w, src->h), RN_OWN_GROUP, RN_ARG_PLANE(src),
            RN_ARG_PLANE(dst), RN_ARG_MEM(s->taps[0].mem), RN_ARG_MEM(s->taps[1].mem),
            RN_ARG_INT4(s->ntaps[0], s->ntaps[1], s->across, s->reach),
            RN_ARG_INT4(tile.columns, tile.rows, s->row_pairs, s->column_pairs),
            RN_ARG_INT(s->group), RN_ARG_FLOAT(scale), RN_ARG_FLOAT(bias), RN_ARG_FLOAT(max));
    }
    struct rn_dplane mid = rn_dplane_in(&cmd->dev->form, s->mid.mem, src->w, src->h,
                                        rn_sample_bytes(sample), s->reach);
    struct rn_area area = {0, -s->reach, src->w, src->h + s->reach};
    int err = RN_LAUNCH(cmd, s->row, area, RN_ARG_PLANE(src), RN_ARG_PLANE(&mid),
                        RN_ARG_MEM(s->taps[0].mem), RN_ARG_INT(s->ntaps[0]),
                        RN_ARG_INT(s->row_pairs), RN_ARG_INT(s->group));
    return err ? err
               : RN_LAUNCH(cmd, s->column, rn_area_of(src), RN_ARG_PLANE(&mid), RN_ARG_PLANE(dst),
                           RN_ARG_MEM(s->taps[1].mem), RN_ARG_INT(s->ntaps[1]),
                           RN_ARG_INT(s->column_pairs), RN_ARG_FLOAT(scale), RN_ARG_FLOAT(bias),
                           RN_ARG_FLOAT(max));
}

/* ---- reference */

/* The sum at `at` of a line of n values, step floats apart; values without a counterpart are 0. */
static float sum_at(const double *weight, int radius, const float *line, ptrdiff_t step, int n,
                    int at, enum rn_border border)
{
    float sum = (float)weight[radius] * line[at * step];
    for (int d = 1; d <= radius; d++) {
        int before = rn_border_index(border, at - d, n), after = rn_border_index(border, at + d, n);
        float pair = (before < 0 ? 0 : line[before * step]) + (after < 0 ? 0 : line[after * step]);
        sum = fmaf((float)weight[radius + d], pair, sum);
    }
    return sum;
}

int rn_separable_ref(const struct rn_plane *src, struct rn_plane *dst, const struct rn_format *fmt,
                     const double *weight, int radius, enum rn_border border, float scale)
{
    enum rn_sample sample = rn_format_sample(fmt);
    int w = src->w, h = src->h;
    RN_OWNED(rn_free_owned) float *row = calloc((size_t)w, sizeof *row);
    RN_OWNED(rn_free_owned) float *mid = calloc((size_t)w * (size_t)h, sizeof *mid);
    int err = row && mid ? 0 : rn_fail_memory();
    for (int y = 0; y < h && !err; y++) {
        for (int x = 0; x < w; x++)
            row[x] = rn_sample_get(src, sample, x, y);
        for (int x = 0; x < w; x++)
            mid[(ptrdiff_t)y * w + x] = sum_at(weight, radius, row, 1, w, x, border);
    }
    if (!err)
        RN_EACH_SAMPLE (dst, x, y) {
            float sum = sum_at(weight, radius, mid + x, w, h, y, border);
            rn_sample_put(dst, sample, x, y, rn_round_sample(fmt, sum * scale + 0.0f)); /* not -0 */
        }
    return err;
}
