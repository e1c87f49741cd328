/* Output files that appear under their final name only when they are complete.
 *
 * A file is written beside its final name under a temporary one, then synced and renamed. A table
 * holds the names of all open temporary files, so that a second Ctrl-C, or a library that calls
 * exit(), still removes them. */
#ifndef RN_OUTFILE_H
#define RN_OUTFILE_H

#include <stdbool.h>

#include "filters/base/api.h"

RN_API_BEGIN

enum rn_overwrite { RN_OVERWRITE_ASK, RN_OVERWRITE_YES, RN_OVERWRITE_NO };

struct rn_outfile {
    char *path; /* the final name */
    char *temp; /* the name until then: same folder, same extension */
};

/* Sets what happens to existing files, for the whole process (default RN_OVERWRITE_ASK). Call it
 * before other threads run. */
void rn_outfile_set_policy(enum rn_overwrite policy);

/* Sets how RN_OVERWRITE_ASK asks: ask(path) returns whether the existing file may be overwritten.
 * It is called in the thread that wants to write, never by two at once. NULL (the default): the
 * answer is no. Call it before other threads run. */
void rn_outfile_set_ask(bool (*ask)(const char *path));

/* Protects path, which the run uses for something else: no partial file replaces it, whatever the
 * policy. Returns 0 or RN_EINTERNAL (logged). */
int rn_outfile_keep(const char *path);

/* Checks whether path may be written: it may if it does not exist, is not a regular file (a device,
 * a pipe), or the policy or the answer permits it. A path that was once permitted by an answer is
 * not asked for again. Returns 0, or RN_EOUTPUT (the refusal is logged). */
int rn_outfile_allowed(const char *path);

/* Chooses the temporary name and creates the file, empty, for the caller to open and write. A path
 * that exists but is not a regular file serves as its own temporary file and is never renamed or
 * removed. Does not check for permission. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_outfile_begin(struct rn_outfile *file, const char *path);

/* Syncs the temporary file, which the caller has closed, and gives it its final name. partial:
 * names it NAME.partial.EXT instead, or NAME.partial-2.EXT, -3... if that exists and is protected
 * or the policy is not RN_OVERWRITE_YES; file->path then becomes that name, for messages. Returns
 * 0, RN_EOUTPUT or RN_EINTERNAL (logged, and the temporary file is removed). The strings live until
 * rn_outfile_free. */
int rn_outfile_commit(struct rn_outfile *file, bool partial);

/* The name that this process gave the partial file of path, or path itself if there is none. The
 * caller frees it. NULL when out of memory. */
char *rn_outfile_partial(const char *path);

/* Removes the temporary file, if it still exists, and releases the strings. A zeroed struct is
 * legal. */
void rn_outfile_free(struct rn_outfile *file);

/* Removes every temporary file. Async-signal-safe: for signal handlers and atexit. */
void rn_outfile_remove_all(void);

RN_API_END

#endif
