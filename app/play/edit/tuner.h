/* The parameters of a chain as a list to step through with keys, from the parameter tables; and the
 * chain file that `w` writes. Fixed parameters are listed only on request. A stage without a listed
 * parameter has one place. */
#ifndef RN_APP_PLAY_EDIT_TUNER_H
#define RN_APP_PLAY_EDIT_TUNER_H

#include "filters/core/chain/chain.h"

struct rn_play_tuner {
    const struct rn_chain *chain;       /* the current one, borrowed */
    const struct rn_analysis *analysis; /* of the chain, for the units of levels */
    int selected;                       /* position in the list */
    bool all;          /* fixed parameters too; changed by rn_play_tuner_show_all */
    bool refused;      /* the last change was refused, or changed nothing */
    bool drag_changed; /* the current drag has changed the chain */
};

/* The selected parameter. Returns false if the chain is empty. stage: index in the chain. row: NULL
 * if the stage has none. */
bool rn_play_tuner_selected(const struct rn_play_tuner *tuner, int *stage,
                            const struct rn_param **row);

/* The selected stage; 0 if the chain is empty. */
int rn_play_tuner_stage(const struct rn_play_tuner *tuner);

/* The number of places that a stage has in the list, at least one; and the parameter at its place
 * n, NULL if the stage has none. */
int rn_play_tuner_places(const struct rn_play_tuner *tuner, int stage);
const struct rn_param *rn_play_tuner_place(const struct rn_play_tuner *tuner, int stage, int n);

/* Selects the listed parameter n of a stage, or the nearest one. */
void rn_play_tuner_select(struct rn_play_tuner *tuner, int stage, int n);

/* Selects the first parameter of the stage n stages on; wraps around. */
void rn_play_tuner_move_stage(struct rn_play_tuner *tuner, int n);

/* Lists fixed parameters, or hides them. The selection stays, or moves within its stage. */
void rn_play_tuner_show_all(struct rn_play_tuner *tuner, bool all);

/* Moves the selection by n; wraps around. */
void rn_play_tuner_move(struct rn_play_tuner *tuner, int n);

/* Sets every parameter of a chain that is not fixed to its default. */
void rn_play_tuner_reset_all(struct rn_chain *chain);

/* Copies values, and which stages are on, from `from` to draft, a chain of the same stages. Skips
 * fixed parameters, and stages whose parameters are others by now (a reloaded kernel). Returns how
 * many differed. *first: the list position of the first parameter that differed; unchanged if none
 * did. */
int rn_play_tuner_take(const struct rn_play_tuner *tuner, struct rn_chain *draft,
                       const struct rn_chain *from, int *first);

/* One line about the selected parameter: position in the list, stage, name, value, unit, range.
 * Returns buf. */
char *rn_play_tuner_describe(const struct rn_play_tuner *tuner, char *buf, size_t size);

/* Writes the chain as a file that `-f @FILE` takes: runnel-0001.chain or the next free number, in
 * the current folder. Comments say of which input, on which of its frames and by which version.
 * frame: the one on the screen; NULL: none yet. *name: at least 64 bytes. Returns 0 or RN_EOUTPUT
 * (logged). range: the part of the input that is marked, as options; "": none is. */
int rn_play_tuner_write(const struct rn_play_tuner *tuner, const char *input,
                        const struct rn_frame *frame, const char *range, char name[64]);

/* The first of PREFIX-0001.EXT, PREFIX-0002.EXT ... that does not exist. */
void rn_play_free_name(const char *prefix, const char *ext, char name[64]);

#endif
