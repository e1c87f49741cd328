#include "app/options.h"

#include <stdio.h>
#include <string.h>

static const struct {
    unsigned groups;
    const char *title;
} titles[] = {
    {RN_OPTIONS_FILTERS | RN_OPTIONS_STATS | RN_OPTIONS_BENCH | RN_OPTIONS_JSON |
         RN_OPTIONS_DEVICE | RN_OPTIONS_PLAY | RN_OPTIONS_PIPELINE | RN_OPTIONS_REPLAY,
     "Processing"},
    {RN_OPTIONS_INPUT, "Input"},
    {RN_OPTIONS_ENCODE | RN_OPTIONS_OVERWRITE, "Output"},
    {RN_OPTIONS_REPORT | RN_OPTIONS_METRICS | RN_OPTIONS_COMMON, "Reports and help"},
};

#define COLUMNS 80
#define INDENT  27 /* of what the options mean */

/* Words, which blanks or line ends part, behind a head, wrapped. */
static void print_wrapped(const char *head, const char *text)
{
    int column = printf("%-*s", INDENT, head);
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (column > INDENT && column + 1 + length > COLUMNS)
            column = printf("\n%*s", INDENT, "") - 1;
        column += printf(" %.*s", length, text);
        text += length;
        text += strspn(text, " \n");
    }
    printf("\n");
}

static void print_row(const struct rn_app_option_row *row)
{
    char left[64];
    int n = row->letter ? snprintf(left, sizeof left, "  -%c, --%s", row->letter, row->name)
                        : snprintf(left, sizeof left, "      --%s", row->name);
    if (row->arg)
        snprintf(left + n, sizeof left - (size_t)n, " %s", row->arg);
    print_wrapped(left, row->help);
}

static void print_options(const struct rn_app_command *command)
{
    int n;
    const struct rn_app_option_row *rows = rn_app_option_rows(&n);
    for (size_t t = 0; t < sizeof titles / sizeof *titles; t++) {
        bool titled = false;
        for (int i = 0; i < n; i++) {
            if (!(rows[i].group & titles[t].groups) || !rn_app_option_is_taken(command, &rows[i]))
                continue;
            if (!titled)
                printf("\n%s:\n", command ? titles[t].title : "Options of every command");
            titled = true;
            print_row(&rows[i]);
        }
    }
}

void rn_app_print_command_help(const struct rn_app_command *c)
{
    printf("usage: runnel %s%s%s [options]\n\n%s\n", c->name, *c->operands ? " " : "", c->operands,
           c->summary);
    if (c->about)
        printf("\n%s", c->about);
    print_options(c);
    if (c->notes)
        c->notes();
    if (c->examples)
        printf("\nExamples:\n%s", c->examples);
    printf("\nExit status:\n%s", c->status);
}

void rn_app_print_help(const struct rn_app_command *const *commands)
{
    printf("usage: runnel COMMAND ... [options]\n\n"
           "Streams video and images through a chain of OpenCL filters.\n\nCommands:\n");
    for (int i = 0; commands[i]; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", commands[i]->name, commands[i]->operands);
        printf("  %-24s %s\n", left, commands[i]->summary);
    }
    printf("\n`runnel COMMAND --help` shows a command's options and examples.\n");
    print_options(NULL);
}
