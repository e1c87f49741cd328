/* SPDX-License-Identifier: MIT */
/* A command of the preview, as seen by keys, game controllers, the help and the file of keys. The
 * program passes its commands with the keymap (keymap.h): ui/ knows their names, keys and
 * arguments, but not what they do. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
    const char *keys;  /* by default, names of key.h: "q", or with arguments "Up 1 | Down -1" */
};

/* Finds a command in a list that ends with NULL. Returns NULL if none has that name. */
const struct rn_ui_command *rn_ui_command_find(const struct rn_ui_command *const *commands,
                                               const char *name);

/* The name most similar to a misspelt one, of a command for keys or `none`; NULL: none is
 * similar. */
const char *rn_ui_command_nearest(const struct rn_ui_command *const *commands, const char *name);

/* True if keys give the command an argument; if it takes this one. Reads an argument from a text:
 * returns false if the command does not take it. */
bool rn_ui_command_has_argument(const struct rn_ui_command *command);
bool rn_ui_command_takes(const struct rn_ui_command *command, long long argument);
bool rn_ui_command_argument(const struct rn_ui_command *command, const char *text, int *argument);

/* The argument if none is given. */
int rn_ui_command_default(const struct rn_ui_command *command);

/* True if the sign of its argument is a direction. */
bool rn_ui_command_has_direction(const struct rn_ui_command *command);

/* Writes the line of the help for an argument. Returns buf. */
char *rn_ui_command_help(const struct rn_ui_command *command, int argument, char *buf, size_t size);
