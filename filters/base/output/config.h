/* SPDX-License-Identifier: MIT */
/* The user's settings, in $XDG_CONFIG_HOME/runnel or ~/.config/runnel. */
#pragma once

/* The path of NAME there. The caller frees it. NULL: neither variable is set (*err 0), or out of
 * memory (*err; logged). */
char *rn_config_path(const char *name, int *err);

/* Reads a file there that only this user and root can change; another one is left out with a
 * warning. what: its content, for messages. *path, *text: the caller frees both; *text NULL: there
 * is no such file. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_config_read(const char *name, const char *what, char **path, char **text);
