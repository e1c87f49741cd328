/* What the commands that run a chain over an input have in common: reading the chain, checking the
 * files, opening input, device and runner in that order, and closing them. */
#ifndef RN_APP_RUN_SESSION_H
#define RN_APP_RUN_SESSION_H

#include "app/cli.h"
#include "app/run/record.h"
#include "filters/core/chain/chain.h"
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
    struct rn_runner *runner; /* of a preview */
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

/* Binds the chain to the devices: to a pool, for whoever wants all frames in the least time.
 * Returns 0 or an error (logged). The preview has runners instead: app/play/runners/binding.h. */
int rn_app_session_bind_pool(struct rn_app_session *session);

/* Arms rn_app_restart for kernels of a chain that are built now, where there is a device. first:
 * nothing was written or shown yet. Any thread. */
void rn_app_session_arm(const struct rn_app_session *session, const struct rn_chain *chain,
                        bool first);

/* Checks a chain for the input: whether it takes its pictures, and has the neighbours it needs.
 * Returns 0, with the analysis, or an error (logged). */
int rn_app_session_check(const struct rn_app_session *session, const struct rn_chain *chain,
                         struct rn_analysis *analysis);

/* Whether another chain can be played on the input in place of that of now. Returns 0, with the
 * analysis, or an error (logged). */
int rn_app_session_check_beside(const struct rn_app_session *session, const struct rn_chain *chain,
                                struct rn_analysis *analysis);

/* Refuses a chain that writes a table, which another runner would begin anew: RN_EUSAGE (logged).
 */
int rn_app_session_check_tables(const struct rn_chain *chain);

/* Opens the usual device, or the one on the command line, if this is the first chain that needs
 * one. Returns 0 or an error (logged). */
int rn_app_session_need_device(struct rn_app_session *session, const struct rn_chain *chain);

/* Whether the runner of now has to stay: then no chain passes the check. */
bool rn_app_session_is_bound(const struct rn_app_session *session);

/* Closes the runner and the input, and nothing else. */
void rn_app_session_close_input(struct rn_app_session *session);

/* Opens the input for its pictures alone, with exact numbers, and checks nothing. Any thread.
 * Returns 0 or an error (logged). */
int rn_app_session_open_source(struct rn_app_session *session);

/* After rn_read_resume, when an output was written: closes the pool and checks the chain for
 * the pictures that come now. rn_app_session_bind_pool has to follow. Returns 0 or an error
 * (logged). */
int rn_app_session_renew(struct rn_app_session *session);

/* Closes what was opened last, down to the input; then chain and replay. err: of the run so far;
 * the first error counts. Both may be called whatever was opened. */
int rn_app_session_close(struct rn_app_session *session, int err);
void rn_app_session_forget(struct rn_app_session *session);

#endif
