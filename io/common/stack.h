/* SPDX-License-Identifier: MIT */
/* Positions in inputs whose pictures are stacked instead of a video: slices of a volume, pages of a
 * TIFF, image files. Positions are in mm; if the file has them, in the patient coordinates of DICOM
 * and ITK: x towards the left, y towards the back, z towards the head (LPS). */
#pragma once

#include "io/common/input.h"

struct rn_io_media;
struct rn_vol;

struct rn_io_stack {
    bool known; /* it is one, of several pictures; else nothing below is */
    bool space; /* neighbours are neighbours in space: a volume of several slices */

    /* Frames of several stacks (channels, points in time) may take turns. */
    int64_t n;    /* pictures of each stack, in the whole input */
    int64_t turn; /* the next one of a stack comes so many frames later */
    int64_t base; /* the number in the input of the frame with index 0: not 0 with --renumber */
    int64_t first, end; /* the indices of the frames that are read, end excluded */

    /* Points in time of each stack; 0: no volume. The next one of a slice comes time_turn frames
     * later. */
    int64_t times, time_turn;
    const struct rn_vol *volume; /* the source's; tells their seconds; NULL: nothing does */

    double spacing[3];      /* mm from column to column, row to row, slice to slice; 0: unknown */
    bool placed;            /* origin and direction are known, and slices lie evenly */
    double origin[3];       /* mm: the middle of the first sample */
    double direction[3][3]; /* unit vectors along rows, columns, slices */
    /* Where slices do not lie evenly, or aslant: of each one; direction is known then. The
     * source's; NULL: there are none. */
    const double (*origins)[3];
    double shift[3]; /* mm, to be added to each of them */
};

/* Describes the pictures of a source. Call it before frames are read; origins live as long as the
 * source. */
void rn_io_media_stack(const struct rn_io_media *media, struct rn_io_stack *stack);

/* Returns which picture of its stack the frame with this index is, from 0. */
static inline int64_t rn_io_stack_slice(const struct rn_io_stack *s, int64_t index)
{
    return (index + s->base) / s->turn % s->n;
}

/* Returns the index of the frame `count` pictures further (back if < 0) in the same stack, but not
 * beyond its first or last picture. */
int64_t rn_io_stack_step(const struct rn_io_stack *stack, int64_t index, int64_t count);

/* Returns which point in time a frame is, from 0; and the index of the frame `count` times later at
 * the same slice, but not beyond the first or the last one. */
static inline int64_t rn_io_stack_time(const struct rn_io_stack *s, int64_t index)
{
    return s->times > 1 ? (index + s->base) / s->time_turn % s->times : 0;
}
int64_t rn_io_stack_step_time(const struct rn_io_stack *stack, int64_t index, int64_t count);

/* Gets the seconds of a frame from the first point in time. Returns false if they are unknown. */
bool rn_io_stack_seconds(const struct rn_io_stack *stack, int64_t index, double *seconds);

/* Gets the position of a slice along the normal of its rows and columns, in mm; if positions are
 * unknown, its distance from the first slice by the spacing. Returns false without a spacing. */
bool rn_io_stack_depth(const struct rn_io_stack *stack, int64_t slice, double *mm);

/* Gets the middle of a sample in mm: in patient coordinates (RN_LOCATED_IN_PATIENT), or from the
 * first sample of the first slice along rows, columns and slices (RN_LOCATED_IN_STACK). */
enum rn_io_located { RN_LOCATED_NOWHERE, RN_LOCATED_IN_STACK, RN_LOCATED_IN_PATIENT };
enum rn_io_located rn_io_stack_place(const struct rn_io_stack *stack, double x, double y,
                                     int64_t slice, double mm[3]);

/* Gets the letters of the patient's sides to which an axis points (0 rows, 1 columns, 2 slices),
 * such as "LA": the largest component first, without those below 0.2. "": unknown. */
void rn_io_stack_letters(const struct rn_io_stack *stack, int axis, bool backwards,
                         char letters[4]);
