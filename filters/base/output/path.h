/* Names of files: programs in PATH, and what stands beside another file. */
#ifndef RN_FILTERS_BASE_OUTPUT_PATH_H
#define RN_FILTERS_BASE_OUTPUT_PATH_H

#include <stdbool.h>
#include <sys/stat.h>

/* What stands at path, or where a link there leads: 1 and *st; 0 if nothing does, nor can (a folder
 * is missing, or the name is too long for one); -1 if it cannot be told (errno): no caller may take
 * that for nothing. */
int rn_path_look(const char *path, struct stat *st);

/* Makes a folder and those above it that do not exist yet, with these permissions (less the umask).
 * What could not be made shows when it is used. */
void rn_path_make(const char *folder, mode_t mode);

/* Whether a folder, or the one in which it is yet to be made, belongs to a user who is neither this
 * one nor root: he could put something else in its place, or could not use what we put there (su
 * and sudo -E keep the home of who calls them). *mode: of that folder; 0: there is none. */
bool rn_path_is_of_another(const char *folder, mode_t *mode);

/* True if a folder of PATH holds an executable program of this name (without a slash). Empty
 * entries, which mean the current folder, do not count: PoCL's compiler ignores them. */
bool rn_path_has(const char *program);

/* The name of a file that stands beside path, as a link at path would name it: name itself if
 * that is absolute. The caller frees it. NULL when out of memory. */
char *rn_path_beside(const char *path, const char *name);

#endif
