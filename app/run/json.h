/* JSON values from what may not be representable. All return NULL where memory runs out. */
#ifndef RN_APP_RUN_JSON_H
#define RN_APP_RUN_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A string; bytes that are not UTF-8 (file names may hold any) become U+FFFD. NULL gives null. */
json_t *rn_app_json_text(const char *text);

/* A number; null where it is not finite. */
json_t *rn_app_json_real(double value);

/* A count; null where it is negative, which means unknown. */
json_t *rn_app_json_count(long long value);

/* An object that is being made. A member that is missing for want of memory makes it useless. */
struct rn_app_json_object {
    json_t *json;
    bool failed;
};

struct rn_app_json_object rn_app_json_begin(void);

/* Adds a member; takes value over. */
void rn_app_json_put(struct rn_app_json_object *o, const char *key, json_t *value);

/* Adds members: "name:type" of each, with a blank between, and their values. Types: b a boolean; i
 * an int; I an int64_t; c likewise, of rn_app_json_count; f a double, of rn_app_json_real; t a
 * string, of rn_app_json_text; o any json_t, which it takes over. A ? behind the type: the value
 * comes after a boolean, without which it is null. */
void rn_app_json_fill(struct rn_app_json_object *o, const char *fields, ...);

/* An object of such members; NULL if anything of it is missing. */
json_t *rn_app_json_make(const char *fields, ...);

/* The object, or NULL if anything of it is missing. */
json_t *rn_app_json_end(struct rn_app_json_object *o);

/* Adds an element, which it takes over, to *list, which becomes NULL where that fails. */
void rn_app_json_append(json_t **list, json_t *element);

/* value, which it takes over, or null where it is not known. */
json_t *rn_app_json_when(bool known, json_t *value);

/* The text of a value, for free(); NULL gives NULL. flags: those of json_dumps(), which leaves out
 * names where memory runs out. */
char *rn_app_json_dump(const json_t *value, size_t flags);

/* Writes a record, which it takes over, for people to read: to a file, or to stdout (path NULL).
 * Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_app_json_write(json_t *record, const char *path);

#endif
