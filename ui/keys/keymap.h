/* The keys in force: those of the commands (command.h), and over them those of a file, line by
 * line
 *
 *     KEY action [argument]
 *     KEY none
 *
 * as `play --keys` prints them. KEY is a name of key.h, action the name of a command; # begins a
 * comment, at the beginning of a line or behind a blank. A key that the file does not name keeps
 * what it does; with none it does nothing. */
#ifndef RN_UI_KEYS_KEYMAP_H
#define RN_UI_KEYS_KEYMAP_H

#include <stdio.h>

#include "ui/keys/command.h"
#include "ui/keys/key.h"

#define RN_MAX_KEYS 1024 /* keys */

struct rn_ui_binding {
    struct rn_ui_key key;
    const struct rn_ui_command *command; /* NULL: nothing */
    int count;                           /* its argument */
    int line;                            /* of the file; 0: it is not from there */
};

struct rn_ui_keymap {
    const struct rn_ui_command *const *commands; /* in the order of the help; NULL ends them */
    struct rn_ui_binding binding[RN_MAX_KEYS];
    int n;
};

/* Begins with the default keys of the commands. commands: outlives the map. */
void rn_ui_keymap_default(struct rn_ui_keymap *map, const struct rn_ui_command *const *commands);

/* Puts over them what a text says. text: is changed; file: its name, for messages. Returns 0, or
 * RN_EUSAGE with each mistake logged as FILE:LINE: ...; what the other lines say is in the map. */
int rn_ui_keymap_read(struct rn_ui_keymap *map, char *text, const char *file);

/* Puts over them what the user's file says, $XDG_CONFIG_HOME/runnel/keys or else
 * ~/.config/runnel/keys; there need be none. Returns 0, or RN_EUSAGE or RN_EINTERNAL (logged), and
 * the map has what could be read. */
int rn_ui_keymap_load(struct rn_ui_keymap *map);

/* What a key does; NULL if nothing was said of it. Its command is NULL where it is to do
 * nothing. */
const struct rn_ui_binding *rn_ui_keymap_find(const struct rn_ui_keymap *map,
                                              const struct rn_ui_key *key);

/* Prints all of them as a file that rn_ui_keymap_load reads; commands without a key as comments. */
void rn_ui_keymap_print(const struct rn_ui_keymap *map, FILE *f);

/* A line of the help: keys as "Up / Down, + / -, F1 - F4", and what they do. */
struct rn_ui_key_line {
    char keys[96], help[96];
};

/* Makes the lines of the help, of all commands that have a key, of the keyboard or of a game
 * controller (pad); *lines: the caller frees them. Returns how many there are, 0 when out of memory
 * (logged). */
int rn_ui_keymap_lines(const struct rn_ui_keymap *map, bool pad, struct rn_ui_key_line **lines);

#endif
