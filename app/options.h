/* SPDX-License-Identifier: MIT */
/* The table of options: the name, argument and target field of each. */
#pragma once

#include "app/cli.h"

/* In the order of the help; ends with a row without a name. */
extern const struct rn_app_option_row {
    enum rn_app_option_group group;
    char letter;      /* 0: none */
    const char *name; /* long */
    const char *arg;  /* name of the argument; NULL: takes none */
    size_t off;       /* of the field in struct rn_app_cli; by default a text, or a bool if !arg */
    bool (*set)(void *field, const char *text); /* parses other types; false: invalid text */
    int64_t min, max;                           /* max > 0: the field is a whole number */
    const char *const *words; /* values of an enumerator, up to a NULL; the first one means min */
    size_t size;              /* of a number or enumerator */
    bool once;                /* says what one run is for: not in the user's file of options */
} rn_app_options[];

/* What options.words says of the option: "" the help, which is wrapped when printed; ":usual" its
 * line in --help, NULL: --help all alone has the option; ":takes" what its arguments are, for the
 * error message, NULL: anything. */
const char *rn_app_option_text(const struct rn_app_option_row *row, const char *what);

/* Whether the command takes the option. command NULL: whether every command does. */
bool rn_app_option_is_taken(const struct rn_app_command *command,
                            const struct rn_app_option_row *row);

/* The option with a long name of so many bytes, or with a letter, rather one that the command (or
 * NULL) takes; NULL: there is none. */
const struct rn_app_option_row *rn_app_option_named(const char *name, size_t length);
const struct rn_app_option_row *rn_app_option_lettered(const struct rn_app_command *command,
                                                       int letter);

/* The option that a word of n bytes is, which begins with a dash; NULL: none. */
const struct rn_app_option_row *rn_app_option_typed(const char *word, size_t n);

/* Print `COMMAND --help` and `--help` to stdout. commands: NULL at the end. all: everything, as
 * with `--help all`; else what fits one screen. */
void rn_app_print_command_help(const struct rn_app_command *command, bool all);
void rn_app_print_help(const struct rn_app_command *const *commands, bool all);
