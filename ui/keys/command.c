/* SPDX-License-Identifier: MIT */
#include "ui/keys/keymap.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/text/nearest.h"
#include "filters/base/text/number.h"

const struct rn_ui_command *rn_ui_command_find(const struct rn_ui_command *const *commands,
                                               const char *name)
{
    while (*commands && strcmp((*commands)->name, name) != 0)
        commands++;
    return *commands;
}

const char *rn_ui_command_nearest(const struct rn_ui_command *const *commands, const char *name)
{
    const char *names[128] = {"none"};
    for (int n = 1; *commands && n < 127; commands++)
        if (!((*commands)->flags & RN_COMMAND_SCRIPT))
            names[n++] = (*commands)->name;
    return rn_nearest(name, names);
}

bool rn_ui_command_has_argument(const struct rn_ui_command *command)
{
    return command->args[0].min != command->args[0].max;
}

bool rn_ui_command_has_direction(const struct rn_ui_command *command)
{
    return command->args[0].min < 0 && command->args[0].max > 0;
}

bool rn_ui_command_takes(const struct rn_ui_command *command, long long argument)
{
    const struct rn_ui_arg *arg = &command->args[0];
    return rn_ui_command_has_argument(command) && argument >= arg->min && argument <= arg->max &&
           (argument || !rn_ui_command_has_direction(command));
}

bool rn_ui_command_argument(const struct rn_ui_command *command, const char *text, int *argument)
{
    long long n;
    bool minus = *text == '-', number = rn_number_whole(text + minus, 0, INT_MAX, &n);
    *argument = number ? (int)(minus ? -n : n) : 0;
    return number && rn_ui_command_takes(command, *argument);
}

int rn_ui_command_default(const struct rn_ui_command *command)
{
    return rn_ui_command_has_argument(command) ? command->args[0].def : command->count;
}

char *rn_ui_command_help(const struct rn_ui_command *command, int argument, char *buf, size_t size)
{
    int n = abs(argument);
    bool many = n != 1 && rn_ui_command_has_argument(command) && command->many;
    const char *text = many ? command->many : command->help;
    const char *number = strstr(text, "%d");
    if (number)
        snprintf(buf, size, "%.*s%d%s", (int)(number - text), text, n, number + 2);
    else
        snprintf(buf, size, "%s", text);
    return buf;
}
