/* SPDX-License-Identifier: MIT */
/* What the bytes of an output depend on: input, files, chain, options, versions; never the device,
 * nor where the files lie. */
#pragma once

#include <jansson.h>

#include "app/run/session.h"

/* The options that decide, as words of a command line, with the chain as text. plan: also those of
 * the pipeline, and the number of threads, which decides the bytes of some encoders. NULL when out
 * of memory. */
json_t *rn_app_identity_words(const struct rn_app_session *session, bool plan);

/* The files that the run reads beside its input: their names and what is in them. Returns 0,
 * RN_EINPUT or RN_EINTERNAL (logged). *files is to be freed in any case. */
int rn_app_identity_files(const struct rn_app_session *session, json_t **files);

/* Whether OUTPUT is there, complete, and what this run would make: then *complete is set. Call it
 * when the input is open, for an output that is one file. Returns 0, RN_EUSAGE, RN_EINPUT,
 * RN_EOUTPUT (logged: another file of that name is there, and may not be overwritten) or
 * RN_EINTERNAL. */
int rn_app_identity_find(struct rn_app_session *session, bool *complete);

/* A copy of text with stem in the place of each {}; stem NULL: as it is. The caller frees it. NULL
 * when out of memory. */
char *rn_app_fill(const char *text, const char *stem);

/* The same for the value of an option, that of cli->given. In a chain values alone are filled, as
 * they are, and quoted. NULL (logged): it is no chain then. */
char *rn_app_fill_option(const struct rn_app_cli *cli, int given, const char *stem);

/* The mark of a complete file: what it was made of, its size and its time, in the attribute
 * user.runnel. */

/* Whether path has a mark, and still is what was marked. key, glance: of what; NULL = anything. */
bool rn_app_mark_is_there(const char *path, const char *key, const char *glance);

/* The command line, with stem in the place of each {} (NULL: with none), and the size and time of
 * the input. Where they are as they were when output was made of nothing else, no input has to be
 * opened. False: INPUT is not one file. */
bool rn_app_glance(const struct rn_app_cli *cli, const char *input, const char *output,
                   const char *stem, char glance[RN_DIGEST]);

/* Marks what was made; a failure is a warning. glance: "-" where it does not decide. */
void rn_app_mark_set(const char *path, const char *key, const char *glance);
void rn_app_mark_remove(const char *path);
