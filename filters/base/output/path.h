/* SPDX-License-Identifier: MIT */
/* Names of files: programs in PATH, and what stands beside another file. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

/* What stands at path, or where a link there leads: 1 and *st; 0 if nothing does, nor can (a folder
 * is missing, or the name is too long for one); -1 if it cannot be told (errno): no caller may take
 * that for nothing. */
int rn_path_look(const char *path, struct stat *st);

/* Opens a regular file to read it. What else stands there is neither waited for nor touched: errno
 * is ENXIO then. *why: text of the failure; static, or of strerror. NULL on failure. */
FILE *rn_path_open(const char *path, const char **why);

/* True if a folder of PATH holds an executable program of this name (without a slash). Empty
 * entries, which mean the current folder, do not count: PoCL's compiler ignores them. */
bool rn_path_has(const char *program);

/* The name of a file that stands beside path, as a link at path would name it: name itself if
 * that is absolute. The caller frees it. NULL when out of memory. */
char *rn_path_beside(const char *path, const char *name);
