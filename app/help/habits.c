/* SPDX-License-Identifier: MIT */
#include "app/help/habits.h"

#include "app/options.h"
#include "filters/core/chain/stage.h"
#include "filters/core/chain/vocabulary.h"

#include <stdio.h>
#include <string.h>

extern const struct rn_word_row rn_habits_options[], rn_habits_commands[]; /* habits.words */

/* An option of ours but for the number of its dashes, a filter, or a command. */
static const char *ours_for(const char *word, char *text, size_t size)
{
    const char *name = word + strspn(word, "-"), *sign = name == word + 1 ? "--" : "-";
    int n = (int)strcspn(name, "=:");
    const struct rn_app_option_row *row = sign[1]  ? rn_app_option_named(name, (size_t)n)
                                          : n == 1 ? rn_app_option_lettered(NULL, *name)
                                                   : NULL;
    snprintf(text, size, "%.*s", n, name);
    const struct rn_stage_desc *desc = rn_registry_find(text);
    desc = desc ? desc : rn_registry_alias(text);
    const char *topic = desc ? desc->name : rn_word_meant(rn_vocabulary_topics, text);
    const char *command = topic ? NULL : rn_app_habit_command(text);
    if (row)
        snprintf(text, size, "%s%.*s%s%s", sign, n, name, row->arg ? " " : "",
                 row->arg ? row->arg : "");
    else if (topic)
        snprintf(text, size, "-f %s%s", desc ? "" : "with one of ", topic);
    else if (command)
        snprintf(text, size, "the command is %s", command);
    else
        return rn_word_meant(rn_vocabulary_elsewhere, text);
    return text;
}

const char *rn_app_habit(const struct rn_app_command *command, const char *word, char *text,
                         size_t size)
{
    const char *name = word + strspn(word, "-");
    const char *own = command->options & RN_OPTIONS_PLAY     ? "play"
                      : command->options & RN_OPTIONS_ENCODE ? "render"
                                                             : "table";
    snprintf(text, size, "%s:%.*s", own, (int)strcspn(name, "="), name);
    const char *ours = rn_word_meant(rn_habits_options, text);
    for (size_t k = strlen(name); k && !ours; k--) /* longest first: c:a is not c */
        if (!name[k] || name[k] == ':' || name[k] == '=')
            ours = rn_word_start_meant(rn_habits_options, name, k);
    return ours ? ours : ours_for(word, text, size);
}

const char *rn_app_habit_command(const char *word)
{
    word += strspn(word, "-");
    return rn_word_meant(rn_habits_commands, word);
}
