/* SPDX-License-Identifier: MIT */
/* Settings of the chain: changes of them, the parameter that keys change, and former settings. */
#pragma once

#include "filters/core/chain/chain.h"

struct rn_play;

/* ---- a change of the chain, by keys, the panel and scripts */

struct rn_play_change {
    enum rn_play_change_kind {
        RN_CHANGE_STEP,  /* the selected parameter by count steps */
        RN_CHANGE_SLIDE, /* it to a position, 0..1 of its range */
        RN_CHANGE_SET,   /* it to text */
        RN_CHANGE_RESET, /* it to its default */
        RN_CHANGE_RESET_ALL,
        RN_CHANGE_TOGGLE, /* the selected stage on or off */
        RN_CHANGE_REGION, /* its region to region */
        RN_CHANGE_SOLO,   /* the stages behind it off, or on again */
        RN_CHANGE_ADD,    /* text, as in a chain, behind it */
        RN_CHANGE_REMOVE,
        RN_CHANGE_DUPLICATE,
        RN_CHANGE_MOVE, /* it by count places */
    } kind;
    int count;
    double position;
    const char *text;
    const struct rn_region *region;
    bool again; /* it continues the drag of the change before */
};

/* ---- edit.c: applies every change of settings by a key, a script or the mouse, records it in the
 * history and shows it. Functions return 0 or an error that ends all (logged). */

/* Makes one change to the chain (above). A refusal is said, and changes nothing. */
int rn_play_edit(struct rn_play *p, const struct rn_play_change *change);

/* Whether the last change was refused, or changed nothing. */
bool rn_play_was_refused(const struct rn_play *p);

/* Undoes (-1) or redoes (1) the last change, likewise. */
int rn_play_undo(struct rn_play *p, int direction);

/* Shows why settings were refused with err. Returns 0, or err if it ends all. */
int rn_play_refused(struct rn_play *p, int err);

/* Applies other settings as one change; the selection stays if it can. said: the message, unless
 * they are refused. */
int rn_play_adopt(struct rn_play *p, const struct rn_chain *target, const char *said);

/* Code that a file names and --allow-code does not allow: rn_play_apply_settings refuses the
 * settings, and asks in the window; scripts, and whoever has no window, get the refusal alone. */

/* Puts such a chain of the command line aside: the preview begins without filters, and
 * rn_play_ask asks. Returns 0 or an error (logged). */
int rn_play_set_aside(struct rn_play *p);

/* Returns RN_EUSAGE (logged) if a chain was put aside and there is nobody to ask; else 0. */
int rn_play_can_ask(const struct rn_play *p);

/* Asks about the chain that waits for an answer, if any. */
void rn_play_ask(struct rn_play *p);

/* The answer: applies the chain, or drops it. */
int rn_play_answer(struct rn_play *p, bool yes);

/* Store the chain in a snapshot, apply a snapshot, flip between the recent snapshot and the chain.
 * place: see below. */
int rn_play_store(struct rn_play *p, int place);
int rn_play_recall(struct rn_play *p, int place);
int rn_play_flip(struct rn_play *p);

/* Applies settings, without the history. draft: owned from now on; NULL: out of memory (logged).
 * *before: the former settings, owned by the caller; NULL: the draft was refused, which is said. */
int rn_play_apply_settings(struct rn_play *p, struct rn_chain *draft, struct rn_chain **before);

/* ---- parameter_cursor.c: the parameter that keys change: a cursor in the list of the parameters
 * of the session's chain, from the parameter tables. Fixed parameters are listed only on request. A
 * stage without a listed parameter has one place. */

/* What is selected. */
struct rn_play_selected {
    int stage;                   /* its index in the chain; 0 if that is empty */
    struct rn_stage *of;         /* NULL: the chain is empty */
    const struct rn_param *row;  /* NULL: the stage has none */
    const struct rn_geom *input; /* of the stage */
};
struct rn_play_selected rn_play_cursor_selected(const struct rn_play *p);

/* The number of places of a stage in the list, at least one; the parameter at place n, or NULL. */
int rn_play_cursor_places(const struct rn_play *p, int stage);
const struct rn_param *rn_play_cursor_place(const struct rn_play *p, int stage, int n);

/* Writes the value of a parameter of a stage with its unit, as the window shows it. Returns buf. */
char *rn_play_cursor_value(const struct rn_play *p, int stage, const struct rn_param *row,
                           char *buf, size_t size);

/* Selects the listed parameter n of a stage, or the nearest one. */
void rn_play_cursor_select(struct rn_play *p, int stage, int n);

/* Lists fixed parameters, or hides them. The selection stays, or moves within its stage. */
void rn_play_cursor_show_all(struct rn_play *p, bool all);

/* Moves the selection by n; to place n of the list. Wrap around. */
void rn_play_cursor_move(struct rn_play *p, int n);
void rn_play_cursor_go(struct rn_play *p, int n);

/* Sets every parameter of a chain that is not fixed to its default. */
void rn_play_reset_values(struct rn_chain *chain);

/* Copies values, and which stages are on, from `from` to draft, a chain of the same stages. Skips
 * fixed parameters, and stages whose parameters are others by now (a reloaded kernel). Returns how
 * many differed. *first: the list position of the first parameter that differed; unchanged if none
 * did. */
int rn_play_take_values(const struct rn_play *p, struct rn_chain *draft,
                        const struct rn_chain *from, int *first);

/* One line about the selected parameter: position in the list, stage, name, value, unit, range.
 * Returns buf. */
char *rn_play_cursor_describe(const struct rn_play *p, char *buf, size_t size);

/* ---- snapshots.c: former settings: undo, redo, snapshots A to D, to return to and compare with */

/* ---- undo and redo: former settings of the chain and former contents of snapshots */

#define RN_HISTORY_MOST 1000 /* entries; the oldest are dropped */

#define RN_HISTORY_CHAIN     (-1) /* the place of the current settings; others: of snapshots */
#define RN_HISTORY_RECORDING (-2) /* an edit of the recording */

struct rn_play_history_entry {
    int place;
    struct rn_chain *chain;              /* NULL: that snapshot was empty */
    struct rn_play_recording_edit *edit; /* of the recording, owned (loop.h); NULL: another place */
};

struct rn_play_history {
    /* The oldest first; those from `position` on were undone. */
    struct rn_play_history_entry entry[RN_HISTORY_MOST];
    int n, position;
};

/* Adds settings that were replaced in a place; drops undone entries. chain: owned from now on. */
void rn_play_history_push(struct rn_play_history *history, int place, struct rn_chain *chain);

/* The entry to put back into its place: undo (-1) or redo (1); NULL: none. Borrowed. */
const struct rn_play_history_entry *rn_play_history_peek(const struct rn_play_history *history,
                                                         int direction);

/* Steps over the entry of rn_play_history_peek, which must exist. chain: the settings that it
 * replaced in its place, stored in the entry; owned from now on. */
void rn_play_history_move(struct rn_play_history *history, int direction, struct rn_chain *chain);

/* The number of steps that are possible in this direction. */
int rn_play_history_count(const struct rn_play_history *history, int direction);

/* Drops the entries from index n on. */
void rn_play_history_cut(struct rn_play_history *history, int n);

/* ---- snapshots */

#define RN_SNAPSHOTS 4

struct rn_play_snapshots {
    struct rn_chain *chain[RN_SNAPSHOTS]; /* NULL: empty, or text is set */
    char *text[RN_SNAPSHOTS];             /* of an earlier run, not parsed yet */
    const char *origin;                   /* of texts (rn_stage_origin) */
    struct rn_chain *previous;            /* the settings before the last recall; NULL: none */
    int recent;                           /* the place that was stored or recalled last */
    int before;                           /* likewise, before a store; RN_SNAPSHOTS: previous */
};

/* The letter of a place, for people and files. */
static inline char rn_play_snapshot_name(int place)
{
    return (char)('A' + place);
}

/* The settings in a place. Borrowed; NULL: it is empty, or its text is no longer a valid chain
 * (logged). */
const struct rn_chain *rn_play_snapshots_get(struct rn_play_snapshots *snapshots, int place);

/* Stores settings, or NULL, in a place. chain: owned from now on. Returns the settings that it
 * replaces, which the caller owns. */
struct rn_chain *rn_play_snapshots_store(struct rn_play_snapshots *snapshots, int place,
                                         struct rn_chain *chain);

/* Undoes (-1) or redoes (1) the change of a snapshot that the history has next. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_play_snapshots_undo(struct rn_play_snapshots *snapshots, struct rn_play_history *history,
                           int direction);

/* Remembers the current settings, to flip back to, before those of a place replace them. now:
 * copied. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_snapshots_leave(struct rn_play_snapshots *snapshots, int place,
                            const struct rn_chain *now);

/* The settings that a flip goes to from the current ones: the recent snapshot or, from that, back.
 * *back: which. Borrowed; NULL: there are none. */
const struct rn_chain *rn_play_snapshots_flip(struct rn_play_snapshots *snapshots,
                                              const struct rn_chain *now, bool *back);

/* Empties all. */
void rn_play_snapshots_clear(struct rn_play_snapshots *snapshots);

/* ---- words.c: values of parameters, and what differs between two chains, in words. */

/* Writes the value of a parameter of a stage with its unit, as the window shows it: "3 px", "on",
 * "plane 1, 2". geom: of the stage's input. Returns buf. */
char *rn_play_value_words(const struct rn_stage *stage, const struct rn_param *row,
                          const struct rn_geom *geom, char *buf, size_t size);

/* Writes what is to be done to `from` to get `to`: "boxblur.radius 2 px -> 3 px, - erosion, +
 * median, sharpen moved to 1, closing off"; "the same settings". geom: of the input, for levels.
 * An ellipsis ends what does not fit. Returns buf. */
char *rn_play_words(const struct rn_chain *from, const struct rn_chain *to,
                    const struct rn_geom *geom, char *buf, size_t size);

/* ---- kept.c: saves the settings of an input (chain_file.h), and offers those of an earlier run */

/* Reads the settings that were saved for this input, and prepares to save the current ones. Call
 * after the chain was read. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_open_kept(struct rn_play *p);

/* Called before each picture is drawn. Before the first one of an input it says which key changes
 * what, or that earlier settings can be taken. */
void rn_play_greet(struct rn_play *p);

/* Takes the earlier settings. Returns 0 or an error that ends all (logged). */
int rn_play_take_offer(struct rn_play *p);

/* Notes that the settings have changed; saves changes since the last call. Neither waits for the
 * disk. */
void rn_play_mark_unsaved(struct rn_play *p);
void rn_play_save(struct rn_play *p);

/* Waits until all is saved, and releases what rn_play_open_kept took. */
void rn_play_close_kept(struct rn_play *p);
