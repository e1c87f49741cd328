/* SPDX-License-Identifier: MIT */
#include "filters/base/owned.h"
#include "filters/parts/rank/rank.h"

/* Measured on 2 cores with 64-byte vectors and 2 MiB of L2 each, processor time for a plane of
 * 1280x720 and 1920x1080 samples, u8 to f32. */
enum {
    ITEMS_PER_UNIT = 2, /* work-items that share out the blocks, so that none waits long; each has
                         * up to 1 MiB of memory of its own */
    MAX_VECTORS = 4,    /* of a value: 1 takes 1.5 times as long, since each operation is read for
                         * one vector alone; 8 gain nothing, and the values leave the L2 */
    BLOCK_ROWS = 32,    /* reading the rows above a block costs less than a tenth of its outputs */
    SMALL_RADIUS = 7,   /* Up to this radius tiles of 4x2 outputs are as fast as any: 8x4 save a
                         * tenth of the operations of radius 7, and take twice the memory. At radius
                         * 11 they take 0.9 of the time of 4x4, at 15 0.8. */
};

bool rn_rank_program_fits(const struct rn_device *dev, enum rn_sample sample)
{
    return rn_form_alone(&dev->form) && dev->form.bytes >= RN_RANK_VECTOR &&
           dev->form.bytes > rn_sample_bytes(sample);
}

static int items(const struct rn_device *dev)
{
    return dev->info.compute_units * ITEMS_PER_UNIT;
}

/* Chooses the lanes of a strip so that the least is computed beyond the plane's edge. */
static void choose_lanes(struct rn_rank_program *p, const struct rn_rank_network *net, int vector)
{
    int tiles_across = (p->width + net->width - 1) / net->width, best = 0;
    int step = vector > net->width ? vector / net->width : 1;
    p->lanes = 0;
    for (int n = 1; !p->lanes || n <= MAX_VECTORS; n++) {
        /* Tiles of a strip whose results are right: so many that strips begin on whole vectors. */
        int useful = (n * vector - net->reach) / step * step;
        if (useful <= 0)
            continue;
        /* An operation on a vector takes about as long as reading what the operation is. */
        int cost = (tiles_across + useful - 1) / useful * (n + 1);
        if (p->lanes && cost >= best)
            continue;
        best = cost;
        p->lanes = n * vector;
        p->useful = useful;
    }
}

static int place(const struct rn_rank_program *p, struct rn_rank_value v)
{
    return v.slot * p->lanes + v.shift;
}

/* Writes the code, and returns its size in int4. */
static int write_code(struct rn_rank_program *p, const struct rn_rank_network *net, cl_int4 *code)
{
    int n = 2 * net->height, run = 0;
    for (int i = 0; i < net->width * net->height; i++)
        code[i / net->width * 2 + i % net->width / 4].s[i % net->width % 4] =
            place(p, net->output[i]);
    p->runs = 0;
    for (int i = 0; i < net->nops; i++) {
        const struct rn_rank_op *op = &net->op[i];
        int kind = op->high < 0 ? RN_RANK_LOW : op->low < 0 ? RN_RANK_HIGH : RN_RANK_BOTH;
        if (!i || kind != code[run].s[0]) {
            p->runs++;
            run = n++;
            code[run] = (cl_int4){.s = {kind, 0}};
        }
        code[run].s[1]++;
        code[n++] = (cl_int4){
            .s = {place(p, op->a), place(p, op->b), op->low * p->lanes, op->high * p->lanes}};
    }
    return n;
}

int rn_rank_program_prepare(struct rn_rank_program *p, struct rn_bound *bound, int side, int rank,
                            int w, enum rn_sample sample)
{
    struct rn_device *dev = bound->dev;
    int bytes = rn_sample_bytes(sample), vector = dev->form.bytes / bytes;
    if (p->side == side && p->rank == rank && p->width == w && p->bytes == bytes)
        return 0;
    p->side = 0;
    p->width = w;
    p->bytes = bytes;
    p->tile_width = side / 2 <= SMALL_RADIUS ? 4 : 8;
    p->tile_height = side / 2 <= SMALL_RADIUS ? 2 : 4;
    RN_OWNED(rn_rank_network_free) struct rn_rank_network net = {0};
    int err = rn_rank_network_make(&net, side, p->tile_width, p->tile_height, rank);
    if (err)
        return err;
    choose_lanes(p, &net, vector);
    p->rows = rn_round_up(BLOCK_ROWS, p->tile_height);
    p->size = (net.slots + 1) * p->lanes; /* the last value is read beyond its end, too */
    RN_OWNED(rn_free_owned)
    cl_int4 *code = calloc((size_t)(2 * net.height + 2 * net.nops), sizeof *code);
    err = code ? rn_buffer_from(dev, code, (size_t)write_code(p, &net, code) * sizeof *code,
                                &rn_held(bound, &p->code)->mem)
               : rn_fail_memory();
    err = err ? err
              : rn_scratch_reserve(dev, rn_held(bound, &p->scratch),
                                   (size_t)items(dev) * (size_t)p->size * (size_t)bytes);
    if (!err) {
        p->side = side;
        p->rank = rank;
    }
    return err;
}

int rn_rank_program_enqueue(const struct rn_rank_program *p, struct rn_cmd *cmd,
                            struct rn_kernel *kernel, const struct rn_dplane *s,
                            const struct rn_dplane *d)
{
    struct rn_range all = {1, items(cmd->dev), 1}, one = {1, 1, 1};
    return RN_LAUNCH_ITEMS(cmd, kernel, all, one, RN_ARG_PLANE(s), RN_ARG_PLANE(d),
                           RN_ARG_INT(p->side), RN_ARG_INT2(p->tile_width, p->tile_height),
                           RN_ARG_INT(p->lanes), RN_ARG_INT(p->useful), RN_ARG_INT(p->rows),
                           RN_ARG_MEM(p->code.mem), RN_ARG_INT(p->runs), RN_ARG_MEM(p->scratch.mem),
                           RN_ARG_INT(p->size));
}
