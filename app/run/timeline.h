/* SPDX-License-Identifier: MIT */
/* A timeline: which settings each frame has. A state is a chain as text, and the frames that count
 * as the neighbours of one for filters across frames. */
#pragma once

#include "filters/core/chain/chain.h"
#include "filters/core/chain/stage.h"

#define RN_TO_THE_END INT64_MAX /* as the last frame of a range */

/* Frames whose neighbours are all of the input have {0, RN_TO_THE_END}: the border rule replaces
 * those outside, as at the ends of an input. */
struct rn_app_span {
    int64_t first, last;
};
#define RN_ALL_FRAMES ((struct rn_app_span){0, RN_TO_THE_END})

static inline bool rn_app_span_has(struct rn_app_span span, int64_t frame)
{
    return span.first <= frame && frame <= span.last;
}

struct rn_app_state {
    unsigned refs;
    struct rn_app_span neighbours;
    char chain[]; /* rn_chain_format */
};

/* A state with one reference; NULL (logged) when out of memory. The second function takes the text
 * of another. */
struct rn_app_state *rn_app_state_of(const struct rn_chain *chain, struct rn_app_span neighbours);
struct rn_app_state *rn_app_state_with(const struct rn_app_state *of,
                                       struct rn_app_span neighbours);
struct rn_app_state *rn_app_state_ref(struct rn_app_state *state);
void rn_app_state_unref(struct rn_app_state *state); /* NULL is legal */
bool rn_app_state_equal(const struct rn_app_state *a, const struct rn_app_state *b);

/* The state from a frame on, up to the next point. */
struct rn_app_point {
    int64_t frame;
    struct rn_app_state *state; /* owned */
};

/* Every frame has a state: the first point is at frame 0. Neighbouring points differ. */
struct rn_app_timeline {
    struct rn_app_point *point;
    size_t n, room;
    uint64_t edits; /* rises with each rn_app_timeline_set */
};

/* All frames have a state, a reference taken over; NULL: out of memory. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_app_timeline_begin(struct rn_app_timeline *t, struct rn_app_state *state);
void rn_app_timeline_free(struct rn_app_timeline *t);

/* The last point at or before a frame. */
size_t rn_app_timeline_find(const struct rn_app_timeline *t, int64_t frame);

/* Sets the state of a range of frames. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_timeline_set(struct rn_app_timeline *t, struct rn_app_span frames,
                        struct rn_app_state *state);

/* Where a ramp is at t = 0..1 of its time: t, or smoothly 3 t^2 - 2 t^3. */
static inline double rn_app_ease(double t, bool smooth)
{
    return smooth ? t * t * (3 - 2 * t) : t;
}

/* A value of a numeric row between two others, at t = 0..1: whole numbers are rounded. from, to: as
 * in a chain, in the same unit. Fills text, and returns whether there is such a value. */
bool rn_app_value_between(const struct rn_param *row, const char *from, const char *to, double t,
                          char *text, size_t size);

/* Gives the stages of chain the values of those in `of`, which has the same ones; what else chain
 * has behind them stays. Returns 0 or an error (logged). */
int rn_app_values_copy(struct rn_chain *chain, const struct rn_chain *of);

/* Copies one value from stage to stage. Likewise. */
int rn_app_value_copy(struct rn_stage *to, struct rn_stage *from, const struct rn_param *row);

/* The frames that are given a state. */
struct rn_app_stroke {
    struct rn_app_span frames;
    struct rn_app_state *state;
};

/* Makes a timeline of n strokes at once, of which the later ones count, in a time of n log n: they
 * may go backwards. The first one is of all frames. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_timeline_paint(struct rn_app_timeline *t, const struct rn_app_stroke *stroke, size_t n);
