/* Commands for time: which frame is shown, how fast, what is marked, which input. */
#include "app/play/commands/command.h"

#include "app/play/loop/input.h"
#include "app/play/loop/playback.h"
#include "app/play/export/export.h"
#include "app/play/loop/player.h"
#include "app/play/view/message.h"
#include "app/play/loop/seek.h"
#include "app/play/panel/panel.h"
#include "app/play/runners/input_request.h"
#include "app/play/view/bar.h"

/* ---- playing */

static int pause_or_go(struct rn_play_call *c)
{
    struct rn_play *p = c->p;
    rn_play_pause(p, !p->paused);
    if (p->playback == RN_PLAYBACK_AT_END && !p->loop)
        rn_play_say(p, "the end: Home begins anew");
    return 0;
}

static int toggle_loop(struct rn_play_call *c)
{
    c->p->loop = !c->p->loop;
    rn_play_say(c->p, c->p->loop ? "loop on" : "loop off");
    return 0;
}

static int set_speed(struct rn_play_call *c)
{
    rn_play_pace(c->p, c->count);
    return 0;
}

/* ---- other frames */

static int step(struct rn_play_call *c)
{
    rn_play_step(c->p, c->count);
    return 0;
}

static int step_back(struct rn_play_call *c)
{
    rn_play_step(c->p, -c->count);
    return 0;
}

static int seek_frame(struct rn_play_call *c, int64_t frame)
{
    c->answer->frame = frame > 0 ? frame : 0;
    rn_play_go_frame(c->p, c->answer->frame);
    return 0;
}

static int seek(struct rn_play_call *c)
{
    const struct rn_play_value *to = &c->arg[0];
    const struct rn_frame *f = c->p->shown ? &c->p->shown->frame : NULL;
    bool absolute = c->arg[1].text && *c->arg[1].text == 'a';
    if (absolute && to->number < 0)
        return rn_play_refuse(c, "seek takes seconds from 0 on where they are absolute");
    if (to->frames)
        return seek_frame(c, (int64_t)to->number + (absolute || !f ? 0 : f->index));
    if (absolute)
        rn_play_go(c->p, to->number - (f ? f->start : 0));
    else
        rn_play_seek_by(c->p, to->number);
    return 0;
}

static int go_first(struct rn_play_call *c)
{
    rn_play_go(c->p, 0);
    return 0;
}

static int go_last(struct rn_play_call *c)
{
    rn_play_go_last(c->p);
    return 0;
}

static int type_place(struct rn_play_call *c)
{
    rn_play_panel_type(c->p, RN_TYPES_PLACE);
    return 0;
}

/* ---- parts */

static int mark(struct rn_play_call *c)
{
    rn_play_set_mark(c->p, c->count);
    return 0;
}

static int export_part(struct rn_play_call *c)
{
    rn_play_export(c->p);
    return 0;
}

static int toggle_bar(struct rn_play_call *c)
{
    rn_play_bar_toggle(c->p);
    return 0;
}

/* ---- inputs */

static int change_input(struct rn_play_call *c)
{
    int err = rn_play_next_input(c->p, c->count);
    bool said = !c->watch || c->p->input_request->wanted;
    return err || said ? err : rn_play_refuse(c, "%s", c->p->message->text);
}

/* ---- the table */

enum { REPEATS = RN_COMMAND_REPEATS, SCRIPT = RN_COMMAND_SCRIPT, TYPES = RN_COMMAND_TYPES };

// clang-format off
const struct rn_play_command rn_play_time_commands[] = {
    {{"pause", "pause / go on", .keys = "Space | PadA"}, .run = pause_or_go},
    {{"frame", "next / previous frame", "%d frames on / back",
      RN_ARGS_INT("N", 1, -10, 10), REPEATS, .mouse = "wheel",
      .keys = ". 1 | , -1 | PadRT 1 | PadLT -1"}, .run = step},
    {{"seek", "%d s forward / back",
      .args = {{RN_ARG_TIME, "TIME", -86400, 86400, 5, {NULL}},
               {.type = RN_ARG_CHOICE, .choices = {"relative", "absolute"}}},
      .flags = REPEATS, .keys = "Right 5 | Left -5 | PadLRight 5 | PadLLeft -5"},
     .run = seek, .least = 1},
    {{"home", "to the beginning", .keys = "Home"}, .run = go_first},
    {{"end", "to the last frame", .keys = "End"}, .run = go_last},
    {{"go", "go to: 150f, 1:30, +5; in stacks: slice 12", .flags = TYPES, .keys = "g"},
     .run = type_place},
    {{"speed", "10 % faster / slower", NULL, RN_ARGS_INT("N", 1, -44, 44), REPEATS,
      .keys = "] 1 | [ -1"}, .run = set_speed},
    {{"speed-normal", "normal speed", .keys = "Backspace"}, .run = set_speed},
    {{"mark-begin", "mark: a part begins here", .count = 1, .keys = "a"}, .run = mark},
    {{"mark-end", "mark: it ends here, and loops", .count = -1, .keys = "e"}, .run = mark},
    {{"mark-clear", "clear both marks", .keys = "A"}, .run = mark},
    {{"export", "render what is marked to a file", .keys = "E"}, .run = export_part},
    {{"bar", "seek bar always, not only below", .mouse = "mouse", .keys = "T"}, .run = toggle_bar},
    {{"input", "next / previous of several inputs", NULL, RN_ARGS_INT("N", 1, -1, 1),
      .keys = "> 1 | < -1"}, .run = change_input},
    {{"loop", "loop on / off", .keys = "l"}, .run = toggle_loop},
    {{"frame-step", "pauses, and shows the frame N further", NULL, RN_ARGS_INT("N", 1, 1, 10),
      .flags = SCRIPT}, .run = step},
    {{"frame-back-step", "likewise, back", NULL, RN_ARGS_INT("N", 1, 1, 10), .flags = SCRIPT},
     .run = step_back},
    {{"playlist-next", "goes to the next input", .flags = SCRIPT, .count = 1}, .run = change_input},
    {{"playlist-prev", "goes to the previous input", .flags = SCRIPT, .count = -1},
     .run = change_input},
    {.run = NULL},
};
// clang-format on
