/* SPDX-License-Identifier: MIT */
/* The slots of the device backend: their memory on both sides, batch by batch, and where each frame
 * lies in it. */
#pragma once

#include "filters/core/device/opencl.h"
#include "filters/core/runner/runner_internal.h"

/* Host memory that the device reaches fast: the device's own buffer, mapped, if memory is shared;
 * otherwise page-locked memory that stays mapped for good, to be copied. */
struct rn_mapping {
    cl_mem mem;      /* the device's buffer */
    cl_mem pinned;   /* only without shared memory: a buffer over pages */
    void *pages;     /* own */
    size_t bytes;    /* of the mapped part */
    uint8_t *mapped; /* NULL while the device has it */
    bool writable;   /* mapped for the host to write */
};

/* All planes of a frame, or of a batch, on one side, in one buffer: handed over as one. */
struct rn_side {
    struct rn_mapping win;
    cl_mem plane[RN_MAX_PLANES]; /* parts of win.mem */
    size_t at[RN_MAX_PLANES];    /* where they begin for the host, bytes of win.mapped */
};

/* The memory of a batch's slots. Plane p of its frames lies in one buffer, frame under frame. */
struct rn_device_block {
    struct rn_side side[2];       /* RN_IN, RN_OUT */
    cl_mem tmp[2][RN_MAX_PLANES]; /* only with a delay; else shared */
    struct rn_mapping result[RN_MAX_STAGES];
    size_t result_bytes[RN_MAX_STAGES]; /* from one slot's results to the next one's */
};

struct rn_device_shared {
    int margin;
    bool copied; /* frames are; else memory is shared with the host */
    bool timed;  /* what is enqueued now is */
    cl_mem tmp[2][RN_MAX_PLANES];
    struct rn_scratch field; /* a field of a plane, with a margin of its own */
    struct rn_device_block *block;
    int nblocks;
};

struct rn_device_slot {
    struct rn_device_block *block;
    int at;                         /* which of the block's frames */
    const struct rn_plane *lent[2]; /* planes of a caller's in place of RN_IN's, RN_OUT's own */
    struct rn_image own;            /* the slot's input, where it stays in place */
    struct rn_cmd cmd;
    /* The last slot of the group that is uploaded together, and of the group that is given back
     * together. It holds the commands for the whole group: it is waited for last, so it cannot be
     * submitted again while they are in use. */
    struct rn_device_slot *up_owner, *down_owner;
    /* -- of an up_owner: */
    int count, timed; /* of the frames, and of those that are timed */
    cl_event *up;
    int nup;
    int64_t uploaded; /* bytes */
    /* -- of a down_owner: */
    bool waited;  /* its commands were waited for */
    cl_int ended; /* the code with which they ended */
    cl_event *down, ran;
    int ndown;
    int64_t downloaded; /* bytes */
};

static inline struct rn_device_slot *rn_device_slot(const struct rn_slot *slot)
{
    return slot->priv->backend;
}

/* Whether frames are copied; else memory is shared with the host. */
static inline bool rn_slots_copied(const struct rn_runner *r)
{
    const struct rn_device_shared *shared = r->shared;
    return shared->copied;
}

/* Open and close what rn_backend says. */
int rn_slots_open(struct rn_runner *runner);
void rn_slots_close(struct rn_runner *runner);

/* The layout of plane p of a geometry, and the rows from frame to frame of a batch. */
struct rn_dplane rn_slots_layout(const struct rn_runner *runner, const struct rn_geom *geom, int p);
int rn_slots_step(const struct rn_runner *runner, const struct rn_geom *geom, int p);

/* The slot's device image of this geometry, or of these lines of it. place: of each plane. */
struct rn_dimage rn_slots_image(const struct rn_runner *runner, struct rn_device_slot *slot,
                                const struct rn_geom *geom, const enum rn_place place[],
                                enum rn_lines lines);

/* Shows the host the slot's input, which is mapped. */
void rn_slots_show_input(const struct rn_runner *runner, struct rn_slot *slot);

/* The host's view of plane p in RN_IN or RN_OUT, which is mapped or lent. Pinned windows hold the
 * rows close together, and the frames. */
struct rn_plane rn_slots_plane(const struct rn_runner *runner, struct rn_device_slot *slot,
                               enum rn_place place, const struct rn_geom *geom, int p);

/* Releases the slot's events, and what was counted with them. */
void rn_slots_release_events(struct rn_device *dev, struct rn_device_slot *slot);

/* Maps the host's part of the window for reading, writing or both. event: gets the event of it, to
 * be waited for and released; NULL = it is done on return. Returns 0 or RN_EDEVICE (logged). */
int rn_mapping_map(struct rn_device *dev, cl_command_queue queue, struct rn_mapping *win,
                   cl_map_flags flags, cl_event *event);

/* Gives the window to the device. Returns 0 or RN_EDEVICE (logged). */
int rn_mapping_unmap(cl_command_queue queue, struct rn_mapping *win);
