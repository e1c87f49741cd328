/* How far the run is: a line for people on stderr, JSON lines for programs (--progress).
 *
 * On a terminal the line is redrawn twice a second; elsewhere a plain line is printed every 10
 * seconds. The last line is always complete. All functions accept NULL and may be called from any
 * thread. */
#ifndef RN_APP_RUN_PROGRESS_H
#define RN_APP_RUN_PROGRESS_H

#include "io/read/source.h"

struct rn_app_progress;

/* path: file for the JSON lines, "-" for stdout, or NULL; see rn_growing_open. May wait for a
 * reader if it is a named pipe.
 * Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_app_progress_open(struct rn_app_progress **progress, const char *path);
void rn_app_progress_close(struct rn_app_progress **progress);

/* The first frame is about to be read. last_only: no line for people but the last, because data go
 * to the same terminal. */
void rn_app_progress_start(struct rn_app_progress *progress, const struct rn_read_stream *stream,
                           bool last_only);

/* frame was written. */
void rn_app_progress_frame(struct rn_app_progress *progress, const struct rn_frame *frame);

/* The last line for people. */
void rn_app_progress_last(struct rn_app_progress *progress);

/* RN_EOUTPUT if a JSON line could not be written (logged; the run goes on without them), else 0. A
 * reader that went away is no failure. */
int rn_app_progress_failure(struct rn_app_progress *progress);

/* The last line of both kinds, as far as it is missing. status: exit status of the program; output:
 * where the result is, or NULL. Only the first call counts. Returns what rn_app_progress_failure
 * does.
 */
int rn_app_progress_end(struct rn_app_progress *progress, int status, const char *output);

/* The last JSON line where the process ends at once: only its event and status. Async-signal-safe.
 */
void rn_app_progress_give_up(int status);

#endif
