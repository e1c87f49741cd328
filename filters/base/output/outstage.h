/* SPDX-License-Identifier: MIT */
/* A hidden folder beside an output, in which several files wait to get their final names together.
 *
 * It is named and locked as a temporary file is (outtemp.h). Before its files are moved it gets a
 * mark, so the next process that writes beside it knows whether to remove what a killed process
 * left in it or to move the rest: no file system renames several files at once. */
#pragma once

#include "filters/base/output/outtemp.h"

/* A link in it, wherever it leads, lets the file of its name in the folder above be removed when
 * the others are moved. */
struct rn_outstage {
    int dir;                    /* the folder above: the caller's, who keeps it open */
    int fd;                     /* of the folder */
    char name[RN_OUTTEMP_NAME]; /* in dir */
    struct rn_outstage *taken;  /* the one before, in the list of that name */
};

/* Makes the folder in dir. base: the name of an output there. Returns 0, or an errno (nothing is
 * logged); ENFILE if there are too many. */
int rn_outstage_create(struct rn_outstage **stage, int dir, const char *base);

/* True if test says so of any file's name. */
bool rn_outstage_any(const struct rn_outstage *stage, bool (*test)(void *arg, const char *base),
                     void *arg);

/* Moves all files to the folder above, NAME.EXT as NAME.word.EXT, with -2, -3 ... (number) after
 * the word; word "": under their own names. replace: files that have those names are replaced; else
 * EEXIST. Returns 0 or the errno of what could not be moved or removed, which stays, while the
 * others are moved; *moved: how many were. */
int rn_outstage_move(struct rn_outstage *stage, const char *word, int number, bool replace,
                     int *moved);

/* Locks the folder dir against other processes that move files into it, for as long as the
 * descriptor is open that it returns. -1: it cannot be locked, or others kept it for 10 seconds. */
int rn_outstage_lock(int dir);

/* Removes the folder with what is in it; with keep, only if it is empty. NULL is legal; *stage
 * becomes NULL. */
void rn_outstage_drop(struct rn_outstage **stage, bool keep);

/* Ends what a killed process of the same user left under this name in dir, if it is such a folder
 * and nobody uses it. */
void rn_outstage_recover(int dir, const char *name);

/* Removes all folders that are in use. Async-signal-safe. */
void rn_outstage_remove_all(void);
