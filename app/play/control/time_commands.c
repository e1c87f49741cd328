/* SPDX-License-Identifier: MIT */
/* Commands for time: seeks, steps, speed, marks, inputs. */
#include "app/play/control/command_table.h"

#include "app/play/export/export.h"
#include "app/play/loop/player.h"
#include "app/play/panel/panel.h"
#include "app/play/stacks/stacks.h"

#include <stdlib.h>

/* ---- playing */

static void pause_or_go(struct rn_play *p)
{
    rn_play_pause(p, !p->paused);
    if (p->playback == RN_PLAYBACK_AT_END && !p->loop)
        rn_play_say_end(p);
}

static void toggle_loop(struct rn_play *p)
{
    p->loop = !p->loop;
    rn_play_say(p, p->loop ? "loop on" : "loop off");
}

/* ---- other frames */

/* Beyond what keys can have pending the frame is found by its number. */
static int step(struct rn_play_call *c)
{
    struct rn_play *p = c->p;
    int by = c->command->what * c->count;
    if (abs(by) <= RN_STEPS_MOST || !p->shown) {
        rn_play_step(p, by);
        return 0;
    }
    int64_t to = p->shown->frame.index + by;
    c->answer->frame = to > 0 ? to : 0;
    rn_play_pause(p, true);
    rn_play_go_frame(p, c->answer->frame);
    return 0;
}

static int seek(struct rn_play_call *c)
{
    const struct rn_play_value *to = &c->arg[0];
    const struct rn_frame *f = c->p->shown ? &c->p->shown->frame : NULL;
    bool absolute = c->arg[1].text && *c->arg[1].text == 'a';
    if (absolute && to->number < 0)
        return rn_play_refuse(c, "seek takes seconds from 0 on where they are absolute");
    if (to->frames) {
        int64_t frame = (int64_t)to->number + (absolute || !f ? 0 : f->index);
        c->answer->frame = frame > 0 ? frame : 0;
        rn_play_go_frame(c->p, c->answer->frame);
    } else if (absolute) {
        rn_play_go(c->p, to->number - (f ? f->start : 0));
    } else {
        rn_play_seek_by(c->p, to->number);
    }
    return 0;
}

static int step_time(struct rn_play_call *c)
{
    c->answer->frame = rn_play_step_time(c->p, c->count);
    return c->answer->frame >= 0 ? 0
                                 : rn_play_refuse(c, "the input has not several points in time");
}

static void go_first(struct rn_play *p)
{
    rn_play_go(p, 0);
}

/* ---- inputs */

static int change_input(struct rn_play_call *c)
{
    rn_play_next_input(c->p, c->count);
    bool said = !c->watch || rn_play_playlist_is_busy(c->p);
    return said ? 0 : rn_play_refuse(c, "%s", rn_play_latest_message(c->p));
}

/* ---- the table */

enum { REPEATS = RN_COMMAND_REPEATS, SCRIPT = RN_COMMAND_SCRIPT, TYPES = RN_COMMAND_TYPES };

// clang-format off
const struct rn_play_command rn_play_time_commands[] = {
    {{"pause", "pause / go on", .group = "Time", .menus = "pb", .keys = "Space | PadA"},
     .act = pause_or_go},
    {{"frame", "next / previous frame", "%d frames on / back",
      RN_ARGS_INT("N", 1, -10, 10), REPEATS, .mouse = "wheel",
      .keys = ". 1 | , -1 | PadRT 1 | PadLT -1"}, .act_by = rn_play_step},
    {{"seek", "%d s forward / back",
      .args = {{RN_ARG_TIME, "TIME", -86400, 86400, 5, {NULL}},
               {.type = RN_ARG_CHOICE, .choices = {"relative", "absolute"}}},
      .flags = REPEATS, .keys = "Right 5 | Left -5 | PadLRight 5 | PadLLeft -5"},
     .run = seek, .least = 1},
    {{"time", "next / previous time of the slice", NULL, RN_ARGS_INT("N", 1, -10, 10), REPEATS,
      .keys = "Alt+Right 1 | Alt+Left -1"}, .run = step_time},
    {{"home", "to the beginning", .menus = "b", .keys = "Home"}, .act = go_first},
    {{"end", "to the last frame", .menus = "b", .keys = "End"}, .act = rn_play_go_last},
    {{"go", "go to: 150f, 1:30, +5; in stacks: slice 12", .flags = TYPES, .count = RN_TYPES_PLACE,
      .menus = "b", .keys = "g"}, .act_by = rn_play_panel_type},
    {{"speed", "10 % faster / slower", NULL, RN_ARGS_INT("N", 1, -44, 44), REPEATS,
      .menus = "b", .keys = "] 1 | [ -1"}, .act_by = rn_play_pace},
    {{"speed-normal", "normal speed", .menus = "b", .keys = "Backspace"}, .act_by = rn_play_pace},
    {{"mark-begin", "mark: a part begins here", .count = 1, .menus = "pb", .keys = "a"},
     .act_by = rn_play_set_mark},
    {{"mark-end", "mark: it ends here, and loops", .count = -1, .menus = "pb", .keys = "e"},
     .act_by = rn_play_set_mark},
    {{"mark-clear", "clear both marks", .menus = "b", .keys = "A"}, .act_by = rn_play_set_mark},
    {{"change", "next / previous change recorded", NULL, RN_ARGS_INT("N", 1, -1, 1), REPEATS,
      .keys = "Alt+PgDn 1 | Alt+PgUp -1"}, .act_by = rn_play_recording_go},
    {{"change-remove", "remove the change recorded", .flags = RN_COMMAND_UNDOABLE,
      .keys = "Alt+Del"}, .attempt = rn_play_recording_remove},
    {{"change-move", "move the change later / earlier", NULL,
      RN_ARGS_INT("N", 1, -100000, 100000), REPEATS | RN_COMMAND_UNDOABLE,
      .keys = "Alt+Down 1 | Alt+Up -1"}, .attempt_by = rn_play_recording_shift},
    {{"ramp", "ramp to the next change: even / smooth", NULL, RN_ARGS_INT("N", 1, 1, 2),
      RN_COMMAND_UNDOABLE, .keys = "Alt+r 1 | Alt+Shift+r 2"},
     .attempt_by = rn_play_recording_ramp},
    {{"follow", "follow the recording, or not", .keys = "Alt+f"}, .act = rn_play_recording_toggle},
    {{"export", "render what is marked, or all, to a file", .menus = "pb", .keys = "E"},
     .act = rn_play_export},
    {{"bar", "seek bar: always, or near the pointer", .mouse = "mouse", .menus = "b", .keys = "T"},
     .act = rn_play_bar_toggle},
    {{"input", "next / previous of several inputs", NULL, RN_ARGS_INT("N", 1, -1, 1),
      .keys = "> 1 | < -1"}, .run = change_input},
    {{"loop", "loop on / off", .menus = "b", .keys = "l"}, .act = toggle_loop},
    {{"frame-step", "pauses, and shows the frame N further", NULL, RN_ARGS_INT("N", 1, 1, 1000000),
      .flags = SCRIPT}, .run = step, .what = 1},
    {{"frame-back-step", "likewise, back", NULL, RN_ARGS_INT("N", 1, 1, 1000000), .flags = SCRIPT},
     .run = step, .what = -1},
    {{"playlist-next", "goes to the next input", .flags = SCRIPT, .count = 1}, .run = change_input},
    {{"playlist-prev", "goes to the previous input", .flags = SCRIPT, .count = -1},
     .run = change_input},
    {.run = NULL},
};
// clang-format on
