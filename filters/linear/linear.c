/* SPDX-License-Identifier: MIT */
#include "filters/base/owned.h"
#include "filters/linear/linear.h"

#define FLOAT ((int)sizeof(cl_float))
/* Floats of a vector that one item of a CPU goes over, in order: a quarter of a MB. */
#define CPU_BLOCK 65536
/* Groups of a GPU for each compute unit, to hide what memory takes. */
#define GPU_GROUPS 16
/* Where there are fewer large tiles for each unit than this, small ones are taken. */
#define FEW_TILES 1

/* Sizes of work-groups and tiles; kernels/linear.cl explains them. */
struct form {
    bool alone;        /* groups of one item: a CPU */
    int width, group;  /* of vectors */
    int rows, vectors; /* CPU: the tile in registers */
    int block_m, block_n, block_k;
    int side, step; /* GPU: the tile of a group */
};

/* What the tiles of a product rest on, by measurement with PoCL 3.1 on 2 cores with AVX-512, as
 * a share of OpenBLAS at 2048: 6 x 4 vectors 0.85, 8 x 3 0.83, 14 x 2 0.83, 12 x 2 0.80; with 32
 * registers 24 sums leave room for what is multiplied. With 16 registers: 6 x 2. A block of the
 * left factor, 96 x 256 floats, lies in the L2 cache, its products with 64 columns near the
 * core; blocks of 192 to 384 rows and 256 to 1024 columns are as fast, but leave fewer groups
 * for many cores. */
static const struct form wide_cpu = {true, 16, 1, 6, 4, 96, 256, 256, 1, 1};
static const struct form cpu = {true, 8, 1, 6, 2, 96, 256, 256, 1, 1};
/* 64 sums an item; 128 x 128 a group of 256 where there are enough tiles for the device. */
static const struct form gpu = {false, 4, 256, 1, 1, 1, 1, 64, 16, 8};
static const struct form small_gpu = {false, 4, 64, 1, 1, 1, 1, 64, 8, 8};

#define KERNELS 11 /* in kernels/linear.cl, that one form uses */

/* The kernels in one form, as they were first wanted. */
struct set {
    struct form form;
    struct rn_kernel kernel[KERNELS];
};

struct rn_linear {
    struct rn_cmd cmd;
    struct set set[2]; /* for large and for small products; they may be the same */
    struct rn_kernel primitive[RN_PRIMITIVES_MOST];
    struct rn_scratch left, right, padded, partial, square, power;
};

/* ---- opening */

int rn_linear_open(struct rn_linear **linear, struct rn_device *dev)
{
    struct rn_linear *l = *linear = calloc(1, sizeof *l);
    if (!l)
        return rn_fail_memory();
    l->cmd = (struct rn_cmd){.dev = dev, .stage = -1};
    if (rn_form_alone(&dev->form)) {
        cl_uint width = 0;
        clGetDeviceInfo(dev->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof width, &width, NULL);
        l->set[0].form = l->set[1].form = width >= 16 ? wide_cpu : cpu;
    } else {
        l->set[0].form = dev->info.max_work_group >= 256 ? gpu : small_gpu;
        l->set[1].form = small_gpu;
    }
    return 0;
}

void rn_linear_close(struct rn_linear **linear)
{
    struct rn_linear *l = rn_take_owned(linear);
    if (!l)
        return;
    struct rn_device *dev = l->cmd.dev;
    struct rn_scratch *scratch[] = {&l->left,    &l->right,  &l->padded,
                                    &l->partial, &l->square, &l->power};
    rn_linear_finish(l);
    for (int i = 0; i < 6; i++)
        rn_scratch_release(dev, scratch[i]);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < KERNELS; k++)
            rn_kernel_release(dev, &l->set[s].kernel[k]);
    for (int i = 0; i < RN_PRIMITIVES_MOST; i++)
        rn_kernel_release(dev, &l->primitive[i]);
    free(l);
}

int rn_linear_finish(struct rn_linear *l)
{
    return rn_cl_check(rn_device_finish(l->cmd.dev), "waiting for the device");
}

int rn_linear_build(struct rn_device *dev, const char *before, const char *file, const char *name,
                    struct rn_kernel *kernel)
{
    RN_OWNED(rn_free_owned) char *log = NULL;
    const char *texts[] = {before, rn_source_find(rn_bench_sources, file)};
    int err = rn_kernel_build(dev, texts, 2, name, RN_SAMPLE_F32, kernel, &log);
    if (log)
        rn_fail(err, "kernels/%s does not build: %s", file, log);
    return err;
}

static int build(struct rn_linear *l, const struct form *f, const char *name,
                 struct rn_kernel *kernel)
{
    char constants[512];
    snprintf(constants, sizeof constants,
             "#define RN_LINEAR_WIDTH %d\n#define RN_LINEAR_GROUP %d\n#define RN_LINEAR_ROWS %d\n"
             "#define RN_LINEAR_VECTORS %d\n#define RN_LINEAR_BLOCK_M %d\n"
             "#define RN_LINEAR_BLOCK_N %d\n#define RN_LINEAR_BLOCK_K %d\n"
             "#define RN_LINEAR_SIDE %d\n#define RN_LINEAR_STEP %d\n",
             f->width, f->group, f->rows, f->vectors, f->block_m, f->block_n, f->block_k, f->side,
             f->step);
    return rn_linear_build(l->cmd.dev, constants, "linear.cl", name, kernel);
}

/* *out: a kernel of a set, which is built when it is first wanted. */
static int get(struct rn_linear *l, struct set *set, const char *name, struct rn_kernel **out)
{
    struct rn_kernel *kernel = set->kernel;
    while (kernel->cl && strcmp(kernel->name, name) != 0)
        kernel++;
    *out = kernel;
    return kernel->cl ? 0 : build(l, &set->form, name, kernel);
}

static int reserve(struct rn_linear *l, struct rn_scratch *scratch, int64_t floats)
{
    return rn_scratch_reserve(l->cmd.dev, scratch, (size_t)floats * FLOAT);
}

/* ---- vectors */

static int blocks(int n, int block)
{
    return (n + block - 1) / block;
}

/* Floats for each group: whole vectors of all its items. */
static int choose_block(const struct rn_linear *l, int n)
{
    const struct form *f = &l->set[0].form;
    int unit = 4 * f->group * f->width;
    if (f->alone)
        return CPU_BLOCK;
    return rn_round_up(blocks(n, GPU_GROUPS * l->cmd.dev->info.compute_units), unit);
}

/* out: n floats, or a sum of each block. p: of sums; -1: they are none. */
static int enqueue(struct rn_linear *l, const char *name, cl_mem x, cl_mem y, cl_mem out, int n,
                   int block, int p)
{
    struct rn_kernel *kernel;
    int group = l->set[0].form.group, err = get(l, &l->set[0], name, &kernel);
    struct rn_range items = {blocks(n, block) * group, 1, 1}, groups = {group, 1, 1};
    const struct rn_arg args[] = {RN_ARG_MEM(x), RN_ARG_MEM(y),     RN_ARG_MEM(out),
                                  RN_ARG_INT(n), RN_ARG_INT(block), RN_ARG_INT(p)};
    return err ? err : rn_launch_items(&l->cmd, kernel, items, groups, args, p < 0 ? 5 : 6);
}

int rn_linear_copy(struct rn_linear *l, cl_mem x, cl_mem out, int n)
{
    return enqueue(l, "vector_copy", x, x, out, n, choose_block(l, n), -1);
}

int rn_linear_add(struct rn_linear *l, cl_mem x, cl_mem y, cl_mem out, int n)
{
    return enqueue(l, "vector_add", x, y, out, n, choose_block(l, n), -1);
}

int rn_linear_sum(struct rn_linear *l, enum rn_linear_sum what, bool complex, cl_mem x, cl_mem y,
                  int n, int p, double result[2])
{
    static const char *const names[][2] = {{"vector_sum", "vector_sum"},
                                           {"vector_dot", "complex_dot"},
                                           {"vector_norm", "complex_norm"}};
    int block = choose_block(l, n), parts = blocks(n, block);
    int err = reserve(l, &l->partial, 2 * (int64_t)parts);
    err = err ? err
              : enqueue(l, names[what][complex], x, what == RN_LINEAR_DOT ? y : x, l->partial.mem,
                        n, block, what == RN_LINEAR_NORM ? p : complex);
    if (err)
        return err;
    /* The sums of the groups are added by the host: few, and another launch takes longer. */
    size_t bytes = 2 * (size_t)parts * sizeof(float);
    RN_OWNED(rn_free_owned) float *sums = malloc(bytes);
    if (!sums)
        return rn_fail_memory();
    cl_int code = clEnqueueReadBuffer(l->cmd.dev->run, l->partial.mem, CL_TRUE, 0, bytes, sums, 0,
                                      NULL, NULL);
    result[0] = result[1] = 0;
    for (int i = 0; i < 2 * parts && !code; i++)
        result[i & 1] += (double)sums[i];
    return code ? rn_cl_check(code, "reading sums") : rn_linear_finish(l);
}

int rn_linear_rows(struct rn_linear *l, bool complex, cl_mem matrix, int rows, int cols,
                   cl_mem sums)
{
    return enqueue(l, "row_sum", matrix, matrix, sums, rows * cols, cols, complex);
}

/* ---- matrices */

/* One factor, in panels. */
struct packing {
    int places, products, ld; /* in floats, and ld in numbers of the matrix */
    int all;                  /* products, with those that are zero */
    int wide, by_k, kind;
};

static int pack(struct rn_linear *l, struct set *set, const struct packing *p, cl_mem from,
                struct rn_scratch *to)
{
    const struct form *f = &set->form;
    struct rn_kernel *kernel;
    int padded = rn_round_up(p->places, p->wide);
    int err = get(l, set, f->alone ? "pack_panels" : "pack_squares", &kernel);
    err = err ? err : reserve(l, to, (int64_t)padded * p->all);
    struct rn_range items = {padded, p->all, 1}, group = {f->side, f->side, 1};
    if (f->alone)
        items = (struct rn_range){padded / p->wide, blocks(p->products, f->block_k), 1};
    return err ? err
               : RN_LAUNCH_ITEMS(&l->cmd, kernel, items, group, RN_ARG_MEM(from),
                                 RN_ARG_MEM(to->mem),
                                 RN_ARG_INT4(p->places, p->products, p->ld, p->all),
                                 RN_ARG_INT(p->wide), RN_ARG_INT(p->by_k), RN_ARG_INT(p->kind));
}

/* The product of packed factors: rows, columns and products in whole tiles. */
static int multiply(struct rn_linear *l, struct set *set, struct rn_range size, cl_mem c)
{
    const struct form *f = &set->form;
    struct rn_kernel *kernel;
    struct rn_range items = {size.y / 8, size.x / 8, 1}, group = {f->side, f->side, 1};
    int err = get(l, set, f->alone ? "product_blocks" : "product_tiles", &kernel);
    if (f->alone) {
        items = (struct rn_range){blocks(size.y, f->block_n), blocks(size.x, f->block_m), 1};
        group = (struct rn_range){1, 1, 1};
    }
    return err ? err
               : RN_LAUNCH_ITEMS(&l->cmd, kernel, items, group, RN_ARG_MEM(l->left.mem),
                                 RN_ARG_MEM(l->right.mem), RN_ARG_MEM(c),
                                 RN_ARG_INT4(size.x, size.y, size.z, 0));
}

/* c: rows x cols of the padded product. */
static int crop(struct rn_linear *l, struct set *set, int rows, int cols, int ld, cl_mem c)
{
    struct rn_kernel *kernel;
    bool alone = set->form.alone;
    struct rn_range items = {alone ? rows : cols, alone ? 1 : rows, 1};
    struct rn_range group = {alone ? 1 : 16, alone ? 1 : 4, 1};
    int err = get(l, set, "crop", &kernel);
    return err ? err
               : RN_LAUNCH_ITEMS(&l->cmd, kernel, items, group, RN_ARG_MEM(l->padded.mem),
                                 RN_ARG_MEM(c), RN_ARG_INT4(rows, cols, ld, 0));
}

int rn_linear_product(struct rn_linear *l, const struct rn_linear_product *product, cl_mem a,
                      cl_mem b, cl_mem c)
{
    enum { REAL, LEFT, RIGHT }; /* as in the kernel */
    const struct rn_linear_product *p = product;
    int parts = p->complex ? 2 : 1, rows = p->rows, cols = parts * p->cols,
        inner = parts * p->inner;
    int tile = 8 * l->set[0].form.side;
    int64_t tiles = (int64_t)blocks(rows, tile) * blocks(cols, tile);
    /* Large tiles, unless they would leave the device idle. */
    struct set *set = &l->set[tiles < (int64_t)FEW_TILES * l->cmd.dev->info.compute_units];
    const struct form *f = &set->form;
    int high = f->alone ? f->rows : 8 * f->side, wide = f->alone ? f->vectors * f->width : high;
    struct rn_range size = {rn_round_up(rows, high), rn_round_up(cols, wide),
                            rn_round_up(inner, f->step)};
    int left_ld = p->left_transposed ? p->rows : p->inner, left_kind = p->complex ? LEFT : REAL;
    int right_ld = p->right_transposed ? p->inner : p->cols, right_kind = p->complex ? RIGHT : REAL;
    struct packing left = {rows, inner, left_ld, size.z, high, p->left_transposed, left_kind};
    struct packing right = {cols, inner, right_ld, size.z, wide, !p->right_transposed, right_kind};
    bool whole = size.x == rows && size.y == cols;
    int err = pack(l, set, &left, a, &l->left);
    err = err ? err : pack(l, set, &right, b, &l->right);
    err = err || whole ? err : reserve(l, &l->padded, (int64_t)size.x * size.y);
    err = err ? err : multiply(l, set, size, whole ? c : l->padded.mem);
    return err || whole ? err : crop(l, set, rows, cols, size.y, c);
}

int rn_linear_power(struct rn_linear *l, bool complex, cl_mem matrix, int n, int p, cl_mem out)
{
    const struct rn_linear_product square = {n, n, n, complex, false, false};
    int floats = n * n * (complex ? 2 : 1);
    int err = reserve(l, &l->square, floats);
    err = err ? err : reserve(l, &l->power, floats);
    err = err ? err : rn_linear_copy(l, matrix, l->square.mem, floats);
    /* out is the product of the squares whose bits are set; what is not yet begun is the first */
    bool begun = false;
    for (; p && !err; p >>= 1) {
        if (p & 1) {
            err = begun ? rn_linear_product(l, &square, out, l->square.mem, l->power.mem) : 0;
            err = err ? err : rn_linear_copy(l, begun ? l->power.mem : l->square.mem, out, floats);
            begun = true;
        }
        if (p > 1 && !err)
            err = rn_linear_product(l, &square, l->square.mem, l->square.mem, l->power.mem);
        if (p > 1 && !err)
            err = rn_linear_copy(l, l->power.mem, l->square.mem, floats);
    }
    return err;
}

/* ---- primitives of networks */

struct rn_linear_product rn_primitive_product(const struct rn_primitive *p, cl_int4 s)
{
    return (struct rn_linear_product){
        s.x, s.y, s.z, false, p == &rn_primitives[1], p == &rn_primitives[2]};
}

int rn_linear_primitive(struct rn_linear *l, const struct rn_primitive *p, cl_int4 s, float k,
                        cl_mem x, cl_mem y, cl_mem out, bool naive)
{
    const struct rn_linear_product product = rn_primitive_product(p, s);
    const struct rn_range group = {64, 1, 1}, items = {rn_primitive_count(p->items, s), 1, 1};
    struct rn_kernel *kernel = &l->primitive[p - rn_primitives];
    if (!naive && p <= &rn_primitives[2])
        return rn_linear_product(l, &product, x, y, out);
    int err = kernel->cl ? 0 : rn_linear_build(l->cmd.dev, "", "primitives.cl", p->name, kernel);
    return err ? err
               : RN_LAUNCH_ITEMS(&l->cmd, kernel, items, group, RN_ARG_MEM(x), RN_ARG_MEM(y),
                                 RN_ARG_MEM(out), RN_ARG_INT4(s.x, s.y, s.z, s.w), RN_ARG_FLOAT(k),
                                 RN_ARG_INT(items.x));
}
