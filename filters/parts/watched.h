/* SPDX-License-Identifier: MIT */
/* The file of a stage that is followed while it is used (struct rn_reload). A missing or empty file
 * is one that somebody is about to write: the stage goes on with what it has. */
#pragma once

#include <sys/stat.h>

#include "filters/core/chain/stage.h"

/* Zeroed: not looked at yet. Belongs to the device thread. */
struct rn_watched {
    struct stat tried;          /* the state of the file when it was last read, */
    const char *tried_contents; /* and what was in it; NULL: it is to be read once more */
    double looked;              /* when its state was last checked; seconds */
};

/* Looks at the file that the first row of bound's filter names, at most ten times a second. used:
 * the contents in use. *contents: others that are new, interned; NULL: there are none. *changed: is
 * set if the alert is another one. Returns 0 or RN_EINTERNAL (logged). */
int rn_watched_look(struct rn_watched *w, struct rn_bound *bound, const char *path,
                    const char *used, const char **contents, bool *changed);

/* Sets the alert, and logs it with the whole log of a compiler, if there is one; else NULL. */
__attribute__((format(printf, 3, 4))) void rn_watched_warn(struct rn_bound *bound, const char *log,
                                                           const char *fmt, ...);

/* Drops the alert: the file at path has become what is used. */
void rn_watched_taken(struct rn_bound *bound, const char *path);
