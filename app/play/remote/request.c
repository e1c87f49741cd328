/* SPDX-License-Identifier: MIT */
#include "app/play/remote/remote.h"

#include "app/run/json.h"
#include "filters/base/owned.h"

static bool refuse(char why[RN_PLAY_WHY], const char *what)
{
    snprintf(why, RN_PLAY_WHY,
             "%s; a request looks like {\"command\": [\"get_property\", \"pause\"]}", what);
    return false;
}

bool rn_play_request_read(struct rn_play_request *r, const char *line, size_t n,
                          char why[RN_PLAY_WHY])
{
    json_error_t error;
    char text[160];
    *r = (struct rn_play_request){.root = json_loadb(line, n, 0, &error)};
    if (!r->root) {
        snprintf(text, sizeof text, "no JSON: %.100s", error.text);
        return refuse(why, text);
    }
    if (!json_is_object(r->root))
        return refuse(why, "no object");
    r->id = json_incref(json_object_get(r->root, "request_id"));
    const json_t *word = json_object_get(r->root, "command"), *name = json_array_get(word, 0);
    const json_t *async = json_object_get(r->root, "async");
    if (!json_is_string(name))
        return refuse(why, "no \"command\" that begins with a name");
    if (async && !json_is_boolean(async))
        return refuse(why, "\"async\" is neither true nor false");
    r->word = word;
    r->name = json_string_value(name);
    r->async = json_is_true(async);
    return true;
}

void rn_play_request_free(struct rn_play_request *r)
{
    json_decref(r->root);
    json_decref(r->id);
    *r = (struct rn_play_request){0};
}

/* Frees object. */
static char *dump(json_t *object)
{
    char *text = rn_app_json_dump(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

char *rn_play_request_answer(const json_t *id, const char *why, json_t *data)
{
    return dump(rn_app_json_make("request_id:o error:t data:o",
                                 id ? json_deep_copy(id) : json_integer(0), why ? why : "success",
                                 data ? data : json_null()));
}

char *rn_play_request_event(const char *name, json_t *members)
{
    json_t *event = rn_app_json_make("event:t", name);
    if (members && json_object_update_new(event, members))
        json_decref(rn_take_owned(&event));
    return dump(event);
}
