/* Files that appear under their name only when they are complete.
 *
 * A file is written beside its final name under a temporary one, then synced and renamed. Every
 * temporary file that is open is remembered in a table, so that a second Ctrl-C, or a library that
 * calls exit(), still removes it. */
#ifndef RN_OUTFILE_H
#define RN_OUTFILE_H

#include <stdbool.h>

enum rn_overwrite { RN_OVERWRITE_ASK, RN_OVERWRITE_YES, RN_OVERWRITE_NO };

struct rn_outfile {
    char *path; /* the final name */
    char *temp; /* where to write until then: same folder, same extension */
};

/* What to do with existing files, for the whole process (default RN_OVERWRITE_ASK: asked for on a
 * terminal, refused elsewhere). Call before other threads run. */
void rn_outfile_set_policy(enum rn_overwrite policy);

/* May path be written? Yes if it does not exist, is not a regular file (a device, a pipe), or the
 * policy or the user says so. Logs a refusal. Returns 0 or RN_EOUTPUT. A path that was answered
 * with yes once is not asked for again. */
int rn_outfile_allowed(const char *path);

/* Chooses the temporary name and creates the file, empty, for the caller to open and write. A path
 * that exists and is not a regular file is its own temporary file and is never renamed or removed.
 * Does not ask for permission. Returns 0 or RN_EOUTPUT (logged). */
int rn_outfile_begin(struct rn_outfile *file, const char *path);

/* Syncs the (closed) temporary file and gives it its final name; with partial, NAME.partial.EXT
 * instead, or NAME.partial-2.EXT, -3... where there is one already and the policy is not to
 * overwrite (then *file's path is changed to it, for messages). Returns 0 or RN_EOUTPUT (logged,
 * and the temporary file is removed). The strings live until rn_outfile_free. */
int rn_outfile_commit(struct rn_outfile *file, bool partial);

/* The name under which this process put the partial file of path; path itself if there is none. The
 * caller frees it. NULL when out of memory. */
char *rn_outfile_partial(const char *path);

/* Removes the temporary file, if there still is one, and releases the strings. A zeroed struct is
 * legal. */
void rn_outfile_free(struct rn_outfile *file);

/* Removes every temporary file. Async-signal-safe; for signal handlers and atexit. */
void rn_outfile_remove_all(void);

#endif
