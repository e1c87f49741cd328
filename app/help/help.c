/* SPDX-License-Identifier: MIT */
#include "app/cli.h"

#include "filters/base/text/words.h"

#include <stdio.h>
#include <string.h>

extern const struct rn_word_row rn_app_command_texts[]; /* app/commands/commands.texts */

static const struct {
    unsigned groups;
    const char *title;
} titles[] = {
    {RN_OPTIONS_FILTERS | RN_OPTIONS_STATS | RN_OPTIONS_BENCH | RN_OPTIONS_JSON |
         RN_OPTIONS_DEVICE | RN_OPTIONS_PLAY | RN_OPTIONS_LIST | RN_OPTIONS_PIPELINE |
         RN_OPTIONS_REPLAY | RN_OPTIONS_LEARN,
     "Processing"},
    {RN_OPTIONS_PLAN | RN_OPTIONS_PART | RN_OPTIONS_DIR, "Segments"},
    {RN_OPTIONS_INPUT, "Input"},
    {RN_OPTIONS_ENCODE | RN_OPTIONS_OVERWRITE, "Output"},
    {RN_OPTIONS_GUARD | RN_OPTIONS_REPORT | RN_OPTIONS_METRICS | RN_OPTIONS_COMMON,
     "Reports and help"},
};

#define COLUMNS 80
#define INDENT  27 /* of the help texts */

/* Prints head, then the words of text, wrapped and indented. */
static void print_wrapped(const char *head, const char *text)
{
    int column = printf("%-*s", INDENT, head);
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > INDENT && column + 1 + length > COLUMNS)
            column = printf("\n%*s", INDENT, "") - 1;
        column += printf(" %.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    printf("\n");
}

/* what: as in rn_app_option_text; an option without such a text is left out. */
static void print_row(const struct rn_app_option_row *row, const char *what)
{
    const char *text = rn_app_option_text(row, what);
    char letter[8] = "", head[64];
    if (!text)
        return;
    if (row->letter)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    snprintf(head, sizeof head, "  %4s--%s%s%s", letter, row->name, row->arg ? " " : "",
             row->arg ? row->arg : "");
    print_wrapped(head, text);
}

static void print_options(const struct rn_app_command *command)
{
    for (size_t t = 0; t < sizeof titles / sizeof *titles; t++) {
        bool titled = false;
        for (const struct rn_app_option_row *row = rn_app_options; row->name; row++) {
            unsigned group =
                command ? row->group & (command->options | RN_OPTIONS_COMMON) : row->group;
            if (!(group & titles[t].groups) || !rn_app_option_is_taken(command, row))
                continue;
            if (!titled)
                printf("\n%s:\n", command ? titles[t].title : "Options of every command");
            titled = true;
            print_row(row, "");
        }
    }
}

/* Prints a text of commands.texts, if it is there. */
static void print_text(const struct rn_app_command *c, const char *what, const char *title)
{
    char key[64];
    snprintf(key, sizeof key, "%s:%s", c->name, what);
    const char *text = rn_word_meant(rn_app_command_texts, key);
    if (text)
        printf("\n%s%s", title, text);
}

void rn_app_print_command_help(const struct rn_app_command *c, bool all)
{
    printf("usage: runnel %s%s%s [options]\n\n%s\n", c->name, *c->operands ? " " : "", c->operands,
           c->summary);
    if (!all) {
        printf("\n");
        for (const struct rn_app_option_row *row = rn_app_options; row->name; row++)
            if (rn_app_option_is_taken(c, row))
                print_row(row, ":usual");
        printf("\n`runnel %s --help all` has every option and examples; `man runnel-%s`\n", c->name,
               c->name);
        return;
    }
    print_text(c, "about", "");
    print_options(c);
    if (c->notes)
        c->notes();
    print_text(c, "examples", "Examples:\n");
    print_text(c, "status", "Exit status:\n");
}

void rn_app_print_help(const struct rn_app_command *const *commands, bool all)
{
    printf("usage: runnel COMMAND ... [options]\n\n"
           "Streams video and images through a chain of OpenCL filters.\n\nCommands:\n");
    for (int i = 0; commands[i]; i++) {
        char usage[64];
        snprintf(usage, sizeof usage, "%s %s", commands[i]->name, commands[i]->operands);
        printf("  %-24s %s\n", usage, commands[i]->summary);
    }
    printf("\n`runnel COMMAND --help` shows a command's options, `--help all` every one.\n");
    if (all)
        print_options(NULL);
}
