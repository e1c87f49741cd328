/* SPDX-License-Identifier: MIT */
/* Output files that appear under their final name only when they are complete.
 *
 * A file is written in its folder without a name (O_TMPFILE), or under a hidden one where the file
 * system needs a name, then synced and given its final one. A process that is killed leaves the old
 * file or none; a hidden file that it may have left is removed by the next one that writes to the
 * folder. A second Ctrl-C, or a library that calls exit(), removes it at once.
 *
 * A link stays a link, and the file that it names is written; a device or a pipe, also by the name
 * of an open descriptor (/dev/stdout, /dev/fd/3), is written to and never replaced. A descriptor of
 * a file is refused: whoever opens it by that name would write over what is there (rn_textout
 * writes on).
 *
 * What replaces a file gets what writing into it would have left: its permissions without set-user-
 * ID, set-group-ID and sticky bit, its group, its access list (ACL), and, if the process may do
 * that (it is root's), its owner. If the owner cannot be kept, or the file is another user's in a
 * folder that everybody may write, the new one is ours and group and others get only what both the
 * old permissions and the umask give; if the group cannot, it gets only what others get. Other
 * extended attributes tell of the old content and are not kept. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "filters/base/api.h"

RN_API_BEGIN

enum rn_overwrite { RN_OVERWRITE_ASK, RN_OVERWRITE_YES, RN_OVERWRITE_NO };

struct rn_outfile {
    char *path; /* the final name */
    char *temp; /* what the caller opens to write until then, as often as it likes */
    struct rn_outfile_private *own;
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

/* Checks whether path may be written: it may if it does not exist, is a device or a pipe, or the
 * policy or the answer permits it. A path that was once permitted by an answer is not asked for
 * again. Returns 0, or RN_EOUTPUT (the refusal is logged). */
int rn_outfile_allowed(const char *path);

/* Permits path as an answer would, because it was asked for another name of the same output.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_outfile_permit(const char *path);

/* Creates the temporary file, empty, for the caller to open and write by the name in file->temp. A
 * device or a pipe is opened by that name itself, and is never renamed or removed.
 * Does not check for permission. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_outfile_begin(struct rn_outfile *file, const char *path);

/* Makes sure that the temporary file can grow to size bytes, where the file system can promise
 * that: who has to end a file in order so learns in time that the disk fills up. Returns 0, also
 * for what is no file; or an errno: ENOSPC, EDQUOT, EFBIG. Nothing is logged. */
int rn_outfile_reserve(struct rn_outfile *file, int64_t size);

/* Lets the disk begin with what the temporary file has up to size bytes, while the rest comes, so
 * that the sync at the end, which tells the errors, waits for less. */
void rn_outfile_push(struct rn_outfile *file, int64_t size);

/* Syncs the temporary file, which the caller has closed or no longer buffers, and gives it its
 * final name. A file that has that name is replaced if it was permitted, by the policy or an
 * answer. Else it must have appeared in the meantime: it stays, the new one is kept whole as
 * NAME.new.EXT (or NAME.new-2.EXT...), and that is an error.
 * partial: names it NAME.partial.EXT instead, or NAME.partial-2.EXT, -3... if that exists and is
 * protected or the policy is not RN_OVERWRITE_YES.
 * file->path then is the name that it has, for messages. Returns 0, RN_EOUTPUT or RN_EINTERNAL
 * (logged; unless it could be kept as NAME.new.EXT, it is removed). The strings live until
 * rn_outfile_free. */
int rn_outfile_commit(struct rn_outfile *file, bool partial);

/* The same for a file that replaces none, because another file names it: it is named NAME.EXT, or
 * NAME-2.EXT, -3... if that exists; partial: NAME.partial.EXT, NAME.partial-2.EXT... */
int rn_outfile_commit_new(struct rn_outfile *file, bool partial);

/* The name that this process gave the partial file of path, or path itself if there is none. The
 * caller frees it. NULL when out of memory. */
char *rn_outfile_partial(const char *path);

/* Removes the temporary file, if it still exists; frees the strings. A zeroed struct is legal. */
void rn_outfile_free(struct rn_outfile *file);

/* Numbered files that get their final names together, or under other names together. They are
 * written into a hidden folder beside their places (outstage.h) and moved when all of them are
 * there: until then an older set under the same names is whole. A process that is killed while it
 * moves them leaves a mark, and the next one of the same user that writes beside them moves the
 * rest. A member whose name is a link to another folder, a device or a pipe is written there at
 * once, by itself. One thread at a time. */
struct rn_outset;

/* output: the name of all as the user gave it, for messages and rn_outfile_partial; borrowed.
 * NULL when out of memory. */
struct rn_outset *rn_outset_create(const char *output);

/* rn_outfile_begin for a member; all members are in one folder. Its rn_outfile_commit syncs it,
 * with the set still holding it; file->path is where it waits. Free all files of members before
 * the set is destroyed; those that were not committed before the set was are lost. */
int rn_outset_begin(struct rn_outset *set, struct rn_outfile *file, const char *path);

/* Removes a file of the set's folder, that of an older set, when rn_outset_commit names the
 * members. Returns 0 or RN_EOUTPUT (logged). */
int rn_outset_remove(struct rn_outset *set, const char *path);

/* True if a member that was committed is to get the name path. */
bool rn_outset_has(const struct rn_outset *set, const char *path);

/* Lets no other process name or remove files of a set in that folder until rn_outset_destroy: of
 * two sets of one name the later one stands whole. Call before rn_outset_commit. */
void rn_outset_lock(struct rn_outset *set);

/* Gives all members that were committed their final names. Existing files are replaced if that was
 * permitted. If it was not for one, that has appeared in the meantime: then all members are named
 * NAME.new.EXT, and that is an error.
 * partial: names them NAME.partial.EXT instead, or NAME.partial-2.EXT, -3... if any of those
 * exists. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_outset_commit(struct rn_outset *set, bool partial);

/* Removes what was not committed. NULL is legal; *set becomes NULL. */
void rn_outset_destroy(struct rn_outset **set);

/* Removes every temporary file. Async-signal-safe: for signal handlers and atexit. */
void rn_outfile_remove_all(void);

RN_API_END
