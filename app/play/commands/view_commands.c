/* Commands for comparing, and for how pictures and values are shown. */
#include "app/play/commands/command.h"

#include "app/play/export/export.h"
#include "app/play/loop/player.h"
#include "app/play/loop/times.h"
#include "app/play/stacks/stacks.h"
#include "app/play/view/bob.h"
#include "app/play/view/compare.h"
#include "app/play/view/probe.h"
#include "app/play/view/windowing.h"

/* ---- comparing */

static int compare(struct rn_play_call *c)
{
    return rn_play_compare_act(c->p, (enum rn_play_comparing)c->command->what, c->count);
}

/* ---- pictures */

static int zoom(struct rn_play_call *c)
{
    struct rn_ui_event event;
    return rn_ui_zoom(c->p->window, c->count, &event) ? rn_play_act(c->p, &event) : 0;
}

/* ---- values */

static void show_times(struct rn_play *p)
{
    p->times->on = !p->times->on;
}

static void show_readout(struct rn_play *p)
{
    p->probe->on = !p->probe->on;
}

static int copy(struct rn_play_call *c)
{
    return rn_play_copy(c->p);
}

/* ---- the tables */

enum { REPEATS = RN_COMMAND_REPEATS };

// clang-format off
const struct rn_play_command rn_play_view_commands[] = {
    {{"bypass", "flip: the original alone", .keys = "b | PadB"},
     .run = compare, .what = RN_COMPARE_BYPASS},
    {{"split", "split view: original | filtered", .keys = "v | PadY"},
     .run = compare, .what = RN_COMPARE_SPLIT},
    {{"split-by", "move the split line, as the mouse", NULL,
      RN_ARGS_INT("N", 1, -100, 100), REPEATS,
      .keys = "Shift+Right 1 | Shift+Left -1 | PadRRight 5 | PadRLeft -5"},
     .run = compare, .what = RN_COMPARE_MOVE_LINE},
    {{"beside", "side by side", .keys = "V"}, .run = compare, .what = RN_COMPARE_BESIDE},
    {{"difference", "difference, PSNR and SSIM", .keys = "D"},
     .run = compare, .what = RN_COMPARE_DIFFERENCE},
    {{"gain", "amplify it more / less", NULL, RN_ARGS_INT("N", 1, -1, 1), REPEATS,
      .keys = "} 1 | { -1"}, .run = compare, .what = RN_COMPARE_AMPLIFY},
    {{"original", "original: input, before stage, --versus", .keys = "o"},
     .run = compare, .what = RN_COMPARE_ORIGINAL},
    {{"swap", "tune the other chain of --versus", .keys = "X"}, .run = compare,
     .what = RN_COMPARE_SWAP},
    {{"three", "three views of a stack; drag the cross", .keys = "t"}, .act = rn_play_toggle_three},
    {{"mask", "result as a mask over the source", .keys = "k"}, .act = rn_play_toggle_mask},
    {{"mask-by", "opacity of the mask", NULL, RN_ARGS_INT("N", 1, -10, 10), REPEATS,
      .keys = ") 1 | ( -1"}, .act_by = rn_play_mask_opacity},
    {{"zoom", "zoom: 1:1, 2:1 and so on", NULL, RN_ARGS_INT("SCALE", 1, 1, 64),
      .keys = "1 1 | 2 2 | 3 3 | 4 4"}, .run = zoom},
    {{"zoom-fit", "fit; the wheel zooms, drags move", .mouse = "wheel, drag", .keys = "z"},
     .run = zoom},
    {.run = NULL},
};

const struct rn_play_command rn_play_value_commands[] = {
    {{"times", "frame rate and times", .keys = "i"}, .act = show_times},
    {{"bob", "fields woven, or one by one (bob)", .keys = "B"}, .act = rn_play_toggle_bob},
    {{"readout", "read samples; measure a region", .mouse = "Shift+drag", .keys = "d"},
     .act = show_readout},
    {{"window-auto", "window and level as the file has it", .mouse = "Right-drag", .keys = "W"},
     .act = rn_play_window_auto},
    {{"copy", "copy samples or figures", .keys = "c"}, .run = copy},
    {.run = NULL},
};
// clang-format on
