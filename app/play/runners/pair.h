/* The session's runner and a second one beside it, which gets every frame that the first one gets
 * and makes another picture of it: of another chain, or of a part of the same.
 *
 * The player submits, takes and gives back frames by the functions below alone, never by those of a
 * runner: so the second runner misses none. Without a second runner they are those of the first.
 * A frame is complete when both have it, so the delay is the longer one. The input is copied: each
 * runner has slots of its own. The second runner measures nothing. */
#ifndef RN_APP_PLAY_RUNNERS_PAIR_H
#define RN_APP_PLAY_RUNNERS_PAIR_H

#include "app/play/runners/binding.h"
#include "app/run/session.h"

/* The most frames that both have at a time: slots of the first. */
#define RN_PAIR_MAX (16 + 3 * RN_SLICES_MAX * RN_MAX_STAGES)

/* Zeroed before the first use, but for the session. */
struct rn_play_pair {
    struct rn_app_session *session;  /* with the first runner, and its chain */
    struct rn_play_binding *binding; /* of it; NULL: none */
    struct rn_runner *runner;        /* NULL: there is none */
    struct rn_device *device;        /* of the runner; NULL: the C reference path */
    struct rn_chain *chain;          /* its settings */
    struct rn_play_binding *rebuild; /* of the files of its kernels; NULL: none */
    int delay;                       /* of the chain */
    bool stale;                      /* its settings have changed */
    struct rn_play_paired {
        struct rn_slot *slot[2]; /* of the first, and of the second runner: NULL without one */
        bool ready[2];
        bool with_player; /* handed out by rn_play_pair_ready */
        bool second_done; /* that of the second runner was waited for */
        bool before_reset;
    } frame[RN_PAIR_MAX];
    int n; /* frames submitted and not recycled, in order */
    struct rn_slot **unused;
    int nunused;
};

/* As the functions of the same names in filters/core/runner/runner.h, for both runners. */
int rn_play_pair_submit(struct rn_play_pair *c, struct rn_slot *slot);
struct rn_slot *rn_play_pair_ready(struct rn_play_pair *c);
int rn_play_pair_delay(const struct rn_play_pair *c);
int rn_play_pair_drain(struct rn_play_pair *c);
int rn_play_pair_reset(struct rn_play_pair *c);
int rn_play_pair_wait(struct rn_play_pair *c, struct rn_slot *slot);
bool rn_play_pair_done(struct rn_play_pair *c, const struct rn_slot *slot);
int rn_play_pair_recycle(struct rn_play_pair *c, struct rn_slot *slot);
int rn_play_pair_again(struct rn_play_pair *c);

/* All frames of the first runner go to another one, which is to be the session's; they will be
 * submitted anew. Returns 0 or an error (logged). */
int rn_play_pair_leave(struct rn_play_pair *c);

/* Gives the second runner other settings, or, if need be, has one opened that takes the place of
 * what there is: *waits then, and it is to be called again when its binding is ready; the one of
 * before goes on meanwhile. A new one is given the frames in hand. chain: copied. *anew: it is new:
 * a frame in hand may lack those beside it. Returns 0 or an error (logged; why: what it was), after
 * which there is the second runner of before, except for RN_EDEVICE and RN_EINTERNAL. */
int rn_play_pair_set(struct rn_play_pair *c, struct rn_play_worker *worker,
                     const struct rn_chain *chain, bool *anew, bool *waits,
                     char why[RN_WORKER_WHY]);

/* As rn_play_rebuild_poll: the files of its kernels. */
int rn_play_pair_poll(struct rn_play_pair *c, struct rn_play_worker *worker, bool *changed);

/* What it makes of a frame that was waited for; NULL without a second runner. */
const struct rn_image *rn_play_pair_picture(struct rn_play_pair *c, const struct rn_slot *slot);

/* Ends it; without one does nothing. */
void rn_play_pair_close(struct rn_play_pair *c);

#endif
