/* JSON values from what may not be representable. All return NULL where memory runs out. */
#ifndef RN_JSON_H
#define RN_JSON_H

#include <jansson.h>
#include <stddef.h>

/* A string; bytes that are not UTF-8 (file names may hold any) become U+FFFD. NULL gives null. */
json_t *rn_json_text(const char *text);

/* A number; null where it is not finite. */
json_t *rn_json_real(double value);

/* A count; null where it is negative, which means unknown. */
json_t *rn_json_count(long long value);

/* The text of a value, for free(); NULL gives NULL. flags: those of json_dumps(), which leaves out
 * names where memory runs out. */
char *rn_json_dump(const json_t *value, size_t flags);

#endif
