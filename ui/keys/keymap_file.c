#define _GNU_SOURCE /* asprintf */
#include "ui/keys/keymap.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/text/nearest.h"
#include "filters/base/text/number.h"
#include "filters/base/output/path.h"
#include "filters/base/output/textfile.h"

#define NONE  "none"
#define BLANK " \t\r\v\f"
#define LIMIT ((size_t)1 << 16) /* bytes of a file */
#define SHOWN 40                /* bytes of a word in a message */

/* Where a mistake is. */
struct place {
    const char *file;
    int line;
};

/* ---- reading */

/* near: NULL, or what was meant. */
static int unknown(const struct place *at, const char *what, const char *word, const char *near,
                   const char *else_)
{
    return rn_fail(RN_EUSAGE, "%s:%d: unknown %s '%.*s'%s%s%s", at->file, at->line, what, SHOWN,
                   word, near ? " (did you mean '" : "", near ? near : else_, near ? "'?)" : "");
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

static int read_action(const struct place *at, const char *word,
                       const struct rn_ui_action_row **action)
{
    const char *names[128];
    int n = 0;
    if (!strcmp(word, NONE))
        return 0;
    *action = rn_ui_action_find(word);
    for (const struct rn_ui_action_row *row = rn_ui_actions; row->name && n < 126; row++)
        names[n++] = row->name;
    names[n++] = NONE;
    names[n] = NULL;
    return *action ? 0
                   : unknown(at, "action", word, rn_nearest(word, names),
                             "; `runnel play --keys` lists them");
}

/* word: NULL: none was given. */
static int read_argument(const struct place *at, const char *word, struct rn_ui_binding *b)
{
    const struct rn_ui_action_row *row = b->action;
    long long n = 0;
    if (row)
        b->count = row->count;
    if (!word)
        return 0;
    if (!row || row->min == row->max)
        return rn_fail(RN_EUSAGE, "%s:%d: '%s' takes no argument, not '%.*s'", at->file, at->line,
                       row ? row->name : NONE, SHOWN, word);
    bool minus = *word == '-', number = rn_number_whole(word + minus, 0, INT_MAX, &n);
    n = minus ? -n : n;
    if (!number || !rn_ui_action_takes(row, n))
        return rn_fail(RN_EUSAGE, "%s:%d: '%s' takes a whole number %d..%d%s, not '%.*s'", at->file,
                       at->line, row->name, row->min, row->max,
                       row->min < 0 && row->max > 0 ? " but 0" : "", SHOWN, word);
    b->count = (int)n;
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
    if (!there && map->n == RN_KEYMAP_MOST)
        return rn_fail(RN_EUSAGE, "%s:%d: more than %d keys", at->file, at->line, RN_KEYMAP_MOST);
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
    err = err ? err : read_action(at, word[1], &b.action);
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
        int bad = read_line(map, &at, line);
        err = err ? err : bad;
    }
    return err;
}

/* NULL: neither is set (*err 0), or out of memory (logged). */
static char *file_name(int *err)
{
    char *name = NULL;
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int n = 0;
    if (xdg && *xdg == '/') /* what is relative is not to be used */
        n = asprintf(&name, "%s/runnel/keys", xdg);
    else if (home && *home)
        n = asprintf(&name, "%s/.config/runnel/keys", home);
    *err = n < 0 ? rn_fail_memory() : 0;
    return n > 0 ? name : NULL;
}

int rn_ui_keymap_load(struct rn_ui_keymap *map)
{
    char why[RN_TEXT_WHY], *text = NULL;
    struct stat st;
    int err;
    char *name = file_name(&err);
    int is = name ? rn_path_look(name, &st) : 0;
    if (is < 0)
        err = rn_fail(RN_EUSAGE, "cannot look at '%s': %s", name, strerror(errno));
    else if (is)
        err = rn_text_read(&text, name, LIMIT, why);
    if (is > 0 && err == RN_EUSAGE)
        rn_fail(err, "the keys of '%s' cannot be read: %s", name, why);
    if (text)
        err = rn_ui_keymap_read(map, text, name);
    free(text);
    free(name);
    return err;
}

/* ---- printing */

static void print_binding(const struct rn_ui_binding *b, FILE *f)
{
    char key[RN_KEY_NAME];
    rn_ui_key_print(&b->key, key);
    if (!b->action)
        fprintf(f, "%-12s " NONE "\n", key);
    else if (b->action->min == b->action->max)
        fprintf(f, "%-12s %s\n", key, b->action->name);
    else
        fprintf(f, "%-12s %s %d\n", key, b->action->name, b->count);
}

static int print_bindings(const struct rn_ui_keymap *map, const struct rn_ui_action_row *row,
                          FILE *f)
{
    int n = 0;
    for (int i = 0; i < map->n; i++)
        if (map->binding[i].action == row) {
            print_binding(&map->binding[i], f);
            n++;
        }
    return n;
}

static bool has_unbound(const struct rn_ui_keymap *map)
{
    bool any = false;
    for (int i = 0; i < map->n; i++)
        any |= !map->binding[i].action;
    return any;
}

void rn_ui_keymap_print(const struct rn_ui_keymap *map, FILE *f)
{
    fprintf(f,
            "# Keys of `runnel play`, in $XDG_CONFIG_HOME/runnel/keys or ~/.config/runnel/keys:\n"
            "#     KEY action [argument]\n"
            "#     KEY " NONE "\n"
            "# A key that is not named here does what it does without this file.\n");
    for (const struct rn_ui_action_row *row = rn_ui_actions; row->name; row++) {
        char help[96];
        fprintf(f, "\n# %s: %s", row->name, rn_ui_action_help(row, row->count, help, sizeof help));
        if (row->min != row->max)
            fprintf(f, " (%d..%d)", row->min, row->max);
        fprintf(f, "\n");
        if (!print_bindings(map, row, f))
            fprintf(f, "# KEY %s\n", row->name);
    }
    if (has_unbound(map))
        fprintf(f, "\n# unbound\n");
    print_bindings(map, NULL, f);
}
