/* SPDX-License-Identifier: MIT */
#include "app/help/help.h"

#include "app/cli.h"
#include "app/process/environment.h"
#include "filters/core/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints a candidate that begins with the word. head: what stands before it in the word. */
static void offer(const char *head, const char *word, const char *candidate, const char *help)
{
    if (!strncmp(candidate, word, strlen(word)))
        printf("%s%s\t%s\n", head, candidate, help);
}

/* The shell is to complete the name of a file, behind head. */
static void offer_files(const char *head)
{
    printf("//files %s\n", head);
}

/* Of what shells get as one word the completion of the preview is what follows its last sign. */
static void complete_chain(const char *head, const char *word)
{
    char text[4096];
    struct rn_app_offer found;
    if (word[0] == '@') {
        struct rn_app_preset list[RN_PRESETS_MOST];
        char about[RN_PRESET_ABOUT];
        snprintf(text, sizeof text, "%s@", head);
        for (int i = 0, n = rn_app_presets_list(list); i < n; i++)
            offer(text, word + 1, list[i].name, rn_app_preset_about(&list[i], about));
        offer_files(text);
        return;
    }
    printf("//open\n"); /* a : or , may follow */
    for (int i = 0; rn_app_completion_offer(word, i, &found); i++) {
        snprintf(text, sizeof text, "%s", word);
        rn_app_completion_take(text, sizeof text, i);
        if (!strncmp(text, word, strlen(word)))
            printf("%s%s\t%s\n", head, text, found.note);
    }
}

static void complete_device(const char *head, const char *word)
{
    struct rn_device_info *list = NULL;
    const char *why = NULL;
    char number[16];
    rn_app_environment_prepare(0);
    offer(head, word, "gpu", "the first GPU");
    offer(head, word, "cpu", "the first CPU");
    offer(head, word, "none", "plain C");
    for (int i = 0, n = rn_device_list(&list, &why); i < n; i++) {
        snprintf(number, sizeof number, "%d", i);
        offer(head, word, number, list[i].name);
    }
    free(list);
}

/* head: "--name=" where the value stands in the same word. */
static void complete_value(const struct rn_app_option_row *row, const char *head, const char *word)
{
    const char *usual = rn_app_option_text(row, ":usual");
    if (!strcmp(row->arg, "CHAIN"))
        complete_chain(head, word);
    else if (!strcmp(row->name, "device"))
        complete_device(head, word);
    else if (row->words)
        for (int i = 0; row->words[i]; i++)
            offer(head, word, row->words[i], usual ? usual : rn_app_option_text(row, ":takes"));
    else if (!strcmp(row->arg, "FILE"))
        offer_files(head);
}

int rn_app_complete(const struct rn_app_command *const *commands, int n, char *const *words)
{
    const char *word = n ? words[n - 1] : "";
    if (n < 2) {
        for (int i = 0; commands[i]; i++)
            offer("", word, commands[i]->name, commands[i]->summary);
        offer_files(""); /* `runnel FILE` plays it */
        return 0;
    }
    const struct rn_app_command *command = rn_app_command_find(commands, words[0]);
    command = command ? command : rn_app_command_find(commands, "play");
    if (!command)
        return 0;
    const char *before = words[n - 2], *sign = strchr(word, '=');
    const struct rn_app_option_row *row = NULL;
    char head[64] = "";
    if (n > 2 && before[0] == '-' && (row = rn_app_option_typed(before, strlen(before))) &&
        row->arg) {
        complete_value(row, head, word);
    } else if (word[0] == '-' && sign && (row = rn_app_option_typed(word, (size_t)(sign - word))) &&
               row->arg) {
        snprintf(head, sizeof head, "%.*s", (int)(sign + 1 - word), word);
        complete_value(row, head, sign + 1);
    } else if (word[0] == '-') {
        for (row = rn_app_options; row->name; row++) {
            char name[64];
            snprintf(name, sizeof name, "--%s", row->name);
            if (rn_app_option_is_taken(command, row))
                offer("", word, name, rn_app_option_text(row, ""));
        }
    } else if (strstr(command->operands, "NAME")) {
        for (int i = 0; rn_registry[i]; i++)
            offer("", word, rn_registry[i]->name, rn_registry[i]->help);
    } else if (*command->operands) {
        offer_files("");
    }
    return 0;
}
