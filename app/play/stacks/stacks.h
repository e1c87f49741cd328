/* What the player does with a stack: from slice to slice (slices.h), and three views of it
 * (three.h). */
#ifndef RN_APP_PLAY_STACKS_STACKS_H
#define RN_APP_PLAY_STACKS_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rn_event;
struct rn_player;
struct rn_scene;
struct rn_three_look;

/* Goes as many slices on as the event says, or moves the cross of the views along the normal of the
 * one that is meant; three views of it, or one; moves the cross to where the event is. */
void rn_player_step_slices(struct rn_player *p, const struct rn_event *event);
void rn_player_three(struct rn_player *p);
void rn_player_cross(struct rn_player *p, const struct rn_event *event);

/* Goes to a slice by its number, from 1, as it is shown; or, with a direction, so many slices on
 * (1) or back (-1). Returns false, and says so, if there is no such number. */
bool rn_player_go_to_number(struct rn_player *p, int direction, int64_t number);

/* On the way to another slice, if there is one to go to. */
void rn_player_go_to_slice(struct rn_player *p);

/* Looks whether the input is a stack, which begins paused; leaves it. */
void rn_player_look_at_stack(struct rn_player *p);
void rn_player_leave_stack(struct rn_player *p);

/* Goes on with what the three views show; *wait as for rn_player_advance. */
int rn_player_work_three(struct rn_player *p, double *wait);

/* Fills the scene with the three views but for the picture of the first; draws: the pictures, too.
 */
int rn_player_show_three(struct rn_player *p, const struct rn_three_look *look, bool draws,
                         struct rn_scene *scene);

#endif
