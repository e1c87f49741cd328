/* Another input is opened beside the one that is shown: file, decoder and kernels, in the worker's
 * thread. The old one plays on until the new one is there; then it goes. Who asks for a third one
 * meanwhile gets that; what was tuned meanwhile is in force for the new one, too, or it is not
 * taken. */
#ifndef RN_APP_PLAY_RUNNERS_INPUT_REQUEST_H
#define RN_APP_PLAY_RUNNERS_INPUT_REQUEST_H

#include "app/play/loop/input.h"
#include "app/play/runners/binding.h"

struct rn_play;

/* Zeroed before the first use. */
struct rn_play_input_request {
    bool wanted;                     /* another input is to replace the current one */
    int index;                       /* of the wanted input in the list, from 0 */
    int direction;                   /* where to look if it cannot be opened; 0: nowhere */
    int tries_left;                  /* inputs that may still be tried */
    bool after_end;                  /* the current input has come to its end */
    struct rn_play_inputs list;      /* replaces the current list; none: n is 0 */
    struct rn_play_binding *binding; /* NULL: none */
    char *name;                      /* of the current input, if it was opened here; owned */
};

/* Wants number `at` of the list, and if it cannot be opened the next ones in a direction (1, -1; 0:
 * none); of a list of that one name, in place of the list. What cannot be is said. Returns whether
 * it is wanted; the second one 0 or RN_EINTERNAL (logged). */
bool rn_play_want_input(struct rn_play *p, int at, int direction);
int rn_play_want_list(struct rn_play *p, const char *name, bool *wanted);

/* Goes on with it. Returns 0 or an error that ends all (logged). */
int rn_play_poll_input_request(struct rn_play *p);

/* Whether another input is wanted. */
bool rn_play_input_request_is_busy(const struct rn_play *p);

/* None is wanted any more. */
void rn_play_cancel_input_request(struct rn_play *p);

/* When the player ends. */
void rn_play_free_input_request(struct rn_play *p);

#endif
