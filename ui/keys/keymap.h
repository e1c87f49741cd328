/* SPDX-License-Identifier: MIT */
/* The keymap: the default keys of the commands (command.h), overridden by a file of lines
 *
 *     KEY action [argument]
 *     KEY none
 *
 * as `play --keys` prints them. KEY is a name of key.h, action the name of a command; # begins a
 * comment, at the beginning of a line or after a blank. Keys that are not in the file keep their
 * commands; a key with none does nothing. */
#pragma once

#include <stdio.h>

#include "ui/keys/command.h"
#include "ui/keys/key.h"

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

/* Writes the first key on the keyboard for a command with an argument; "" if it has none. Returns
 * buf. */
char *rn_ui_keymap_key(const struct rn_ui_keymap *map, const struct rn_ui_command *command,
                       int count, char buf[RN_KEY_NAME]);

/* Makes the lines of the help for all commands with a key on the keyboard or on a game controller
 * (pad). The caller frees *lines. Returns their number, 0 when out of memory (logged). */
int rn_ui_keymap_lines(const struct rn_ui_keymap *map, bool pad, struct rn_ui_key_line **lines);
