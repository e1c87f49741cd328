/* SPDX-License-Identifier: MIT */
/* Networks of rank_network.h on devices, for medians and other percentiles of a square window.
 *
 * rank_program.c: as programs for the kernel rank_program of kernels/rank_network.clh, on CPUs. It
 * is the same for every radius and rank: a change of these builds nothing.
 * rank_compiled.c: as kernels of their own, on GPUs. Values are registers, so every radius has to
 * be built. Work-items are tiles side by side, and pass each other what they share through local
 * memory. */
#pragma once

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

#define RN_RANK_COMPILED_MAX 8 /* radius: beyond it the values do not fit into 255 registers */

/* The kernel of one radius. Zeroed at first. */
struct rn_rank_compiled {
    struct rn_kernel kernel; /* released by its owner */
    enum rn_sample sample;
    bool tried; /* no kernel then means that the device does not take it */
    int width, height, items, useful;
};

/* Builds the kernel for the median of side x side samples, 3..17, unless that was tried before. If
 * the device does not take it, that is no error: there is no kernel then. Device thread.
 * Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_rank_compiled_prepare(struct rn_rank_compiled *c, struct rn_device *dev, int side,
                             enum rn_sample sample);

/* Filters s, which has a margin of 15 and of which as much as the radius is filled, into d, of
 * equal size. Returns as rn_launch. */
int rn_rank_compiled_enqueue(struct rn_rank_compiled *c, struct rn_cmd *cmd,
                             const struct rn_dplane *s, const struct rn_dplane *d);
