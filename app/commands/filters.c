/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strcasestr */
#include "app/commands/commands.h"
#include "app/help/help.h"

#include "filters/base/owned.h"
#include "filters/core/chain/chain.h"
#include "filters/core/chain/vocabulary.h"

#pragma weak rn_app_describe_filters /* both NULL in the program that needs the engine alone */
#pragma weak rn_app_presets_print

/* ---- the table of parameters: columns as wide as their widest cell, the help on its own line */

enum column { COLUMN_NAME, COLUMN_TYPE, COLUMN_DEFAULT, COLUMN_STEP, COLUMN_UNIT, COLUMN_RANGE };
#define NCOLUMNS 6

struct cells {
    char text[NCOLUMNS][160];
};

static void fill_cells(struct cells *cells, const struct rn_stage *stage,
                       const struct rn_param *row)
{
    static const char *const types[] = {"int", "float", "choice", "text"};
    size_t size = sizeof cells->text[0];
    bool number = row->type == RN_INT || row->type == RN_FLOAT;
    snprintf(cells->text[COLUMN_NAME], size, "%s%s", row->name, row->fixed ? "" : " *");
    snprintf(cells->text[COLUMN_TYPE], size, "%s", types[row->type]);
    if (row->level)
        snprintf(cells->text[COLUMN_DEFAULT], size, "%g", row->def);
    else
        rn_param_format(row, rn_stage_values(stage, row), cells->text[COLUMN_DEFAULT], size);
    if (!*cells->text[COLUMN_DEFAULT])
        snprintf(cells->text[COLUMN_DEFAULT], size, "(empty)");
    snprintf(cells->text[COLUMN_STEP], size, number ? "%g" : "-", row->step);
    snprintf(cells->text[COLUMN_UNIT], size, "%s", row->unit && *row->unit ? row->unit : "-");
    rn_param_range(row, cells->text[COLUMN_RANGE], size);
}

static void print_cells(const struct cells *cells, const int *width)
{
    for (int c = 0; c < COLUMN_RANGE; c++)
        printf("  %-*s", width[c], cells->text[c]);
    printf("  %s\n", cells->text[COLUMN_RANGE]);
}

static void widen(int *width, const struct cells *cells)
{
    for (int c = 0; c < NCOLUMNS; c++)
        if ((int)strlen(cells->text[c]) > width[c])
            width[c] = (int)strlen(cells->text[c]);
}

/* Widens the columns for the parameters of a filter, or prints these. */
static void show_rows(int *width, const struct rn_stage *stage, bool print)
{
    struct cells cells;
    RN_EACH_PARAM (row, stage) {
        fill_cells(&cells, stage, row);
        if (print) {
            print_cells(&cells, width);
            printf("%*s%s\n", width[COLUMN_NAME] + 4, "", row->help);
        } else {
            widen(width, &cells);
        }
    }
}

/* Explains levels and lengths, if the filter has any. */
static void print_units(const struct rn_stage *stage)
{
    const struct rn_param *level = stage->table, *length = stage->table;
    while (level->name && !level->level)
        level++;
    if (level->name)
        printf("\n8-bit units are those of video: 0 black, 255 white at every depth. For a scan a "
               "plain number is a stored\nvalue of the input instead. A suffix says otherwise: "
               "40hu (the scan's unit, through its rescale slope and\nintercept), 600native "
               "(stored values), 128 8bit.\n");
    while (length->name && !length->length)
        length++;
    if (length->name)
        printf("\nFor a scan whose spacing is known (runnel info), %s may be given in "
               "millimetres, radius=1.5mm:slices=1.5mm;\nit reaches the samples whose centres are "
               "no farther away. Without slices each picture is filtered by itself.\n",
               rn_param_find(stage->table, "slices") ? "radius and slices" : length->name);
}

/* In lines of up to 100 columns. */
static void print_text(const char *text)
{
    for (size_t column = 0, n; *text; text += n + strspn(text + n, " "), column += n + 1) {
        n = strcspn(text, " ");
        bool full = column && column + n > 100;
        column = full ? 0 : column;
        printf("%s%.*s", full ? "\n" : column ? " " : "", (int)n, text);
    }
    printf("\n");
}

/* Whether a word means the filter: it is in one of its names or in its line, or users say it. */
static bool is_meant(const struct rn_stage_desc *desc, const char *word)
{
    return strcasestr(desc->name, word) || strcasestr(desc->help, word) ||
           (desc->aliases && strcasestr(desc->aliases, word)) ||
           rn_word_is_listed(rn_word_meant(rn_vocabulary_topics, word), ',', desc->name,
                             strlen(desc->name), false);
}

/* The filters that a word means, or all where it is "", which is in every name. */
static void print_list(const char *word)
{
    int width = 0;
    for (int i = 0; rn_registry[i]; i++)
        if ((int)strlen(rn_registry[i]->name) > width)
            width = (int)strlen(rn_registry[i]->name);
    for (int i = 0; rn_registry[i]; i++)
        if (is_meant(rn_registry[i], word))
            printf("%-*s  %s\n", width, rn_registry[i]->name, rn_registry[i]->help);
    printf("\n`runnel filters NAME` shows the parameters of one. A chain holds at most %d.\n",
           RN_MAX_STAGES);
}

static int show_filter(const char *name, bool json)
{
    const struct rn_stage_desc *desc = rn_registry_find(name), *found = NULL;
    bool topic = rn_word_meant(rn_vocabulary_topics, name);
    int n = 0, none = desc || rn_word_meant(rn_vocabulary_elsewhere, name);
    for (int i = 0; !none && rn_registry[i]; i++)
        if (is_meant(rn_registry[i], name) && ++n)
            found = rn_registry[i];
    if (n)
        desc = n == 1 ? found : topic ? NULL : rn_registry_alias(name);
    if (!desc && n && !json) {
        print_list(name);
        return 0;
    }
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    int err = desc ? 0 : rn_chain_parse(&chain, name); /* says what may be meant */
    if (!desc)
        return err ? err : rn_fail(RN_EUSAGE, "no filter is named '%s'", name);
    if (json)
        return rn_app_describe_filters(desc);
    struct cells head = {{"parameter", "type", "default", "step", "unit", "range"}};
    int width[NCOLUMNS] = {0};
    RN_OWNED(rn_stage_destroy) struct rn_stage *stage = rn_stage_create(desc); /* with defaults */
    if (!stage)
        return rn_fail_memory();
    printf("%s: %s\n", desc->name, desc->help);
    if (desc->aliases)
        printf("called elsewhere: %s\n", desc->aliases);
    printf("\n");
    widen(width, &head);
    show_rows(width, stage, false);
    print_cells(&head, width);
    show_rows(width, stage, true);
    print_units(stage);
    if (desc->about) {
        printf("\n");
        print_text(desc->about);
    }
    printf("\nValues without a name are taken in this order, but for those from enable on, which "
           "all filters have.  * can change while running\n");
    return 0;
}

static int filters_run(const struct rn_app_cli *cli)
{
    if (cli->presets)
        return rn_app_presets_print();
    if (cli->operand[0])
        return show_filter(cli->operand[0], cli->json);
    if (cli->json)
        return rn_app_describe_filters(NULL);
    print_list("");
    return 0;
}

const struct rn_app_command rn_app_command_filters = {
    .name = "filters",
    .operands = "[NAME]",
    .summary = "list filters, those for a word, or parameters of one",
    .options = RN_OPTIONS_JSON | RN_OPTIONS_LIST,
    .max_operands = 1,
    .run = filters_run,
};
