/* SPDX-License-Identifier: MIT */
/* What the bytes of an output depend on: input, files, chain, options, versions; never the device,
 * nor where the files lie. */
#pragma once

#include <jansson.h>

#include "app/run/session.h"
#include "io/common/digest.h"

/* The options that decide, as words of a command line, with the chain as text. plan: also those of
 * the pipeline, and the number of threads, which decides the bytes of some encoders. NULL when out
 * of memory. */
json_t *rn_app_identity_words(const struct rn_app_session *session, bool plan);

/* The files that the run reads beside its input: their names and what is in them. Returns 0,
 * RN_EINPUT or RN_EINTERNAL (logged). *files is to be freed in any case. */
int rn_app_identity_files(const struct rn_app_session *session, json_t **files);

/* The digest of an object without its members "key" and "segments". Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_app_identity_digest(const json_t *object, char digest[RN_DIGEST]);

/* Whether OUTPUT is there, complete, and what this run would make: then *complete is set. Call it
 * when the input is open, for an output that is one file. Returns 0, RN_EUSAGE, RN_EINPUT,
 * RN_EOUTPUT (logged: another file of that name is there, and may not be overwritten) or
 * RN_EINTERNAL. */
int rn_app_identity_find(struct rn_app_session *session, bool *complete);

/* The mark of a complete file: the key of what it was made of, its size and its time, in the
 * attribute user.runnel or, where the file system keeps none, in a hidden file beside it. */
bool rn_app_mark_is_there(const char *path, const char *key); /* key: NULL = any */
void rn_app_mark_set(const char *path, const char *key);      /* a failure is a warning */
void rn_app_mark_remove(const char *path);
