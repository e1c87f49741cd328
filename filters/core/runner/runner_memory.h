/* The memory of a frame that the host and the device hand to each other; for the device backend. */
#ifndef RN_FILTERS_CORE_RUNNER_RUNNER_MEMORY_H
#define RN_FILTERS_CORE_RUNNER_RUNNER_MEMORY_H

#include "filters/core/device/opencl.h"

/* Host memory that the device reaches fast: the device's own buffer, mapped, if memory is shared;
 * otherwise a page-locked buffer that stays mapped for good, to be copied. */
struct rn_mapping {
    cl_mem mem;      /* the device's buffer */
    cl_mem pinned;   /* only without shared memory */
    size_t bytes;    /* of the mapped part */
    uint8_t *mapped; /* NULL while the device has it */
    bool writable;   /* mapped for the host to write */
};

/* All planes of a frame, or of a batch, on one side, in one buffer: handed over as one. */
struct rn_side {
    struct rn_mapping win;
    cl_mem plane[RN_MAX_PLANES]; /* parts of win.mem */
    size_t at[RN_MAX_PLANES];    /* where they begin, bytes */
};

/* Creates a window of `bytes` zeros, mapped for the host to write. copied: the device gets a copy,
 * in memory of its own; else memory is shared. Returns 0 or RN_EDEVICE (logged). Closing is legal
 * after a failure. */
int rn_mapping_open(struct rn_device *dev, struct rn_mapping *win, size_t bytes, bool copied);
void rn_mapping_close(struct rn_device *dev, struct rn_mapping *win);

/* Maps the host's part of the window for reading, writing or both. event: gets the event of it, to
 * be waited for and released; NULL = it is done on return. Returns 0 or RN_EDEVICE (logged). */
int rn_mapping_map(struct rn_device *dev, cl_command_queue queue, struct rn_mapping *win,
                   cl_map_flags flags, cl_event *event);

/* Gives it to the device. event: NULL = none. Returns 0 or RN_EDEVICE (logged). */
int rn_mapping_unmap(struct rn_device *dev, cl_command_queue queue, struct rn_mapping *win,
                     cl_event *event);

/* The same for a side. bytes: of each of RN_MAX_PLANES planes; 0: there is none. */
int rn_side_open(struct rn_device *dev, struct rn_side *side, const size_t bytes[], bool copied);
void rn_side_close(struct rn_device *dev, struct rn_side *side);

#endif
