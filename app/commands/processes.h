/* SPDX-License-Identifier: MIT */
/* Runs this program again, with other words, in processes of its own. */
#pragma once

#include "app/cli.h"

/* Set for such a process: that which started it; 0 from then on. Its names are filled: {} in OUTPUT
 * stands for itself. */
#define RN_OWNER "RUNNEL_OWNER"

/* Ends this process where the one that started it so ends, however that ends. Call it first. */
void rn_app_process_follow_owner(void);

/* Words of a command line, each with its zero. */
struct rn_app_words {
    char *text;
    size_t size;
    bool failed; /* out of memory */
};

/* Begins with words that are separated by blanks; appends one. */
struct rn_app_words rn_app_words_begin(const char *words);
void rn_app_words_add(struct rn_app_words *words, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends an option of the user, that of cli->given, filled (identity.h). */
void rn_app_words_add_option(struct rn_app_words *words, const struct rn_app_cli *cli, int given,
                             const char *stem);

/* Appends those of some groups (enum rn_app_option_group), also of the settings. */
void rn_app_words_add_options(struct rn_app_words *words, const struct rn_app_cli *cli,
                              unsigned groups);

/* From now on SIGINT, SIGTERM and SIGHUP end the processes, as SIGTERM does. */
void rn_app_processes_handle_signals(void);

/* Returns err, or, where such a signal came, what stands for it. */
int rn_app_processes_end(int err);

/* Starts this program; out: a descriptor for stdout, or -1. place: below RN_MOST_SEGMENTS_HERE, its
 * number until it was waited for. Frees the words. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_process_start(struct rn_app_words *words, int place, int out);

/* Waits for a process. Returns its exit status, as an error. */
int rn_app_process_finish(int place);

/* Both, of one alone. */
int rn_app_process_run(struct rn_app_words *words, int out);
