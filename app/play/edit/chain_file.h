/* SPDX-License-Identifier: MIT */
/* Chains in files of the user. */
#pragma once

#include <sys/types.h>

#include "app/play/edit/settings.h"
#include "io/read/source.h"

/* ---- chain_file.c: chain files, which `-f @FILE` takes. Lines that begin with # are comments to
 * the chain; here they say what it was tuned on, and hold snapshots and the chain of --versus:
 *
 *     # tuned on /home/me/clip.mkv
 *     # at frame 12, 0.480 s
 *     # by runnel 1.0
 *     # on 2026-11-23 09:20:27 +0100
 *     # in /home/me
 *     # snapshot A: erosion=radius=3,convolution=preset=box3
 *     # versus: median=radius=2
 *     erosion=radius=2,convolution=preset=sharpen
 *
 * `in` is the folder that names of files in the chain are relative to. The body is all from the
 * first line of a snapshot or a chain on. A newline in a comment is followed by "#+". */

/* Makes a whole file. frame: the one on the screen; NULL: none yet. versus, snapshots: NULL: none.
 * The caller frees it. NULL when out of memory. */
char *rn_play_chain_file_make(const char *input, const struct rn_frame *frame,
                              const struct rn_chain *chain, const struct rn_chain *versus,
                              const struct rn_play_snapshots *snapshots);

/* The body of a file's text. */
const char *rn_play_chain_file_body(const char *text);

/* The content of a file; NULL: not in it. */
struct rn_play_chain_file {
    char *date, *folder;
    char *chain, *versus;
    char *snapshot[RN_SNAPSHOTS];
};

/* Parses a file's text. The caller frees the result with rn_play_chain_file_free, which accepts a
 * zeroed struct. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_chain_file_read(struct rn_play_chain_file *file, const char *text);
void rn_play_chain_file_free(struct rn_play_chain_file *file);

/* Writes a chain as a file that `-f @FILE` takes: runnel-0001.chain or the next free number, in the
 * current folder, with its first three lines. range: the part of the input that is
 * marked, as options; "": none is. Returns 0 or RN_EOUTPUT (logged). */
int rn_play_chain_file_write(const struct rn_chain *chain, const char *input,
                             const struct rn_frame *frame, const char *range, char name[64]);

/* The first of PREFIX-0001.EXT, PREFIX-0002.EXT ... that does not exist. */
void rn_play_free_name(const char *prefix, const char *ext, char name[64]);

/* ---- autosave.c: saves the tuned chain while it is tuned: one such file per input, below
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

#define RN_AUTOSAVE_FORMER 9   /* of an input, beside the last one */
#define RN_AUTOSAVE_MOST   200 /* files of all inputs */

struct rn_play_autosave;

/* Files that this process wrote, of any input. Zeroed at first; one autosave at a time uses it. */
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
