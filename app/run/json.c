#include "app/run/json.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

json_t *rn_app_json_text(const char *text)
{
    if (!text)
        return json_null();
    json_t *json = json_string(text);
    if (json)
        return json;
    /* Not UTF-8: which bytes are is not worth a decoder here, all that are not ASCII go. */
    char *safe = malloc(3 * strlen(text) + 1);
    if (!safe)
        return NULL;
    char *end = safe;
    for (; *text; text++) {
        if ((unsigned char)*text < 0x80) {
            *end++ = *text;
        } else {
            memcpy(end, "\xEF\xBF\xBD", 3);
            end += 3;
        }
    }
    *end = '\0';
    json = json_string(safe);
    free(safe);
    return json;
}

json_t *rn_app_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *rn_app_json_count(long long value)
{
    return value >= 0 ? json_integer(value) : json_null();
}

char *rn_app_json_dump(const json_t *value, size_t flags)
{
    size_t size = value ? json_dumpb(value, NULL, 0, flags) : 0;
    char *text = size ? malloc(size + 1) : NULL;
    if (!text)
        return NULL;
    bool whole = json_dumpb(value, text, size, flags) == size;
    text[size] = '\0';
    if (whole)
        return text;
    free(text);
    return NULL;
}

struct rn_app_json_object rn_app_json_begin(void)
{
    return (struct rn_app_json_object){json_object(), false};
}

void rn_app_json_put(struct rn_app_json_object *o, const char *key, json_t *value)
{
    if (json_object_set_new(o->json, key, value))
        o->failed = true;
}

json_t *rn_app_json_end(struct rn_app_json_object *o)
{
    if (!o->failed)
        return o->json;
    json_decref(o->json);
    return NULL;
}

void rn_app_json_append(json_t **list, json_t *element)
{
    if (!*list) {
        json_decref(element);
    } else if (json_array_append_new(*list, element)) {
        json_decref(*list);
        *list = NULL;
    }
}

json_t *rn_app_json_when(bool known, json_t *value)
{
    if (known)
        return value;
    json_decref(value);
    return json_null();
}
