/* SPDX-License-Identifier: MIT */
#include "filters/parts/schedule.h"

#include <string.h>

static int allot(struct rn_schedule *q, int images)
{
    q->images += images;
    return q->images - images;
}

void rn_schedule_plan(struct rn_schedule *q)
{
    int longest = 0;
    for (int k = 0; k < q->npaths; k++)
        longest = q->path[k].n > longest ? q->path[k].n : longest;
    q->delay = q->slices * longest;
    q->images = 0;
    q->between = allot(q, q->slices || longest < 2 ? 0 : longest < 3 ? 1 : 2);
    q->results = allot(q, q->npaths > 1 ? 2 * (q->ahead + 1) : 0);
    /* The source's frames are kept for the first window and, if the source itself is a part of the
     * difference, until the other part is ready. */
    int window = 2 * q->slices + 1;
    q->source.size = q->slices ? (q->delay + 1 > window ? q->delay + 1 : window) + q->ahead : 1;
    q->sources = allot(q, q->slices || q->unbounded ? q->source.size : 0);
    for (int k = 0; k < q->npaths; k++)
        for (int i = 1; i < q->path[k].n && q->slices; i++) {
            q->of[k][i].base = allot(q, window + q->ahead);
            q->of[k][i].ring.size = window + q->ahead;
        }
    rn_schedule_reset(q);
}

void rn_schedule_reset(struct rn_schedule *q)
{
    rn_ring_reset(&q->source, q->source.size);
    for (int k = 0; k < q->npaths; k++)
        for (int i = 1; i < q->path[k].n && q->slices; i++)
            rn_ring_reset(&q->of[k][i].ring, q->of[k][i].ring.size);
}

static int source_image(const struct rn_schedule *q, int place)
{
    return place < 0 ? RN_NO_IMAGE : q->sources + place;
}

static void add(struct rn_schedule_step *steps, int *n, enum rn_step_kind kind, int a, int b,
                int to)
{
    steps[(*n)++] = (struct rn_schedule_step){.kind = kind, .in = {a, b}, .to = to};
}

/* ---- within a frame */

static int next_within(struct rn_schedule *q, struct rn_schedule_step *steps)
{
    int n = 0, source = RN_SOURCE, result[2];
    if (q->unbounded) {
        source = source_image(q, 0);
        add(steps, &n, RN_STEP_TAKE, RN_SOURCE, RN_NO_IMAGE, source);
    }
    for (int k = 0; k < q->npaths; k++) {
        const struct rn_path *path = &q->path[k];
        int end = q->npaths > 1 ? q->results + k : RN_RESULT;
        result[k] = source;
        for (int i = 0; i < path->n; i++) {
            int to = i < path->n - 1 ? q->between + i % 2 : end;
            add(steps, &n, RN_STEP_OPERATE, result[k], RN_NO_IMAGE, to);
            steps[n - 1].op = path->op[i];
            result[k] = to;
        }
    }
    if (q->npaths > 1)
        add(steps, &n, RN_STEP_SUBTRACT, result[0], result[1], RN_RESULT);
    return n;
}

/* ---- across frames */

/* The image of a path's result in this call. */
static int result_image(const struct rn_schedule *q, int k, int64_t tick)
{
    return q->results + k * (q->ahead + 1) + (int)(tick % (q->ahead + 1));
}

/* How many frames before the first and after the last an unbounded operation has results: those of
 * the first kind reach further each time, the others shrink back. */
static int64_t extent(const struct rn_schedule *q, const struct rn_path *path, int i)
{
    int64_t frames = 0;
    for (int k = 0; k <= i; k++)
        frames += path->op[k] == path->op[0] ? q->slices : -q->slices;
    return q->unbounded && frames > 0 ? frames : 0;
}

static void path_across(struct rn_schedule *q, int k, int64_t tick, bool wanted,
                        struct rn_schedule_step *steps, int *n)
{
    const struct rn_path *path = &q->path[k];
    for (int i = 0; i < path->n; i++) {
        int64_t frame = tick - (int64_t)q->slices * (i + 1), e = extent(q, path, i);
        bool last = i == path->n - 1;
        if (frame < q->source.first - e || frame >= q->source.next + e || (last && !wanted))
            continue;
        int to = !last           ? q->of[k][i + 1].base + rn_ring_push(&q->of[k][i + 1].ring, frame)
                 : q->npaths > 1 ? result_image(q, k, tick)
                                 : RN_RESULT;
        struct rn_schedule_step *step = &steps[(*n)++];
        *step = (struct rn_schedule_step){.kind = RN_STEP_OPERATE, .op = path->op[i], .to = to};
        for (int dz = -q->slices; dz <= q->slices; dz++) {
            int place = rn_ring_find(i ? &q->of[k][i].ring : &q->source, frame + dz, q->border);
            int base = i ? q->of[k][i].base : q->sources;
            step->in[q->slices + dz] = place < 0 ? RN_NO_IMAGE : base + place;
        }
    }
}

static int next_across(struct rn_schedule *q, int64_t tick, bool has_source, bool wanted,
                       struct rn_schedule_step *steps)
{
    int n = 0, result[2];
    if (has_source && tick != q->source.next)
        rn_schedule_reset(q);
    if (has_source)
        add(steps, &n, RN_STEP_TAKE, RN_SOURCE, RN_NO_IMAGE,
            source_image(q, rn_ring_push(&q->source, tick)));
    /* A frame from before the ring began cannot be computed. */
    wanted = wanted && tick - q->delay >= q->source.first && tick - q->delay < q->source.next;
    for (int k = 0; k < q->npaths; k++) {
        path_across(q, k, tick, wanted, steps, &n);
        result[k] = q->path[k].n
                        ? result_image(q, k, tick)
                        : source_image(q, rn_ring_find(&q->source, tick - q->delay, RN_IGNORE));
    }
    if (q->npaths > 1 && wanted)
        add(steps, &n, RN_STEP_SUBTRACT, result[0], result[1], RN_RESULT);
    return n;
}

int rn_schedule_next(struct rn_schedule *q, int64_t tick, bool has_source, bool wanted,
                     struct rn_schedule_step *steps)
{
    return q->slices ? next_across(q, tick, has_source, wanted, steps) : next_within(q, steps);
}

/* ---- several calls */

bool rn_schedule_alike(const struct rn_schedule_step *a, int na, const struct rn_schedule_step *b,
                       int nb)
{
    bool alike = na == nb;
    for (int i = 0; i < na && alike; i++)
        alike = a[i].kind == b[i].kind && a[i].op == b[i].op;
    return alike;
}

static bool advances(int a, int b, int n)
{
    return a < 0 ? a == b : a + n == b;
}

bool rn_schedule_advances(const struct rn_schedule *q, const struct rn_schedule_step *a,
                          const struct rn_schedule_step *b, int n)
{
    int count = a->kind == RN_STEP_OPERATE    ? 2 * q->slices + 1
                : a->kind == RN_STEP_SUBTRACT ? 2
                                              : 1;
    bool all = advances(a->to, b->to, n);
    for (int i = 0; i < count && all; i++)
        all = advances(a->in[i], b->in[i], n);
    return all;
}

/* ---- joined */

/* Whether three steps are two operations on one image and their difference. */
static bool is_difference(const struct rn_schedule_step *s)
{
    return s[0].kind == RN_STEP_OPERATE && s[1].kind == RN_STEP_OPERATE &&
           s[2].kind == RN_STEP_SUBTRACT && s[0].in[0] == s[1].in[0] && s[2].in[0] == s[0].to &&
           s[2].in[1] == s[1].to;
}

static void join(struct rn_schedule_step *a, const struct rn_schedule_step *b, enum rn_join how,
                 int to)
{
    a->kind = RN_STEP_JOINED;
    a->second = b->op;
    a->join = how;
    a->to = to;
}

/* The difference of the last joined step and its source. */
static bool join_source(struct rn_schedule_step *a, const struct rn_schedule_step *difference)
{
    bool minus_source = difference->in[0] == a->to && difference->in[1] == a->in[0];
    bool source_minus = difference->in[1] == a->to && difference->in[0] == a->in[0];
    if (a->kind != RN_STEP_JOINED || difference->kind != RN_STEP_SUBTRACT ||
        !(minus_source || source_minus))
        return false;
    a->join = minus_source ? RN_JOIN_MINUS_SOURCE : RN_JOIN_SOURCE_MINUS;
    a->to = difference->to;
    return true;
}

/* Returns the number of steps that remain. */
static int join_all(struct rn_schedule_step *s, int n)
{
    int joined = 0;
    for (int i = 0; i < n; i++) {
        s[joined] = s[i];
        if (i + 2 < n && is_difference(&s[i])) {
            join(&s[joined], &s[i + 1], RN_JOIN_BOTH, s[i + 2].to);
            i += 2;
        } else if (i + 1 < n && s[i].kind == RN_STEP_OPERATE && s[i + 1].kind == RN_STEP_OPERATE &&
                   s[i + 1].in[0] == s[i].to) {
            join(&s[joined], &s[i + 1], RN_JOIN_RESULT, s[i + 1].to);
            i++;
        } else if (joined && join_source(&s[joined - 1], &s[i])) {
            joined--;
        }
        joined++;
    }
    return joined;
}

/* What was between two joined steps falls away, so that a step may write the image that it reads:
 * it takes the other one, and so do those that read it, up to the next that writes there. */
static void separate_images(const struct rn_schedule *q, struct rn_schedule_step *s, int n)
{
    for (int i = 0; i < n; i++) {
        int old = s[i].to, other = 2 * q->between + 1 - old;
        if (old < 0 || old != s[i].in[0])
            continue;
        s[i].to = other;
        for (int k = i + 1; k < n; k++) {
            for (int j = 0; j < 2; j++)
                s[k].in[j] = s[k].in[j] == old ? other : s[k].in[j];
            if (s[k].to == old)
                break;
        }
    }
}

int rn_schedule_join(const struct rn_schedule *q, struct rn_schedule_step *steps, int n)
{
    struct rn_schedule_step s[RN_MAX_STEPS];
    int first = n && steps[0].kind == RN_STEP_TAKE, count = n - first;
    /* A wrapped result would be needed from the other side of the picture. */
    if (q->slices || q->border == RN_WRAP)
        return n;
    memcpy(s, steps + first, (size_t)count * sizeof *s);
    for (int i = 0; i < count && first; i++)
        for (int k = 0; k < 2; k++)
            s[i].in[k] = s[i].in[k] == steps[0].to ? RN_SOURCE : s[i].in[k];
    count = join_all(s, count);
    separate_images(q, s, count);
    if (first && (count > 1 || s[0].kind != RN_STEP_JOINED))
        return n;
    memcpy(steps, s, (size_t)count * sizeof *s);
    return count;
}
