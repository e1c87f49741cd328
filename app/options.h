/* The table of options: what each is called, takes and sets. */
#ifndef RN_APP_OPTIONS_H
#define RN_APP_OPTIONS_H

#include <stddef.h>

#include "app/cli.h"

#define RN_MOST_OPTIONS 128

struct rn_app_option_row {
    enum rn_app_option_group group;
    char letter;      /* 0: none */
    const char *name; /* long */
    const char *arg;  /* name of the argument; NULL: takes none */
    const char *help; /* lines are indented when printed */
    bool (*set)(struct rn_app_cli *cli, const char *text); /* NULL: what is at off is set */
    size_t off;        /* of a text, or without arg of a bool, which becomes true */
    const char *takes; /* what set wants, for the message when it refuses */
};

/* All rows, in the order of the help; *n: how many. */
const struct rn_app_option_row *rn_app_option_rows(int *n);

/* Does the command take the option? NULL: options of every command are taken alone. */
bool rn_app_option_is_taken(const struct rn_app_command *command,
                            const struct rn_app_option_row *row);

/* Print to stdout what `COMMAND --help` and `--help` say. commands: NULL at the end. */
void rn_app_print_command_help(const struct rn_app_command *command);
void rn_app_print_help(const struct rn_app_command *const *commands);

#endif
