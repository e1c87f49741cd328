/* SPDX-License-Identifier: MIT */
/* Trains the networks of networks.words to tell digits, by stochastic gradient descent with
 * momentum on the cross-entropy of softmax, all of it primitives. As these give the same floats
 * everywhere, and weights are drawn by counters alone (Threefry), so do all steps. */
#include "filters/base/clock.h"
#include "filters/base/owned.h"
#include "filters/base/text/hash.h"
#include "filters/base/text/number.h"
#include "filters/base/text/words.h"
#include "filters/bench/measuring.h"
#include "filters/parts/network/layers.h"
#include "filters/parts/threefry.h"

extern const struct rn_word_row rn_network_dense[], rn_network_convolutional[]; /* networks.words */

enum { AREA = RN_TRAINING_AREA, BATCH = 64, EPOCHS = 5, DIGITS = 10, SEED = 4, MOST = 128 };
enum { TIMED = 10 }; /* steps of which each primitive is timed */

/* The memory whose name is a letter and a digit, 0 to 3. */
#define MEMORY(letter, digit) (((letter) - 'a') * 4 + (digit) - '0')
enum { INPUT = MEMORY('x', '0'), TARGET = MEMORY('t', '0'), PROBABLE = MEMORY('y', '0') };

struct network {
    struct rn_gauge *m;
    struct rn_device *dev; /* NULL: plain C */
    bool naive;
    int err; /* the first; nothing is done after it */
    int operations;
    struct operation {
        const struct rn_primitive *primitive;
        cl_int4 size;
        float k;
        int memory[3]; /* out, x, y */
        int weights;   /* how many there are, instead of a primitive */
    } operation[MOST];
    struct rn_network_memory memory[MOST];
    int label[BATCH];
    float buffer[1 << 16]; /* of the host, for copies */
};

/* Copies the buffer to a memory, or a memory to the buffer. */
static void copy(struct network *n, int i, int floats, bool upload)
{
    struct rn_network_memory *m = &n->memory[i];
    size_t bytes = (size_t)floats * sizeof *n->buffer;
    n->err = n->err ? n->err : rn_network_reserve(n->dev, m, (size_t)floats);
    cl_mem mem = m->on.mem;
    if (!n->err && !n->dev)
        memcpy(upload ? m->data : n->buffer, upload ? n->buffer : m->data, bytes);
    else if (!n->err && !upload)
        n->err = rn_measure_read(n->m, mem, 0, (size_t)floats, n->buffer);
    else if (!n->err)
        n->err = rn_cl_check(
            clEnqueueWriteBuffer(n->dev->run, mem, CL_TRUE, 0, bytes, n->buffer, 0, NULL, NULL),
            "uploading what a network takes");
}

/* Loads a batch of those to train with or held out, the first of which follow the last. */
static void load(struct network *n, int batch, bool held)
{
    const struct rn_training_images *im = n->m->opts->images;
    for (int i = 0; i < BATCH; i++) {
        int at = batch * BATCH + i, image = held ? im->n + at % im->held : at % im->n;
        memcpy(n->buffer + i * AREA, im->samples + image * AREA, AREA * sizeof *n->buffer);
        n->label[i] = im->labels[image];
    }
    copy(n, INPUT, BATCH * AREA, true);
    for (int i = 0; i < BATCH * DIGITS; i++)
        n->buffer[i] = n->label[i / DIGITS] == i % DIGITS;
    copy(n, TARGET, BATCH * DIGITS, true);
}

/* Adds a row of a list: draws weights, or gets memory for what comes out, zeros at first. */
static void add(struct network *n, const struct rn_word_row *row)
{
    struct operation *o = &n->operation[n->operations++];
    char name[16], memory[3][4];
    int k = 0;
    sscanf(row->words, "%15s %3s %3s %3s", name, memory[0], memory[1], memory[2]);
    sscanf(row->meant, "%d %d %d %d %n", &o->size.x, &o->size.y, &o->size.z, &o->size.w, &k);
    o->k = (float)rn_number_parse(row->meant + k, NULL);
    for (int i = 0; i < 3; i++)
        o->memory[i] = MEMORY(memory[i][0], memory[i][1]);
    o->primitive = rn_primitives;
    while (o->primitive->name && strcmp(o->primitive->name, name) != 0)
        o->primitive++;
    o->weights = o->primitive->name ? 0 : o->size.x * o->size.y;
    for (int i = 0; i < o->weights; i++) {
        const uint32_t key[2] = {SEED, 0}, counter[2] = {(uint32_t)i, (uint32_t)o->memory[0]};
        uint32_t bits[2];
        rn_threefry(key, counter, bits);
        n->buffer[i] = ((float)(bits[0] >> 8) / (1 << 23) - 1) * o->k;
    }
    if (o->weights)
        copy(n, o->memory[0], o->weights, true);
    size_t floats = (size_t)rn_primitive_count(o->primitive->out, o->size);
    n->err = n->err ? n->err : rn_network_reserve(n->dev, &n->memory[o->memory[0]], floats);
}

/* forward: only up to the probabilities. seconds: gets what each primitive takes; NULL: only the
 * last is waited for. */
static void run(struct network *n, bool forward, double *seconds)
{
    const struct operation *end = n->operation + n->operations;
    for (const struct operation *o = n->operation; o < end; o++) {
        const struct rn_primitive *p = o->primitive;
        const struct rn_network_memory *out = &n->memory[o->memory[0]],
                                       *x = &n->memory[o->memory[1]], *y = &n->memory[o->memory[2]];
        double t = rn_clock();
        if (n->err || o->weights)
            continue;
        if (n->dev)
            n->err = rn_linear_primitive(n->m->linear, p, o->size, o->k, x->on.mem, y->on.mem,
                                         out->on.mem, n->naive);
        else
            p->plain(x->data, y->data, out->data, o->size, o->k, 0,
                     rn_primitive_count(p->items, o->size));
        if (n->dev && !n->err && (seconds || o + 1 == end))
            n->err = rn_linear_finish(n->m->linear);
        if (seconds)
            seconds[p - rn_primitives] += (rn_clock() - t) / TIMED;
        if (forward && o->memory[0] == PROBABLE)
            break;
    }
}

/* Returns the seconds of each. */
static double take_steps(struct network *n, int first, int steps, double *seconds)
{
    double t = rn_clock();
    for (int i = first; i < first + steps; i++) {
        load(n, i, false);
        run(n, false, seconds);
    }
    return (rn_clock() - t) / steps;
}

/* Returns the share of the images held out of which no other digit is more probable. */
static double judge(struct network *n)
{
    int held = n->m->opts->images->held, correct = 0;
    for (int i = 0; i < held; i++) {
        const float *p = n->buffer + i % BATCH * DIGITS;
        int best = 0;
        if (i % BATCH == 0) {
            load(n, i / BATCH, true);
            run(n, true, NULL);
            copy(n, PROBABLE, BATCH * DIGITS, false);
        }
        for (int d = 1; d < DIGITS; d++)
            best = p[d] > p[best] ? d : best;
        correct += best == n->label[i % BATCH];
    }
    return (double)correct / held;
}

/* Trains a new network. Sets ours of *r, without the first step, in which kernels are built, and
 * weights, accuracy and operation. dev: NULL: plain C. */
static int train(struct rn_gauge *m, const struct rn_word_row *list, struct rn_device *dev,
                 bool naive, int steps, struct rn_figure *r)
{
    RN_OWNED(rn_free_owned) struct network *n = calloc(1, sizeof *n);
    if (!n)
        return rn_fail_memory();
    n->m = m;
    n->dev = dev;
    n->naive = naive;
    for (; list->words; list++)
        add(n, list);
    take_steps(n, 0, 1, NULL);
    double t = take_steps(n, 1, steps - 1, NULL);
    r->ours = rn_times_of(&t, 1);
    r->weights = 0;
    for (const struct operation *o = n->operation; o->weights; o++) {
        copy(n, o->memory[0], o->weights, false);
        r->weights = r->weights * 31 + rn_hash(n->buffer, (size_t)o->weights * sizeof *n->buffer);
    }
    r->accuracy = judge(n);
    memset(r->operation, 0, sizeof r->operation);
    take_steps(n, 0, TIMED, r->operation); /* nobody reads these weights */
    for (int i = 0; i < MOST; i++)
        rn_network_release(dev, &n->memory[i]);
    return n->err;
}

int rn_measure_training(struct rn_gauge *m)
{
    static const char *const names[] = {"training, dense", "training, convolutional"};
    static const struct rn_word_row *const lists[] = {rn_network_dense, rn_network_convolutional};
    int images = m->opts->images->n, steps = m->opts->quick ? 3 : EPOCHS * images / BATCH, err = 0;
    for (int i = 0; i < 2 && images && !err; i++) {
        struct rn_figure r = {.unit = "images/s", .work = BATCH, .part = 1, .exact = true};
        snprintf(r.name, sizeof r.name, "%s", names[i]);
        snprintf(r.size, sizeof r.size, "%d steps, %d images", steps, images);
        err = train(m, lists[i], NULL, false, steps, &r);
        uint64_t plain = r.weights;
        r.plain = r.ours.median;
        for (int naive = 1; naive >= 0 && m->dev && !err; naive--) {
            err = train(m, lists[i], m->dev, naive, steps, &r);
            r.error += r.weights != plain;
            r.peer[RN_NAIVE] = naive ? r.ours.median : r.peer[RN_NAIVE];
        }
        err = err ? err : m->each(m->arg, &r);
    }
    return err;
}
