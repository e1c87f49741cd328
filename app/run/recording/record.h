/* SPDX-License-Identifier: MIT */
/* Tuning over time: written while playing, applied again while rendering.
 *
 * A recording is JSON lines, each an object, in the order of events. The first is {"chain":TEXT},
 * the chain at the start. Every other line has "frame":N, N >= 0, and may have "to":M, M >= N. It
 * changes the settings, and then assigns the current settings, with all changes so far, to frames:
 *     {"frame":N,"stage":I,"param":NAME,"value":TEXT}   the frames from N on, to the end
 *     {"frame":N,"to":M,...}                            the frames N to M, both included
 *     {"frame":N}, {"frame":N,"to":M}                   likewise, without a change
 *     {"frame":N,"chain":TEXT}                          other filters: the whole chain
 *     {"frame":N,"to":M,"stage":I,"param":NAME,"from":TEXT,"value":TEXT,"ease":"linear"|"smooth"}
 *         a ramp: from a number at N to another at M; smooth is t * t * (3 - 2 * t)
 * I counts the filters of the current chain from 0. NAME may be "enable", as in a chain; old
 * recordings have "on":BOOL instead of "param" and "value".
 *
 * A line may have "first":N and "last":M: filters across frames take its frames as if the input
 * began at N and ended with M, as at the marks of a loop.
 *
 * Lines may have frames in any order, because users seek. The last line about a frame counts; a
 * frame without a line has the settings at the start. So each prefix of whole lines is a recording,
 * which survives a crash. A last line without a newline may be incomplete and is then ignored. */
#pragma once

#include "filters/core/chain/chain.h"

/* ---- the timeline
 *
 * A timeline: which settings each frame has. A state is a chain as text, and the frames that count
 * as the neighbours of one for filters across frames. */

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
    uint64_t edits; /* rises with each change */
};

void rn_app_timeline_free(struct rn_app_timeline *t);

/* The last point at or before a frame. */
size_t rn_app_timeline_find(const struct rn_app_timeline *t, int64_t frame);

/* Where a ramp is at t = 0..1 of its time: t, or smoothly 3 t^2 - 2 t^3. */
static inline double rn_app_ease(double t, bool smooth)
{
    return smooth ? t * t * (3 - 2 * t) : t;
}

/* A value of a numeric row between two others, at t = 0..1: whole numbers are rounded. from, to: as
 * in a chain, in the same unit. Fills text, and returns whether there is such a value. */
bool rn_app_value_between(const struct rn_param *row, const char *from, const char *to, double t,
                          char *text, size_t size);

/* Parses a chain whose code needs permission, as it comes from a file, origin; NULL: it needs none.
 * Returns 0 or an error (logged). */
int rn_app_chain_from(struct rn_chain **chain, const char *text, const char *origin);

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

/* ---- record.c, replay.c */

struct rn_app_record;

/* Begins a record under a temporary name in the folder of path. Returns 0, RN_EOUTPUT or
 * RN_EINTERNAL (logged). */
int rn_app_record_create(struct rn_app_record **record, const char *path,
                         const struct rn_chain *chain);

/* Notes that frame is computed with a chain: when it is shown, the settings may be others. */
void rn_app_record_compute(struct rn_app_record *record, const struct rn_chain *chain,
                           int64_t frame);

/* Records that frame was shown with the settings that it was last computed with, of those frames
 * that rn_app_record_compute told last. neighbours: the frames that there were for filters across
 * frames, if they are fewer than these filters reach; else {0, RN_TO_THE_END}. follows: the frames
 * since the previous call were dropped, not skipped by a seek. A frame that is shown again replaces
 * its record. The first call gives the file its name; the file is up to date when a call returns.
 * Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged); after an error the file ends with its last whole
 * line, and further calls do nothing and return 0. */
int rn_app_record_frame(struct rn_app_record *record, int64_t frame, struct rn_app_span neighbours,
                        bool follows);

/* Writes settings of frames that the user has changed without looking at them. Returns 0 or the
 * error that ended writing, as rn_app_record_frame does. */
int rn_app_record_set(struct rn_app_record *record, struct rn_app_span frames,
                      struct rn_app_state *state);

/* The frames and their states. */
const struct rn_app_timeline *rn_app_record_frames(const struct rn_app_record *record);

/* Ends the record; a record without a frame leaves no file. Sets *record to NULL; NULL is legal.
 * Returns 0, or the first error of the record (logged). */
int rn_app_record_close(struct rn_app_record **record);

struct rn_app_replay;

#define RN_APP_RECORD_MAX ((size_t)16 << 20) /* bytes; parsed, up to thirty times as many */

/* Reads a record of up to RN_APP_RECORD_MAX. Ignores an incomplete last line, with a warning.
 * *chain_text: the chain at the start, never "@FILE"; lives as long as the replay. Returns 0 or
 * RN_EUSAGE (logged, with the line). */
int rn_app_replay_open(struct rn_app_replay **replay, const char *path, const char **chain_text);
void rn_app_replay_close(struct rn_app_replay **replay);

/* Reads all lines, before the first frame. chain: as parsed from *chain_text. Returns 0, RN_EUSAGE
 * (logged, with the line) or RN_EINTERNAL. */
int rn_app_replay_bind(struct rn_app_replay *replay, const struct rn_chain *chain);

/* If lines have chains of their own: a chain that names all files of all of them. Otherwise NULL.
 * After rn_app_replay_bind. */
const struct rn_chain *rn_app_replay_named(const struct rn_app_replay *replay);

/* The frames and their states, after rn_app_replay_bind. */
const struct rn_app_timeline *rn_app_replay_frames(const struct rn_app_replay *replay);

/* Whether frames can be filtered with a chain. bound: what took the chain of the call before can be
 * updated to this one. Returns 0 or an error (logged). */
typedef int rn_app_replay_fits(void *arg, const struct rn_chain *chain,
                               const struct rn_analysis *analysis, bool bound);

/* Checks each state of the record, in frame order, before the first frame: that it makes of
 * pictures `in` pictures of the size of `out`, and of its format if there is to be one_format, and
 * that it fits (NULL: anything does). chain: as parsed from *chain_text; it may have more stages
 * behind, unless there is rn_app_replay_named. Returns 0 or the first error (logged). */
int rn_app_replay_check(struct rn_app_replay *replay, const struct rn_chain *chain,
                        const struct rn_geom *in, const struct rn_geom *out, bool one_format,
                        rn_app_replay_fits *fits, void *arg);

/* After rn_app_replay_check: whether the frames must be filtered piece by piece; the most frames
 * that are read again for the next piece. */
bool rn_app_replay_is_cut(const struct rn_app_replay *replay);
int rn_app_replay_reach(const struct rn_app_replay *replay);

/* Frames that are filtered as an input of their own: those to be written, which begin with frame
 * and end at `most` or before, and with their neighbours. */
struct rn_app_piece {
    struct rn_app_span write, read;
};
struct rn_app_piece rn_app_replay_piece(const struct rn_app_replay *replay, int64_t frame,
                                        int64_t most);

/* Gives *chain the settings of frame. *changed: whether any changed; within a piece, what was bound
 * to *chain can be updated to it. Frames must come in rising order. Returns 0, RN_EUSAGE or
 * RN_EINTERNAL (logged). */
int rn_app_replay_frame(struct rn_app_replay *replay, struct rn_chain **chain, int64_t frame,
                        bool *changed);

/* The number of changes for frames from index `frames` on. */
long long rn_app_replay_beyond(const struct rn_app_replay *replay, int64_t frames);
