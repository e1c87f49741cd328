/* The program `runnel` that people call. It runs the commands that need the engine alone, and
 * executes runnel-media for all others: loading FFmpeg, SDL and GDCM takes most of the time of a
 * short command. */
#include "app/cli.h"
#include "app/commands/commands.h"
#include "app/process/standard_io.h"
#include "app/process/terminal.h"
#include "app/version.h"
#include "filters/base/err.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Returns only on failure. Signals, descriptors and argv[0] are passed on unchanged. */
static int become_media(char **argv)
{
    static const char *const places[] = {"", "../libexec/"}; /* in the build; installed */
    const char *called = (const char *)getauxval(AT_EXECFN);
    char self[PATH_MAX], path[PATH_MAX + 32];
    if (!realpath(called, self)) /* a folder above may be unreadable */
        snprintf(self, sizeof self, "%s", called);
    const char *slash = strrchr(self, '/');
    int folder = slash ? (int)(slash + 1 - self) : 0;
    bool look = true;
    for (size_t i = 0; look && i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%.*s%srunnel-media", folder, self, places[i]);
        execv(path, argv);
        look = errno == ENOENT;
    }
    return rn_fail(RN_EINTERNAL,
                   "cannot execute runnel-media, which belongs into '%.*s' or into '../libexec' "
                   "from there: %s; install runnel anew",
                   folder, self, strerror(errno));
}

/* Options and mistakes go to runnel-media, which knows all commands. */
static bool needs_engine_only(int argc, char **argv)
{
    if (argc == 2)
        return !strcmp(argv[1], "--version") || !strcmp(argv[1], rn_app_command_filters.name);
    return argc == 3 && !strcmp(argv[1], rn_app_command_filters.name) && *argv[2] &&
           *argv[2] != '-';
}

int main(int argc, char **argv)
{
    rn_app_terminal_open();
    if (!needs_engine_only(argc, argv))
        return -become_media(argv);
    rn_app_standard_io_open();
    const struct rn_app_cli cli = {.command = &rn_app_command_filters,
                                   .operand = {argc > 2 ? argv[2] : NULL}};
    int err = 0;
    if (!strcmp(argv[1], rn_app_command_filters.name))
        err = cli.command->run(&cli);
    else
        puts("runnel " RN_VERSION);
    return -rn_app_standard_io_close(err);
}
