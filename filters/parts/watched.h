/* SPDX-License-Identifier: MIT */
/* The file of a stage that is followed while it is used (struct rn_reload). A missing or empty file
 * is one that somebody is about to write: the stage goes on with what it has. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "filters/core/chain/param.h"

/* Zeroed: not looked at yet. Belongs to the device thread. */
struct rn_watched {
    struct stat tried;          /* the state of the file when it was last read, */
    const char *tried_contents; /* and what was in it; NULL: it is to be read once more */
    double looked;              /* when its state was last checked; seconds */
    char *alert;                /* what is wrong with it; NULL: nothing */
};

/* Looks at the file of a row at most ten times a second. stage: for messages. used: the contents in
 * use. *contents: others that are new, interned; NULL: there are none. *changed: is set if the
 * alert is another one. Returns 0 or RN_EINTERNAL (logged). */
int rn_watched_look(struct rn_watched *w, const struct rn_param *row, const char *stage,
                    const char *path, const char *used, const char **contents, bool *changed);

/* Sets the alert, and logs it with the whole log of a compiler, if there is one; else NULL. */
__attribute__((format(printf, 4, 5))) void rn_watched_warn(struct rn_watched *w, const char *stage,
                                                           const char *log, const char *fmt, ...);

/* Also frees what w holds. */
void rn_watched_drop_alert(struct rn_watched *w);
