/* How the preview goes to other frames: to a time, a frame, one step, and around its marks. */
#ifndef RN_APP_PLAY_LOOP_SEEK_H
#define RN_APP_PLAY_LOOP_SEEK_H

#include <stdbool.h>

#include "app/play/loop/marks.h"
#include "app/play/loop/reader.h"

struct rn_play;

/* Goes to the first frame at or after time; to the frame with this rn_frame.index. */
void rn_play_seek_time(struct rn_play *p, double time);
void rn_play_seek_frame(struct rn_play *p, int64_t index);

/* The same for somebody who asks for it: steps and slices that are on their way are forgotten. To
 * the last frame where time is beyond; to the last one, whatever its time. */
void rn_play_go(struct rn_play *p, double time);
void rn_play_go_frame(struct rn_play *p, int64_t index);
void rn_play_go_last(struct rn_play *p);

/* Goes by seconds from where it is, or will be soon. */
void rn_play_seek_by(struct rn_play *p, double seconds);

/* Goes to a place that was typed (place.h). Returns false, and says so, if it is none. */
bool rn_play_go_to(struct rn_play *p, const char *text);

/* Steps by count frames, pausing: soon. */
void rn_play_step(struct rn_play *p, int count);

/* Begins the next of the steps that were asked for, if there is one. */
void rn_play_take_step(struct rn_play *p);

/* Goes to where playing begins again: to the first mark, or the beginning. */
void rn_play_rewind(struct rn_play *p);

/* Has the frame on the screen read once more with those that the filters of now need beside it; or
 * the one that is sought, so that nobody's way there is lost. */
void rn_play_find_neighbours(struct rn_play *p);

/* The reader has done the seek, or could not. Returns 0 or an error (logged). */
int rn_play_land(struct rn_play *p, bool done);

/* A frame was read. Returns whether it is wanted: not where it only tells which one is. */
bool rn_play_look(struct rn_play *p, const struct rn_slot *slot);

/* Sets or clears (0) a mark: the beginning (1) or the end (-1) of what is marked is here, or where
 * it is about to be. */
void rn_play_set_mark(struct rn_play *p, int which);

/* Sets the marks that were asked for while another frame was on its way, which is shown now. */
void rn_play_mark_landed(struct rn_play *p);

/* The part that is marked (marks.h); as options of render. The first returns whether there is one,
 * the second buf, of RN_PART_TEXT bytes. */
bool rn_play_part(const struct rn_play *p, struct rn_play_part *part);
char *rn_play_range(const struct rn_play *p, char *buf);

/* Does playing end between what is shown and this frame, by a mark? */
bool rn_play_is_beyond(const struct rn_play *p, const struct rn_slot *slot);

/* Changes the speed by steps; 0: back to normal. */
void rn_play_pace(struct rn_play *p, int count);

#endif
