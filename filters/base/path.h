/* Names of files: programs in PATH, and what stands beside another file. */
#ifndef RN_PATH_H
#define RN_PATH_H

#include <stdbool.h>

/* True if a folder of PATH holds an executable program of this name (without a slash). Empty
 * entries, which mean the current folder, do not count: PoCL's compiler ignores them. */
bool rn_path_has(const char *program);

/* The name of a file that stands beside path, as a link at path would name it: name itself if
 * that is absolute. The caller frees it. NULL when out of memory. */
char *rn_path_beside(const char *path, const char *name);

#endif
