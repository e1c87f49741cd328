/* SPDX-License-Identifier: MIT */
/* Cells of a film: after a fixed number of pictures another encoder of the same settings goes on.
 * So the bytes of a cell depend on its own pictures alone, and cells that are encoded apart, by any
 * number of processes, are together what one process makes.
 *
 * The encoder before ends in a thread of its own while its successor takes pictures and gives no
 * packet yet. Its packets come before the successor's first one, so the order is always the same.
 * One thread at a time, that of the encoder (encoder.h). */
#pragma once

#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <libavutil/dict.h>

#include "filters/base/threads/thread.h"

#define RN_GRID_LEAST 240 /* pictures of a cell; a restart costs bits */
#define RN_GRID_DELAY 16  /* the most pictures by which an encoder reorders (H.264, HEVC) */

/* Times of pictures, in the encoder's time base. */
struct rn_write_cell {
    int64_t first;                 /* of the first picture */
    int64_t before[RN_GRID_DELAY]; /* of the last pictures before it; the newest is last */
    int64_t put;                   /* packets of the cell so far */
};

struct rn_write_grid {
    int size;                      /* pictures of a cell; 0: there are no cells */
    bool restarts;                 /* the encoder, at each; else it codes each picture by itself */
    int64_t taken;                 /* pictures of this cell */
    int64_t recent[RN_GRID_DELAY]; /* as `before`, of the next cell */
    struct rn_write_cell cell;
    AVCodecContext *next; /* configured as the first one was, not opened */
    AVDictionary *options;
    /* The encoder before. */
    AVCodecContext *ending; /* its packets are to be put before any other; NULL: they were */
    struct rn_write_cell ending_cell;
    AVPacket **packets;
    int npackets, ended; /* ended: libav's code */
    struct rn_thread thread;
};

/* Keeps how ctx and options are configured, before ctx is opened with them. Returns 0 or a libav
 * error. */
int rn_write_grid_note(struct rn_write_grid *grid, const AVCodecContext *ctx,
                       const AVDictionary *options);

/* Chooses the cells for ctx, which was opened: whole groups of pictures, RN_GRID_LEAST pictures or
 * more. None where all pictures are one animation. single: pictures are coded one by one. */
void rn_write_grid_begin(struct rn_write_grid *grid, const AVCodecContext *ctx, bool single);

/* Whether the next picture is the first one of another cell. The encoder before must have ended by
 * then, and its packets be put: one at a time is ending. */
bool rn_write_grid_begins(const struct rn_write_grid *grid);

/* Call before each picture, at pts. Returns true if it is the first one of another cell. */
bool rn_write_grid_take(struct rn_write_grid *grid, int64_t pts);

/* Then: ends *ctx, and opens its successor there. The packets of an encoder before were put.
 * Returns 0 or a libav error. */
int rn_write_grid_restart(struct rn_write_grid *grid, AVCodecContext **ctx);

/* Waits until the encoder before has ended, and frees it. Its packets are then in grid->packets,
 * until rn_write_grid_clear. Returns 0 or a libav error. */
int rn_write_grid_end(struct rn_write_grid *grid);
void rn_write_grid_clear(struct rn_write_grid *grid);

/* Gives the next packet of a cell the decoding time that it has in one sequence of all pictures: an
 * encoder counts from its own first picture, and guesses what was before where the rate varies. */
void rn_write_cell_time(struct rn_write_cell *cell, const AVCodecContext *ctx, AVPacket *pkt);

/* Frees everything, in any state. */
void rn_write_grid_free(struct rn_write_grid *grid);
