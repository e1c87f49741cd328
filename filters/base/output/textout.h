/* SPDX-License-Identifier: MIT */
/* Writes texts for programs (tables, metrics, events) and checks every write.
 *
 * No failed write is skipped: after the first failure nothing more is written, everything before it
 * is there, and the writer gets the cause. */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "filters/base/output/outfile.h"

struct rn_textout {
    /* To print to, with all functions of the C library, whose results need no check. */
    FILE *stream;
    /* -- private: */
    char *path;
    int fd;
    struct rn_outfile file; /* path NULL: it is written through */
    int cause;              /* errno of the first failure */
    bool told;
};

/* Checks whether a text may be written, as rn_outfile_allowed does, and can be. path: as below, but
 * not "-". Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_textout_check(const char *path);

/* Opens a text.
 * path: "-" or the name of an open descriptor (/dev/stdout, /dev/fd/3): duplicated and written on
 * from where it stands, so that what others write there keeps its place; a pipe or a device:
 * opened, which may wait for a reader; else a file, which appears when the text is closed
 * (rn_outfile). Does not check for permission to overwrite. One text belongs to one thread at a
 * time.
 * Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_textout_open(struct rn_textout **text, const char *path);

/* Ends a part of the text: readers of a pipe or a descriptor see it at once. Returns 0, or
 * RN_EOUTPUT if anything since the opening could not be written (logged the first time; a reader of
 * stdout that has seen enough needs no message). */
int rn_textout_update(struct rn_textout *text);

enum rn_text_end { RN_TEXT_COMPLETE, RN_TEXT_PARTIAL, RN_TEXT_ABANDON };

/* Ends the text: its file appears, complete or as the partial file that it is (see
 * rn_outfile_commit), or not at all if it is abandoned or anything could not be written. NULL is
 * legal; *text becomes NULL. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_textout_close(struct rn_textout **text, enum rn_text_end end);

/* A text that grows line by line in sight of its readers. Each prefix of it is whole lines, but
 * where it is written through: what comes before may be others', so nothing can be taken back. */
struct rn_growing {
    char *path; /* as given */
    int fd;     /* to write to from a signal handler; -1: not open */
    /* -- private: */
    bool through;           /* the place is not a file of ours alone */
    bool placed;            /* the file has its name */
    off_t size;             /* of the whole lines in it */
    struct rn_outfile file; /* until it is placed */
};

/* Opens a text, as rn_textout_open does; a file stays hidden until rn_growing_place. Any error is
 * followed by rn_growing_close. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_growing_open(struct rn_growing *text, const char *path);

/* Gives the file its name, with the lines that it has, in place of an old one; once is
 * enough. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged); after an error only closing is legal. */
int rn_growing_place(struct rn_growing *text);

/* Appends whole lines, now: all of them, or, after a failure, none. Returns 0 or an errno. */
int rn_growing_append(struct rn_growing *text, const char *lines, size_t size);

/* Ends the text, which is on the disk then; a file that was not placed is removed. path stays until
 * rn_growing_free. Returns 0 or an errno. Legal for one that is closed, or zeroed with fd -1. */
int rn_growing_close(struct rn_growing *text);
void rn_growing_free(struct rn_growing *text);

/* Logs that path cannot be written, cause: an errno. Returns RN_EOUTPUT. */
int rn_write_fail(const char *path, int cause);

/* Writes everything, however many pieces it takes, also where writing does not wait. Returns 0 or
 * an errno. Async-signal-safe. */
int rn_write_all(int fd, const void *data, size_t size);
