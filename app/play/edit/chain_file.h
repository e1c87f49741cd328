/* SPDX-License-Identifier: MIT */
/* Chain files, which `-f @FILE` takes. Lines that begin with # are comments to the chain; here they
 * say what it was tuned on, and hold snapshots and the chain of --versus:
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
#pragma once

#include "app/play/edit/snapshots.h"
#include "io/read/source.h"

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
