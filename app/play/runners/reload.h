/* Files of kernels that change while they run: looked at between frames, built and tried in the
 * worker's thread, and taken when they are. The old kernel runs meanwhile; one that does not build
 * leaves it running, and an alert (rn_runner_alert). */
#ifndef RN_APP_PLAY_RUNNERS_RELOAD_H
#define RN_APP_PLAY_RUNNERS_RELOAD_H

#include "app/play/runners/worker.h"
#include "filters/core/runner/runner.h"

/* Of one runner. Zeroed before the first use. */
struct rn_play_reloading {
    struct rn_play_reload_job *job; /* NULL: nothing is built */
};

/* Looks at the files of a runner that keeps its frames, and takes what was built of them. of: the
 * device that is opened once more to build on; stays open. chain: the settings of the runner, into
 * which a file's go. *changed: as of rn_runner_poll. Returns 0 or an error (logged). */
int rn_play_reload_poll(struct rn_play_reloading *reload, struct rn_play_worker *worker,
                        const struct rn_device *of, struct rn_runner *runner,
                        struct rn_chain *chain, bool *changed);

/* The runner goes, or what is built for it is not wanted any more. */
void rn_play_reload_leave(struct rn_play_reloading *reload);

#endif
