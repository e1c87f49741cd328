/* SPDX-License-Identifier: MIT */
/* Kernels of other filters are built beside those that play: in a thread, while the old chain plays
 * on and every key does what it does.
 *
 * A change that the runner cannot take is in force at once as far as settings go: the list of
 * parameters, the panel, snapshots, what `w` writes, and the history have it. Only the picture
 * comes later. So what is changed meanwhile is changed on top of it, `u` takes back the last
 * change, whether its picture was ever seen or not, and none of them waits in a queue. The runner
 * that is built is for the settings of the moment; when it is ready and they are others, which it
 * can take, it does; which it cannot, it is thrown away, and the next one is built: the latest ones
 * win. If the old runner can take the settings again (`u`), nothing is waited for.
 *
 * Chains that do not fit the input are refused before anything is built. Where the device refuses
 * later (no memory, a kernel of the user's that does not build), the settings go back to those that
 * play, and whatever was changed since goes with the refused change.
 *
 * Nobody can stop a compiler: the program does not wait for it at the end. */
#pragma once

#include <stdbool.h>

struct rn_chain;
struct rn_play;

/* Begins to build the first runner; waits for it, in a window that says so and shows the first
 * frame as it was read, and answers events meanwhile. Then the reader holds. What needs a picture
 * is kept for rn_play_build_answer, when all is open; what is typed is seen before. Return 0, with
 * p->quit set if it is to end, or an error (logged), as all functions here. */
int rn_play_build_begin(struct rn_play *p);
int rn_play_build_first(struct rn_play *p);
int rn_play_build_answer(struct rn_play *p);

/* The settings of the session, which were checked for the input, are to be played. playing: those
 * that were in force before. Before the history takes these. */
int rn_play_build(struct rn_play *p, const struct rn_chain *playing);

/* The settings that frames are computed with: those of the session, or while others are built the
 * ones before. */
const struct rn_chain *rn_play_build_chain(const struct rn_play *p);

/* The settings are those that play; another input comes, and brings a runner for them. */
void rn_play_build_drop(struct rn_play *p);
void rn_play_build_leave(struct rn_play *p);

/* Is a runner for other filters wanted, or being opened? Is one wanted, so that the picture is not
 * of the settings? */
bool rn_play_builds(const struct rn_play *p);
bool rn_play_build_is_busy(const struct rn_play *p);

/* Counts a refusal by the device; returns how many there were, and *why the latest one was. */
void rn_play_add_refusal(struct rn_play *p, const char *why);
int rn_play_refusals(const struct rn_play *p, const char **why);

/* Goes on with it: takes what is ready, and begins what is wanted. */
int rn_play_build_poll(struct rn_play *p);

/* Ends it. Returns false if the compiler still works: nothing that it uses may be closed then. */
bool rn_play_build_end(struct rn_play *p);
