/* SPDX-License-Identifier: MIT */
/* Makes JSON from values that JSON may not represent. All return NULL when out of memory. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "io/common/digest.h"

/* A string; bytes that are not UTF-8 (file names may hold any) become U+FFFD. NULL gives null. */
json_t *rn_app_json_text(const char *text);

/* A number; null where it is not finite. */
json_t *rn_app_json_real(double value);

/* A count; null where it is negative: unknown. */
json_t *rn_app_json_count(long long value);

/* From now on rn_app_json_write prints the schema of its record, an example of all that can be: its
 * keys are required, unless they end with a * (which is left out). */
void rn_app_json_describe(void);

/* Adds a member, taken over, to *object, which becomes NULL on failure. */
void rn_app_json_put(json_t **object, const char *key, json_t *value);

/* Likewise members: "name:type" for each, separated by blanks, and their values. Types: b boolean;
 * i int; I int64_t; c int64_t by rn_app_json_count; f double by rn_app_json_real; t string by
 * rn_app_json_text; o json_t, taken over. A ? after the type: a bool before the value, false =
 * null; a +: likewise by the bool of the member before. */
void rn_app_json_fill(json_t **object, const char *fields, ...);

/* An object of such members. */
json_t *rn_app_json_make(const char *fields, ...);

/* Appends an element to *list, likewise. */
void rn_app_json_append(json_t **list, json_t *element);

/* value, taken over; null where it is not known. */
json_t *rn_app_json_when(bool known, json_t *value);

/* The text of a value, for free(); NULL gives NULL. flags: of json_dumps(), which this replaces: it
 * omits members when out of memory. */
char *rn_app_json_dump(const json_t *value, size_t flags);

/* Writes a record, taken over, with indentation: to a file, or to stdout (path NULL). Returns 0,
 * RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_app_json_write(json_t *record, const char *path);

/* The digest of an object but for "key" and "segments". Returns 0 or RN_EINTERNAL (logged). */
int rn_app_json_digest(const json_t *object, char digest[RN_DIGEST]);
