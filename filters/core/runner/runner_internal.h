/* SPDX-License-Identifier: MIT */
/* The inside of the runner: what its parts (runner.c, runner_frames.c) share with its two backends,
 * the C reference path and the device. */
#pragma once

#include <pthread.h>

#include "filters/core/runner/revision.h"
#include "filters/core/runner/runner.h"

struct rn_relay;

struct rn_slot_priv {
    struct rn_revision *revision;      /* that the frame was submitted with; NULL: none yet */
    int64_t number;                    /* of the frame, since the last reset */
    bool pending;                      /* submitted and not waited for yet */
    bool complete;                     /* submitted with all that it depends on, not recycled yet */
    const void *result[RN_MAX_STAGES]; /* of measuring stages, valid after wait */
    struct rn_timings timings;         /* of this frame, set by wait */
    void *backend;                     /* the backend's own part */
};

/* The lines that a stage takes: all, or those of one field, as pictures of their own. */
enum rn_lines { RN_LINES_ALL, RN_LINES_EVEN, RN_LINES_ODD };

/* One call of stage i: it takes frame in and completes frame out: the same frame, unless the stage
 * has a delay; either may be NULL. n: frames, in this slot and those behind it; 1 with a delay. */
struct rn_turn {
    int i, n;
    enum rn_lines lines;
    struct rn_bound *bound; /* the one for these lines */
    struct rn_slot *in, *out;
    struct rn_slot *counted; /* the frame to which the time is charged */
    int64_t tick;
};

/* Frame k of a turn, as one of its own. */
static inline struct rn_turn rn_turn_of(const struct rn_turn *turn, int k)
{
    struct rn_turn one = *turn;
    one.n = 1;
    one.in = turn->in ? turn->in + k : NULL;
    one.out = turn->out ? turn->out + k : NULL;
    one.counted += k;
    one.tick += k;
    return one;
}

struct rn_backend {
    int (*open)(struct rn_runner *runner);   /* makes memory; stages are prepared */
    void (*close)(struct rn_runner *runner); /* legal after a failed open */

    /* Takes in n frames (NULL: none is left), before the stages advance, each by so many. */
    int (*begin)(struct rn_runner *runner, struct rn_slot *in, int n);
    int (*stage)(struct rn_runner *runner, const struct rn_turn *turn);
    /* Mixes the whole frames out with the stage's input, by the weights of its region. */
    int (*blend)(struct rn_runner *runner, const struct rn_turn *turn);
    /* out and the n - 1 slots behind it are computed; out may be NULL. Optional. */
    int (*finish)(struct rn_runner *runner, struct rn_slot *out, int n);

    int (*wait)(struct rn_runner *runner, struct rn_slot *slot); /* sets out, results, timings */
    bool (*done)(const struct rn_slot *slot); /* wait would not block; optional: always */
    int (*recycle)(struct rn_runner *runner, struct rn_slot *slot);
    /* Waits until nothing uses submitted frames; the caller waits for none of them. Optional. */
    int (*abandon)(struct rn_runner *runner);
};

/* A stage with a delay remembers frames: it is bound once more for each field, when the first frame
 * comes that is filtered by fields. */
struct rn_halves {
    struct rn_bound *field; /* two, for the even and the odd lines; NULL: none yet */
    bool whole, halves;     /* which of the three have got frames since the last reset */
};

/* What a stage's region makes of the planes that are as large as the frame, and of its chroma. */
struct rn_blend {
    struct rn_region region; /* that the weights are of; of no kind: there are none */
    struct rn_geom in;
    float *weight[2];       /* on the reference path */
    struct _cl_mem *mem[2]; /* on the device */
    struct rn_kernel *kernel;
};

/* A frame that is kept to be filtered again, or as a neighbour of one that is. */
struct rn_kept {
    struct rn_slot *slot;
    bool given;    /* returned by rn_runner_ready */
    bool recycled; /* the caller is done with it */
};

struct rn_runner {
    const struct rn_backend *backend;
    struct rn_device *dev; /* NULL: the C reference path */
    int n;                 /* stages */
    struct rn_bound bound[RN_MAX_STAGES];
    struct rn_halves halves[RN_MAX_STAGES]; /* of stages with a delay */
    struct rn_blend blend[RN_MAX_STAGES];
    struct rn_revision *first;                   /* that memory was allocated for */
    struct rn_revision *current;                 /* for frames submitted from now on */
    struct rn_revision *prepared[RN_MAX_STAGES]; /* with which each stage was last prepared */
    int nslots, delay;
    int batch; /* slots whose frames may be submitted together */
    struct rn_slot *slot;
    struct rn_slot_priv *priv;
    struct rn_slot **begun;  /* frame number % (delay + batch) -> its slot */
    int64_t frames_in, tick; /* frames submitted; steps of the chain, those of a drain included */
    int64_t groups;          /* of frames submitted together, since the last reset */
    int64_t frames_out;      /* frames returned by rn_runner_ready */

    bool time_each;       /* stages are timed for each frame */
    bool mixed;           /* whole frames and fields are expected in one input */
    int broken;           /* the error that left a stage unprepared; 0: none */
    bool keep;            /* frames may be filtered again */
    bool stale;           /* kept frames were partly computed with other settings */
    struct rn_kept *kept; /* in order */
    int nkept;
    struct rn_slot **idle; /* may be filled again */
    int nidle;

    struct rn_relay *relay;     /* NULL: none */
    int lane, lanes;            /* of those that take frames in turn */
    struct rn_runner *measurer; /* whose tables get what this one measures: usually itself */
    int shown;     /* the stage whose numbers came last; -1: none. Of the thread that waits */
    bool measures; /* from start to stop; of the thread that waits, as started */
    bool started[RN_MAX_STAGES]; /* measuring stages whose start succeeded: those that were on */
    void *shared;                /* the backend's own part */
    pthread_mutex_t lock;
    /* -- protected by lock: */
    struct rn_timings timings;
};

/* The snapshot of stage i for frames to come, and for the frame in slot. */
static inline const struct rn_snapshot *rn_current(const struct rn_runner *runner, int i)
{
    return &runner->current->analysis.stage[i];
}
static inline const struct rn_snapshot *rn_submitted(const struct rn_slot *slot, int i)
{
    return &slot->priv->revision->analysis.stage[i];
}

/* Binds a stage to the runner's device, and prepares it. Return 0 or an error (logged). */
int rn_bound_open(struct rn_bound *bound, const struct rn_stage_desc *desc, struct rn_device *dev);
int rn_bound_prepare(struct rn_bound *bound, const struct rn_snapshot *now);
void rn_bound_close(struct rn_bound *bound); /* legal on a zeroed one */

extern const struct rn_backend rn_backend_host, rn_backend_device;

/* The frames' way through the stages (runner_frames.c), whether or not frames are kept: these work
 * as the functions of runner.h with the same names; rewind forgets all earlier frames. */
int rn_frames_submit(struct rn_runner *runner, struct rn_slot *slot, int n);
int rn_frames_drain(struct rn_runner *runner);
struct rn_slot *rn_frames_ready(struct rn_runner *runner);
int rn_frames_rewind(struct rn_runner *runner);

/* Frames field by field (runner_fields.c). rn_fields_stage calls a stage for a frame, whole or once
 * for each field; turn says all but the lines. The others do for the bounds of fields what is done
 * for those of whole frames; prepare is legal for stages without any. */
int rn_fields_stage(struct rn_runner *runner, const struct rn_turn *turn);
int rn_fields_prepare(struct rn_runner *runner, int i, const struct rn_snapshot *now);
void rn_fields_reset(struct rn_runner *runner, int i);
void rn_fields_close(struct rn_runner *runner, int i);

/* Regions (runner_region.c). Prepare makes the weights of stage i, where it has a region, and
 * returns 0 or an error (logged); close is legal without any. The other two mix plane p on the
 * reference path and on the device. */
int rn_blend_prepare(struct rn_runner *runner, int i, const struct rn_snapshot *now);
void rn_blend_close(struct rn_runner *runner, int i);
void rn_blend_plane(const struct rn_blend *blend, const struct rn_geom *in, int p,
                    const struct rn_plane *src, struct rn_plane *dst);
int rn_blend_enqueue(const struct rn_blend *blend, struct rn_cmd *cmd, const struct rn_geom *in,
                     int p, const struct rn_dimage *src, const struct rn_dimage *dst);

/* The lines of a plane of h lines, >= 1, for the backends: first, how many, from one to the next.
 * Even ones of a single line, too, stand for the odd ones it lacks, if other planes need them. */
struct rn_cut {
    int first, count, step;
};
struct rn_cut rn_lines_cut(enum rn_lines lines, int h);

/* Whether the stage writes or measures plane p, and the plane has such lines. */
bool rn_lines_exist(enum rn_lines lines, const struct rn_snapshot *s, int p);

/* The snapshot that a stage gets with these lines of plane p. */
struct rn_snapshot rn_lines_snapshot(const struct rn_snapshot *s, enum rn_lines lines, int p);

/* The variants of submit, ready, reset and recycle that keep frames (runner_frames.c). */
int rn_kept_submit(struct rn_runner *runner, struct rn_slot *slot);
struct rn_slot *rn_kept_ready(struct rn_runner *runner);
int rn_kept_reset(struct rn_runner *runner);
int rn_kept_recycle(struct rn_runner *runner, struct rn_slot *slot);
