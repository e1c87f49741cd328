/* What the commands that run a chain over an input have in common: reading the chain, checking the
 * files, opening input, device and runner in that order, and closing them. */
#ifndef RN_APP_RUN_SESSION_H
#define RN_APP_RUN_SESSION_H

#include "app/cli.h"
#include "app/run/record.h"
#include "filters/core/chain/chain_internal.h"
#include "filters/core/pool/pool.h"
#include "io/read/source.h"

struct rn_app_session {
    const struct rn_app_cli *cli;
    const char *output; /* as files and sinks name it; NULL: none */
    bool
        on_demand; /* set after rn_app_session_read: no device is opened before there is a filter */
    struct rn_losses
        *losses; /* set after rn_app_session_read by who shows them, and theirs; or NULL */
    /* After rn_app_session_read. */
    struct rn_chain *chain; /* the settings of now; the runner has a copy, or is to get one */
    struct rn_app_replay *replay;
    /* After rn_app_session_open_input. */
    struct rn_read_source *source;
    const struct rn_read_stream *stream;
    struct rn_analysis analysis; /* of the chain, for this input */
    /* After rn_session_open_device. */
    struct rn_device *device[RN_MAX_DEVICES]; /* each another one */
    int ndevices;                             /* 0: the C reference path */
    bool asked;                               /* for them, even if there are none */
    struct rn_device *own;    /* of the runner alone, and closed behind it; NULL: the first one */
    struct rn_runner *runner; /* after rn_app_session_bind */
    struct rn_pool *pool;     /* after rn_app_session_bind_pool */
    bool renewed;             /* by rn_app_session_renew */
};

/* Changes the chain as a command wants it, before anything is checked. Returns 0 or an error
 * (logged). */
typedef int rn_app_amend_fn(void *arg, struct rn_chain *chain, const struct rn_app_cli *cli);

/* Prepares the process and reads the chain that the command line names; refuses files that would be
 * read and written over. Nothing was touched before this is done. session: zeroed; cli: outlives
 * it. amend: NULL = nothing to change. Returns 0 or an error (logged). */
int rn_app_session_read(struct rn_app_session *session, const struct rn_app_cli *cli,
                        const char *output, rn_app_amend_fn *amend, void *arg);

/* Opens the input and checks the chain for it. pictures_only: no other streams are wanted. Returns
 * 0 or an error (logged). */
int rn_app_session_open_input(struct rn_app_session *session, bool pictures_only);

/* Opens the devices that the command line names, or none where none is needed. most: how many the
 * command can use. Returns 0, RN_EUSAGE or RN_EDEVICE (logged). */
int rn_app_session_open_devices(struct rn_app_session *session, int most);

/* Closes them, and nothing else. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_session_close_devices(struct rn_app_session *session);

/* Binds the chain to the device: to a runner of its own, for a preview, with so many slots, and
 * those for the neighbours that frames depend on; or to a pool, for whoever wants all frames in the
 * least time. Return 0 or an error (logged). */
int rn_app_session_bind(struct rn_app_session *session, int slots);
int rn_app_session_bind_pool(struct rn_app_session *session);

/* A runner that is opened beside those of now, by another thread: with what is needed for that, and
 * a device of its own, the session's opened once more, so that nobody waits for another's
 * commands. */
struct rn_app_beside {
    struct rn_chain *chain;      /* owned */
    struct rn_analysis analysis; /* of it */
    struct rn_runner *runner;    /* owned; NULL: not open */
    struct rn_device *device;    /* owned, and closed behind the runner; NULL: none */
    const struct rn_device *of;  /* the session's; NULL: the C reference path */
    struct rn_geom geom;
    bool by_field, mixed;
    int slots;
};

/* Whether another chain can be played on the input in place of that of now. Returns 0, with the
 * analysis, or an error (logged). */
int rn_app_session_check_beside(const struct rn_app_session *session, const struct rn_chain *chain,
                                struct rn_analysis *analysis);

/* Whether the runner of now has to stay: then no chain passes the check. */
bool rn_app_session_is_bound(const struct rn_app_session *session);

/* Prepares a runner for a chain, which is copied; the first chain that needs a device opens it.
 * slots: as for rn_app_session_bind. Returns 0 or an error (logged), and nothing is left then. */
int rn_app_session_prepare_beside(struct rn_app_session *session, const struct rn_chain *chain,
                                  int slots, struct rn_app_beside *beside);

/* Opens it: binds the chain to the device; it keeps its frames (rn_runner_keep) and measures
 * (rn_runner_start). Any thread; the session's devices stay open. Returns 0 or an error (logged),
 * and there is no runner then. */
int rn_app_session_open_beside(struct rn_app_beside *beside);

/* Closes what is open of it; zeroed is legal. */
void rn_app_session_drop_beside(struct rn_app_beside *beside);

/* The runner takes the place of that of now, which is closed; of beside the chain is left. */
void rn_app_session_take(struct rn_app_session *session, struct rn_app_beside *beside);

/* Another input, the first operand of cli, for the same devices, beside that of now: *next is a
 * session for it, with a copy of the chain. slots: as for rn_app_session_bind. Then it is opened,
 * its runner as by rn_app_session_open_beside: any thread; the session's devices stay open. Return
 * 0 or an error (logged). rn_app_session_drop_next closes what is open of it, in any case. */
struct rn_app_next {
    struct rn_app_session session;
    struct rn_app_beside beside;
    int slots;
};
int rn_app_session_prepare_next(const struct rn_app_session *session, const struct rn_app_cli *cli,
                                int slots, struct rn_app_next *next);
int rn_app_session_open_next(struct rn_app_next *next);
void rn_app_session_drop_next(struct rn_app_next *next);

/* Its input and runner take the place of those of now, which were closed
 * (rn_app_session_close_input); the runner has the settings of the session. cli stays the
 * session's. Returns 0 or an error (logged). */
int rn_app_session_take_next(struct rn_app_session *session, struct rn_app_next *next);

/* Closes the runner and the input, and nothing else. */
void rn_app_session_close_input(struct rn_app_session *session);

/* A session beside another one, which outlives it, on the same input and devices: its source is
 * opened by rn_app_session_open_source (any thread; 0 or an error, logged), then a runner is
 * prepared for it as by rn_app_session_prepare_beside. */
void rn_app_session_twin(const struct rn_app_session *session, struct rn_app_session *twin);
int rn_app_session_open_source(struct rn_app_session *twin);
int rn_app_session_prepare_twin(const struct rn_app_session *session, struct rn_app_session *twin,
                                const struct rn_chain *chain, int slots,
                                struct rn_app_beside *beside);
void rn_app_session_close_twin(struct rn_app_session *twin);

/* After rn_read_resume, when an output was written: closes the pool and checks the chain for
 * the pictures that come now. rn_app_session_bind_pool has to follow. Returns 0 or an error
 * (logged). */
int rn_app_session_renew(struct rn_app_session *session);

/* rn_rebuild_run for what a runner of the session has found (rn_runner_look), on a device of its
 * own; a kernel that crashes as it is tried ends the process with a word and status 5. Any thread;
 * the session's devices stay open. Returns 0 or an error (logged). */
int rn_app_session_rebuild(const struct rn_device *of, struct rn_rebuild *rebuild);

/* Closes what was opened last, down to the input; then chain and replay. err: of the run so far;
 * the first error counts. Both may be called whatever was opened. */
int rn_app_session_close(struct rn_app_session *session, int err);
void rn_app_session_forget(struct rn_app_session *session);

#endif
