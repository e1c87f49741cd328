/* SPDX-License-Identifier: MIT */
/* Commands for files, sound, the window and the end. */
#include "app/play/control/command_table.h"

#include "app/play/edit/chain_file.h"
#include "app/play/export/export.h"
#include "app/play/loop/player.h"
#include "app/play/panel/panel.h"
#include "app/play/view/compare.h"
#include "app/run/json.h"
#include "filters/base/owned.h"

/* ---- files */

static int screenshot(struct rn_play_call *c)
{
    struct rn_play *p = c->p;
    char name[64];
    const char *path = c->arg[0].text;
    int err = rn_play_finish_filtering(p); /* the parameters may have changed since */
    if (err || (!c->watch && !path))
        return err ? err : rn_play_save_picture(p);
    if (!p->shown)
        return rn_play_refuse(c, "nothing is shown");
    rn_play_free_name("runnel", "png", name);
    path = path ? path : name;
    if (rn_play_save_picture_as(p, path, c->arg[1].text))
        return rn_play_refuse(c, "%s", rn_log_last());
    c->answer->data = json_pack("{s:o}", "filename", rn_app_json_text(path));
    return 0;
}

static void write_chain(struct rn_play *p)
{
    char name[64], range[RN_RANGE_TEXT];
    bool code = rn_chain_code(p->session->chain, false, NULL);
    int err =
        rn_play_chain_file_write(p->session->chain, p->session->cli->operand[0],
                                 p->shown ? &p->shown->frame : NULL, rn_play_range(p, range), name);
    rn_play_say(p, err ? "could not write %s" : "wrote %s", name);
    if (!err)
        rn_log(RN_LOG_INFO, "wrote %s; `render -f @%s%s%s%s` applies it", name, name,
               code ? " --allow-code" : "", *range ? " " : "", range);
}

static void copy_chain(struct rn_play *p)
{
    RN_OWNED(rn_free_owned) char *text = rn_chain_format(p->session->chain);
    bool done = text && rn_ui_copy(text);
    rn_play_say(p, done ? "copied: %s" : "could not copy: see the terminal", text);
}

static int load(struct rn_play_call *c)
{
    bool done;
    int err = rn_play_take_dropped(c->p, c->arg[0].text, c->arg[1].text != NULL, &done);
    return err || done ? err : rn_play_refuse(c, "%s", rn_play_latest_message(c->p));
}

/* ---- the window */

static void fullscreen(struct rn_play *p)
{
    rn_ui_fullscreen(p->window, !rn_ui_is_fullscreen(p->window));
}

/* One thing after the other, what was begun last first. */
static void leave(struct rn_play *p)
{
    if (rn_play_leave_sheet(p) || rn_play_show_chain(p, true) || rn_play_leave_comparison(p, true))
        return;
    if (rn_play_region_limits(p->region) || rn_play_region_is_on(p->region))
        rn_play_region_clear(p->region);
    else if (rn_ui_is_fullscreen(p->window))
        rn_ui_fullscreen(p->window, false);
    else
        rn_play_leave_comparison(p, false);
}

/* Only keys have to ask twice while a render runs. */
static int quit(struct rn_play_call *c)
{
    c->p->quit = c->watch || rn_play_may_quit(c->p);
    return 0;
}

/* ---- the table */

enum { WINDOW = RN_COMMAND_WINDOW };

// clang-format off
const struct rn_play_command rn_play_program_commands[] = {
    {{"screenshot", "save the filtered frame, upright (PNG)",
      .args = {{.type = RN_ARG_TEXT, .name = "FILE"},
               {.type = RN_ARG_CHOICE, .choices = {"overwrite"}}},
      .flags = RN_COMMAND_NOW | RN_COMMAND_PICTURE, .group = "Files, sound, window", .menus = "p",
      .keys = "s"}, .run = screenshot, .also = "screenshot-to-file"},
    {{"write-chain", "write the chain to a file", .menus = "p", .keys = "w"}, .act = write_chain},
    {{"copy-chain", "copy the chain, as -f takes it", .menus = "p", .keys = "Ctrl+c"},
     .act = copy_chain},
    {{"volume", "volume up / down", NULL, RN_ARGS_INT("N", 1, -20, 20), RN_COMMAND_REPEATS,
      .keys = "0 1 | 9 -1"}, .act_by = rn_play_set_volume},
    {{"mute", "mute", .keys = "m"}, .act_by = rn_play_set_volume},
    {{"fullscreen", "fullscreen on / off", .flags = WINDOW, .mouse = "double-click", .menus = "p",
      .keys = "f"}, .act = fullscreen},
    {{"leave", "leave comparison, region, fullscreen", .flags = WINDOW, .keys = "Esc"},
     .act = leave},
    {{"command", "any command: type its name, or a word", .flags = RN_COMMAND_TYPES,
      .count = RN_TYPES_COMMAND, .menus = "psb", .keys = ":"}, .act_by = rn_play_panel_type},
    {{"help", "all keys, by groups; type to search", .flags = RN_COMMAND_TYPES,
      .count = RN_TYPES_HELP, .menus = "psb", .keys = "?"}, .act_by = rn_play_panel_type},
    {{"menu", "what can be done here", .flags = RN_COMMAND_TYPES, .count = RN_TYPES_MENU,
      .mouse = "right click", .keys = "M | Menu"}, .act_by = rn_play_panel_type},
    {{"quit", "quit", .flags = WINDOW | RN_COMMAND_NOW, .menus = "p", .keys = "q"}, .run = quit},
    {{"loadfile", "opens another input in place of the list, or adds it to that",
      .args = {{.type = RN_ARG_TEXT, .name = "FILE"},
               {.type = RN_ARG_CHOICE, .choices = {"append"}}},
      .flags = RN_COMMAND_SCRIPT}, .run = load, .least = 1},
    {.run = NULL},
};
// clang-format on
