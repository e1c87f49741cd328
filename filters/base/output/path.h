/* SPDX-License-Identifier: MIT */
/* Names of files: programs in PATH, what stands beside another file, and the user's settings. */
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

/* ---- the user's settings, in $XDG_CONFIG_HOME/runnel or ~/.config/runnel */

/* The path of NAME there. The caller frees it. NULL: neither variable is set (*err 0), or out of
 * memory (*err; logged). */
char *rn_config_path(const char *name, int *err);

/* Reads a file there that only this user and root can change; another one is left out with a
 * warning. what: its content, for messages. *path, *text: the caller frees both; *text NULL: there
 * is no such file. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_config_read(const char *name, const char *what, char **path, char **text);
