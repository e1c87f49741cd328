/* How the preview goes to other frames: to a time, a frame, one step, and around its marks. */
#ifndef RN_APP_PLAY_LOOP_SEEK_H
#define RN_APP_PLAY_LOOP_SEEK_H

#include <stdbool.h>

#include "app/play/loop/marks.h"
#include "app/play/loop/reader.h"

struct rn_player;

/* Goes to the first frame at or after time; to the frame with this rn_frame.index. */
void rn_player_seek(struct rn_player *p, double time);
void rn_player_seek_frame(struct rn_player *p, int64_t index);

/* The same for somebody who asks for it: steps and slices that are on their way are forgotten. To
 * the last frame where time is beyond; to the last one, whatever its time. */
void rn_player_go(struct rn_player *p, double time);
void rn_player_go_frame(struct rn_player *p, int64_t index);
void rn_player_go_last(struct rn_player *p);

/* Goes by seconds from where it is, or will be soon. */
void rn_player_seek_by(struct rn_player *p, double seconds);

/* Goes to a place that was typed (place.h). Returns false, and says so, if it is none. */
bool rn_player_go_to(struct rn_player *p, const char *text);

/* Steps by count frames, pausing: soon. */
void rn_player_step(struct rn_player *p, int count);

/* Begins the next of the steps that were asked for, if there is one. */
void rn_player_take_step(struct rn_player *p);

/* Goes to where playing begins again: to the first mark, or the beginning. */
void rn_player_rewind(struct rn_player *p);

/* Has the frame on the screen read once more with those that the filters of now need beside it; or
 * the one that is sought, so that nobody's way there is lost. */
void rn_player_find_neighbours(struct rn_player *p);

/* The reader has done the seek, or could not. Returns 0 or an error (logged). */
int rn_player_land(struct rn_player *p, bool done);

/* A frame was read. Returns whether it is wanted: not where it only tells which one is. */
bool rn_player_look(struct rn_player *p, const struct rn_slot *slot);

/* Sets or clears (0) a mark: the beginning (1) or the end (-1) of what is marked is here, or where
 * it is about to be. */
void rn_player_mark(struct rn_player *p, int which);

/* Sets the marks that were asked for while another frame was on its way, which is shown now. */
void rn_player_mark_landed(struct rn_player *p);

/* The part that is marked (marks.h); as options of render. The first returns whether there is one,
 * the second buf, of RN_PART_TEXT bytes. */
bool rn_player_part(const struct rn_player *p, struct rn_part *part);
char *rn_player_range(const struct rn_player *p, char *buf);

/* Does playing end between what is shown and this frame, by a mark? */
bool rn_player_is_beyond(const struct rn_player *p, const struct rn_slot *slot);

/* Changes the speed by steps; 0: back to normal. */
void rn_player_pace(struct rn_player *p, int count);

#endif
