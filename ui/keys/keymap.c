#include "ui/keys/keymap.h"

#include <stdlib.h>
#include <string.h>

#include "filters/base/err.h"
#include "filters/base/log.h"

void rn_ui_keymap_default(struct rn_ui_keymap *map)
{
    map->n = 0;
    for (const struct rn_ui_default_key *row = rn_ui_default_keys; row->key; row++) {
        struct rn_ui_binding b = {.action = rn_ui_action_find(row->action)};
        if (map->n == RN_KEYMAP_MOST || !b.action || !rn_ui_key_parse(&b.key, row->key))
            continue; /* the tests say so */
        b.count = b.action->min != b.action->max ? row->argument : b.action->count;
        map->binding[map->n++] = b;
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
        *line->at = '\0'; /* no half of a name */
        line->left = 0;
    }
}

static void add_key(struct line *line, const char *parting, const struct rn_ui_key *key)
{
    char name[RN_KEY_NAME];
    if (line->left)
        add(line, parting, rn_ui_key_print(key, name));
}

static bool has_direction(const struct rn_ui_action_row *row)
{
    return row->min < 0 && row->max > 0;
}

/* The next binding after i that belongs to the line: of the action, and with an argument of that
 * size if its sign is a direction. sign: 0 = either. */
static int next_of(const struct rn_ui_keymap *map, int i, const struct rn_ui_binding *like,
                   int sign)
{
    bool directed = has_direction(like->action);
    for (i++; i < map->n; i++) {
        const struct rn_ui_binding *b = &map->binding[i];
        if (b->action == like->action && (!directed || abs(b->count) == abs(like->count)) &&
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

static bool follow(const struct rn_ui_binding *a, const struct rn_ui_binding *b)
{
    return a->key.mods == b->key.mods && a->key.code + 1 == b->key.code && a->count + 1 == b->count;
}

/* "F1 - F4, x" */
static void add_list(const struct rn_ui_keymap *map, const struct rn_ui_binding *like,
                     struct line *line)
{
    const char *parting = "";
    for (int i = next_of(map, -1, like, 0), next; i < map->n; i = next) {
        int last = i, n = 1;
        next = next_of(map, i, like, 0);
        for (; next < map->n && follow(&map->binding[last], &map->binding[next]); n++) {
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
    const struct rn_ui_action_row *row = like->action;
    struct line keys = {line->keys, sizeof line->keys};
    int count = abs(like->count);
    *line->keys = '\0';
    if (has_direction(row))
        add_pairs(map, like, &keys);
    else
        add_list(map, like, &keys);
    if (row->mouse && keys.left)
        add(&keys, ", ", row->mouse);
    rn_ui_action_help(row, count, line->help, sizeof line->help);
}

/* Is it the first of its line? */
static bool begins(const struct rn_ui_keymap *map, int i)
{
    return next_of(map, -1, &map->binding[i], 0) == i;
}

int rn_ui_keymap_lines(const struct rn_ui_keymap *map, struct rn_ui_key_line **lines)
{
    int n = 0;
    *lines = calloc((size_t)map->n + 1, sizeof **lines);
    if (!*lines) {
        rn_fail_memory();
        return 0;
    }
    for (const struct rn_ui_action_row *row = rn_ui_actions; row->name; row++)
        for (int i = 0; i < map->n; i++)
            if (map->binding[i].action == row && begins(map, i))
                make_line(map, &map->binding[i], *lines + n++);
    return n;
}
