/* SPDX-License-Identifier: MIT */
#include "app/run/json.h"

#include "filters/base/log.h"
#include "filters/base/output/textout.h"
#include "filters/base/owned.h"

#include <math.h>
#include <stdarg.h>

static bool describing;

void rn_app_json_describe(void)
{
    describing = true;
}

/* At the end of a key: ?, it may be null; *, it may be missing. */
static json_t *schema_of(json_t *example, bool nullable)
{
    static const char *const names[] = {"object", "array",   "string",  "integer",
                                        "number", "boolean", "boolean", "null"};
    const char *key, *name = names[json_typeof(example)];
    nullable |= json_is_real(example); /* which may be infinite */
    json_t *type = nullable ? json_pack("[ss]", name, "null") : json_string(name), *part;
    json_t *schema = json_pack("{so}", "type", type);
    size_t i;
    if (json_is_object(example)) {
        json_t *keys = json_object(), *required = json_array();
        json_object_foreach(example, key, part)
        {
            size_t n = strcspn(key, "?*");
            json_object_setn_new(keys, key, n, schema_of(part, strchr(key, '?')));
            if (!strchr(key, '*'))
                json_array_append_new(required, json_stringn(key, n));
        }
        json_object_set_new(schema, "properties", keys);
        json_object_set_new(schema, "required", required);
    } else if (json_array_size(example)) {
        json_t *kinds = json_array();
        json_array_foreach(example, i, part)
        {
            RN_OWNED(json_decrefp) json_t *kind = schema_of(part, true);
            if (!json_equal(json_array_get(kinds, json_array_size(kinds) - 1), kind))
                json_array_append(kinds, kind);
        }
        json_object_set_new(schema, "items", json_pack("{so}", "anyOf", kinds));
    }
    return schema;
}

json_t *rn_app_json_text(const char *text)
{
    if (!text)
        return describing ? json_string("") : json_null();
    json_t *json = json_string(text);
    if (json)
        return json;
    /* Not UTF-8: replaces every byte that is not ASCII, which needs no decoder. */
    RN_OWNED(rn_free_owned) char *safe = malloc(3 * strlen(text) + 1);
    if (!safe)
        return NULL;
    char *end = safe;
    for (; *text; text++)
        if ((unsigned char)*text < 0x80)
            *end++ = *text;
        else
            end = stpcpy(end, "\xEF\xBF\xBD");
    *end = '\0';
    return json_string(safe);
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
    RN_OWNED(rn_free_owned) char *text = size ? malloc(size + 1) : NULL;
    if (!text || json_dumpb(value, text, size, flags) != size)
        return NULL;
    text[size] = '\0';
    return rn_take_owned(&text);
}

void rn_app_json_put(json_t **object, const char *key, json_t *value)
{
    if (json_object_set_new(*object, key, value))
        json_decref(rn_take_owned(object));
}

static json_t *take_value(char type, va_list *arg)
{
    switch (type) {
    case 'b':
        return json_boolean(va_arg(*arg, int));
    case 'i':
        return json_integer(va_arg(*arg, int));
    case 'I':
        return json_integer(va_arg(*arg, int64_t));
    case 'c':
        return rn_app_json_count(va_arg(*arg, int64_t));
    case 'f':
        return rn_app_json_real(va_arg(*arg, double));
    case 't':
        return rn_app_json_text(va_arg(*arg, const char *));
    default:
        return va_arg(*arg, json_t *);
    }
}

static void fill(json_t **object, const char *fields, va_list *arg)
{
    char key[64]; /* longer than any */
    bool known = true;
    while (*fields) {
        size_t n = strcspn(fields, ":");
        char type = fields[n + 1];
        bool optional = fields[n + 2] == '?' || fields[n + 2] == '+';
        if (fields[n + 2] != '+')
            known = !optional || va_arg(*arg, int);
        bool may_lack = describing && (optional || !strchr("biI", type));
        snprintf(key, sizeof key, "%.*s%s", (int)n, fields, may_lack ? "?" : "");
        rn_app_json_put(object, key, rn_app_json_when(known, take_value(type, arg)));
        fields += n + 2 + optional;
        fields += strspn(fields, " ");
    }
}

void rn_app_json_fill(json_t **object, const char *fields, ...)
{
    va_list arg;
    va_start(arg, fields);
    fill(object, fields, &arg);
    va_end(arg);
}

json_t *rn_app_json_make(const char *fields, ...)
{
    json_t *object = json_object();
    va_list arg;
    va_start(arg, fields);
    fill(&object, fields, &arg);
    va_end(arg);
    return object;
}

void rn_app_json_append(json_t **list, json_t *element)
{
    if (json_array_append_new(*list, element)) /* which releases it where there is no list */
        json_decref(rn_take_owned(list));
}

json_t *rn_app_json_when(bool known, json_t *value)
{
    if (known || describing)
        return value;
    json_decref(value);
    return json_null();
}

int rn_app_json_write(json_t *record, const char *path)
{
    struct rn_textout *out = NULL;
    if (describing && record) {
        json_t *schema = schema_of(record, false);
        json_object_set_new(schema, "$schema",
                            json_string("https://json-schema.org/draft/2020-12/schema"));
        json_decref(record);
        record = schema;
    }
    RN_OWNED(rn_free_owned)
    char *text = rn_app_json_dump(record, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    int err = !text ? rn_fail_memory() : path ? rn_textout_open(&out, path) : 0;
    if (!err)
        fprintf(path ? out->stream : stdout, "%s\n", text);
    if (!err && path)
        err = rn_textout_close(&out, RN_TEXT_COMPLETE);
    json_decref(record);
    return err;
}

int rn_app_json_digest(const json_t *object, char digest[RN_DIGEST])
{
    RN_OWNED(json_decrefp) json_t *copy = json_copy((json_t *)object);
    json_object_del(copy, "key");
    json_object_del(copy, "segments"); /* cells are the same for any number of these */
    RN_OWNED(rn_free_owned)
    char *text = copy ? rn_app_json_dump(copy, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    if (!text)
        return rn_fail_memory();
    rn_io_digest(text, strlen(text), digest);
    return 0;
}
