/* SPDX-License-Identifier: MIT */
/* Commands for scripts only: properties, lists, actions of keys. */
#include "app/play/control/command_table.h"

#include "app/play/loop/player.h"
#include "app/run/json.h"

#include <stdlib.h>
#include <string.h>

/* ---- values */

static int get(struct rn_play_call *c)
{
    c->answer->data = rn_play_property_get(c->p, c->arg[0].text, c->answer->why);
    c->answer->done = c->answer->data;
    return 0;
}

static int set(struct rn_play_call *c)
{
    return rn_play_property_set(c, c->arg[0].text, c->arg[1].json);
}

static int observe(struct rn_play_call *c)
{
    struct rn_play_watch *w = c->watch;
    const json_t *id = c->arg[0].json;
    const char *name = c->arg[1].text;
    if (!w)
        return rn_play_refuse(c, "only a client of --ipc can observe a property");
    if (!json_is_integer(id) && !json_is_string(id))
        return rn_play_refuse(c, "observe_property takes an ID that is a number or a text");
    if (w->n == RN_WATCH_MOST)
        return rn_play_refuse(c, "%d properties are observed already", w->n);
    json_t *value = rn_play_property_get(c->p, name, c->answer->why);
    c->answer->done = value;
    json_decref(value);
    char *copy = value ? strdup(name) : NULL;
    if (!copy)
        return value ? rn_fail_memory() : 0;
    w->seen[w->n].id = json_deep_copy(id);
    w->seen[w->n].sent = NULL;
    w->seen[w->n++].name = copy;
    return 0;
}

static void clear_one(struct rn_play_watch *w, int i)
{
    json_decref(w->seen[i].id);
    json_decref(w->seen[i].sent);
    free(w->seen[i].name);
    memmove(&w->seen[i], &w->seen[i + 1], (size_t)(--w->n - i) * sizeof w->seen[0]);
}

void rn_play_watch_clear(struct rn_play_watch *w)
{
    while (w->n)
        clear_one(w, w->n - 1);
}

static int unobserve(struct rn_play_call *c)
{
    int n = c->watch ? c->watch->n : 0;
    for (int i = n - 1; i >= 0; i--)
        if (json_equal(c->watch->seen[i].id, c->arg[0].json))
            clear_one(c->watch, i);
    return !c->watch || n == c->watch->n ? rn_play_refuse(c, "nothing is observed by that id") : 0;
}

/* ---- keys */

static json_t *list_actions(void)
{
    json_t *all = json_array();
    char help[128];
    for (const struct rn_ui_command *const *row = rn_play_commands(); *row; row++) {
        if ((*row)->flags & RN_COMMAND_SCRIPT)
            continue;
        rn_ui_command_help(*row, rn_ui_command_default(*row), help, sizeof help);
        json_t *o = rn_app_json_make("name:t help:t", (*row)->name, help);
        if (rn_ui_command_has_argument(*row))
            rn_app_json_put(&o, "argument",
                            json_pack("[i, i]", (*row)->args[0].min, (*row)->args[0].max));
        rn_app_json_append(&all, o);
    }
    return all;
}

/* Executes a command as its key does; the answer is the message on the screen. */
static int action(struct rn_play_call *c)
{
    const char *name = c->arg[0].text;
    const json_t *argument = c->arg[1].json;
    double count = json_number_value(argument);
    const struct rn_ui_command *command = rn_ui_command_find(rn_play_commands(), name);
    if (!command || command->flags & RN_COMMAND_SCRIPT) {
        const char *const near[] = {rn_ui_command_nearest(rn_play_commands(), name), NULL};
        rn_play_unknown(c->answer->why, "unknown action", name, near, "; `play --keys` tells all");
        c->answer->done = false;
        return 0;
    }
    if (argument && !(json_is_number(argument) && rn_ui_command_takes(command, count)))
        return rn_play_refuse(
            c, rn_ui_command_has_argument(command) ? "%s takes %d..%d" : "%s takes no argument",
            name, command->args[0].min, command->args[0].max);
    int err =
        rn_play_run_command(c->p, command, argument ? (int)count : rn_ui_command_default(command));
    c->answer->data = rn_app_json_text(rn_play_latest_message(c->p));
    return err;
}

/* ---- what there is */

static int list(struct rn_play_call *c)
{
    const struct rn_app_session *s = c->p->session;
    c->answer->data =
        rn_app_json_make("parameters:o properties:o commands:o actions:o",
                         rn_play_parameter_list(s->chain, &s->analysis), rn_play_property_list(),
                         rn_play_command_list(), list_actions());
    return 0;
}

/* ---- the table */

enum { SCRIPT = RN_COMMAND_SCRIPT, NOW = RN_COMMAND_NOW };

// clang-format off
const struct rn_play_command rn_play_script_commands[] = {
    {{"get_property", "tells a property or STAGE.PARAM",
      .args = {{.type = RN_ARG_PROPERTY, .name = "NAME"}}, .flags = SCRIPT | NOW,
      .group = "Scripts"}, .run = get, .also = "get", .least = 1},
    {{"set_property", "sets it",
      .args = {{.type = RN_ARG_PROPERTY, .name = "NAME"}, {.type = RN_ARG_JSON, .name = "VALUE"}},
      .flags = SCRIPT}, .run = set, .also = "set", .least = 2},
    {{"observe_property", "events property-change, now and whenever it is another value",
      .args = {{.type = RN_ARG_JSON, .name = "ID"}, {.type = RN_ARG_TEXT, .name = "NAME"}},
      .flags = SCRIPT | NOW}, .run = observe, .also = "observe", .least = 2},
    {{"unobserve_property", "ends that", .args = {{.type = RN_ARG_JSON, .name = "ID"}},
      .flags = SCRIPT | NOW}, .run = unobserve, .also = "unobserve", .least = 1},
    {{"list", "tells all parameters, properties and commands", .flags = SCRIPT | NOW}, .run = list},
    {{"action", "what a key of that action does (`play --keys`); tells what the window then says",
      .args = {{.type = RN_ARG_TEXT, .name = "NAME"}, {.type = RN_ARG_JSON, .name = "ARGUMENT"}},
      .flags = SCRIPT}, .run = action, .least = 1},
    {.run = NULL},
};
// clang-format on
