#include "app/play/remote/command.h"

#include "app/run/json.h"
#include "app/play/edit/parameter.h"
#include "app/play/loop/player.h"
#include "app/play/loop/playback.h"
#include "app/play/view/message.h"
#include "app/play/edit/tuner.h"
#include "app/play/edit/history.h"
#include "app/play/loop/input.h"
#include "app/play/runners/input_request.h"
#include "app/run/session.h"
#include "ui/window.h"
#include "app/play/loop/seek.h"
#include "app/play/remote/property.h"
#include "app/play/export/screenshot.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/text/nearest.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct call {
    struct rn_play *p;
    const struct rn_play_request *request;
    struct rn_play_watch *watch;
    struct rn_play_answer *answer;
};

/* All return 0, or an error that ends all. */
typedef int command_fn(struct call *call);

static int refuse(struct call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int refuse(struct call *c, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(c->answer->why, RN_PLAY_WHY, fmt, args);
    va_end(args);
    c->answer->done = false;
    return 0;
}

/* ---- values */

static int get(struct call *c)
{
    c->answer->data =
        rn_play_property_get(c->p, rn_play_request_text(c->request, 1), c->answer->why);
    c->answer->done = c->answer->data;
    return 0;
}

static int set(struct call *c)
{
    const char *name = rn_play_request_text(c->request, 1);
    const json_t *value = rn_play_request_word(c->request, 2);
    c->answer->shows = true;
    if (!strcmp(name, "frame") && json_is_integer(value))
        c->answer->frame = json_integer_value(value);
    return rn_play_property_set(c->p, name, value, &c->answer->done, c->answer->why);
}

static bool is_id(const json_t *id)
{
    return json_is_integer(id) || json_is_string(id);
}

static int observe(struct call *c)
{
    struct rn_play_watch *w = c->watch;
    const char *name = rn_play_request_text(c->request, 2);
    const json_t *id = rn_play_request_word(c->request, 1);
    if (!is_id(id) || !name)
        return refuse(c, "observe_property takes a number or a text, and the name of a property");
    if (w->n == RN_WATCH_MOST)
        return refuse(c, "%d properties are observed already", w->n);
    json_t *now = rn_play_property_get(c->p, name, c->answer->why);
    c->answer->done = now;
    json_decref(now);
    char *copy = now ? strdup(name) : NULL;
    if (!copy)
        return now ? rn_fail_memory() : 0;
    w->seen[w->n].id = json_deep_copy(id);
    w->seen[w->n].last = NULL;
    w->seen[w->n++].name = copy;
    return 0;
}

static void clear_one(struct rn_play_watch *w, int i)
{
    json_decref(w->seen[i].id);
    json_decref(w->seen[i].last);
    free(w->seen[i].name);
    memmove(&w->seen[i], &w->seen[i + 1], (size_t)(--w->n - i) * sizeof w->seen[0]);
}

void rn_play_watch_clear(struct rn_play_watch *w)
{
    while (w->n)
        clear_one(w, w->n - 1);
}

static int unobserve(struct call *c)
{
    int n = c->watch->n;
    for (int i = n - 1; i >= 0; i--)
        if (json_equal(c->watch->seen[i].id, rn_play_request_word(c->request, 1)))
            clear_one(c->watch, i);
    return n == c->watch->n ? refuse(c, "nothing is observed by that id") : 0;
}

/* ---- time */

/* 12.5, "1:30" or "150f". */
static bool read_time(const struct rn_play_request *r, struct rn_read_time *time, double *sign)
{
    double v;
    const char *text = rn_play_request_text(r, 1);
    *sign = text && *text == '-' ? -1 : 1;
    if (!rn_play_request_number(r, 1, &v))
        return text && rn_read_time_parse(text + (*text == '-'), time);
    *sign = v < 0 ? -1 : 1;
    *time = (struct rn_read_time){.kind = RN_TIME_SECONDS, .seconds = fabs(v)};
    return true;
}

static int seek_frame(struct call *c, int64_t frame)
{
    c->answer->frame = frame > 0 ? frame : 0;
    rn_play_go_frame(c->p, c->answer->frame);
    return 0;
}

static int seek(struct call *c)
{
    struct rn_read_time time = {.kind = RN_TIME_NONE};
    double sign;
    const struct rn_frame *f = c->p->shown ? &c->p->shown->frame : NULL;
    bool absolute = rn_play_request_flag(c->request, 2, "absolute");
    if (!read_time(c->request, &time, &sign) || (absolute && sign < 0))
        return refuse(c, "seek takes seconds, \"1:30\" or a frame such as \"150f\"");
    c->answer->shows = true;
    if (time.kind == RN_TIME_FRAME)
        return seek_frame(c, (int64_t)sign * time.frame + (absolute || !f ? 0 : f->index));
    if (absolute)
        rn_play_go(c->p, time.seconds - (f ? f->start : 0));
    else
        rn_play_seek_by(c->p, sign * time.seconds);
    return 0;
}

static int step(struct call *c, int sign)
{
    double n = 1;
    if (rn_play_request_words(c->request) &&
        (!rn_play_request_number(c->request, 1, &n) || n != trunc(n) || n < 1 || n > RN_STEPS_MOST))
        return refuse(c, "%s takes a number of frames, 1..%d", c->request->name, RN_STEPS_MOST);
    c->answer->shows = true;
    return rn_play_act(c->p, &(struct rn_ui_event){.action = RN_ACT_FRAME, .count = sign * (int)n});
}

static int step_on(struct call *c)
{
    return step(c, 1);
}

static int step_back(struct call *c)
{
    return step(c, -1);
}

/* ---- the chain */

/* Takes the draft over. made: the edit went well. */
static int adopt(struct call *c, struct rn_chain *draft, int made)
{
    int err = made == RN_EINTERNAL ? made : 0;
    c->answer->shows = true;
    if (made)
        refuse(c, "%s", rn_log_last());
    else
        err = rn_play_property_adopt(c->p, draft, &c->answer->done, c->answer->why);
    rn_chain_destroy(&draft);
    return err;
}

/* A stage that is given by label, name or place. */
static int stage_of(struct call *c, int word)
{
    char place[24];
    const json_t *value = rn_play_request_word(c->request, word);
    const char *text = rn_play_request_text(c->request, word);
    snprintf(place, sizeof place, "%lld", (long long)json_integer_value(value));
    int stage = rn_play_parameter_stage(c->p->session->chain, text ? text : place, c->answer->why);
    c->answer->done = stage >= 0;
    return stage;
}

static int add(struct call *c)
{
    const char *text = rn_play_request_text(c->request, 1);
    double at = rn_chain_count(c->p->session->chain) + 1;
    if (rn_play_request_words(c->request) > 1 &&
        (!rn_play_request_number(c->request, 2, &at) || at < 1 ||
         at > rn_chain_count(c->p->session->chain) + 1))
        return refuse(c, "the place of a new stage is 1..%d",
                      rn_chain_count(c->p->session->chain) + 1);
    struct rn_chain *draft = rn_chain_copy(c->p->session->chain);
    return draft ? adopt(c, draft, rn_chain_insert(draft, (int)at - 1, text)) : RN_EINTERNAL;
}

static int remove_stage(struct call *c)
{
    int stage = stage_of(c, 1);
    struct rn_chain *draft = stage < 0 ? NULL : rn_chain_copy(c->p->session->chain);
    if (stage < 0 || !draft)
        return stage < 0 ? 0 : RN_EINTERNAL;
    return adopt(c, draft, rn_chain_remove(draft, stage));
}

static int duplicate(struct call *c)
{
    int stage = stage_of(c, 1);
    struct rn_chain *draft = stage < 0 ? NULL : rn_chain_copy(c->p->session->chain);
    if (stage < 0 || !draft)
        return stage < 0 ? 0 : RN_EINTERNAL;
    return adopt(c, draft, rn_chain_duplicate(draft, stage));
}

static int move(struct call *c)
{
    int stage = stage_of(c, 1), to = stage < 0 ? -1 : stage_of(c, 2);
    struct rn_chain *draft = to < 0 ? NULL : rn_chain_copy(c->p->session->chain);
    if (to < 0 || !draft)
        return to < 0 ? 0 : RN_EINTERNAL;
    return adopt(c, draft, rn_chain_move(draft, stage, to));
}

static int go_back(struct call *c, int direction)
{
    if (!rn_play_history_count(c->p->history, direction))
        return refuse(c, direction < 0 ? "nothing to undo" : "nothing to redo");
    c->answer->shows = true;
    return rn_play_undo(c->p, direction);
}

static int undo(struct call *c)
{
    return go_back(c, -1);
}

static int redo(struct call *c)
{
    return go_back(c, 1);
}

/* ---- what keys do */

static json_t *list_actions(void)
{
    json_t *all = json_array();
    char help[128];
    for (const struct rn_ui_action_row *row = rn_ui_actions; row->name; row++) {
        struct rn_app_json_object o = rn_app_json_begin();
        rn_app_json_put(&o, "name", json_string(row->name));
        rn_app_json_put(&o, "help",
                        json_string(rn_ui_action_help(row, row->count, help, sizeof help)));
        if (row->min != row->max)
            rn_app_json_put(&o, "argument", json_pack("[i, i]", row->min, row->max));
        rn_app_json_append(&all, rn_app_json_end(&o));
    }
    return all;
}

static int refuse_action(struct call *c, const char *name)
{
    const char *names[128];
    int n = 0;
    for (const struct rn_ui_action_row *row = rn_ui_actions; row->name && n < 127; row++)
        names[n++] = row->name;
    names[n] = NULL;
    const char *near = rn_nearest(name, names);
    return refuse(c, "unknown action '%.60s'%s%s%s; `play --keys` tells all", name,
                  near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static int act(struct call *c)
{
    const char *name = rn_play_request_text(c->request, 1);
    const struct rn_ui_action_row *row = rn_ui_action_find(name);
    if (!row)
        return refuse_action(c, name);
    double argument = row->count;
    bool given = rn_play_request_words(c->request) > 1;
    if (given && (!rn_play_request_number(c->request, 2, &argument) ||
                  argument != trunc(argument) || !rn_ui_action_takes(row, (long long)argument)))
        return refuse(c, row->min == row->max ? "%s takes no argument" : "%s takes %d..%d", name,
                      row->min, row->max);
    c->answer->shows = true;
    struct rn_ui_event event;
    bool told = rn_ui_do(c->p->window, row->action, (int)argument, &event);
    int err = told ? rn_play_act(c->p, &event) : 0;
    c->answer->data = rn_app_json_text(c->p->message->text);
    return err;
}

/* ---- the rest */

static int list(struct call *c)
{
    struct rn_app_json_object o = rn_app_json_begin();
    rn_app_json_put(&o, "parameters",
                    rn_play_parameter_list(c->p->session->chain, &c->p->session->analysis));
    rn_app_json_put(&o, "properties", rn_play_property_list());
    rn_app_json_put(&o, "commands", rn_play_command_list());
    rn_app_json_put(&o, "actions", list_actions());
    c->answer->data = rn_app_json_end(&o);
    return 0;
}

static int screenshot(struct call *c)
{
    const char *path = rn_play_request_text(c->request, 1);
    char name[64];
    int err = rn_play_catch_up(c->p); /* the parameters may have changed since */
    if (err)
        return err;
    if (!c->p->shown)
        return refuse(c, "nothing is shown");
    rn_play_free_name("runnel", "png", name);
    path = path ? path : name;
    if (rn_play_save_picture_as(c->p, path, rn_play_request_flag(c->request, 2, "overwrite")))
        return refuse(c, "%s", rn_log_last());
    c->answer->data = json_pack("{s:o}", "filename", rn_app_json_text(path));
    return 0;
}

static int change_input(struct call *c, int direction)
{
    c->answer->shows = true;
    int err = rn_play_next_input(c->p, direction);
    return err || c->p->input_request->wanted ? err : refuse(c, "%s", c->p->message->text);
}

static int next_input(struct call *c)
{
    return change_input(c, 1);
}

static int previous_input(struct call *c)
{
    return change_input(c, -1);
}

static int load(struct call *c)
{
    const char *path = rn_play_request_text(c->request, 1);
    bool append = rn_play_request_flag(c->request, 2, "append"), done;
    c->answer->shows = true;
    int err = rn_play_take_dropped(c->p, path, append, &done);
    return err || done ? err : refuse(c, "%s", c->p->message->text);
}

static int quit(struct call *c)
{
    c->p->quit = true;
    return 0;
}

/* ---- by name */

static const struct command {
    const char *name, *also; /* NULL: no other name */
    int least, most;         /* words behind the name */
    bool text;               /* the first one is a text */
    bool picture;            /* see rn_play_command_needs_picture */
    command_fn *run;
    const char *takes, *help;
} commands[] = {
    // clang-format off
    {"get_property", "get", 1, 1, true, false, get, "NAME", "tells a property or STAGE.PARAM"},
    {"set_property", "set", 2, 2, true, false, set, "NAME, VALUE", "sets it"},
    {"observe_property", "observe", 2, 2, false, false, observe, "ID, NAME",
     "events property-change, now and whenever it is another value"},
    {"unobserve_property", "unobserve", 1, 1, false, false, unobserve, "ID", "ends that"},
    {"list", NULL, 0, 0, false, false, list, "", "tells all parameters, properties and commands"},
    {"seek", NULL, 1, 2, false, false, seek, "TIME, \"relative\" or \"absolute\"",
     "goes on by seconds or frames (\"-10f\"), or to there; exact"},
    {"frame-step", NULL, 0, 1, false, false, step_on, "N", "pauses, and shows the frame N further"},
    {"frame-back-step", NULL, 0, 1, false, false, step_back, "N", "likewise, back"},
    {"screenshot", "screenshot-to-file", 0, 2, false, true, screenshot, "FILE, \"overwrite\"",
     "saves the filtered frame; without FILE as runnel-0001.png or the next free number"},
    {"add", NULL, 1, 2, true, false, add, "CHAIN, PLACE",
     "adds stages, at the end or before PLACE"},
    {"remove", NULL, 1, 1, false, false, remove_stage, "STAGE", "removes one"},
    {"move", NULL, 2, 2, false, false, move, "STAGE, PLACE", "moves it"},
    {"duplicate", NULL, 1, 1, false, false, duplicate, "STAGE", "puts a copy behind it"},
    {"undo", NULL, 0, 0, false, false, undo, "", "takes the last change back"},
    {"redo", NULL, 0, 0, false, false, redo, "", "makes it again"},
    {"playlist-next", NULL, 0, 0, false, false, next_input, "", "goes to the next input"},
    {"playlist-prev", NULL, 0, 0, false, false, previous_input, "", "goes to the one before"},
    {"loadfile", NULL, 1, 2, true, false, load, "FILE, \"append\"",
     "opens another input in place of the list, or adds it to that"},
    {"action", NULL, 1, 2, true, false, act, "NAME, ARGUMENT",
     "what a key of that action does (`play --keys`); tells what the window then says"},
    {"quit", NULL, 0, 0, false, false, quit, "", "ends the preview"},
    // clang-format on
};
#define NCOMMANDS ((int)(sizeof commands / sizeof *commands))

json_t *rn_play_command_list(void)
{
    json_t *all = json_array();
    for (int i = 0; i < NCOMMANDS; i++)
        rn_app_json_append(&all, json_pack("{s:s, s:s, s:s}", "name", commands[i].name, "takes",
                                           commands[i].takes, "help", commands[i].help));
    return all;
}

static const struct command *find(const char *name)
{
    for (int i = 0; i < NCOMMANDS; i++)
        if (!strcmp(commands[i].name, name) ||
            (commands[i].also && !strcmp(commands[i].also, name)))
            return &commands[i];
    return NULL;
}

bool rn_play_command_needs_picture(const struct rn_play_request *request)
{
    const struct command *command = find(request->name);
    const char *name = rn_play_request_text(request, 1);
    bool measures = command && command->run == get && name && !strcmp(name, "stats");
    return command && (command->picture || measures);
}

static int refuse_name(struct call *c)
{
    const char *names[NCOMMANDS + 1];
    for (int i = 0; i < NCOMMANDS; i++)
        names[i] = commands[i].name;
    names[NCOMMANDS] = NULL;
    const char *near = rn_nearest(c->request->name, names);
    return refuse(c, "unknown command '%.60s'%s%s%s", c->request->name,
                  near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

int rn_play_command_do(struct rn_play *p, const struct rn_play_request *request,
                       struct rn_play_watch *watch, struct rn_play_answer *answer)
{
    struct call c = {p, request, watch, answer};
    const struct command *command = find(request->name);
    int n = rn_play_request_words(request);
    if (!command)
        return refuse_name(&c);
    if (n < command->least || n > command->most ||
        (command->text && !rn_play_request_text(request, 1)))
        return refuse(&c, *command->takes ? "%s takes %s" : "%s takes nothing%s", command->name,
                      command->takes);
    return command->run(&c);
}
