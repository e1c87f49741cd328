/* SPDX-License-Identifier: MIT */
#include "app/play/loop/reader.h"

#include <math.h>

#include "filters/base/log.h"
#include "filters/base/owned.h"

#define SAME_TIME 5e-7 /* seconds: times are rounded by floating point */

struct entry {
    struct rn_play_cached cached;
    uint64_t used; /* the count of uses at its latest one */
};

struct rn_play_cache {
    void (*release)(void *item);
    size_t limit, bytes;
    struct entry *entry; /* by frame index, and so by time */
    size_t n, capacity;
    uint64_t uses;
    int64_t first, last; /* frame indices of the input's ends; -1: unknown */
};

int rn_play_cache_create(struct rn_play_cache **cache, size_t limit, void (*release)(void *item))
{
    struct rn_play_cache *c = *cache = calloc(1, sizeof *c);
    if (!c)
        return rn_fail_memory();
    c->limit = limit;
    c->release = release;
    c->first = c->last = -1;
    return 0;
}

void rn_play_cache_allow(struct rn_play_cache *c, size_t limit)
{
    c->limit = limit > c->limit ? limit : c->limit;
}

static const struct rn_play_cached *use(struct rn_play_cache *c, size_t place)
{
    c->entry[place].used = ++c->uses;
    return &c->entry[place].cached;
}

/* The place of the first entry at or after both a frame index and a time. */
static size_t place_of(const struct rn_play_cache *c, int64_t index, double time)
{
    size_t from = 0, to = c->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (c->entry[middle].cached.index < index || c->entry[middle].cached.time < time)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static bool is_there(const struct rn_play_cache *c, size_t place, int64_t index)
{
    return place < c->n && c->entry[place].cached.index == index;
}

static void remove_at(struct rn_play_cache *c, size_t place)
{
    c->bytes -= c->entry[place].cached.bytes;
    c->release(c->entry[place].cached.item);
    memmove(c->entry + place, c->entry + place + 1, (--c->n - place) * sizeof *c->entry);
}

static void clear(struct rn_play_cache *c)
{
    while (c->n)
        remove_at(c, c->n - 1);
    c->last = -1;
}

void rn_play_cache_destroy(struct rn_play_cache **cache)
{
    if (!*cache)
        return;
    clear(*cache);
    free((*cache)->entry);
    free(rn_take_owned(cache));
}

static bool contradicts(const struct rn_play_cache *c, size_t place,
                        const struct rn_play_cached *cached)
{
    size_t behind = place + is_there(c, place, cached->index);
    return (place && c->entry[place - 1].cached.time >= cached->time) ||
           (behind < c->n && c->entry[behind].cached.time <= cached->time) ||
           (behind > place && fabs(c->entry[place].cached.time - cached->time) > SAME_TIME);
}

/* Drops the least recently used entries. Returns false when out of memory. */
static bool make_space(struct rn_play_cache *c, size_t bytes)
{
    while (c->n && c->bytes + bytes > c->limit) {
        size_t oldest = 0;
        for (size_t i = 1; i < c->n; i++)
            oldest = c->entry[i].used < c->entry[oldest].used ? i : oldest;
        remove_at(c, oldest);
    }
    return rn_reserve(&c->entry, &c->capacity, c->n + 1, sizeof *c->entry);
}

void rn_play_cache_put(struct rn_play_cache *c, const struct rn_play_cached *cached)
{
    size_t place = place_of(c, cached->index, -INFINITY);
    if (contradicts(c, place, cached))
        clear(c);
    place = place_of(c, cached->index, -INFINITY);
    bool there = is_there(c, place, cached->index);
    bool better = !there || !cached->bare || c->entry[place].cached.bare;
    bool fits = better && cached->bytes <= c->limit;
    if (fits && there)
        remove_at(c, place);
    if (!fits || !make_space(c, cached->bytes)) {
        c->release(cached->item);
        return;
    }
    place = place_of(c, cached->index, -INFINITY);
    memmove(c->entry + place + 1, c->entry + place, (c->n++ - place) * sizeof *c->entry);
    c->entry[place].cached = *cached;
    c->bytes += cached->bytes;
    use(c, place);
}

/* ---- finding */

const struct rn_play_cached *rn_play_cache_frame(struct rn_play_cache *c, int64_t index)
{
    size_t place = place_of(c, index, -INFINITY);
    return is_there(c, place, index) ? use(c, place) : NULL;
}

const struct rn_play_cached *rn_play_cache_last(struct rn_play_cache *c)
{
    return c->last >= 0 ? rn_play_cache_frame(c, c->last) : NULL;
}

const struct rn_play_cached *rn_play_cache_at(struct rn_play_cache *c, double time)
{
    size_t place = place_of(c, INT64_MIN, time - SAME_TIME);
    if (place == c->n)
        return NULL;
    const struct rn_play_cached *found = &c->entry[place].cached;
    bool first = found->index == c->first, exact = found->time <= time + SAME_TIME;
    bool follows = place && is_there(c, place - 1, found->index - 1);
    return first || exact || follows ? use(c, place) : NULL;
}

void rn_play_cache_begins(struct rn_play_cache *c, int64_t index)
{
    c->first = index;
}

void rn_play_cache_ends(struct rn_play_cache *c, int64_t index)
{
    c->last = index;
}

size_t rn_play_cache_bytes(const struct rn_play_cache *c)
{
    return c->bytes;
}

size_t rn_play_cache_count(const struct rn_play_cache *c)
{
    return c->n;
}
