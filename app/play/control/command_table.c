/* SPDX-License-Identifier: MIT */
#include "app/play/control/command_table.h"

#include "app/play/edit/settings.h"
#include "app/play/loop/player.h"
#include "app/help/help.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COMMANDS 128
#define MAX_FRAME    1e15 /* exact in a double, as is its sum with an index */

const struct rn_ui_command *const *rn_play_commands(void)
{
    static const struct rn_play_command *const tables[] = {
        rn_play_chain_commands, rn_play_view_commands,    rn_play_time_commands,
        rn_play_value_commands, rn_play_program_commands, rn_play_script_commands,
    };
    static const struct rn_ui_command *list[MAX_COMMANDS];
    int n = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !list[n]; i++)
        for (const struct rn_play_command *row = tables[i]; row->ui.name; row++) {
            assert(n < MAX_COMMANDS - 1);
            list[n++] = &row->ui;
        }
    return list;
}

static const struct rn_play_command *row_of(const struct rn_ui_command *command)
{
    return (const struct rn_play_command *)command;
}

static const struct rn_play_command *find(const char *name)
{
    for (const struct rn_ui_command *const *c = rn_play_commands(); *c; c++)
        if (!strcmp((*c)->name, name) || (row_of(*c)->also && !strcmp(row_of(*c)->also, name)))
            return row_of(*c);
    return NULL;
}

/* ---- what is refused */

int rn_play_refuse(struct rn_play_call *c, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(c->answer->why, RN_PLAY_WHY, fmt, args);
    va_end(args);
    c->answer->done = false;
    return 0;
}

/* Writes the arguments as they are typed: STAGE PLACE. Returns buf. */
static char *describe(const struct rn_ui_command *command, char *buf, size_t size)
{
    size_t used = 0;
    *buf = '\0';
    for (int i = 0; i < RN_UI_ARGS && command->args[i].type; i++) {
        const struct rn_ui_arg *arg = &command->args[i];
        const char *quote = arg->choices[0] ? "\"" : "";
        const char *other = arg->choices[1] ? arg->choices[1] : NULL;
        used += (size_t)snprintf(buf + used, size - used, "%s%s%s%s%s%s%s", i ? " " : "", quote,
                                 arg->choices[0] ? arg->choices[0] : arg->name, quote,
                                 other ? " or \"" : "", other ? other : "", other ? "\"" : "");
    }
    return buf;
}

static int refuse_arguments(struct rn_play_call *c)
{
    char text[128];
    const struct rn_ui_command *command = &c->command->ui;
    return rn_play_refuse(c, "%s takes %s", command->name,
                          *describe(command, text, sizeof text) ? text : "nothing");
}

/* ---- arguments */

/* Reads 12.5, "1:30" or "-150f". */
static bool read_time(struct rn_play_value *value)
{
    struct rn_io_time time;
    const char *text = json_string_value(value->json);
    bool minus = text && *text == '-';
    value->number = json_number_value(value->json);
    if (!text)
        return json_is_number(value->json);
    if (!rn_read_time_parse(text + minus, &time))
        return false;
    value->frames = time.kind == RN_TIME_FRAME;
    double size = value->frames ? fmin((double)time.frame, MAX_FRAME) : time.seconds;
    value->number = minus ? -size : size;
    return true;
}

static bool read_argument(struct rn_play_call *c, int i, const json_t *word)
{
    const struct rn_ui_arg *arg = &c->command->ui.args[i];
    struct rn_play_value *value = &c->arg[i];
    value->json = word;
    value->text = json_string_value(word);
    switch (arg->type) {
    case RN_ARG_INT:
        value->number = json_number_value(word);
        if (!json_is_number(word) || !rn_ui_arg_takes(arg, value->number))
            return rn_play_refuse(c, "%s takes %d..%d", c->command->ui.name, arg->min, arg->max);
        c->count = i ? c->count : (int)value->number;
        return true;
    case RN_ARG_TIME:
        if (!read_time(value))
            return rn_play_refuse(c, "%s takes seconds, \"1:30\" or a frame such as \"150f\"",
                                  c->command->ui.name);
        return true;
    case RN_ARG_CHOICE: /* any other word counts as none */
        for (int k = 0; k < 2 && value->text && arg->choices[k]; k++)
            if (!strcmp(arg->choices[k], value->text))
                return true;
        value->text = NULL;
        return true;
    case RN_ARG_STAGE:
        if (json_is_integer(word)) {
            snprintf(c->number[i], sizeof c->number[i], "%lld",
                     (long long)json_integer_value(word));
            value->text = c->number[i];
        }
        break;
    default:
        break;
    }
    return value->text || arg->type == RN_ARG_JSON || refuse_arguments(c);
}

/* ---- calls */

static int run(struct rn_play_call *c)
{
    bool now = c->command->ui.flags & RN_COMMAND_NOW;
    c->answer->shows |= !now;
    if (!now)
        rn_play_redraw(c->p);
    rn_play_hint_done(c->p, c->command->ui.name);
    if (c->command->run)
        return c->command->run(c);
    if (c->command->attempt)
        return c->command->attempt(c->p);
    if (c->command->attempt_by)
        return c->command->attempt_by(c->p, c->count);
    if (c->command->act)
        c->command->act(c->p);
    else
        c->command->act_by(c->p, c->count);
    return 0;
}

int rn_play_run_command(struct rn_play *p, const struct rn_ui_command *command, int count)
{
    struct rn_play_answer answer = {.done = true, .frame = -1};
    struct rn_play_call call = {.p = p,
                                .command = row_of(command),
                                .count = count,
                                .arg = {{.number = count}},
                                .answer = &answer};
    int err = run(&call);
    if (!answer.done)
        rn_play_say(p, "%s", answer.why);
    json_decref(answer.data);
    return err;
}

int rn_play_run_request(struct rn_play *p, const struct rn_play_request *request,
                        struct rn_play_watch *watch, struct rn_play_answer *answer)
{
    struct rn_play_call call = {
        .p = p, .command = find(request->name), .watch = watch, .answer = answer};
    int n = (int)json_array_size(request->word) - 1, nargs = 0;
    if (!call.command) {
        const char *names[MAX_COMMANDS] = {NULL};
        for (int i = 0; rn_play_commands()[i]; i++)
            names[i] = rn_play_commands()[i]->name;
        rn_play_unknown(answer->why, "unknown command", request->name, names, "");
        answer->done = false;
        return 0;
    }
    while (nargs < RN_UI_ARGS && call.command->ui.args[nargs].type)
        nargs++;
    if (n < call.command->least || n > nargs)
        return refuse_arguments(&call);
    call.count = rn_ui_command_default(&call.command->ui);
    for (int i = 0; i < n; i++)
        if (!read_argument(&call, i, json_array_get(request->word, (size_t)i + 1)))
            return 0;
    /* What scripts say is not typed by the user of the window. */
    const char *before = rn_stage_origin(watch ? "--ipc" : NULL);
    p->scripted = watch;
    int err = run(&call);
    p->scripted = false;
    rn_stage_origin(before);
    return err;
}

/* ---- lines that are typed */

static bool has_names(const struct rn_ui_arg *arg)
{
    return arg->type == RN_ARG_CHOICE || arg->type == RN_ARG_PROPERTY || arg->type == RN_ARG_PRESET;
}

/* The end of a line: in the name of a command, which then is NULL, or in argument number arg. */
struct end {
    const struct rn_play_command *command;
    int arg;
    const char *word; /* typed so far */
};

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}

static struct end end_of(const char *line)
{
    char name[64];
    struct end end = {.word = skip_blanks(line)};
    size_t n = strcspn(end.word, " ");
    if (!end.word[n] || n >= sizeof name)
        return end;
    snprintf(name, sizeof name, "%.*s", (int)n, end.word);
    end.command = find(name);
    end.word = skip_blanks(end.word + n);
    for (; end.command && end.arg + 1 < RN_UI_ARGS; end.arg++) {
        const char *next = strchr(end.word, ' ');
        if (!next || !end.command->ui.args[end.arg + 1].type)
            break;
        end.word = skip_blanks(next);
    }
    return end;
}

int rn_play_command_line(struct rn_play *p, const char *line, bool *done)
{
    struct rn_play_answer answer = {.done = true, .frame = -1};
    const char *word = skip_blanks(line), *name;
    json_auto_t *words = json_pack("[o]", json_stringn(word, strcspn(word, " ")));
    const struct rn_play_command *command = NULL;
    if (!words || !(name = json_string_value(json_array_get(words, 0))))
        return rn_fail_memory();
    command = find(name);
    word = skip_blanks(word + strlen(name));
    for (int i = 0; command && *word; i++) {
        static const struct rn_ui_arg none; /* an argument too many, which is refused */
        const struct rn_ui_arg *arg = i < RN_UI_ARGS ? &command->ui.args[i] : &none;
        bool rest = i + 1 >= RN_UI_ARGS || !command->ui.args[i + 1].type;
        size_t n = rest ? strlen(word) : strcspn(word, " ");
        /* As in scripts: a number, true, or a text. */
        bool text = arg->type == RN_ARG_TEXT || has_names(arg);
        json_t *value = text ? NULL : json_loadb(word, n, JSON_DECODE_ANY, NULL);
        json_array_append_new(words, value ? value : json_stringn(word, n));
        word = skip_blanks(word + n);
    }
    const struct rn_play_request request = {.name = name, .word = words};
    int err = rn_play_run_request(p, &request, NULL, &answer);
    char *text = rn_app_json_dump(answer.data, JSON_ENCODE_ANY | JSON_COMPACT);
    if (!answer.done || text)
        rn_play_say(p, "%s", answer.done ? text : answer.why);
    *done = answer.done;
    free(text);
    json_decref(answer.data);
    return err;
}

/* First the name that equals the word, then names that begin with it, names that contain it, lines
 * of the help that do, titles of the help that do. */
static bool offer_command(const char *word, int n, struct rn_app_offer *offer)
{
    for (int grade = 5; grade > 0; grade--) {
        const char *group = "";
        for (const struct rn_ui_command *const *c = rn_play_commands(); *c; c++) {
            const char *name = (*c)->name, *found = strstr(name, word);
            group = (*c)->group ? (*c)->group : group;
            int fit = !strcmp(name, word)              ? 5
                      : found == name                  ? 4
                      : found                          ? 3
                      : rn_app_holds((*c)->help, word) ? 2
                      : rn_app_holds(group, word)      ? 1
                                                       : 0;
            if (fit != grade || n--)
                continue;
            char takes[120], help[128];
            *offer = (struct rn_app_offer){.name = (*c)->name, .is_whole = !row_of(*c)->least};
            describe(*c, takes, sizeof takes);
            rn_ui_command_help(*c, rn_ui_command_default(*c), help, sizeof help);
            snprintf(offer->note, sizeof offer->note, "%s%s%s", takes, *takes ? "  " : "", help);
            return true;
        }
    }
    return false;
}

static bool offer_word(const char *name, const char *note, const char *word, int *n,
                       struct rn_app_offer *offer)
{
    if (strncmp(name, word, strlen(word)) != 0 || (*n)--)
        return false;
    *offer = (struct rn_app_offer){.name = name};
    snprintf(offer->note, sizeof offer->note, "%s", note);
    return true;
}

static bool offer_argument(const struct rn_ui_arg *arg, const char *word, int n,
                           struct rn_app_offer *offer)
{
    const char *name, *help;
    struct rn_app_preset preset[RN_PRESETS_MOST];
    char about[RN_PRESET_ABOUT];
    if (arg->type == RN_ARG_CHOICE) {
        for (int i = 0; i < 2 && arg->choices[i]; i++)
            if (offer_word(arg->choices[i], "", word, &n, offer))
                return true;
    } else if (arg->type == RN_ARG_PROPERTY) {
        for (int i = 0; (name = rn_play_property_name(i, &help)); i++)
            if (offer_word(name, help, word, &n, offer))
                return true;
    } else if (arg->type == RN_ARG_PRESET) {
        for (int i = 0, all = rn_app_presets_list(preset); i < all; i++)
            if (offer_word(preset[i].name, rn_app_preset_about(&preset[i], about), word, &n, offer))
                return true;
    } else if (arg->type && !n) {
        *offer = (struct rn_app_offer){.name = arg->name};
        if (arg->type == RN_ARG_INT)
            snprintf(offer->note, sizeof offer->note, "%d..%d", arg->min, arg->max);
        return true;
    }
    return false;
}

bool rn_play_command_offer(const char *line, int n, struct rn_app_offer *offer)
{
    struct end end = end_of(line);
    if (!end.command)
        return end.word == skip_blanks(line) && offer_command(end.word, n, offer);
    if (!offer_argument(&end.command->ui.args[end.arg], end.word, n, offer))
        return false;
    if (!*offer->note) /* the row above, which had it, has gone */
        snprintf(offer->note, sizeof offer->note, "%s", end.command->ui.help);
    return true;
}

void rn_play_command_complete(char *line, size_t size, int n)
{
    struct rn_app_offer offer;
    struct end end = end_of(line);
    size_t at = (size_t)(end.word - line);
    if (!rn_play_command_offer(line, n, &offer))
        return;
    const struct rn_ui_arg *args =
        end.command ? &end.command->ui.args[end.arg] : find(offer.name)->ui.args;
    bool more = end.command ? end.arg + 1 < RN_UI_ARGS && args[1].type : args[0].type;
    bool known = !end.command || has_names(&args[0]);
    if (known && at + strlen(offer.name) + 2 <= size)
        snprintf(line + at, size - at, "%s%s", offer.name, more ? " " : "");
}

bool rn_play_command_needs_picture(const struct rn_play_request *request)
{
    const struct rn_play_command *command = find(request->name);
    const char *name = json_string_value(json_array_get(request->word, 1));
    bool measures = name && !strcmp(name, "stats") && command == find("get_property");
    return command && (command->ui.flags & RN_COMMAND_PICTURE || measures);
}

json_t *rn_play_command_list(void)
{
    json_t *all = json_array();
    char takes[128], help[128];
    const char *group = "";
    for (const struct rn_ui_command *const *c = rn_play_commands(); *c; c++) {
        group = (*c)->group ? (*c)->group : group;
        rn_app_json_append(
            &all, json_pack("{s:s, s:s, s:s, s:s, s:b}", "name", (*c)->name, "group", group,
                            "takes", describe(*c, takes, sizeof takes), "help",
                            rn_ui_command_help(*c, rn_ui_command_default(*c), help, sizeof help),
                            "undoable", !!((*c)->flags & RN_COMMAND_UNDOABLE)));
    }
    return all;
}
