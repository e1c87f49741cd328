/* The table of options: what each is called, takes and sets. */
#ifndef RN_APP_OPTIONS_H
#define RN_APP_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "app/cli.h"

#define RN_MOST_OPTIONS 128

struct rn_app_option_row {
    enum rn_app_option_group group;
    char letter;      /* 0: none */
    const char *name; /* long */
    const char *arg;  /* name of the argument; NULL: takes none */
    const char *help; /* lines are indented when printed */
    size_t off; /* of the field in struct rn_app_cli: a text, or without arg a bool, unless: */
    bool (*set)(void *field, const char *text); /* reads another one; false: the text is wrong */
    int64_t min, max;                           /* max > 0: a whole number */
    const char *const *words; /* of an enumerator, to a NULL; the first one means min */
    size_t size;              /* of a number */
    const char *takes;        /* what the option takes, for the message where that is refused */
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
