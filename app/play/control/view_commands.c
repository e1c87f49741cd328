/* SPDX-License-Identifier: MIT */
/* Commands for comparing, and for how pictures and values are shown. */
#include "app/play/control/command_table.h"

#include "app/play/export/export.h"
#include "app/play/loop/player.h"
#include "app/play/stacks/stacks.h"
#include "app/play/view/compare.h"
#include "app/play/view/presentation.h"

static int zoom(struct rn_play_call *c)
{
    struct rn_ui_event event;
    return rn_ui_zoom(c->p->window, c->count, &event) ? rn_play_handle_event(c->p, &event) : 0;
}

/* ---- what is compared */

static int compare_states(struct rn_play_call *c)
{
    struct rn_play_state state[2] = {{RN_STATE_INPUT, 0}, {RN_STATE_NOW, 0}};
    for (int i = 0; i < 2; i++)
        if (c->arg[i].text && !rn_play_state_parse(c->p, c->arg[i].text, &state[i]))
            return rn_play_refuse(c, "there is no '%s' to compare", c->arg[i].text);
    rn_play_set_states(c->p, state[0], state[1]);
    return 0;
}

static int write_figures(struct rn_play_call *c)
{
    int err = rn_play_reference_write(c->p, c->arg[0].text);
    return err ? rn_play_refuse(c, "%s", rn_log_last()) : 0;
}

static void show_times(struct rn_play *p)
{
    p->times->on = !p->times->on;
}

static void show_samples(struct rn_play *p)
{
    p->probe->on = !p->probe->on;
}

/* ---- the tables */

enum { REPEATS = RN_COMMAND_REPEATS };

// clang-format off
const struct rn_play_command rn_play_view_commands[] = {
    {{"bypass", "flip: the left picture alone", .group = "Comparing and zooming", .menus = "p",
      .keys = "b | PadB"}, .act = rn_play_toggle_bypass},
    {{"split", "split view: left | right", .count = RN_LAYOUT_SPLIT, .menus = "p",
      .keys = "v | PadY"}, .act_by = rn_play_toggle_layout},
    {{"split-by", "move the split line, as the mouse", NULL,
      RN_ARGS_INT("N", 1, -100, 100), REPEATS,
      .keys = "Shift+Right 1 | Shift+Left -1 | PadRRight 5 | PadRLeft -5"},
     .act_by = rn_play_move_split},
    {{"beside", "side by side, or above each other", .count = RN_LAYOUT_BESIDE, .menus = "p",
      .keys = "V"}, .act_by = rn_play_toggle_layout},
    {{"difference", "difference, PSNR and SSIM", .menus = "p", .keys = "D"},
     .act = rn_play_toggle_difference},
    {{"gain", "amplify it more / less", NULL, RN_ARGS_INT("N", 1, -1, 1), REPEATS,
      .keys = "} 1 | { -1"}, .act_by = rn_play_amplify},
    {{"original", "left: input, snapshots, before, a file", .menus = "p", .keys = "o"},
     .act_by = rn_play_next_state},
    {{"other", "right: chain, snapshots, before, a file", .count = 1, .menus = "p", .keys = "O"},
     .act_by = rn_play_next_state},
    {{"states", "compares two: snapshots A - D, input, before, now, versus, reference, a stage",
      .args = {{.type = RN_ARG_TEXT, .name = "LEFT"}, {.type = RN_ARG_TEXT, .name = "RIGHT"}},
      .flags = RN_COMMAND_SCRIPT}, .run = compare_states, .least = 1},
    {{"figures", "writes PSNR and SSIM of all frames shown beside --reference (CSV)",
      .args = {{.type = RN_ARG_TEXT, .name = "FILE"}}, .flags = RN_COMMAND_SCRIPT},
     .run = write_figures, .least = 1},
    {{"sheet", "contact sheet of the snapshots", .keys = "C"}, .act = rn_play_toggle_sheet},
    {{"presets", "presets on this frame; a click takes one", .menus = "p", .keys = "y"},
     .act = rn_play_next_presets},
    {{"save-sheet", "save what is compared, with names (PNG)",
      .flags = RN_COMMAND_NOW | RN_COMMAND_PICTURE, .keys = "P"}, .attempt = rn_play_save_sheet},
    {{"scopes", "scope: waveform, vectorscope, histogram", .keys = "h"}, .act = rn_play_next_scope},
    {{"swap", "tune the other chain of --versus", .keys = "X"}, .attempt = rn_play_swap_chains},
    {{"three", "three views of a stack; drag the cross", .keys = "t"}, .act = rn_play_toggle_three},
    {{"mask", "result as a mask over the source", .keys = "k"}, .act = rn_play_toggle_mask},
    {{"mask-by", "opacity of the mask", NULL, RN_ARGS_INT("N", 1, -10, 10), REPEATS,
      .keys = ") 1 | ( -1"}, .act_by = rn_play_change_mask},
    {{"zoom", "zoom: 1:1, 2:1 and so on", NULL, RN_ARGS_INT("SCALE", 1, 1, 64),
      .menus = "p", .keys = "1 1 | 2 2 | 3 3 | 4 4"}, .run = zoom},
    {{"zoom-fit", "fit; the wheel zooms, drags move", .mouse = "wheel, drag", .menus = "p",
      .keys = "z"}, .run = zoom},
    {.run = NULL},
};

const struct rn_play_command rn_play_value_commands[] = {
    {{"times", "frame rate and times", .group = "Values and colours", .menus = "p", .keys = "i"},
     .act = show_times},
    {{"bob", "fields woven, or one by one (bob)", .keys = "B"}, .act = rn_play_toggle_bob},
    {{"readout", "read samples; measure a region", .mouse = "Shift+drag", .menus = "p",
      .keys = "d"}, .act = show_samples},
    {{"limit", "draw the region of the stage", .keys = "Q"}, .act = rn_play_region_toggle_limit},
    {{"window-auto", "window and level as the file has it", .mouse = "Right-drag", .keys = "W"},
     .act = rn_play_reset_window},
    {{"copy", "copy samples or figures", .keys = "c"}, .attempt = rn_play_copy},
    {.run = NULL},
};
// clang-format on
