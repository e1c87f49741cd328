#include "app/play/remote/property.h"

#include "app/run/json.h"
#include "app/play/edit/parameter.h"
#include "app/play/loop/player.h"
#include "app/play/edit/tuner.h"
#include "app/play/loop/sound.h"
#include "app/play/view/message.h"
#include "app/play/view/region.h"
#include "app/play/view/compare.h"
#include "app/play/loop/input.h"
#include "app/play/loop/times.h"
#include "app/run/session.h"
#include "ui/speaker.h"
#include "ui/window.h"
#include "app/play/loop/seek.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/text/nearest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct property {
    const char *name, *help;
    json_t *(*get)(struct rn_play *p);
    /* Returns 0 or an error that ends all. *done is false and why set where the value is wrong. */
    int (*set)(struct rn_play *p, const json_t *value, bool *done, char why[RN_PLAY_WHY]);
};

static int refuse(char why[RN_PLAY_WHY], const char *what)
{
    snprintf(why, RN_PLAY_WHY, "%s", what);
    return 0;
}

/* ---- time */

static json_t *get_time(struct rn_play *p)
{
    return p->shown ? rn_app_json_real(p->shown->frame.start + p->shown->frame.time) : json_null();
}

static json_t *get_frame(struct rn_play *p)
{
    return p->shown ? json_integer(p->shown->frame.index) : json_null();
}

static json_t *get_duration(struct rn_play *p)
{
    return rn_app_json_when(p->session->stream->duration >= 0,
                            rn_app_json_real(p->session->stream->duration));
}

static json_t *get_frames(struct rn_play *p)
{
    return rn_app_json_count(p->session->stream->frames);
}

static int set_time(struct rn_play *p, const json_t *value, bool *done, char why[RN_PLAY_WHY])
{
    double start = p->shown ? p->shown->frame.start : 0;
    *done = json_is_number(value);
    if (!*done)
        return refuse(why, "a time is a number of seconds");
    rn_play_go(p, json_number_value(value) - start);
    return 0;
}

static int set_frame(struct rn_play *p, const json_t *value, bool *done, char why[RN_PLAY_WHY])
{
    *done = json_is_integer(value) && json_integer_value(value) >= 0;
    if (!*done)
        return refuse(why, "a frame is a whole number from 0 on");
    rn_play_go_frame(p, json_integer_value(value));
    return 0;
}

/* ---- switches */

static int toggle(struct rn_play *p, enum rn_ui_action action, bool now, const json_t *value,
                  bool *done, char why[RN_PLAY_WHY])
{
    *done = json_is_boolean(value);
    if (!*done)
        return refuse(why, "it takes true or false");
    struct rn_ui_event event = {.action = action};
    return now == json_is_true(value) ? 0 : rn_play_act(p, &event);
}

#define SWITCH(name, action, field)                                                                \
    static json_t *get_##name(struct rn_play *p)                                                   \
    {                                                                                              \
        return json_boolean(p->field);                                                             \
    }                                                                                              \
    static int set_##name(struct rn_play *p, const json_t *value, bool *done,                      \
                          char why[RN_PLAY_WHY])                                                   \
    {                                                                                              \
        return toggle(p, action, p->field, value, done, why);                                      \
    }
SWITCH(pause, RN_ACT_PAUSE, paused)
SWITCH(bypass, RN_ACT_BYPASS, bypass)
SWITCH(split, RN_ACT_SPLIT, compare->layout == RN_LAYOUT_SPLIT)
SWITCH(loop, RN_ACT_LOOP, loop)
SWITCH(mute, RN_ACT_MUTE, sound->muted)

static json_t *get_volume(struct rn_play *p)
{
    return rn_app_json_real(rint(100 * p->sound->volume));
}

static int set_volume(struct rn_play *p, const json_t *value, bool *done, char why[RN_PLAY_WHY])
{
    double v = json_number_value(value);
    *done = json_is_number(value) && v >= 0 && v <= 100;
    if (!*done)
        return refuse(why, "a volume is a number 0..100");
    p->sound->volume = v / 100;
    if (p->sound->speaker && !p->sound->muted)
        rn_ui_speaker_volume(p->sound->speaker, p->sound->volume);
    return 0;
}

/* ---- the chain */

static json_t *get_chain(struct rn_play *p)
{
    char *text = rn_chain_format(p->session->chain);
    json_t *json = text ? rn_app_json_text(text) : NULL;
    free(text);
    return json;
}

/* What was said last, without what an answer says by being one. */
static void say_why(const struct rn_play *p, char why[RN_PLAY_WHY])
{
    static const char begin[] = "refused: ";
    bool begins = !strncmp(p->message->text, begin, sizeof begin - 1);
    refuse(why, p->message->text + (begins ? sizeof begin - 1 : 0));
}

int rn_play_property_adopt(struct rn_play *p, const struct rn_chain *there, bool *done,
                           char why[RN_PLAY_WHY])
{
    int err = rn_play_adopt(p, there, "set by a script");
    *done = !err && !p->tuner->refused;
    if (!*done)
        say_why(p, why);
    return err;
}

static int set_chain(struct rn_play *p, const json_t *value, bool *done, char why[RN_PLAY_WHY])
{
    struct rn_chain *there = NULL;
    *done = false;
    if (!json_is_string(value))
        return refuse(why, "a chain is a text, as behind -f");
    int err = rn_chain_parse(&there, json_string_value(value));
    if (err)
        return err == RN_EINTERNAL ? err : refuse(why, rn_log_last());
    err = rn_play_property_adopt(p, there, done, why);
    rn_chain_destroy(&there);
    return err;
}

static int set_parameter(struct rn_play *p, const char *name, const json_t *value, bool *done,
                         char why[RN_PLAY_WHY])
{
    int stage;
    const struct rn_param *row;
    *done = false;
    if (!rn_play_parameter_find(p->session->chain, name, &stage, &row, why))
        return 0;
    struct rn_chain *there = rn_chain_copy(p->session->chain);
    if (!there)
        return RN_EINTERNAL;
    int err = rn_play_parameter_set(there, stage, row, value, why)
                  ? rn_play_property_adopt(p, there, done, why)
                  : 0;
    rn_chain_destroy(&there);
    return err;
}

/* ---- what is shown */

static json_t *get_path(struct rn_play *p)
{
    return rn_app_json_text(p->session->cli->operand[0]);
}

static json_t *get_list(struct rn_play *p)
{
    json_t *list = json_array();
    for (int i = 0; i < p->inputs->n; i++)
        rn_app_json_append(&list, rn_app_json_text(p->inputs->name[i]));
    return list;
}

static json_t *get_place(struct rn_play *p)
{
    return json_integer(p->inputs->now);
}

static int set_place(struct rn_play *p, const json_t *value, bool *done, char why[RN_PLAY_WHY])
{
    json_int_t i = json_integer_value(value);
    *done = json_is_integer(value) && i >= 0 && i < p->inputs->n;
    if (!*done)
        snprintf(why, RN_PLAY_WHY, "a place in the list is a number 0..%d", p->inputs->n - 1);
    int err = *done ? rn_play_choose_input(p, (int)i, done) : 0;
    if (i >= 0 && i < p->inputs->n && !*done)
        say_why(p, why);
    return err;
}

static json_t *get_width(struct rn_play *p)
{
    return json_integer(p->session->analysis.out.w);
}

static json_t *get_height(struct rn_play *p)
{
    return json_integer(p->session->analysis.out.h);
}

static json_t *get_fps(struct rn_play *p)
{
    return rn_app_json_real(p->times->fps);
}

static json_t *get_dropped(struct rn_play *p)
{
    return json_integer(p->dropped);
}

static json_t *get_end(struct rn_play *p)
{
    return json_boolean(rn_play_at_end(p));
}

static json_t *get_message(struct rn_play *p)
{
    return rn_app_json_text(p->message->text);
}

static json_t *tell_plane(const struct rn_measure *m)
{
    struct rn_app_json_object o = rn_app_json_begin();
    rn_app_json_put(&o, "plane", json_string(rn_plane_name(m->fmt, m->plane)));
    rn_app_json_put(&o, "samples", json_integer((json_int_t)m->samples));
    rn_app_json_put(&o, "mean", rn_app_json_real(m->mean));
    rn_app_json_put(&o, "sd", rn_app_json_real(sqrt(m->variance)));
    rn_app_json_put(&o, "min", rn_app_json_real(m->min));
    rn_app_json_put(&o, "max", rn_app_json_real(m->max));
    rn_app_json_put(&o, "l1", rn_app_json_real(m->l1));
    rn_app_json_put(&o, "l2", rn_app_json_real(m->l2));
    rn_app_json_put(&o, "linf", rn_app_json_real(m->linf));
    rn_app_json_put(&o, "entropy", rn_app_json_real(m->entropy));
    rn_app_json_put(&o, "unit", rn_app_json_text(m->unit ? m->unit : ""));
    return rn_app_json_end(&o);
}

static json_t *tell_planes(const struct rn_image *img)
{
    json_t *list = json_array();
    for (int i = 0; i < rn_format_planes(&img->geom.fmt) && list; i++) {
        struct rn_play_region_plane plane = {.fine = NULL};
        int err = rn_play_region_measure_whole(&plane, img, i);
        rn_app_json_append(&list, err ? NULL : tell_plane(&plane.measure));
        free(plane.fine);
    }
    return list;
}

json_t *rn_play_property_stats(struct rn_play *p)
{
    if (!p->shown || rn_play_is_filtering(p))
        return json_null();
    struct rn_app_json_object o = rn_app_json_begin();
    rn_app_json_put(&o, "frame", get_frame(p));
    rn_app_json_put(&o, "time", get_time(p));
    rn_app_json_put(&o, "fps", get_fps(p));
    rn_app_json_put(&o, "dropped", get_dropped(p));
    rn_app_json_put(&o, "planes", tell_planes(&p->shown->out));
    return rn_app_json_end(&o);
}

/* ---- by name */

static const struct property properties[] = {
    {"pause", "whether it stands", get_pause, set_pause},
    {"time-pos", "seconds of the frame that is shown; to go there", get_time, set_time},
    {"frame", "its number in the input, from 0; to go there", get_frame, set_frame},
    {"duration", "seconds of the input; null: unknown", get_duration, NULL},
    {"frames", "frames of the input; null: unknown", get_frames, NULL},
    {"eof-reached", "whether its last frame is shown", get_end, NULL},
    {"loop", "whether it begins again at the end", get_loop, set_loop},
    {"chain", "the chain as behind -f", get_chain, set_chain},
    {"bypass", "whether the whole chain is bypassed", get_bypass, set_bypass},
    {"split", "whether original and filtered are shown", get_split, set_split},
    {"stats", "what `stats` measures of the filtered frame, with frame, time, fps, dropped",
     rn_play_property_stats, NULL},
    {"fps", "frames shown in the last second", get_fps, NULL},
    {"dropped", "frames that came too late", get_dropped, NULL},
    {"path", "the input", get_path, NULL},
    {"playlist", "all inputs", get_list, NULL},
    {"playlist-pos", "which of them it is, from 0; to go there", get_place, set_place},
    {"width", "pixels of the filtered picture", get_width, NULL},
    {"height", "likewise", get_height, NULL},
    {"volume", "0..100", get_volume, set_volume},
    {"mute", "whether the sound is off", get_mute, set_mute},
    {"message", "what the window said last", get_message, NULL},
};
#define NPROPERTIES ((int)(sizeof properties / sizeof *properties))

static const struct property *find(const char *name)
{
    for (int i = 0; i < NPROPERTIES; i++)
        if (!strcmp(properties[i].name, name))
            return &properties[i];
    return NULL;
}

static void refuse_name(const char *name, char why[RN_PLAY_WHY])
{
    const char *names[NPROPERTIES + 1];
    for (int i = 0; i < NPROPERTIES; i++)
        names[i] = properties[i].name;
    names[NPROPERTIES] = NULL;
    const char *near = rn_nearest(name, names);
    snprintf(why, RN_PLAY_WHY,
             "no property '%.60s'%s%s%s; parameters are STAGE.PARAM, and \"list\" tells all", name,
             near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

json_t *rn_play_property_get(struct rn_play *p, const char *name, char why[RN_PLAY_WHY])
{
    int stage;
    const struct rn_param *row;
    const struct property *property = find(name);
    json_t *value = NULL;
    refuse(why, "out of memory");
    if (property)
        value = property->get(p);
    else if (!strchr(name, '.'))
        refuse_name(name, why);
    else if (rn_play_parameter_find(p->session->chain, name, &stage, &row, why))
        value = rn_play_parameter_value(rn_chain_stage(p->session->chain, stage), row);
    return value;
}

int rn_play_property_set(struct rn_play *p, const char *name, const json_t *value, bool *done,
                         char why[RN_PLAY_WHY])
{
    const struct property *property = find(name);
    *done = false;
    if (property && property->set)
        return property->set(p, value, done, why);
    if (property)
        snprintf(why, RN_PLAY_WHY, "'%s' can only be read", name);
    else if (!strchr(name, '.'))
        refuse_name(name, why);
    else
        return set_parameter(p, name, value, done, why);
    return 0;
}

json_t *rn_play_property_list(void)
{
    json_t *list = json_array();
    for (int i = 0; i < NPROPERTIES; i++) {
        struct rn_app_json_object o = rn_app_json_begin();
        rn_app_json_put(&o, "name", json_string(properties[i].name));
        rn_app_json_put(&o, "help", json_string(properties[i].help));
        rn_app_json_put(&o, "settable", json_boolean(properties[i].set));
        rn_app_json_append(&list, rn_app_json_end(&o));
    }
    return list;
}
