/* SPDX-License-Identifier: MIT */
#include "filters/parts/rank/rank.h"
#include "filters/base/owned.h"

enum {
    MAX_LINES = 31 + 8, /* columns or rows that a tile reads */
    MAX_REFS = 1 << 17, /* of all lists that exist at a time */
    AHEAD = 48,         /* operations among which one of the same kind as the last is looked for */
    NONE = -1,          /* as an id: larger than any sample */
};

/* A value while the network is made. Ids: first the inputs of a tile, then the lower and the higher
 * result of each comparator. */
struct ref {
    int id, shift;
};

struct comparator {
    struct ref a, b;
};

/* A sorted list of samples that belong to one window: those of them that may have the rank. */
struct list {
    struct ref *ref;
    int n;
    int below; /* samples that were dropped because they are below it */
    int total; /* samples, with those that were dropped */
};

struct maker {
    struct rn_rank_network *net;
    int inputs;
    struct comparator *comparator;
    int ncomparators, max_comparators;
    int *table; /* hash table of comparators, -1: empty; its size is a power of two */
    int table_size;
    struct ref *refs; /* stack of all lists */
    int nrefs;
    uint8_t *seen; /* bits 1 and 2: the lower and the higher result count, or are wanted */
    struct ref *output;
    bool failed; /* memory ran out; what is made from then on means nothing */
};

/* ---- comparators */

static bool same(const struct comparator *c, const struct comparator *d)
{
    return c->a.id == d->a.id && c->b.id == d->b.id && c->a.shift == d->a.shift &&
           c->b.shift == d->b.shift;
}

static int *find(struct maker *m, const struct comparator *c)
{
    unsigned h = (unsigned)c->a.id * 0x9e3779b1u ^ (unsigned)c->b.id * 0x85ebca6bu;
    h ^= (unsigned)(c->a.shift * 31 + c->b.shift) * 0xc2b2ae35u;
    unsigned mask = (unsigned)m->table_size - 1, i = (h ^ h >> 15) & mask;
    while (m->table[i] >= 0 && !same(&m->comparator[m->table[i]], c))
        i = (i + 1) & mask;
    return &m->table[i];
}

static void grow(struct maker *m)
{
    if (m->ncomparators < m->max_comparators || m->failed)
        return;
    int max = m->max_comparators ? 2 * m->max_comparators : 1 << 14;
    struct comparator *comparator = realloc(m->comparator, (size_t)max * sizeof *comparator);
    if (comparator)
        m->comparator = comparator;
    uint8_t *seen = comparator ? realloc(m->seen, (size_t)max) : NULL;
    if (seen) {
        m->seen = seen;
        memset(seen + m->max_comparators, 0, (size_t)(max - m->max_comparators));
    }
    int *table = seen ? malloc(4 * (size_t)max * sizeof *table) : NULL;
    m->failed = !table;
    if (!table)
        return;
    free(m->table);
    m->table = table;
    m->table_size = 4 * max;
    m->max_comparators = max;
    for (int i = 0; i < m->table_size; i++)
        table[i] = -1;
    for (int i = 0; i < m->ncomparators; i++)
        *find(m, &m->comparator[i]) = i;
}

/* Compares two values; NONE is allowed. */
static void compare(struct maker *m, struct ref a, struct ref b, struct ref *low, struct ref *high)
{
    grow(m);
    if (a.id == NONE || b.id == NONE || m->failed) {
        *low = a.id == NONE ? b : a;
        *high = a.id == NONE ? a : b;
        return;
    }
    int shift = a.shift < b.shift ? a.shift : b.shift;
    struct comparator c = {{a.id, a.shift - shift}, {b.id, b.shift - shift}};
    if (a.id > b.id || (a.id == b.id && a.shift > b.shift))
        c = (struct comparator){c.b, c.a};
    int *at = find(m, &c);
    if (*at < 0) {
        *at = m->ncomparators;
        m->comparator[m->ncomparators++] = c;
    }
    *low = (struct ref){m->inputs + 2 * *at, shift};
    *high = (struct ref){m->inputs + 2 * *at + 1, shift};
}

/* ---- lists */

static struct ref *push(struct maker *m, int n)
{
    if (m->nrefs + n > MAX_REFS) {
        m->failed = true;
        m->nrefs = 0;
    }
    m->nrefs += n;
    return m->refs + m->nrefs - n;
}

/* Batcher's odd-even merge of every step-th value of two sorted lists. */
static void merge(struct maker *m, const struct ref *a, int na, const struct ref *b, int nb,
                  int step, struct ref *out)
{
    if (!na || !nb) {
        for (int i = 0; i < na + nb; i++)
            out[i] = na ? a[i * step] : b[i * step];
        return;
    }
    if (na == 1 && nb == 1) {
        compare(m, a[0], b[0], &out[0], &out[1]);
        return;
    }
    int mark = m->nrefs, nv = (na + 1) / 2 + (nb + 1) / 2, nw = na / 2 + nb / 2;
    struct ref *v = push(m, nv), *w = push(m, nw);
    merge(m, a, (na + 1) / 2, b, (nb + 1) / 2, 2 * step, v);
    merge(m, a + step, na / 2, b + step, nb / 2, 2 * step, w);
    *out++ = v[0];
    for (int i = 0; i < nw || i + 1 < nv; i++) {
        if (i < nw && i + 1 < nv) {
            compare(m, w[i], v[i + 1], &out[0], &out[1]);
            out += 2;
        } else {
            *out++ = i < nw ? w[i] : v[i + 1];
        }
    }
    m->nrefs = mark;
}

/* Sorts a bitonic list; n is a power of two. */
static void sort_bitonic(struct maker *m, struct ref *v, int n)
{
    for (int half = n / 2; half; half /= 2)
        for (int i = 0; i < n; i++)
            if (!(i & half))
                compare(m, v[i], v[i + half], &v[i], &v[i + half]);
}

/* Ranks from..to-1 of two sorted lists: what is below is dropped by one layer of comparators, which
 * leaves a list that falls and then rises. */
static void cut(struct maker *m, const struct ref *a, int na, const struct ref *b, int nb, int from,
                int to, struct ref *out)
{
    int mark = m->nrefs, n = 0, size = 1;
    while (size < na + nb - from)
        size *= 2;
    struct ref *v = push(m, size), low;
    for (int i = nb - 1; i >= from; i--)
        v[n++] = b[i];
    for (int i = 0; i < from; i++)
        if (i < na && from - 1 - i < nb)
            compare(m, a[i], b[from - 1 - i], &low, &v[n++]);
    for (int i = from; i < na; i++)
        v[n++] = a[i];
    while (n < size)
        v[n++] = (struct ref){NONE, 0};
    sort_bitonic(m, v, size);
    memcpy(out, v, (size_t)(to - from) * sizeof *out);
    m->nrefs = mark;
}

/* Notes that a value is needed, and with it those that it is computed from, down to the comparator
 * `first`. Returns what their computation costs: a comparator 13, one result of it alone 9. */
static int need(struct maker *m, int id, int first)
{
    int c = (id - m->inputs) / 2, bit = 1 << ((id - m->inputs) & 1);
    if (id < m->inputs || c < first || m->seen[c] & bit)
        return 0;
    bool again = m->seen[c] != 0;
    m->seen[c] |= (uint8_t)bit;
    if (again)
        return 4;
    return 9 + need(m, m->comparator[c].a.id, first) + need(m, m->comparator[c].b.id, first);
}

static int cost_of(struct maker *m, const struct ref *v, int n, int first)
{
    int cost = 0;
    for (int i = 0; i < n && !m->failed; i++)
        cost += need(m, v[i].id, first);
    if (!m->failed)
        memset(m->seen + first, 0, (size_t)(m->ncomparators - first));
    return cost;
}

/* Merges two lists, and drops what cannot have the rank. */
static struct list join(struct maker *m, struct list a, struct list b)
{
    int rank = m->net->rank, n = a.n + b.n;
    struct list out = {.total = a.total + b.total, .below = a.below + b.below};
    int unknown = m->net->side * m->net->side - out.total;
    int from = rank - unknown - out.below, to = rank - out.below + 1;
    from = from > 0 ? from : 0;
    to = to < n ? to : n;
    out.below += from;
    out.n = to - from;
    out.ref = push(m, out.n);
    struct ref *merged = push(m, n);
    int mark = m->nrefs, first = m->ncomparators;
    /* Neither list has more than its first `to` samples among the ranks, nor, of the lowest, more
     * than the other list leaves. */
    int skip_a = from > b.n ? from - b.n : 0, skip_b = from > a.n ? from - a.n : 0;
    a.n = (a.n < to ? a.n : to) - skip_a;
    b.n = (b.n < to ? b.n : to) - skip_b;
    from -= skip_a + skip_b;
    merge(m, a.ref + skip_a, a.n, b.ref + skip_b, b.n, 1, merged);
    memcpy(out.ref, merged + from, (size_t)out.n * sizeof *merged);
    int cost = cost_of(m, out.ref, out.n, first);
    first = m->ncomparators;
    cut(m, a.ref + skip_a, a.n, b.ref + skip_b, b.n, from, from + out.n, merged);
    if (cost_of(m, merged, out.n, first) < cost)
        memcpy(out.ref, merged, (size_t)out.n * sizeof *merged);
    m->nrefs = mark - n;
    return out;
}

/* Merges lists in groups whose sizes are powers of two, so that neighbours do the same. */
static struct list join_all(struct maker *m, const struct list *list, int n)
{
    int half = 1;
    if (n == 1)
        return list[0];
    while (2 * half < n)
        half *= 2;
    struct list a = join_all(m, list, half);
    return join(m, a, join_all(m, list + half, n - half));
}

/* ---- tiles */

/* Outputs from[d]..to[d]-1 along axis d (0 = x, 1 = y), and what is known of the lines outside
 * their core: line[0] are the columns, each over the core's rows; line[1] the rows, each over its
 * columns. */
struct tile {
    int from[2], to[2];
    struct list core, line[2][MAX_LINES];
};

/* The core's lines along an axis: first..end-1. */
static int core_first(const struct tile *t, int d)
{
    return t->to[d] - 1;
}

static int core_end(const struct maker *m, const struct tile *t, int d)
{
    return t->from[d] + m->net->side;
}

/* The sorted samples of columns x0..x1-1 in rows y0..y1-1, one of which is one line. */
static struct list sorted(struct maker *m, int x0, int x1, int y0, int y1)
{
    struct list one[MAX_LINES];
    int n = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            one[n] = (struct list){.ref = push(m, 1), .n = 1, .total = 1};
            *one[n++].ref = (struct ref){y * m->net->width + x % m->net->width, x / m->net->width};
        }
    return join_all(m, one, n);
}

/* Along axis d, the samples of line i in positions from..to-1. */
static struct list sorted_line(struct maker *m, int d, int i, int from, int to)
{
    return d ? sorted(m, from, to, i, i + 1) : sorted(m, i, i + 1, from, to);
}

static void divide(struct maker *m, const struct tile *t);

/* Computes outputs from..to-1 along axis d of a tile. */
static void descend(struct maker *m, const struct tile *t, int d, int from, int to)
{
    int mark = m->nrefs, side = m->net->side, other = 1 - d;
    struct tile part = *t;
    part.from[d] = from;
    part.to[d] = to;
    /* The half at the low end adds lines below the core; the other, above it. */
    bool low = from == t->from[d];
    int first = low ? core_first(&part, d) : core_end(m, t, d);
    int end = low ? core_first(t, d) : core_end(m, &part, d);
    part.core = join(m, t->core, join_all(m, &t->line[d][first], end - first));
    for (int i = t->from[other]; i < t->to[other] - 1 + side; i++)
        if (i < core_first(t, other) || i >= core_end(m, t, other))
            part.line[other][i] = join(m, t->line[other][i], sorted_line(m, other, i, first, end));
    divide(m, &part);
    m->nrefs = mark;
}

static void divide(struct maker *m, const struct tile *t)
{
    int w = t->to[0] - t->from[0], h = t->to[1] - t->from[1], d = w < h;
    if (w == 1 && h == 1) {
        m->output[t->from[1] * m->net->width + t->from[0]] = t->core.ref[0];
        return;
    }
    int middle = (t->from[d] + t->to[d]) / 2;
    descend(m, t, d, t->from[d], middle);
    descend(m, t, d, middle, t->to[d]);
}

static void make_tile(struct maker *m)
{
    struct tile t = {.to = {m->net->width, m->net->height}};
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < t.to[d] - 1 + m->net->side; i++)
            if (!d || i < core_first(&t, d) || i >= core_end(m, &t, d))
                t.line[d][i] = sorted_line(m, d, i, core_first(&t, 1 - d), core_end(m, &t, 1 - d));
    int first = core_first(&t, 0);
    t.core = join_all(m, &t.line[0][first], core_end(m, &t, 0) - first);
    divide(m, &t);
}

/* ---- operations */

/* For each comparator, whether it stands in the network already, and then the slots of its
 * results; how often each value will still be read. */
struct writer {
    struct maker *m;
    int *slot, *uses; /* by id */
    int *free_slot, nfree;
    bool *done;
};

static bool is_ready(const struct writer *w, int id)
{
    return id < w->m->inputs || w->done[(id - w->m->inputs) / 2];
}

/* The next comparator, of those from `first` on: one that can be computed and gives what the last
 * one gave, or else the first that can be computed. */
static int choose(const struct writer *w, int first, int kind)
{
    const struct maker *m = w->m;
    int best = -1;
    for (int i = first, n = 0; i < m->ncomparators && n < AHEAD; i++) {
        if (w->done[i] || !m->seen[i])
            continue;
        n++;
        if (!is_ready(w, m->comparator[i].a.id) || !is_ready(w, m->comparator[i].b.id))
            continue;
        if (m->seen[i] == kind)
            return i;
        best = best < 0 ? i : best;
    }
    return best;
}

static void used(struct writer *w, int id)
{
    if (!--w->uses[id] && id >= w->m->inputs)
        w->free_slot[w->nfree++] = w->slot[id];
}

static int take_slot(struct writer *w, int id)
{
    w->slot[id] = w->nfree ? w->free_slot[--w->nfree] : w->m->net->slots++;
    return w->slot[id];
}

static struct rn_rank_value value_of(struct writer *w, struct ref ref)
{
    int *reach = &w->m->net->reach;
    *reach = ref.shift > *reach ? ref.shift : *reach;
    return (struct rn_rank_value){w->slot[ref.id], ref.shift};
}

/* Results may take the place of the values that they are computed from: whoever computes reads
 * first, and writes no lane that is still to be read. */
static void write_op(struct writer *w, int i)
{
    struct maker *m = w->m;
    const struct comparator *c = &m->comparator[i];
    struct rn_rank_op op = {value_of(w, c->a), value_of(w, c->b), -1, -1};
    used(w, c->a.id);
    used(w, c->b.id);
    if (m->seen[i] & 1)
        op.low = take_slot(w, m->inputs + 2 * i);
    if (m->seen[i] & 2)
        op.high = take_slot(w, m->inputs + 2 * i + 1);
    w->done[i] = true;
    m->net->op[m->net->nops++] = op;
}

static void write_ops(struct writer *w)
{
    struct maker *m = w->m;
    struct rn_rank_network *net = m->net;
    int outputs = net->width * net->height, first = 0, kind = 0;
    for (int i = 0; i < outputs; i++) {
        need(m, m->output[i].id, 0);
        w->uses[m->output[i].id]++;
    }
    for (int i = 0; i < m->ncomparators; i++) {
        w->uses[m->comparator[i].a.id] += m->seen[i] != 0;
        w->uses[m->comparator[i].b.id] += m->seen[i] != 0;
    }
    for (int i = 0; i < m->inputs; i++)
        w->slot[i] = i;
    for (int i; (i = choose(w, first, kind)) >= 0;) {
        kind = m->seen[i];
        write_op(w, i);
        while (first < m->ncomparators && (w->done[first] || !m->seen[first]))
            first++;
    }
    for (int i = 0; i < outputs; i++)
        net->output[i] = value_of(w, m->output[i]);
}

static bool write_network(struct maker *m)
{
    struct rn_rank_network *net = m->net;
    size_t n = (size_t)m->ncomparators, ids = (size_t)m->inputs + 2 * n;
    RN_OWNED(rn_free_owned) int *by_id = calloc(3 * ids, sizeof *by_id);
    RN_OWNED(rn_free_owned) bool *done = calloc(n + 1, sizeof *done);
    net->op = calloc(n + 1, sizeof *net->op);
    net->output = calloc((size_t)(net->width * net->height), sizeof *net->output);
    net->slots = m->inputs;
    if (!by_id || !done || !net->op || !net->output)
        return false;
    struct writer w = {
        .m = m, .slot = by_id, .uses = by_id + ids, .free_slot = by_id + 2 * ids, .done = done};
    write_ops(&w);
    return true;
}

int rn_rank_network_make(struct rn_rank_network *net, int side, int width, int height, int rank)
{
    *net = (struct rn_rank_network){.side = side, .width = width, .height = height, .rank = rank};
    struct ref output[8 * 8];
    struct maker m = {.net = net,
                      .inputs = width * (side + height - 1),
                      .refs = calloc(MAX_REFS, sizeof *m.refs),
                      .output = output};
    m.failed = !m.refs;
    if (!m.failed)
        make_tile(&m);
    bool complete = !m.failed && write_network(&m);
    free(m.refs);
    free(m.comparator);
    free(m.table);
    free(m.seen);
    if (complete)
        return 0;
    rn_rank_network_free(net);
    return rn_fail_memory();
}

void rn_rank_network_free(struct rn_rank_network *net)
{
    free(net->op);
    free(net->output);
    *net = (struct rn_rank_network){0};
}
