/* How often an animation is to be played: what libavformat does not say of GIF and APNG. */
#ifndef RN_LOOPS_H
#define RN_LOOPS_H

#define RN_LOOPS_UNKNOWN (-1)

/* Of the file at path: a number of times, 0 for ever; RN_LOOPS_UNKNOWN where it is no GIF and no
 * APNG, or cannot be read. */
int rn_loops_of(const char *path);

#endif
