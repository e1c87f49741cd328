/* The list of inputs, which are played one after another with one chain; and what lives as long as
 * one input, while the window stays: reader, sound, displays, times, saved settings. */
#ifndef RN_APP_PLAY_LOOP_INPUT_H
#define RN_APP_PLAY_LOOP_INPUT_H

#include <stdbool.h>

struct rn_play;
struct rn_play_binding;
struct rn_ui_window;

/* Zeroed before the first use. */
struct rn_play_inputs {
    char **name;
    int n, index;       /* index: of the current input, from 0 */
    bool next_wanted;   /* the input has ended; the next one follows */
    bool others_failed; /* none of the others could be opened */
    bool replaced;      /* scripts do not know of the new input yet */
};

/* Adds one at the end, copied. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_inputs_add(struct rn_play_inputs *inputs, const char *name);
void rn_play_inputs_free(struct rn_play_inputs *inputs);

/* Opens the window for the input of the session, or shows the new input in the open one. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_play_open_window(struct rn_play *p);

/* Starts reading, once the session has a runner for its input. Shows nothing yet. Returns 0 or an
 * error (logged). */
int rn_play_open_input(struct rn_play *p);

/* Ends reading and filtering, and completes the files of the input. err: of the run so far; the
 * first error counts. The second function releases the rest. */
int rn_play_end_input(struct rn_play *p, int err);
void rn_play_free_input(struct rn_play *p);

/* Closes the input, takes that of a binding which is ready, and plays it. *name: of the new input;
 * the caller owns it. Returns 0 or an error that ends all (logged). */
int rn_play_replace_input(struct rn_play *p, struct rn_play_binding **binding, char **name);

/* Requests the next input (1) or the previous one (-1) that can be opened (input_request.h). Inputs
 * that cannot be opened are reported and skipped. The current one stays at the end of the list,
 * unless that is looped, and if none can be opened. */
void rn_play_next_input(struct rn_play *p, int direction);

/* Called when the last frame of the input was shown for its duration. Returns whether another input
 * follows; a still picture never ends. *wait: as of rn_play_advance. The second function requests
 * the next input if inputs.next_wanted. */
bool rn_play_input_ended(struct rn_play *p, double *wait);
void rn_play_follow(struct rn_play *p);

/* Takes a file that was dropped onto the window: a chain file as the chain, by one change; any
 * other as the input, in place of the list. i: its index among the files of the drop; those after
 * the first are added to the list. *done: it was taken, or is being opened; if not, that is said.
 * Returns 0 or an error that ends all (logged). */
int rn_play_take_dropped(struct rn_play *p, const char *path, int i, bool *done);

#endif
