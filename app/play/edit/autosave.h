/* SPDX-License-Identifier: MIT */
/* Saves the tuned chain while it is tuned: one file per input, in the format of chain_file.h, below
 * $XDG_STATE_HOME/runnel (~/.local/state/runnel). However the process ends, even by kill -9, at
 * most the last second is lost.
 *
 * A thread writes at once, then at most once a second, so that no disk delays the picture. A file
 * is replaced as a whole (filters/base/output/outtemp.h). When a process first writes it, the file
 * of an earlier process becomes FILE.1, that one FILE.2 and so on, up to .9. When the settings are
 * those of the start again, FILE is removed and the others move back. A process that returns to an
 * input replaces its own file, and puts it back. If several processes play one input, the last
 * writer wins. The newest RN_AUTOSAVE_MOST files of all inputs are kept.
 *
 * A failed write is logged in one warning, and tried again with the next change. */
#pragma once

#include <sys/types.h>

#define RN_AUTOSAVE_FORMER 9   /* of an input, beside the last one */
#define RN_AUTOSAVE_MOST   200 /* files of all inputs */

struct rn_play_autosave;

/* Files that this process has written, of any input. Zeroed before the first use; one autosave at a
 * time uses it. */
struct rn_play_autosave_own {
    struct rn_play_autosave_id {
        dev_t dev;
        ino_t ino;
    } id[RN_AUTOSAVE_MOST]; /* from the oldest */
    int n;
};

/* The folder, whether it exists or not. The caller frees it. NULL: as below. */
char *rn_play_autosave_folder(void);

/* The name of the file for an input (rn_app_files_canonical), whether it exists or not. The caller
 * frees it. NULL: neither XDG_STATE_HOME nor HOME is set, or out of memory. */
char *rn_play_autosave_path(const char *input);

/* Touches no file before the first put. path: as above; NULL: nothing can be saved, which the first
 * put says. start: a chain file with the current settings, which need no saving; NULL: they do. The
 * autosave owns both. own: outlives it. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_autosave_open(struct rn_play_autosave **autosave, char *path, char *start,
                          struct rn_play_autosave_own *own);

/* Saves a chain file, unless its body was put last. If the body is that of the start, removes the
 * file of this process. text: owned from now on; NULL (out of memory) is legal. autosave: NULL:
 * does nothing. */
void rn_play_autosave_put(struct rn_play_autosave *autosave, char *text);

/* Writes what is pending, then ends. *autosave becomes NULL; NULL is legal. */
void rn_play_autosave_close(struct rn_play_autosave **autosave);
