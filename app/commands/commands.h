/* SPDX-License-Identifier: MIT */
/* The commands, each a descriptor at the end of its own file. */
#pragma once

#include "app/cli.h"

extern const struct rn_app_command rn_app_command_bench;   /* the devices, or a chain */
extern const struct rn_app_command rn_app_command_devices; /* every OpenCL device */
extern const struct rn_app_command rn_app_command_filters; /* the filters and their parameters */
extern const struct rn_app_command rn_app_command_info;    /* what an input holds */
extern const struct rn_app_command rn_app_command_join;    /* puts segments together */
extern const struct rn_app_command rn_app_command_learn;   /* a network from an example */
extern const struct rn_app_command rn_app_command_plan;    /* cuts a render into segments */
extern const struct rn_app_command rn_play_command_play;   /* shows, and keys tune the filters */
extern const struct rn_app_command rn_app_command_render;  /* from file to file */
extern const struct rn_app_command rn_app_command_schema;  /* what JSON is like */
extern const struct rn_app_command rn_app_command_stats;   /* measures of every frame */

/* Print examples of records, after rn_app_json_describe. Return 0 or an error (logged). */
int rn_app_devices_describe(void);
int rn_app_info_describe(void);
int rn_app_folder_describe(void);

/* ---- processes.c: runs this program again, with other words, in processes of its own. */

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

/* Appends an option of the user, that of cli->given, filled (segment.h). */
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
 * number until it has ended. Frees the words. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_process_start(struct rn_app_words *words, int place, int out);

/* Waits for any of the processes that were started. Sets its place, which is free again. Returns
 * its exit status, as an error; or RN_EINTERNAL (logged), with the place as it was. */
int rn_app_process_finish(int *place);

/* Both, of one alone. */
int rn_app_process_run(struct rn_app_words *words, int out);
