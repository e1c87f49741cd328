/* An input whose pictures are no video but lie behind each other: slices of a volume, pages of a
 * TIFF, image files. Where they lie is told in mm, in the patient's coordinates of DICOM and ITK
 * where the file has them: x towards the left, y towards the back, z towards the head (LPS). */
#ifndef RN_IO_COMMON_STACK_H
#define RN_IO_COMMON_STACK_H

#include "io/common/input.h"

struct rn_io_media;

struct rn_io_stack {
    bool known; /* it is one, of several pictures; else nothing below is */
    bool space; /* neighbours are neighbours in space: a volume of several slices */

    /* Frames of several stacks (channels, points in time) may take turns. */
    int64_t n;    /* pictures of each stack, in the whole input */
    int64_t turn; /* the next one of a stack comes so many frames later */
    int64_t base; /* the number in the input of the frame with index 0: not 0 with --renumber */
    int64_t first, end; /* the indices of the frames that are read, end excluded */

    double spacing[3];      /* mm from column to column, row to row, slice to slice; 0: unknown */
    bool placed;            /* origin and direction are known, and slices lie evenly */
    double origin[3];       /* mm: the middle of the first sample */
    double direction[3][3]; /* unit vectors along rows, columns, slices */
    /* Where slices do not lie evenly, or aslant: of each one; direction is known then. The
     * source's; NULL: there are none. */
    const double (*origins)[3];
};

/* Tells what the pictures of a source are. Before frames are read; origins live as long as the
 * source. */
void rn_io_media_stack(const struct rn_io_media *media, struct rn_io_stack *stack);

/* Which picture of its stack the frame with this index is, from 0. */
int64_t rn_io_stack_slice(const struct rn_io_stack *stack, int64_t index);

/* The index of the frame so many pictures on (or back, below 0) in the same stack, or the last one
 * there is on the way. */
int64_t rn_io_stack_step(const struct rn_io_stack *stack, int64_t index, int64_t count);

/* The place of a slice along the normal of its rows and columns, in mm; by the spacing alone, from
 * the first one, where no place is known. Returns false where there is no spacing either. */
bool rn_io_stack_depth(const struct rn_io_stack *stack, int64_t slice, double *mm);

/* Where the middle of a sample is, in mm: in the patient's coordinates (RN_LOCATED_IN_PATIENT), or
 * from the first sample of the first slice along rows, columns and slices (RN_LOCATED_IN_STACK). */
enum rn_io_located { RN_LOCATED_NOWHERE, RN_LOCATED_IN_STACK, RN_LOCATED_IN_PATIENT };
enum rn_io_located rn_io_stack_place(const struct rn_io_stack *stack, double x, double y,
                                     int64_t slice, double mm[3]);

/* The letters of the patient's sides that an axis points to, rows 0, columns 1, slices 2: the one
 * it points to most first, "LA"; those below a fifth are left out. "": not known. */
void rn_io_stack_letters(const struct rn_io_stack *stack, int axis, bool backwards,
                         char letters[4]);

#endif
