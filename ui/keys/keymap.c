/* SPDX-License-Identifier: MIT */
#include "ui/keys/keymap.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/owned.h"
#include "filters/base/text/words.h"
#include "filters/base/text/number.h"
#include "filters/base/text/printable.h"

#include <SDL.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <strings.h>

/* ---- keys */

#define BUTTON(name)    RN_KEY_PAD_BUTTON(SDL_CONTROLLER_BUTTON_##name)
#define AXIS(name, way) RN_KEY_PAD_AXIS(SDL_CONTROLLER_AXIS_##name, way)

/* If a key has two words, the first is printed. */
static const struct {
    const char *word;
    int code;
} words[] = {
    {"Tab", SDLK_TAB},
    {"Enter", SDLK_RETURN},
    {"Esc", SDLK_ESCAPE},
    {"Space", SDLK_SPACE},
    {"Backspace", SDLK_BACKSPACE},
    {"Del", SDLK_DELETE},
    {"Ins", SDLK_INSERT},
    {"Home", SDLK_HOME},
    {"End", SDLK_END},
    {"PgUp", SDLK_PAGEUP},
    {"PgDn", SDLK_PAGEDOWN},
    {"Up", SDLK_UP},
    {"Down", SDLK_DOWN},
    {"Left", SDLK_LEFT},
    {"Right", SDLK_RIGHT},
    {"F1", SDLK_F1},
    {"F2", SDLK_F2},
    {"F3", SDLK_F3},
    {"F4", SDLK_F4},
    {"F5", SDLK_F5},
    {"F6", SDLK_F6},
    {"F7", SDLK_F7},
    {"F8", SDLK_F8},
    {"F9", SDLK_F9},
    {"F10", SDLK_F10},
    {"F11", SDLK_F11},
    {"F12", SDLK_F12},
    {"Menu", SDLK_APPLICATION},
    {"Pause", SDLK_PAUSE},
    {"Print", SDLK_PRINTSCREEN},
    {"AudioPlay", SDLK_AUDIOPLAY},
    {"AudioStop", SDLK_AUDIOSTOP},
    {"AudioNext", SDLK_AUDIONEXT},
    {"AudioPrev", SDLK_AUDIOPREV},
    {"AudioMute", SDLK_AUDIOMUTE},
    {"Return", SDLK_RETURN},
    {"Escape", SDLK_ESCAPE},
    {"Delete", SDLK_DELETE},
    {"Insert", SDLK_INSERT},
    {"PageUp", SDLK_PAGEUP},
    {"PageDown", SDLK_PAGEDOWN},
    {"PadA", BUTTON(A)},
    {"PadB", BUTTON(B)},
    {"PadX", BUTTON(X)},
    {"PadY", BUTTON(Y)},
    {"PadBack", BUTTON(BACK)},
    {"PadGuide", BUTTON(GUIDE)},
    {"PadStart", BUTTON(START)},
    {"PadL", BUTTON(LEFTSTICK)},
    {"PadR", BUTTON(RIGHTSTICK)},
    {"PadLB", BUTTON(LEFTSHOULDER)},
    {"PadRB", BUTTON(RIGHTSHOULDER)},
    {"PadUp", BUTTON(DPAD_UP)},
    {"PadDown", BUTTON(DPAD_DOWN)},
    {"PadLeft", BUTTON(DPAD_LEFT)},
    {"PadRight", BUTTON(DPAD_RIGHT)},
    {"PadLUp", AXIS(LEFTY, -1)},
    {"PadLDown", AXIS(LEFTY, 1)},
    {"PadLLeft", AXIS(LEFTX, -1)},
    {"PadLRight", AXIS(LEFTX, 1)},
    {"PadRUp", AXIS(RIGHTY, -1)},
    {"PadRDown", AXIS(RIGHTY, 1)},
    {"PadRLeft", AXIS(RIGHTX, -1)},
    {"PadRRight", AXIS(RIGHTX, 1)},
    {"PadLT", AXIS(TRIGGERLEFT, 1)},
    {"PadRT", AXIS(TRIGGERRIGHT, 1)},
};
#define WORDS ((int)(sizeof words / sizeof *words))

#define SHARP "Sharp"

static const struct {
    const char *name;
    unsigned mod;
} mods[] = {{"Ctrl+", RN_MOD_CTRL}, {"Alt+", RN_MOD_ALT}, {"Shift+", RN_MOD_SHIFT}};

static int place_of(int code)
{
    int i = 0;
    while (i < WORDS && words[i].code != code)
        i++;
    return i;
}

bool rn_ui_key_has_word(int code)
{
    return place_of(code) < WORDS;
}

static bool is_pad(const struct rn_ui_key *key)
{
    return key->code >= RN_KEY_PAD && key->code < 2 * RN_KEY_PAD;
}

/* The text after the names of held keys, which *held gets. */
static const char *skip_mods(const char *text, unsigned *held)
{
    *held = 0;
    for (int i = 0; i < (int)(sizeof mods / sizeof *mods); i++) {
        size_t n = strlen(mods[i].name);
        if (strncasecmp(text, mods[i].name, n) != 0 || !text[n] || *held & mods[i].mod)
            continue;
        *held |= mods[i].mod;
        text += n;
        i = -1; /* in any order */
    }
    return text;
}

/* The one character of a text; 0: it is none. */
static int character(const char *text)
{
    uint32_t c;
    size_t n = rn_utf8_decode(text, &c);
    return n && c > ' ' && !text[n] && !rn_utf8_is_control(c) && c != 0xA0 ? (int)c : 0;
}

/* R and Shift+r are the same key: uses the letter that it types. */
static bool settle_letter(struct rn_ui_key *key)
{
    bool combined = key->mods & (RN_MOD_CTRL | RN_MOD_ALT);
    bool ascii = key->code < 0x80;
    if (combined && ascii && isupper(key->code)) {
        key->code = tolower(key->code);
        key->mods |= RN_MOD_SHIFT;
    }
    if (combined || !(key->mods & RN_MOD_SHIFT))
        return true;
    if (!ascii || !isalpha(key->code))
        return false; /* which sign it types depends on the layout */
    key->code = toupper(key->code);
    key->mods = 0;
    return true;
}

bool rn_ui_key_parse(struct rn_ui_key *key, const char *text)
{
    text = skip_mods(text, &key->mods);
    key->code = strcasecmp(text, SHARP) ? character(text) : '#';
    if (key->code)
        return settle_letter(key);
    for (int i = 0; i < WORDS && !key->code; i++)
        key->code = strcasecmp(text, words[i].word) ? 0 : words[i].code;
    return key->code;
}

char *rn_ui_key_print(const struct rn_ui_key *key, char buf[RN_KEY_NAME])
{
    int i = place_of(key->code);
    char sign[RN_UTF8_MOST];
    const char *name = i < WORDS ? words[i].word : key->code == '#' ? SHARP : sign;
    if (name == sign)
        rn_utf8_encode((uint32_t)key->code, sign);
    snprintf(buf, RN_KEY_NAME, "%s%s%s%s", key->mods & RN_MOD_CTRL ? "Ctrl+" : "",
             key->mods & RN_MOD_ALT ? "Alt+" : "", key->mods & RN_MOD_SHIFT ? "Shift+" : "", name);
    return buf;
}

/* The word most similar to text; NULL: none is similar. */
static const char *nearest_key(const char *text)
{
    const char *names[WORDS + 2];
    unsigned held;
    for (int i = 0; i < WORDS; i++)
        names[i] = words[i].word;
    names[WORDS] = SHARP;
    names[WORDS + 1] = NULL;
    text = skip_mods(text, &held);
    return character(text) ? NULL : rn_nearest(text, names);
}

/* ---- commands */

const struct rn_ui_command *rn_ui_command_find(const struct rn_ui_command *const *commands,
                                               const char *name)
{
    while (*commands && strcmp((*commands)->name, name) != 0)
        commands++;
    return *commands;
}

const char *rn_ui_command_nearest(const struct rn_ui_command *const *commands, const char *name)
{
    const char *names[128] = {"none"};
    for (int n = 1; *commands && n < 127; commands++)
        if (!((*commands)->flags & RN_COMMAND_SCRIPT))
            names[n++] = (*commands)->name;
    return rn_nearest(name, names);
}

bool rn_ui_command_has_argument(const struct rn_ui_command *command)
{
    return command->args[0].min != command->args[0].max;
}

static bool has_direction(const struct rn_ui_arg *arg)
{
    return arg->min < 0 && arg->max > 0;
}

bool rn_ui_command_has_direction(const struct rn_ui_command *command)
{
    return has_direction(&command->args[0]);
}

bool rn_ui_arg_takes(const struct rn_ui_arg *arg, double number)
{
    return number == trunc(number) && number >= arg->min && number <= arg->max &&
           (number != 0 || !has_direction(arg));
}

bool rn_ui_command_takes(const struct rn_ui_command *command, double argument)
{
    return rn_ui_command_has_argument(command) && rn_ui_arg_takes(&command->args[0], argument);
}

/* Returns false if the command does not take the argument. */
static bool read_number(const struct rn_ui_command *command, const char *text, int *argument)
{
    long long n;
    bool minus = *text == '-', number = rn_number_whole(text + minus, 0, INT_MAX, &n);
    *argument = number ? (int)(minus ? -n : n) : 0;
    return number && rn_ui_command_takes(command, *argument);
}

int rn_ui_command_default(const struct rn_ui_command *command)
{
    return rn_ui_command_has_argument(command) ? command->args[0].def : command->count;
}

char *rn_ui_command_help(const struct rn_ui_command *command, int argument, char *buf, size_t size)
{
    int n = abs(argument);
    bool many = n != 1 && rn_ui_command_has_argument(command) && command->many;
    const char *text = many ? command->many : command->help;
    const char *number = strstr(text, "%d");
    if (number)
        snprintf(buf, size, "%.*s%d%s", (int)(number - text), text, n, number + 2);
    else
        snprintf(buf, size, "%s", text);
    return buf;
}

/* ---- the map */

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
                       read_number(command, word, &b.count) && good;
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
        if (map->binding[i].key.code == key->code && map->binding[i].key.mods == key->mods)
            return &map->binding[i];
    return NULL;
}

char *rn_ui_keymap_key(const struct rn_ui_keymap *map, const struct rn_ui_command *command,
                       int count, char buf[RN_KEY_NAME])
{
    *buf = '\0';
    for (const struct rn_ui_binding *b = map->binding; b < map->binding + map->n && !*buf; b++)
        if (b->command == command && b->count == count && !is_pad(&b->key))
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
    bool directed = rn_ui_command_has_direction(like->command), pad = is_pad(&like->key);
    for (i++; i < map->n; i++) {
        const struct rn_ui_binding *b = &map->binding[i];
        if (b->command == like->command && is_pad(&b->key) == pad &&
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
    if (command->mouse && keys.left && !is_pad(&like->key))
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
            if (map->binding[i].command == *command && is_pad(&map->binding[i].key) == pad &&
                next_of(map, -1, &map->binding[i], 0) == i) { /* the first of its line */
                lines[0][n].group = group;
                make_line(map, &map->binding[i], *lines + n++);
            }
    }
    return n;
}

/* ---- the file */

#define NONE  "none"
#define BLANK " \t\r\v\f"
#define SHOWN 40 /* bytes of a word in a message */

/* ---- reading */

/* near: a similar word, or NULL. */
static int unknown(const char *what, const char *word, const char *near, const char *else_)
{
    char text[RN_UNKNOWN_TEXT];
    return rn_fail(RN_EUSAGE, "unknown %s %s%s", what, rn_unknown_name(word, near, text),
                   near ? "" : else_);
}

static int read_key(const char *word, struct rn_ui_key *key)
{
    if (rn_ui_key_parse(key, word))
        return 0;
    if (!strncasecmp(word, "Shift+", 6) && !nearest_key(word))
        return rn_fail(RN_EUSAGE, "'%.*s': write the sign itself that it types", SHOWN, word);
    return unknown("key", word, nearest_key(word), "");
}

static int read_command(const struct rn_ui_keymap *map, const char *word, struct rn_ui_binding *b)
{
    if (!strcmp(word, NONE))
        return 0;
    b->command = rn_ui_command_find(map->commands, word);
    if (b->command && b->command->flags & RN_COMMAND_SCRIPT)
        return rn_fail(RN_EUSAGE, "'%s' is for scripts (--ipc): no key can do it", word);
    return b->command ? 0
                      : unknown("action", word, rn_ui_command_nearest(map->commands, word),
                                "; `runnel play --keys` lists them");
}

/* word: NULL: none was given. */
static int read_argument(const char *word, struct rn_ui_binding *b)
{
    const struct rn_ui_command *c = b->command;
    if (c)
        b->count = rn_ui_command_default(c);
    if (!word)
        return 0;
    if (!c || !rn_ui_command_has_argument(c))
        return rn_fail(RN_EUSAGE, "'%s' takes no argument, not '%.*s'", c ? c->name : NONE, SHOWN,
                       word);
    if (!read_number(c, word, &b->count))
        return rn_fail(RN_EUSAGE, "'%s' takes a whole number %d..%d%s, not '%.*s'", c->name,
                       c->args[0].min, c->args[0].max,
                       rn_ui_command_has_direction(c) ? " but 0" : "", SHOWN, word);
    return 0;
}

static int put(struct rn_ui_keymap *map, const struct rn_ui_binding *b)
{
    const struct rn_ui_binding *found = rn_ui_keymap_find(map, &b->key);
    ptrdiff_t at = found ? found - map->binding : map->n;
    char name[RN_KEY_NAME];
    if (found && found->line)
        return rn_fail(RN_EUSAGE, "%s is in line %d already", rn_ui_key_print(&b->key, name),
                       found->line);
    if (at == RN_MAX_KEYS)
        return rn_fail(RN_EUSAGE, "more than %d keys", RN_MAX_KEYS);
    map->binding[at] = *b;
    map->n += !found;
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

static int read_line(struct rn_ui_keymap *map, char *line, int number)
{
    struct rn_ui_binding b = {.line = number};
    char *word[4] = {NULL};
    int n = 0;
    while (n < 4 && (word[n] = next_word(&line)) != NULL)
        n++;
    if (!n)
        return 0;
    int err = read_key(word[0], &b.key);
    if (!err && (n < 2 || n > 3))
        return rn_fail(RN_EUSAGE, "a line is KEY action [argument], or KEY " NONE);
    err = err ? err : read_command(map, word[1], &b);
    err = err ? err : read_argument(word[2], &b);
    return err ? err : put(map, &b);
}

int rn_ui_keymap_read(struct rn_ui_keymap *map, char *text, const char *file)
{
    int err = 0, line = 0;
    if (!strncmp(text, "\xef\xbb\xbf", 3)) /* as some editors begin */
        text += 3;
    while (text) {
        rn_log_about("%s:%d", file, ++line);
        err = rn_first_error(err, read_line(map, strsep(&text, "\n"), line));
    }
    rn_log_about("%s", "");
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
            fprintf(f, "%-12s %s", key, command ? command->name : NONE);
            if (command && rn_ui_command_has_argument(command))
                fprintf(f, " %d", map->binding[i].count);
            fputc('\n', f);
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
