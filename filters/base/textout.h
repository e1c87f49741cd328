/* Writes texts for programs: tables, metrics, events. The one place where such writes are checked.
 *
 * Nothing that could not be written is skipped: after the first failure nothing more is written,
 * what comes before it is all there, and the writer is told, with the cause. */
#ifndef RN_TEXTOUT_H
#define RN_TEXTOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct rn_textout;

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

/* The stream to print to, with all functions of the C library, whose results need no check. */
FILE *rn_textout_stream(struct rn_textout *text);

/* A part of the text is complete: readers of a pipe or a descriptor see it at once. Returns 0, or
 * RN_EOUTPUT if anything since the opening could not be written (logged the first time; a reader of
 * stdout that has seen enough needs no message). */
int rn_textout_update(struct rn_textout *text);

enum rn_text_end { RN_TEXT_COMPLETE, RN_TEXT_PARTIAL, RN_TEXT_ABANDON };

/* Ends the text: its file appears, complete or as the partial file that it is (see
 * rn_outfile_commit), or not at all if it is abandoned or anything could not be written. NULL is
 * legal; *text becomes NULL. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_textout_close(struct rn_textout **text, enum rn_text_end end);

/* Opens a text that grows in sight of its readers: as above, but a file appears at once, empty, and
 * replaces an old one. fd: to write to with rn_write_all; the caller closes it. appending: a line
 * cannot be taken back, because the place may not be ours alone. Returns 0, RN_EOUTPUT or
 * RN_EINTERNAL (logged). */
int rn_textout_open_growing(int *fd, bool *appending, const char *path);

/* Writes everything, however many pieces it takes, also where writing does not wait. Returns 0 or
 * an errno. Async-signal-safe. */
int rn_write_all(int fd, const void *data, size_t size);

#endif
