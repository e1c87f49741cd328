/* SPDX-License-Identifier: MIT */
/* The temporary file of an output. It has no name where the file system can do that (O_TMPFILE), so
 * that a killed process leaves nothing; else it has a name of its own in the output's folder.
 *
 * Such names, .OUTPUT.runnel-HOST-RANDOM, cannot be guessed. The file is created anew or not at
 * all, readable by its owner only, and locked (flock) as long as it is written. So the next process
 * that writes to the folder recognizes what a killed process left, and removes it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct rn_outtemp;

#define RN_OUTTEMP_NAME 120 /* bytes of a temporary name, with the zero at its end */

/* Makes a temporary name for base. Returns 0 or an errno. */
int rn_outtemp_choose_name(char name[RN_OUTTEMP_NAME], const char *base);

/* Locks a file or folder that has been created just now under a temporary name. Returns false if
 * another process has taken it for a dead one's: it is removed, or about to be. Where nothing can
 * be locked nobody removes anything. */
bool rn_outtemp_claim(int fd);

/* Renames a file as a new name in the folder `to`. Returns 0 or an errno: EEXIST if it is taken. */
int rn_outtemp_rename_new(int from, const char *name, int to, const char *base);

/* Creates an empty file. dir: its folder, which stays the caller's and must stay open. base: the
 * output's name in it. The first call for a folder removes what killed processes of the same user
 * left there. Returns 0, or an errno (nothing is logged); ENFILE if too many temporary files have
 * names. Any thread. */
int rn_outtemp_create(struct rn_outtemp **temp, int dir, const char *base);

/* Gets a name under which the file can be opened any number of times: that of a descriptor, or,
 * without /proc, the name in the working directory or below folder, which ends with a slash or is
 * empty. The caller frees it; NULL when out of memory. */
char *rn_outtemp_name(const struct rn_outtemp *temp, const char *folder, int length);

/* Makes sure that the file can grow to size bytes, where the file system can promise that. Returns
 * 0 or an errno: ENOSPC, EDQUOT, or EFBIG where files must not be that large. */
int rn_outtemp_reserve(struct rn_outtemp *temp, int64_t size);

/* See rn_outfile_push. */
void rn_outtemp_push(struct rn_outtemp *temp, int64_t size);

/* Gives back what was reserved in vain; waits until the content is on disk. Returns 0 or errno. */
int rn_outtemp_sync(const struct rn_outtemp *temp);

/* Gives the file owner, permissions and access list: of the file base in dir, of which st tells,
 * that it is to replace, or (st NULL) of any new file. Best effort; see rn_outfile_commit. */
void rn_outtemp_dress(struct rn_outtemp *temp, int dir, const char *base, const struct stat *st);

/* Gives the file its final name in the folder: a new one, or in place of the file or link that has
 * it. Returns 0 or an errno: EEXIST if it is taken. After success only rn_outtemp_drop follows. */
int rn_outtemp_place(struct rn_outtemp *temp, const char *base, bool replace);

/* Closes the file, and removes it unless it was placed. NULL is legal; *temp becomes NULL. */
void rn_outtemp_drop(struct rn_outtemp **temp);

/* Removes all temporary files that have names. Async-signal-safe. */
void rn_outtemp_remove_all(void);
