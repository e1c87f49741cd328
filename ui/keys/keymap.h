/* SPDX-License-Identifier: MIT */
/* Keys, the commands that they are for, and the map from one to the other. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- names of keys as people write them: Tab, Shift+Up, Alt+5, PgDn, F1, q, Q, +,
 * ?, Space; PadA, PadUp, PadRT: buttons, sticks and triggers of game controllers (keyboard.h).
 *
 * A key that types a sign is named by that sign, as it is printed on the key: Q, not Shift+q; #
 * begins comments, so its name is Sharp. All other keys have words. Ctrl and Alt precede both;
 * after them a letter is what the key types without Shift: Ctrl+Shift+z. */

enum { RN_MOD_CTRL = 1, RN_MOD_ALT = 2, RN_MOD_SHIFT = 4 };

/* Codes of game controllers, beyond all characters and beside those of SDL: a button of SDL's; an
 * axis of SDL's that is pushed up or left (way -1), or down, right or in (way 1). */
#define RN_KEY_PAD                 (1 << 29)
#define RN_KEY_PAD_BUTTON(button)  (RN_KEY_PAD + (button))
#define RN_KEY_PAD_AXIS(axis, way) (RN_KEY_PAD + 256 + 2 * (axis) + ((way) > 0))

struct rn_ui_key {
    int code;      /* a character, or SDL's code of a key that types none */
    unsigned mods; /* held keys, without Shift if the character implies it */
};

#define RN_KEY_NAME 40 /* bytes of the longest name */

/* Reads a name, ignoring the case of words. Returns false if there is no such key. */
bool rn_ui_key_parse(struct rn_ui_key *key, const char *text);

/* Writes the name that rn_ui_key_parse reads. Returns buf. */
char *rn_ui_key_print(const struct rn_ui_key *key, char buf[RN_KEY_NAME]);

/* True if the key has a word, so it is the same on every layout. */
bool rn_ui_key_has_word(int code);

/* ---- a command of the preview, as seen by keys, game controllers, the help and the
 * file of keys. The program passes its commands with the keymap: ui/ knows their names,
 * keys and arguments, but not what they do. */

enum rn_ui_arg_type {
    RN_ARG_NONE,  /* ends the list */
    RN_ARG_INT,   /* a whole number, min..max */
    RN_ARG_TIME,  /* seconds, "1:30" or a frame such as "150f", with a sign */
    RN_ARG_STAGE, /* a stage of the chain: its label, its name or its number from 1 on */
    RN_ARG_TEXT,
    RN_ARG_PROPERTY, /* the name of a property, or STAGE.PARAM */
    RN_ARG_PRESET,   /* the name of a preset, or a chain's file */
    RN_ARG_CHOICE,   /* one of a few words; other words, of which mpv has more, count as none */
    RN_ARG_JSON,     /* any value */
};

struct rn_ui_arg {
    enum rn_ui_arg_type type;
    const char *name; /* in messages and lists */
    int min,
        max; /* integers that a key can give; equal: a key gives none. If a range has both signs,
                   * the sign is a direction, and 0 is not in the range. */
    int def; /* if a key gives none */
    const char *choices[2]; /* of RN_ARG_CHOICE */
};

/* Arguments of a command that takes an integer, or none. */
#define RN_ARGS_INT(label, by_default, from, to)                                                   \
    {                                                                                              \
        {                                                                                          \
            .type = RN_ARG_INT, .name = label, .min = from, .max = to, .def = by_default           \
        }                                                                                          \
    }

enum {
    RN_COMMAND_REPEATS = 1,  /* holding the key down repeats it */
    RN_COMMAND_UNDOABLE = 2, /* `undo` reverts its changes */
    RN_COMMAND_SCRIPT = 4,   /* for scripts only, not for keys */
    RN_COMMAND_NOW = 8,      /* scripts get the answer without waiting for the picture */
    RN_COMMAND_PICTURE = 16, /* it needs the picture of all earlier commands */
    RN_COMMAND_WINDOW = 32,  /* it works before the first frame */
    RN_COMMAND_TYPES = 64,   /* it opens a field, into which later keys type */
};

#define RN_UI_ARGS 2 /* at most */

struct rn_ui_command {
    const char *name, *help; /* help: one line; "%d" in it stands for the argument without sign */
    const char *many;        /* the line if the argument is not 1; NULL: help */
    struct rn_ui_arg args[RN_UI_ARGS];
    unsigned flags;
    int count;         /* its argument if keys give none */
    const char *mouse; /* what the mouse does for it, for the help; NULL: nothing */
    const char *group; /* the title of the help that begins with it; NULL: as the one before */
    const char *menus; /* letters of the menus that have it: rn_ui_menu; NULL: none */
    const char *keys;  /* by default, names of keys: "q", or with arguments "Up 1 | Down -1" */
};

/* Finds a command in a list that ends with NULL. Returns NULL if none has that name. */
const struct rn_ui_command *rn_ui_command_find(const struct rn_ui_command *const *commands,
                                               const char *name);

/* The name most similar to a misspelt one: of a command for keys, or `none`; NULL: none is. */
const char *rn_ui_command_nearest(const struct rn_ui_command *const *commands, const char *name);

/* True if an argument that is an integer takes a number. */
bool rn_ui_arg_takes(const struct rn_ui_arg *arg, double number);

/* True if keys give the command an argument; if it takes this one. */
bool rn_ui_command_has_argument(const struct rn_ui_command *command);
bool rn_ui_command_takes(const struct rn_ui_command *command, double argument);

/* The argument if none is given. */
int rn_ui_command_default(const struct rn_ui_command *command);

/* True if the sign of its argument is a direction. */
bool rn_ui_command_has_direction(const struct rn_ui_command *command);

/* Writes the line of the help for an argument. Returns buf. */
char *rn_ui_command_help(const struct rn_ui_command *command, int argument, char *buf, size_t size);

/* ---- the default keys of the commands, overridden by a file of lines
 *
 *     KEY action [argument]
 *     KEY none
 *
 * as `play --keys` prints them. KEY is a name as above, action the name of a command; # begins a
 * comment, at the beginning of a line or after a blank. Keys that are not in the file keep their
 * commands; a key with none does nothing. */

#define RN_MAX_KEYS 1024 /* keys */

struct rn_ui_binding {
    struct rn_ui_key key;
    const struct rn_ui_command *command; /* NULL: none */
    int count;                           /* its argument */
    int line;                            /* in the file; 0: a default key */
};

struct rn_ui_keymap {
    const struct rn_ui_command *const *commands; /* in the order of the help; NULL ends them */
    struct rn_ui_binding binding[RN_MAX_KEYS];
    int n;
};

/* Initializes the map with the default keys of commands, which must outlive it. */
void rn_ui_keymap_default(struct rn_ui_keymap *map, const struct rn_ui_command *const *commands);

/* Adds the lines of a text, which is modified. file: its name, for messages. Returns 0, or
 * RN_EUSAGE with each mistake logged as FILE:LINE: ...; the map has the correct lines. */
int rn_ui_keymap_read(struct rn_ui_keymap *map, char *text, const char *file);

/* Adds the user's file, $XDG_CONFIG_HOME/runnel/keys or else ~/.config/runnel/keys, if it exists
 * (said, and left out, if somebody else could have written it: private.h). Returns 0, or RN_EUSAGE
 * or RN_EINTERNAL (logged); the map has the correct lines. */
int rn_ui_keymap_load(struct rn_ui_keymap *map);

/* The binding of a key; NULL: none. Its command is NULL if the file unbinds the key. */
const struct rn_ui_binding *rn_ui_keymap_find(const struct rn_ui_keymap *map,
                                              const struct rn_ui_key *key);

/* Prints all keys as a file that rn_ui_keymap_load reads; commands without a key as comments. */
void rn_ui_keymap_print(const struct rn_ui_keymap *map, FILE *f);

/* A line of the help: keys as "Up / Down, + / -, F1 - F4", and the help of their command. */
struct rn_ui_key_line {
    char keys[96], help[96];
    const struct rn_ui_command *command;
    int count;         /* its argument */
    const char *group; /* its title */
};

/* Writes the first key on the keyboard for a command with an argument, or "". Returns buf. */
char *rn_ui_keymap_key(const struct rn_ui_keymap *map, const struct rn_ui_command *command,
                       int count, char buf[RN_KEY_NAME]);

/* Makes the lines of the help for all commands with a key on the keyboard or on a game controller
 * (pad). The caller frees *lines. Returns their number, 0 when out of memory (logged). */
int rn_ui_keymap_lines(const struct rn_ui_keymap *map, bool pad, struct rn_ui_key_line **lines);
