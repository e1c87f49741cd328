/* SPDX-License-Identifier: MIT */
#include "app/play/control/command_table.h"

#include "app/play/loop/player.h"
#include "app/play/view/compare.h"
#include "app/help/help.h"
#include "filters/base/owned.h"

#include <math.h>

enum type { TYPE_ANY, TYPE_SWITCH, TYPE_WHOLE, TYPE_NUMBER, TYPE_TEXT };

struct property {
    const char *name, *help;
    enum type type;
    json_t *(*get)(struct rn_play *p); /* NULL: a bool of the player: */
    size_t flag;                       /* its offset */
    /* Sets a value of the type and range; returns as the function of a command does. A switch may
     * be turned by the command that has its name. Without both it is only read. */
    int (*set)(struct rn_play_call *call, const json_t *value);
    bool turns;
    double min, max;
};

/* property.get that tells the value of an expression. */
#define GETS(name, value)                                                                          \
    static json_t *name(struct rn_play *p)                                                         \
    {                                                                                              \
        return value;                                                                              \
    }

/* ---- time */

GETS(get_time,
     p->shown ? rn_app_json_real(p->shown->frame.start + p->shown->frame.time) : json_null())
GETS(get_frame, p->shown ? json_integer(p->shown->frame.index) : json_null())
GETS(get_duration, rn_app_json_when(p->session->stream->duration >= 0,
                                    rn_app_json_real(p->session->stream->duration)))
GETS(get_frames, rn_app_json_count(p->session->stream->frames))

static int set_time(struct rn_play_call *c, const json_t *value)
{
    struct rn_play *p = c->p;
    rn_play_go(p, json_number_value(value) - (p->shown ? p->shown->frame.start : 0));
    return 0;
}

static int set_frame(struct rn_play_call *c, const json_t *value)
{
    c->answer->frame = json_integer_value(value);
    rn_play_go_frame(c->p, c->answer->frame);
    return 0;
}

/* ---- switches, which the command of their name turns */

GETS(get_split, json_boolean(rn_play_is_split(p)))
GETS(get_mute, json_boolean(p->sound->muted))
GETS(get_volume, rn_app_json_real(rint(100 * p->sound->volume)))

static int set_volume(struct rn_play_call *c, const json_t *value)
{
    struct rn_play_sound *sound = c->p->sound;
    rn_play_sound_level(sound, json_number_value(value) / 100, sound->muted);
    return 0;
}

/* ---- the chain */

static json_t *get_chain(struct rn_play *p)
{
    RN_OWNED(rn_free_owned) char *text = rn_chain_format(p->session->chain);
    return text ? rn_app_json_text(text) : NULL;
}

static int set_chain(struct rn_play_call *c, const json_t *value)
{
    RN_OWNED(rn_chain_destroy) struct rn_chain *target = NULL;
    int err = rn_chain_parse(&target, json_string_value(value));
    if (err)
        return err == RN_EINTERNAL ? err : rn_play_refuse(c, "%s", rn_log_last());
    return rn_play_call_adopt(c, target);
}

static int set_parameter(struct rn_play_call *c, const char *name, const json_t *value)
{
    int stage;
    const struct rn_param *row;
    const struct rn_chain *chain = c->p->session->chain;
    c->answer->done = rn_play_parameter_find(chain, name, &stage, &row, c->answer->why);
    if (!c->answer->done)
        return 0;
    RN_OWNED(rn_chain_destroy) struct rn_chain *target = rn_chain_copy(chain);
    if (!target)
        return RN_EINTERNAL;
    c->answer->done = rn_play_parameter_set(target, stage, row, value, c->answer->why);
    return c->answer->done ? rn_play_call_adopt(c, target) : 0;
}

/* ---- what is shown */

GETS(get_path, rn_app_json_text(p->session->cli->operand[0]))

static json_t *get_list(struct rn_play *p)
{
    json_t *list = json_array();
    for (int i = 0; i < rn_play_inputs(p)->n; i++)
        rn_app_json_append(&list, rn_app_json_text(rn_play_inputs(p)->name[i]));
    return list;
}

GETS(get_place, json_integer(rn_play_inputs(p)->index))

static int set_place(struct rn_play_call *c, const json_t *value)
{
    struct rn_play *p = c->p;
    json_int_t i = json_integer_value(value);
    if (i >= rn_play_inputs(p)->n)
        return rn_play_refuse(c, "a place in the list is a number 0..%d", rn_play_inputs(p)->n - 1);
    return rn_play_request_input(p, (int)i, 0) ? 0 : rn_play_refuse_as_said(c);
}

GETS(get_width, json_integer(p->session->analysis.out.w))
GETS(get_height, json_integer(p->session->analysis.out.h))
GETS(get_fps, rn_app_json_real(p->times->fps))
GETS(get_response, rn_app_json_real(p->times->response))
GETS(get_dropped, json_integer(p->dropped))
GETS(get_end, json_boolean(rn_play_at_end(p)))
GETS(get_message, rn_app_json_text(rn_play_latest_message(p)))

static json_t *get_figures(struct rn_play *p)
{
    char line[200] = "";
    if (p->shown)
        rn_play_tell_figures(p, line, sizeof line);
    return *line ? rn_app_json_text(line) : json_null();
}

static json_t *tell_planes(const struct rn_image *img)
{
    json_t *list = json_array();
    for (int i = 0; i < rn_format_planes(&img->geom.fmt) && list; i++) {
        struct rn_measure m;
        json_t *plane = NULL;
        if (!rn_play_region_measure_whole(&m, img, i))
            plane = rn_app_json_make(
                "plane:t samples:I mean:f sd:f min:f max:f l1:f l2:f linf:f entropy:f unit:t",
                rn_plane_name(m.fmt, m.plane), (int64_t)m.samples, m.mean, sqrt(m.variance), m.min,
                m.max, m.l1, m.l2, m.linf, m.entropy, m.unit ? m.unit : "");
        rn_app_json_append(&list, plane);
    }
    return list;
}

json_t *rn_play_property_stats(struct rn_play *p)
{
    if (!p->shown || rn_play_is_filtering(p))
        return json_null();
    return rn_app_json_make("frame:o time:o fps:o dropped:o planes:o", get_frame(p), get_time(p),
                            get_fps(p), get_dropped(p), tell_planes(&p->shown->out));
}

/* ---- by name */

static const struct property properties[] = {
    // clang-format off
    {"pause", "whether it stands", TYPE_SWITCH, .flag = offsetof(struct rn_play, paused),
     .turns = true},
    {"time-pos", "seconds of the frame that is shown; to go there", TYPE_NUMBER, .get = get_time,
     .set = set_time, .min = -INFINITY, .max = INFINITY},
    {"frame", "its number in the input, from 0; to go there", TYPE_WHOLE, .get = get_frame,
     .set = set_frame, .min = 0, .max = INFINITY},
    {"duration", "seconds of the input; null: unknown", TYPE_NUMBER, .get = get_duration},
    {"frames", "frames of the input; null: unknown", TYPE_WHOLE, .get = get_frames},
    {"eof-reached", "whether its last frame is shown", TYPE_SWITCH, .get = get_end},
    {"loop", "whether it begins again at the end", TYPE_SWITCH,
     .flag = offsetof(struct rn_play, loop), .turns = true},
    {"chain", "the chain as behind -f", TYPE_TEXT, .get = get_chain, .set = set_chain},
    {"bypass", "whether the whole chain is bypassed", TYPE_SWITCH,
     .flag = offsetof(struct rn_play, bypass), .turns = true},
    {"split", "whether original and filtered are shown", TYPE_SWITCH, .get = get_split,
     .turns = true},
    {"stats", "what `stats` measures of the filtered frame, with frame, time, fps, dropped",
     TYPE_ANY, .get = rn_play_property_stats},
    {"figures", "PSNR and SSIM of two chosen states, or why there are none",
     TYPE_TEXT, .get = get_figures},
    {"fps", "frames shown in the last second", TYPE_NUMBER, .get = get_fps},
    {"response", "milliseconds from the last change of a parameter to its picture", TYPE_NUMBER,
     .get = get_response},
    {"dropped", "frames that came too late", TYPE_WHOLE, .get = get_dropped},
    {"path", "the input", TYPE_TEXT, .get = get_path},
    {"playlist", "all inputs", TYPE_ANY, .get = get_list},
    {"playlist-pos", "which of them it is, from 0; to go there", TYPE_WHOLE, .get = get_place,
     .set = set_place, .min = 0, .max = INFINITY},
    {"width", "pixels of the filtered picture", TYPE_WHOLE, .get = get_width},
    {"height", "likewise", TYPE_WHOLE, .get = get_height},
    {"volume", "of the sound, in per cent", TYPE_NUMBER, .get = get_volume, .set = set_volume,
     .min = 0, .max = 100},
    {"mute", "whether the sound is off", TYPE_SWITCH, .get = get_mute, .turns = true},
    {"message", "what the window said last", TYPE_TEXT, .get = get_message},
    // clang-format on
};
#define NPROPERTIES ((int)(sizeof properties / sizeof *properties))

static const struct property *find(const char *name, char why[RN_PLAY_WHY])
{
    const char *names[NPROPERTIES + 1] = {NULL};
    for (int i = 0; i < NPROPERTIES; i++) {
        names[i] = properties[i].name;
        if (!strcmp(names[i], name))
            return &properties[i];
    }
    rn_play_unknown(why, "no property", name, names,
                    "; parameters are STAGE.PARAM, and \"list\" tells all");
    return NULL;
}

static json_t *value_of(struct rn_play *p, const struct property *property)
{
    return property->get ? property->get(p)
                         : json_boolean(*(const bool *)((const char *)p + property->flag));
}

json_t *rn_play_property_get(struct rn_play *p, const char *name, char why[RN_PLAY_WHY])
{
    int stage;
    const struct rn_param *row;
    const struct property *property = find(name, why);
    bool known = property;
    if (!known && strchr(name, '.'))
        known = rn_play_parameter_find(p->session->chain, name, &stage, &row, why);
    if (!known)
        return NULL;
    snprintf(why, RN_PLAY_WHY, "out of memory");
    return property ? value_of(p, property)
                    : rn_app_describe_value(rn_chain_stage(p->session->chain, stage), row);
}

/* ---- setting by type */

/* Writes the type and range of a property for people. Returns buf. */
static char *describe(const struct property *property, char *buf, size_t size)
{
    static const char *const names[] = {"JSON", "true or false", "a whole number", "a number",
                                        "a text"};
    bool bounded = isfinite(property->max);
    if (isfinite(property->min) && property->max > property->min)
        snprintf(buf, size, bounded ? "%s %d..%d" : "%s from %d on", names[property->type],
                 (int)property->min, bounded ? (int)property->max : 0);
    else
        snprintf(buf, size, "%s", names[property->type]);
    return buf;
}

/* Whether a property takes a value; if not, the call is refused. */
static bool takes(struct rn_play_call *c, const struct property *property, const json_t *value)
{
    double v = json_number_value(value);
    bool in_range = json_is_number(value) && v >= property->min && v <= property->max;
    const bool fits[] = {[TYPE_SWITCH] = json_is_boolean(value),
                         [TYPE_WHOLE] = json_is_integer(value) && in_range,
                         [TYPE_NUMBER] = in_range,
                         [TYPE_TEXT] = json_is_string(value)};
    char text[64];
    return fits[property->type] ||
           rn_play_refuse(c, "%s takes %s", property->name, describe(property, text, sizeof text));
}

int rn_play_property_set(struct rn_play_call *c, const char *name, const json_t *value)
{
    const struct property *property = find(name, c->answer->why);
    if (!property && strchr(name, '.'))
        return set_parameter(c, name, value);
    c->answer->done = property;
    if (!property)
        return 0;
    if (!property->set && !property->turns)
        return rn_play_refuse(c, "'%s' can only be read", name);
    if (!takes(c, property, value))
        return 0;
    if (property->set)
        return property->set(c, value);
    const struct rn_ui_command *command = rn_ui_command_find(rn_play_commands(), name);
    json_auto_t *current = value_of(c->p, property);
    bool other = json_is_true(current) != json_is_true(value);
    return other ? rn_play_run_command(c->p, command, rn_ui_command_default(command)) : 0;
}

const char *rn_play_property_name(int i, const char **help)
{
    *help = i < NPROPERTIES ? properties[i].help : NULL;
    return i < NPROPERTIES ? properties[i].name : NULL;
}

json_t *rn_play_property_list(void)
{
    json_t *list = json_array();
    char type[64];
    for (const struct property *row = properties; row < properties + NPROPERTIES; row++)
        rn_app_json_append(&list, rn_app_json_make("name:t type:t help:t settable:b", row->name,
                                                   describe(row, type, sizeof type), row->help,
                                                   row->set || row->turns));
    return list;
}
