/* SPDX-License-Identifier: MIT */
#include "filters/parts/rank/rank.h"
#include "filters/base/owned.h"

enum {
    TILE_WIDTH = 2,  /* outputs of a work-item. Of 4x2 each output takes 0.9 (radius 3) to 0.7 */
    TILE_HEIGHT = 2, /* (radius 7) of the operations, but the kernel is half as long again */
    MAX_ITEMS = 128,
    MIN_ITEMS = 32,
    LOCAL_BYTES = 40960, /* of a group: several groups fit, and every device has as much */
};

/* A value of the network: its number is twice that of the operation, and one more for the higher
 * result. Levels are what lies between two barriers. */
struct value {
    int level; /* where it is computed */
    int last;  /* where others read it last; -1: they do not */
    int place; /* in local memory */
};

/* Where an operand comes from. */
struct operand {
    int value; /* -1: an input */
    int slot;  /* of the input */
    int shift;
};

struct writer {
    const struct rn_rank_network *net;
    FILE *f;
    struct value *value;
    struct operand (*operand)[2];
    int *level; /* of operations */
    int *owner; /* the value that is in a slot, -1: the input */
    int levels, places;
};

/* ---- levels */

static struct operand operand_of(struct writer *w, struct rn_rank_value v, int *level)
{
    struct operand o = {w->owner[v.slot], v.slot, v.shift};
    int from = o.value < 0 ? 0 : w->value[o.value].level + (o.shift > 0);
    *level = from > *level ? from : *level;
    return o;
}

static void find_levels(struct writer *w)
{
    const struct rn_rank_network *net = w->net;
    for (int i = 0; i < net->slots; i++)
        w->owner[i] = -1;
    for (int i = 0; i < net->nops; i++) {
        const struct rn_rank_op *op = &net->op[i];
        int level = 0;
        w->operand[i][0] = operand_of(w, op->a, &level);
        w->operand[i][1] = operand_of(w, op->b, &level);
        for (int k = 0; k < 2; k++) {
            const struct operand *o = &w->operand[i][k];
            if (o->value >= 0 && o->shift > 0 && w->value[o->value].last < level)
                w->value[o->value].last = level;
        }
        w->level[i] = level;
        w->levels = level >= w->levels ? level + 1 : w->levels;
        w->value[2 * i] = w->value[2 * i + 1] = (struct value){level, -1, -1};
        if (op->low >= 0)
            w->owner[op->low] = 2 * i;
        if (op->high >= 0)
            w->owner[op->high] = 2 * i + 1;
    }
}

/* Gives each value that others read a place in local memory. One may be used again by the values of
 * a level if nobody reads it in that level or later. Returns false if there is no memory. */
static bool find_places(struct writer *w)
{
    int n = 2 * w->net->nops;
    /* By place: the last level of reading. */
    RN_OWNED(rn_free_owned) int *until = malloc(((size_t)n + 1) * sizeof *until);
    for (int level = 0; level < w->levels && until; level++) {
        int next = 0;
        for (int i = 0; i < n; i++) {
            if (w->value[i].level != level || w->value[i].last < 0)
                continue;
            while (next < w->places && until[next] >= level)
                next++;
            w->places += next == w->places;
            until[next] = w->value[i].last;
            w->value[i].place = next++;
        }
    }
    return until != NULL;
}

/* ---- text */

static void write_operand(const struct writer *w, const struct operand *o)
{
    int width = w->net->width;
    if (o->value < 0)
        fprintf(w->f, "IN(%d, %d)", o->slot % width + o->shift * width, o->slot / width);
    else if (o->shift)
        fprintf(w->f, "OF(%d, %d)", w->value[o->value].place, o->shift);
    else
        fprintf(w->f, "v%d", o->value);
}

static void write_result(const struct writer *w, const char *name, int i, int value)
{
    fprintf(w->f, "%s(v%d, ", name, value);
    write_operand(w, &w->operand[i][0]);
    fputs(", ", w->f);
    write_operand(w, &w->operand[i][1]);
    fputs(")\n", w->f);
}

static void write_level(const struct writer *w, int level)
{
    for (int i = 0; i < w->net->nops; i++) {
        if (w->level[i] == level && w->net->op[i].low >= 0)
            write_result(w, "LOW", i, 2 * i);
        if (w->level[i] == level && w->net->op[i].high >= 0)
            write_result(w, "HIGH", i, 2 * i + 1);
    }
    if (level + 1 == w->levels)
        return;
    for (int i = 0; i < 2 * w->net->nops; i++)
        if (w->value[i].level == level && w->value[i].place >= 0)
            fprintf(w->f, "SHARE(%d, v%d)\n", w->value[i].place, i);
    fputs("SHARED\n", w->f);
}

static void write_kernel(const struct writer *w, const struct rn_rank_compiled *c)
{
    const struct rn_rank_network *net = w->net;
    fprintf(w->f, "\nKERNEL(%d, %d, %d, %d, %d, %d, %d)\n", c->items, c->useful, net->reach,
            w->places, net->side / 2, net->width, net->height);
    for (int level = 0; level < w->levels; level++)
        write_level(w, level);
    fprintf(w->f, "OUTPUTS(%d)\n", c->useful);
    for (int i = 0; i < net->width * net->height; i++)
        fprintf(w->f, "OUT(%d, %d, v%d)\n", i % net->width, i / net->width,
                w->owner[net->output[i].slot]);
    fputs("KERNEL_END\n", w->f);
}

/* Chooses the size of a group. False: local memory does not do. */
static bool choose_items(struct rn_rank_compiled *c, const struct writer *w,
                         const struct rn_device *dev, int bytes)
{
    int64_t most = dev->info.local_memory < LOCAL_BYTES ? dev->info.local_memory : LOCAL_BYTES;
    c->items = MAX_ITEMS;
    while (c->items > dev->info.max_work_group ||
           (int64_t)w->places * (c->items + w->net->reach) * bytes > most)
        c->items /= 2;
    c->useful = c->items - w->net->reach;
    return c->items >= MIN_ITEMS;
}

/* *text: the kernel, for the caller to free; NULL if the device does not take it. */
static int write_text(struct rn_rank_compiled *c, const struct rn_rank_network *net,
                      const struct rn_device *dev, int bytes, char **text)
{
    size_t n = (size_t)net->nops, size;
    RN_OWNED(rn_free_owned) struct value *value = calloc(2 * n, sizeof *value);
    RN_OWNED(rn_free_owned) struct operand(*operand)[2] = calloc(n, sizeof *operand);
    RN_OWNED(rn_free_owned) int *level = calloc(n, sizeof *level);
    RN_OWNED(rn_free_owned) int *owner = calloc((size_t)net->slots, sizeof *owner);
    struct writer w = {
        .net = net, .value = value, .operand = operand, .level = level, .owner = owner};
    *text = NULL;
    if (!value || !operand || !level || !owner)
        return rn_fail_memory();
    find_levels(&w);
    if (!find_places(&w))
        return rn_fail_memory();
    if (!choose_items(c, &w, dev, bytes))
        return 0;
    w.f = open_memstream(text, &size);
    if (w.f)
        write_kernel(&w, c);
    return w.f && !fclose(w.f) && *text ? 0 : rn_fail_memory();
}

/* ---- kernels */

static int build(struct rn_rank_compiled *c, struct rn_device *dev, const char *text, int side,
                 enum rn_sample sample)
{
    const char *const texts[] = {rn_source_find(rn_kernel_sources, "rank_compiled.cl"), text};
    RN_OWNED(rn_free_owned) char *log = NULL;
    int err = rn_kernel_build(dev, texts, 2, "rank_compiled", sample, &c->kernel, &log);
    if (!log)
        return err;
    rn_log(RN_LOG_WARNING,
           "median: '%s' does not build the network of radius %d and computes it bit by bit: %s",
           dev->info.name, side / 2, log);
    return 0;
}

int rn_rank_compiled_prepare(struct rn_rank_compiled *c, struct rn_device *dev, int side,
                             enum rn_sample sample)
{
    if (c->tried && c->sample == sample)
        return 0;
    rn_kernel_release(dev, &c->kernel);
    RN_OWNED(rn_rank_network_free) struct rn_rank_network net = {0};
    RN_OWNED(rn_free_owned) char *text = NULL;
    int err = rn_rank_network_make(&net, side, TILE_WIDTH, TILE_HEIGHT, side * side / 2);
    if (err)
        return err;
    c->width = net.width;
    c->height = net.height;
    err = write_text(c, &net, dev, rn_sample_bytes(sample), &text);
    if (!err && text)
        err = build(c, dev, text, side, sample);
    c->sample = sample;
    c->tried = !err;
    return err;
}

int rn_rank_compiled_enqueue(struct rn_rank_compiled *c, struct rn_cmd *cmd,
                             const struct rn_dplane *s, const struct rn_dplane *d)
{
    int groups = (d->w + c->useful * c->width - 1) / (c->useful * c->width);
    struct rn_range items = {groups * c->items, (d->h + c->height - 1) / c->height, 1};
    struct rn_range group = {c->items, 1, 1};
    return RN_LAUNCH_ITEMS(cmd, &c->kernel, items, group, RN_ARG_PLANE(s), RN_ARG_PLANE(d));
}
