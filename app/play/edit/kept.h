/* The saved settings of an input (autosave.h): offers those of an earlier run, and saves the
 * current ones. */
#ifndef RN_APP_PLAY_EDIT_KEPT_H
#define RN_APP_PLAY_EDIT_KEPT_H

#include <stdbool.h>

#include "app/play/edit/autosave.h"

struct rn_play;

/* Zeroed before the first use. */
struct rn_play_kept {
    struct rn_play_autosave *autosave; /* NULL: the input cannot be opened again by its name */
    struct rn_play_autosave_own own;   /* of all inputs */
    char *input;                       /* its canonical name */
    bool greeted;                      /* see rn_play_greet */
    bool unsaved;                      /* the settings have changed since the last rn_play_save */
    struct {
        char *path, *date; /* date NULL: unknown */
        char *chain[2];    /* texts, of -f and of --versus; NULL: none, or the current one */
    } offer;               /* the settings of an earlier run */
};

/* Reads the settings that were saved for this input, and prepares to save the current ones. Call
 * after the chain was read. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_open_kept(struct rn_play *p);

/* Called before each picture is drawn. Before the first one of an input it says which key changes
 * what, or that earlier settings can be taken. */
void rn_play_greet(struct rn_play *p);

/* Takes the earlier settings. Returns 0 or an error that ends all (logged). */
int rn_play_take_offer(struct rn_play *p);

/* Saves changes since the last call. Does not wait for the disk. */
void rn_play_save(struct rn_play *p);

/* Waits until all is saved, and releases what rn_play_open_kept took. */
void rn_play_close_kept(struct rn_play *p);

#endif
