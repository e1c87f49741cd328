/* SPDX-License-Identifier: MIT */
#include "ui/keys/keymap.h"

#include <stdlib.h>
#include <string.h>

#include "filters/base/log.h"

void rn_ui_keymap_default(struct rn_ui_keymap *map, const struct rn_ui_command *const *commands)
{
    map->commands = commands;
    map->n = 0;
    for (; *commands; commands++) {
        /* Invalid keys are skipped; the tests find them. */
        const struct rn_ui_command *command = *commands;
        char text[256], *next = text, *word;
        snprintf(text, sizeof text, "%s", command->keys ? command->keys : "");
        while ((word = strsep(&next, " ")) != NULL && map->n < RN_MAX_KEYS) {
            struct rn_ui_binding b = {.command = command, .count = rn_ui_command_default(command)};
            bool good = rn_ui_key_parse(&b.key, word);
            if (rn_ui_command_has_argument(command))
                good = (word = strsep(&next, " ")) != NULL &&
                       rn_ui_command_argument(command, word, &b.count) && good;
            if (good)
                map->binding[map->n++] = b;
            strsep(&next, " "); /* the | before the next one */
        }
    }
}

const struct rn_ui_binding *rn_ui_keymap_find(const struct rn_ui_keymap *map,
                                              const struct rn_ui_key *key)
{
    for (int i = 0; i < map->n; i++)
        if (rn_ui_key_equal(&map->binding[i].key, key))
            return &map->binding[i];
    return NULL;
}

char *rn_ui_keymap_key(const struct rn_ui_keymap *map, const struct rn_ui_command *command,
                       int count, char buf[RN_KEY_NAME])
{
    *buf = '\0';
    for (const struct rn_ui_binding *b = map->binding; b < map->binding + map->n && !*buf; b++)
        if (b->command == command && b->count == count && !rn_ui_key_is_pad(&b->key))
            rn_ui_key_print(&b->key, buf);
    return buf;
}

/* ---- lines of the help */

struct line {
    char *at;
    size_t left;
};

static void add(struct line *line, const char *parting, const char *text)
{
    int n = snprintf(line->at, line->left, "%s%s", parting, text);
    if (n > 0 && (size_t)n < line->left) {
        line->at += n;
        line->left -= (size_t)n;
    } else {
        *line->at = '\0'; /* no part of a name */
        line->left = 0;
    }
}

static void add_key(struct line *line, const char *parting, const struct rn_ui_key *key)
{
    char name[RN_KEY_NAME];
    if (line->left)
        add(line, parting, rn_ui_key_print(key, name));
}

/* The next binding after i that belongs to the line: of the command and the device, and with an
 * argument of that size if its sign is a direction. sign: 0 = either. */
static int next_of(const struct rn_ui_keymap *map, int i, const struct rn_ui_binding *like,
                   int sign)
{
    bool directed = rn_ui_command_has_direction(like->command), pad = rn_ui_key_is_pad(&like->key);
    for (i++; i < map->n; i++) {
        const struct rn_ui_binding *b = &map->binding[i];
        if (b->command == like->command && rn_ui_key_is_pad(&b->key) == pad &&
            (!directed || abs(b->count) == abs(like->count)) &&
            (!sign || b->count * (long long)sign > 0))
            break;
    }
    return i;
}

/* "Up / Down, + / -" */
static void add_pairs(const struct rn_ui_keymap *map, const struct rn_ui_binding *like,
                      struct line *line)
{
    const char *parting = "";
    int up = next_of(map, -1, like, 1), down = next_of(map, -1, like, -1);
    while (up < map->n || down < map->n) {
        if (up < map->n)
            add_key(line, parting, &map->binding[up].key);
        if (down < map->n)
            add_key(line, up < map->n ? " / " : parting, &map->binding[down].key);
        parting = ", ";
        up = next_of(map, up, like, 1);
        down = next_of(map, down, like, -1);
    }
}

/* "F1 - F4, x" */
static void add_list(const struct rn_ui_keymap *map, const struct rn_ui_binding *like,
                     struct line *line)
{
    const char *parting = "";
    for (int i = next_of(map, -1, like, 0), next; i < map->n; i = next) {
        int last = i, n = 1;
        next = next_of(map, i, like, 0);
        for (; next < map->n && map->binding[last].key.mods == map->binding[next].key.mods &&
               map->binding[last].key.code + 1 == map->binding[next].key.code &&
               map->binding[last].count + 1 == map->binding[next].count;
             n++) {
            last = next;
            next = next_of(map, last, like, 0);
        }
        if (n == 2)
            next = last;
        add_key(line, parting, &map->binding[i].key);
        struct rn_ui_key end = {.code = map->binding[last].key.code};
        if (n > 2)
            add_key(line, " - ", &end);
        parting = ", ";
    }
}

static void make_line(const struct rn_ui_keymap *map, const struct rn_ui_binding *like,
                      struct rn_ui_key_line *line)
{
    const struct rn_ui_command *command = like->command;
    struct line keys = {line->keys, sizeof line->keys};
    int count = abs(like->count);
    *line->keys = '\0';
    line->command = command;
    line->count = like->count;
    if (rn_ui_command_has_direction(command))
        add_pairs(map, like, &keys);
    else
        add_list(map, like, &keys);
    if (command->mouse && keys.left && !rn_ui_key_is_pad(&like->key))
        add(&keys, ", ", command->mouse);
    rn_ui_command_help(command, count, line->help, sizeof line->help);
}

int rn_ui_keymap_lines(const struct rn_ui_keymap *map, bool pad, struct rn_ui_key_line **lines)
{
    int n = 0;
    *lines = calloc((size_t)map->n + 1, sizeof **lines);
    if (!*lines) {
        rn_fail_memory();
        return 0;
    }
    const char *group = "";
    for (const struct rn_ui_command *const *command = map->commands; *command; command++) {
        group = (*command)->group ? (*command)->group : group;
        for (int i = 0; i < map->n; i++)
            if (map->binding[i].command == *command &&
                rn_ui_key_is_pad(&map->binding[i].key) == pad &&
                next_of(map, -1, &map->binding[i], 0) == i) { /* the first of its line */
                lines[0][n].group = group;
                make_line(map, &map->binding[i], *lines + n++);
            }
    }
    return n;
}
