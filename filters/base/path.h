/* Looks programs up in PATH. */
#ifndef RN_PATH_H
#define RN_PATH_H

#include <stdbool.h>

/* True if a folder of PATH holds an executable program of this name (without a slash). Empty
 * entries, which mean the current folder, do not count: PoCL's compiler ignores them. */
bool rn_path_has(const char *program);

#endif
