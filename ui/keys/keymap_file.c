/* SPDX-License-Identifier: MIT */
#include "ui/keys/keymap.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "filters/base/log.h"
#include "filters/base/text/nearest.h"
#include "filters/base/output/config.h"
#include "filters/base/owned.h"

#define NONE  "none"
#define BLANK " \t\r\v\f"
#define SHOWN 40 /* bytes of a word in a message */

/* Where a mistake is. */
struct place {
    const char *file;
    int line;
};

/* ---- reading */

/* near: a similar word, or NULL. */
static int unknown(const struct place *at, const char *what, const char *word, const char *near,
                   const char *else_)
{
    char text[RN_UNKNOWN_TEXT];
    return rn_fail(RN_EUSAGE, "%s:%d: unknown %s %s%s", at->file, at->line, what,
                   rn_unknown_name(word, near, text), near ? "" : else_);
}

static int read_key(const struct place *at, const char *word, struct rn_ui_key *key)
{
    if (rn_ui_key_parse(key, word))
        return 0;
    if (!strncasecmp(word, "Shift+", 6) && !rn_ui_key_nearest(word))
        return rn_fail(RN_EUSAGE, "%s:%d: '%.*s': write the sign itself that it types", at->file,
                       at->line, SHOWN, word);
    return unknown(at, "key", word, rn_ui_key_nearest(word), "");
}

static int read_command(const struct rn_ui_keymap *map, const struct place *at, const char *word,
                        struct rn_ui_binding *b)
{
    if (!strcmp(word, NONE))
        return 0;
    b->command = rn_ui_command_find(map->commands, word);
    if (b->command && b->command->flags & RN_COMMAND_SCRIPT)
        return rn_fail(RN_EUSAGE, "%s:%d: '%s' is for scripts (--ipc): no key can do it", at->file,
                       at->line, word);
    return b->command ? 0
                      : unknown(at, "action", word, rn_ui_command_nearest(map->commands, word),
                                "; `runnel play --keys` lists them");
}

/* word: NULL: none was given. */
static int read_argument(const struct place *at, const char *word, struct rn_ui_binding *b)
{
    const struct rn_ui_command *c = b->command;
    if (c)
        b->count = rn_ui_command_default(c);
    if (!word)
        return 0;
    if (!c || !rn_ui_command_has_argument(c))
        return rn_fail(RN_EUSAGE, "%s:%d: '%s' takes no argument, not '%.*s'", at->file, at->line,
                       c ? c->name : NONE, SHOWN, word);
    if (!rn_ui_command_argument(c, word, &b->count))
        return rn_fail(RN_EUSAGE, "%s:%d: '%s' takes a whole number %d..%d%s, not '%.*s'", at->file,
                       at->line, c->name, c->args[0].min, c->args[0].max,
                       rn_ui_command_has_direction(c) ? " but 0" : "", SHOWN, word);
    return 0;
}

static int put(struct rn_ui_keymap *map, const struct place *at, const struct rn_ui_binding *b)
{
    const struct rn_ui_binding *found = rn_ui_keymap_find(map, &b->key);
    struct rn_ui_binding *there = found ? &map->binding[found - map->binding] : NULL;
    char name[RN_KEY_NAME];
    if (there && there->line)
        return rn_fail(RN_EUSAGE, "%s:%d: %s is in line %d already", at->file, at->line,
                       rn_ui_key_print(&b->key, name), there->line);
    if (!there && map->n == RN_MAX_KEYS)
        return rn_fail(RN_EUSAGE, "%s:%d: more than %d keys", at->file, at->line, RN_MAX_KEYS);
    if (there)
        *there = *b;
    else
        map->binding[map->n++] = *b;
    return 0;
}

/* The next word of a line; NULL: only a comment follows, or nothing. */
static char *next_word(char **line)
{
    char *word = *line + strspn(*line, BLANK);
    size_t n = strcspn(word, BLANK);
    *line = word + n + (word[n] != '\0');
    word[n] = '\0';
    if (*word != '#' && *word)
        return word;
    *line = word + n; /* the rest is a comment */
    return NULL;
}

static int read_line(struct rn_ui_keymap *map, const struct place *at, char *line)
{
    struct rn_ui_binding b = {.line = at->line};
    char *word[4] = {NULL};
    int n = 0;
    while (n < 4 && (word[n] = next_word(&line)) != NULL)
        n++;
    if (!n)
        return 0;
    int err = read_key(at, word[0], &b.key);
    if (!err && (n < 2 || n > 3))
        return rn_fail(RN_EUSAGE, "%s:%d: a line is KEY action [argument], or KEY " NONE, at->file,
                       at->line);
    err = err ? err : read_command(map, at, word[1], &b);
    err = err ? err : read_argument(at, word[2], &b);
    return err ? err : put(map, at, &b);
}

int rn_ui_keymap_read(struct rn_ui_keymap *map, char *text, const char *file)
{
    struct place at = {.file = file};
    int err = 0;
    if (!strncmp(text, "\xef\xbb\xbf", 3)) /* as some editors begin */
        text += 3;
    while (text) {
        char *line = strsep(&text, "\n");
        at.line++;
        err = rn_first_error(err, read_line(map, &at, line));
    }
    return err;
}

int rn_ui_keymap_load(struct rn_ui_keymap *map)
{
    RN_OWNED(rn_free_owned) char *name = NULL, *text = NULL;
    int err = rn_config_read("keys", "keys", &name, &text);
    return text ? rn_ui_keymap_read(map, text, name) : err;
}

/* ---- printing */

static int print_bindings(const struct rn_ui_keymap *map, const struct rn_ui_command *command,
                          FILE *f)
{
    int n = 0;
    for (int i = 0; i < map->n; i++)
        if (map->binding[i].command == command) {
            char key[RN_KEY_NAME];
            rn_ui_key_print(&map->binding[i].key, key);
            if (!map->binding[i].command)
                fprintf(f, "%-12s " NONE "\n", key);
            else if (rn_ui_command_has_argument(map->binding[i].command))
                fprintf(f, "%-12s %s %d\n", key, map->binding[i].command->name,
                        map->binding[i].count);
            else
                fprintf(f, "%-12s %s\n", key, map->binding[i].command->name);
            n++;
        }
    return n;
}

void rn_ui_keymap_print(const struct rn_ui_keymap *map, FILE *f)
{
    fprintf(f,
            "# Keys of `runnel play`, in $XDG_CONFIG_HOME/runnel/keys or ~/.config/runnel/keys:\n"
            "#     KEY action [argument]\n"
            "#     KEY " NONE "\n"
            "# A key that is not named here does what it does without this file.\n");
    for (const struct rn_ui_command *const *c = map->commands; *c; c++) {
        char help[96];
        const struct rn_ui_command *command = *c;
        if (command->flags & RN_COMMAND_SCRIPT)
            continue;
        rn_ui_command_help(command, rn_ui_command_default(command), help, sizeof help);
        fprintf(f, "\n# %s: %s", command->name, help);
        if (rn_ui_command_has_argument(command))
            fprintf(f, " (%d..%d)", command->args[0].min, command->args[0].max);
        fprintf(f, "\n");
        if (!print_bindings(map, command, f))
            fprintf(f, "# KEY %s\n", command->name);
    }
    bool any = false;
    for (int i = 0; i < map->n; i++)
        any |= !map->binding[i].command;
    if (any)
        fprintf(f, "\n# unbound\n");
    print_bindings(map, NULL, f);
}
