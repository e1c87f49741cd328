/* The parameters of a chain as a list to walk with keys, and the chain file that `w` writes.
 * All from the parameter tables; fixed parameters are not in the list. */
#ifndef RN_TUNER_H
#define RN_TUNER_H

#include <stdio.h>

#include "filters/core/chain_internal.h"

struct rn_tuner {
    const struct rn_chain *chain;       /* borrowed, as is */
    const struct rn_analysis *analysis; /* of it, for the input: in which units levels are */
    int selected;                       /* position in the list */
};

/* Number of parameters in the list: 0 if nothing can be tuned. */
int rn_tuner_count(const struct rn_tuner *tuner);

/* The selected parameter. Returns false if there is none. stage: index in the chain. */
bool rn_tuner_selected(const struct rn_tuner *tuner, int *stage, const struct rn_param **row);

/* Moves the selection by n, around the ends. */
void rn_tuner_move(struct rn_tuner *tuner, int n);

/* Moves the value of a row of stage number `stage` of the chain, in `draft`, by n steps. */
void rn_tuner_step(const struct rn_tuner *tuner, int stage, const struct rn_param *row,
                   struct rn_stage *draft, int n);

/* Sets every parameter of a chain that is not fixed to its default. */
void rn_tuner_reset_all(struct rn_chain *chain);

/* Gives draft, a chain of the same stages, the values that `from` has, and its stages on and off;
 * not what is fixed, nor of stages that have other parameters by now (a kernel that was loaded
 * anew). Returns how many differed; *first: the position in the list of the first of them that is a
 * parameter, unchanged if there is none. */
int rn_tuner_take(struct rn_chain *draft, const struct rn_chain *from, int *first);

/* One line about the selected parameter: position in the list, stage, name, value, unit, range.
 * Returns buf. */
char *rn_tuner_describe(const struct rn_tuner *tuner, char *buf, size_t size);

/* Writes the chain as a file that `-f @FILE` takes: runnel-0001.chain or the next free number, in
 * the current folder. Comments say of which input, on which of its frames and by which version.
 * frame: the one on the screen; NULL: none yet. *name: at least 64 bytes. Returns 0 or RN_EOUTPUT
 * (logged). */
int rn_tuner_write(const struct rn_tuner *tuner, const char *input, const struct rn_frame *frame,
                   char name[64]);

/* Writes the chain to f as an option to paste into a shell, -f 'CHAIN', in one line; nothing
 * where memory runs out. */
void rn_tuner_print(const struct rn_chain *chain, FILE *f);

/* The first of PREFIX-0001.EXT, PREFIX-0002.EXT ... that does not exist. */
void rn_free_name(const char *prefix, const char *ext, char name[64]);

#endif
