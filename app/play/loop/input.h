/* What lives as long as an input, within what lives as long as the window: reader, sound, displays,
 * time, what was kept of it. And the list of inputs, through which one goes with the same chain. */
#ifndef RN_APP_PLAY_LOOP_INPUT_H
#define RN_APP_PLAY_LOOP_INPUT_H

#include <stdbool.h>

struct rn_app_next;
struct rn_play;
struct rn_play_binding;
struct rn_ui_window;

/* Zeroed before the first use. */
struct rn_play_inputs {
    char **name;
    int n, index;       /* index: of the current input, from 0 */
    bool next_wanted;   /* the input has come to its end, and the next one is to follow */
    bool others_failed; /* none of the others could be opened */
    bool replaced;      /* the input is another one, which scripts are not told yet */
};

/* Takes a copy of n names; the first one is that of now. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_inputs_set(struct rn_play_inputs *inputs, const char *const *names, int n);

/* Adds one at the end. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_inputs_add(struct rn_play_inputs *inputs, const char *name);
void rn_play_inputs_free(struct rn_play_inputs *inputs);

/* Opens the window for the input of the session, or shows in the one that is open that it is
 * another input. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_open_window(struct rn_play *p);

/* When the session has a runner for its input: begins to read, shows nothing yet. Returns 0 or an
 * error (logged). */
int rn_play_open_input(struct rn_play *p);

/* Ends reading and filtering; all that the user keeps of the input is complete then. err: of the
 * run so far; the first error counts. What is left is released by the second one. */
int rn_play_end_input(struct rn_play *p, int err);
void rn_play_free_input(struct rn_play *p);

/* Closes the input and plays the one of a binding that is ready, and is taken; *name: its name, the
 * caller's. Returns 0 or an error that ends all (logged). */
int rn_play_replace_input(struct rn_play *p, struct rn_play_binding **binding, char **name);

/* Wants the next input that can be opened (input_request.h), in a direction, 1 or -1; what cannot
 * be is said and passed over. At the end of the list, unless it is looped, and where none can be
 * opened, the one of now stays. Returns 0 or an error that ends all (logged). */
int rn_play_next_input(struct rn_play *p, int direction);

/* Wants number i of the list, from 0. *done: whether there is one. Returns as above. */
int rn_play_choose_input(struct rn_play *p, int i, bool *done);

/* See rn_play_host.ended: of a still picture nothing comes to an end; and the other one follows, if
 * that was said (inputs.follow). */
bool rn_play_input_ended(struct rn_play *p, double *wait);
int rn_play_follow(struct rn_play *p);

/* Takes what was dropped onto the window: a chain file as the chain, by one change; anything else
 * as the input, in place of the list. i: which of those that were dropped together, from 0: the
 * further ones are added to the list. *done: it was taken, or is being opened; if not, that is
 * said. Returns as above. */
int rn_play_take_dropped(struct rn_play *p, const char *path, int i, bool *done);

#endif
