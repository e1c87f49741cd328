/* SPDX-License-Identifier: MIT */
#include "app/play/panel/menu.h"

#include "app/help/completion.h"

#include <string.h>

/* The line of the help; of "down / up" the word for the argument. */
static void write_label(const struct rn_ui_command *c, int count, char *buf, size_t size)
{
    char text[128];
    rn_ui_command_help(c, count, text, sizeof text);
    char *slash = rn_ui_command_has_direction(c) ? strstr(text, " / ") : NULL;
    char *left = slash ? slash : text, *right = slash ? slash + 3 : text;
    while (left > text && left[-1] != ' ')
        left--;
    const char *rest = right + strcspn(right, " ");
    bool first = slash && count > 0;
    snprintf(buf, size, "%.*s%s", (int)((first ? slash : left) - text), text, first ? rest : right);
}

bool rn_play_menu_offer(const struct rn_ui_keymap *keys, enum rn_ui_menu menu, const char *word,
                        int n, struct rn_app_offer *offer)
{
    for (const struct rn_ui_command *const *c = keys->commands; *c; c++)
        for (int way = 1; way >= -1 && (*c)->menus && strchr((*c)->menus, (char)menu); way -= 2) {
            if (way < 0 && !rn_ui_command_has_direction(*c))
                continue;
            *offer = (struct rn_app_offer){
                .name = "", .command = *c, .count = way * rn_ui_command_default(*c)};
            write_label(*c, offer->count, offer->note, sizeof offer->note);
            rn_ui_keymap_key(keys, *c, offer->count, offer->keys);
            if (rn_app_holds(offer->note, word) && !n--)
                return true;
        }
    return false;
}

bool rn_play_help_offer(const struct rn_ui_key_line *lines, int nlines, const char *word, int n,
                        struct rn_app_offer *offer)
{
    const char *last = "";
    for (const struct rn_ui_key_line *line = lines; line < lines + nlines; line++) {
        if (!rn_app_holds(line->keys, word) && !rn_app_holds(line->help, word) &&
            !rn_app_holds(line->command->name, word) && !rn_app_holds(line->group, word))
            continue;
        bool head = strcmp(line->group, last) != 0 && !n--;
        last = line->group;
        if (!head && n--)
            continue;
        *offer = (struct rn_app_offer){.name = head ? line->group : line->keys,
                                       .head = head,
                                       .command = line->command,
                                       .count = line->count};
        snprintf(offer->note, sizeof offer->note, "%s", head ? "" : line->help);
        return true;
    }
    return false;
}
