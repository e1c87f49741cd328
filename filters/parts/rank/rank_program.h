/* A network of rank_network.h as a program for the kernel rank_program of kernels/rank_network.clh,
 * which is the same for every radius and rank: a change of these builds nothing. */
#ifndef RN_FILTERS_PARTS_RANK_RANK_PROGRAM_H
#define RN_FILTERS_PARTS_RANK_RANK_PROGRAM_H

#include "filters/core/device/opencl.h"

/* The program for a plane. Zeroed at first. */
struct rn_rank_program {
    int side, rank, width, bytes;  /* what it was made for: window, and samples */
    int tile_width, tile_height;   /* outputs */
    int lanes, useful, rows, runs; /* as in the kernel */
    cl_mem code;
    struct rn_scratch scratch;
    int size; /* samples of scratch per work-item */
};

/* Can networks run as programs on the device? */
bool rn_rank_program_fits(const struct rn_device *dev, enum rn_sample sample);

/* Makes the program for windows of side x side samples, 7..31, in planes w samples wide, unless it
 * is that already. Device thread. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_rank_program_prepare(struct rn_rank_program *program, struct rn_device *dev, int side,
                            int rank, int w, enum rn_sample sample);

/* Filters s, whose margin is filled, into d, of equal size. Returns as rn_launch. */
int rn_rank_program_enqueue(const struct rn_rank_program *program, struct rn_cmd *cmd,
                            struct rn_kernel *kernel, const struct rn_dplane *s,
                            const struct rn_dplane *d);

void rn_rank_program_release(struct rn_rank_program *program, struct rn_device *dev);

#endif
