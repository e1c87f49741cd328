/* What the preview knows of a stack: which slice is shown and where it lies, and how the wheel goes
 * from one to another. */
#ifndef RN_APP_PLAY_STACKS_SLICES_H
#define RN_APP_PLAY_STACKS_SLICES_H

#include "io/common/stack.h"

/* Zeroed before the first use. */
struct rn_play_slices {
    struct rn_io_stack stack;
    bool going;     /* to the frame with the index `wanted` */
    int64_t wanted; /* valid while going */
    int64_t asked;  /* the index that was sought last on the way; -1: none yet */
    int64_t told;   /* the index of the frame that was told last */
};

/* Goes on by count slices of the stack, from where it is going or, if it is not, from the frame
 * with index `shown`. */
void rn_play_slices_step(struct rn_play_slices *slices, int64_t shown, int64_t count);

/* Goes to another slice of the stack, from 0; one that is not read: the nearest one. */
void rn_play_slices_go(struct rn_play_slices *slices, int64_t shown, int64_t slice);

/* Stays where it is. */
void rn_play_slices_stay(struct rn_play_slices *slices);

/* What is to be done now that the frame with index `shown` is on the screen and nothing else is on
 * its way: by how many frames it has to move; 0: it is there, or cannot get there. */
int64_t rn_play_slices_next(struct rn_play_slices *slices, int64_t shown);

/* Which slice a frame is, for people: "slice 12/771  z = 5.5 mm". Returns buf. */
char *rn_play_slices_tell(const struct rn_play_slices *slices, int64_t index, char *buf,
                          size_t size);

/* Where a sample of the slice is: "12.5 -3 40 mm LPS", or from the first one of the stack: "12.5 3
 * 40 mm". Returns buf, empty where nothing is known. */
char *rn_play_slices_place(const struct rn_play_slices *slices, double x, double y, int64_t slice,
                           char *buf, size_t size);

#endif
