/* The part of the input that is marked, from a frame to a frame. */
#ifndef RN_PLAY_MARKS_H
#define RN_PLAY_MARKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Zeroed: not set. */
struct rn_mark {
    bool set;
    int64_t index; /* rn_frame.index */
    double time;   /* rn_frame.time */
};

struct rn_marks {
    struct rn_mark a, e; /* both frames belong to the part */
};

enum { RN_MARKS_TEXT = 64 };

/* Set one end. The other one goes if the part would be empty with it. */
void rn_marks_begin(struct rn_marks *marks, int64_t index, double time);
void rn_marks_end(struct rn_marks *marks, int64_t index, double time);

/* Does playing come to the end of the part between these two frames, one after the other? */
bool rn_marks_cross(const struct rn_marks *marks, int64_t from, int64_t to);

/* Writes the part as options, "--from 150f --to 176f", "" where nothing is marked. shift: what is
 * added to the frames' indices to count as --from does. Returns buf, of RN_MARKS_TEXT bytes. */
char *rn_marks_options(const struct rn_marks *marks, int64_t shift, char *buf);

#endif
