/* SPDX-License-Identifier: MIT */
/* The program `runnel` that people call. It runs the commands that need the engine alone, and loads
 * one of its halves for all others: loading FFmpeg and SDL takes most of the time of a short
 * command. */
#include "app/commands/commands.h"
#include "app/process/terminal.h"
#include "filters/base/text/words.h"
#include "filters/base/version.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifndef RN_PARTS
#define RN_PARTS "../libexec/runnel" /* LIBEXECDIR, seen from BINDIR */
#endif

/* Sets path to a file beside this program, or else in RN_PARTS, and returns whether it is there.
 * folder: of this program, with a slash at its end. */
static bool find_part(const char *name, char path[static PATH_MAX], char folder[static PATH_MAX])
{
    static const char *const places[] = {"", RN_PARTS "/"};  /* in the build; installed */
    const char *called = (const char *)getauxval(AT_EXECFN); /* where there is no /proc */
    if (!realpath("/proc/self/exe", folder) && !realpath(called, folder))
        snprintf(folder, PATH_MAX, "%s", called);
    char *slash = strrchr(folder, '/');
    slash[slash ? 1 : 0] = '\0';
    bool found = false;
    for (size_t i = 0; !found && i < sizeof places / sizeof *places; i++)
        found = snprintf(path, PATH_MAX, "%s%s%s", folder, places[i], name) < PATH_MAX &&
                access(path, F_OK) == 0;
    return found;
}

/* Whether the command shows no window. Those that do, mistakes and help need all commands. */
static bool is_headless(const char *command)
{
    static const char names[] = "render stats info bench devices filters schema plan join learn";
    return command && rn_word_is_listed(names, ' ', command, strlen(command), false);
}

/* A part of the program. RTLD_LOCAL: what PoCL loads later is not looked up in FFmpeg's 130
 * libraries first. RTLD_LAZY is for those; the parts are linked to be bound at once. */
struct part {
    const char *name, *entry;
    int flags; /* of dlopen() */
};

/* The processes that read what may be hostile open no library later. Preloaded ones find what they
 * stand before. */
static struct part part_of(const char *command)
{
    if (command && !strcmp(command, "dicom-worker"))
        return (struct part){"runnel-dicom.so", "rn_dicom_worker_main", RTLD_NOW | RTLD_GLOBAL};
    if (command && !strcmp(command, "mat-worker"))
        return (struct part){"runnel-mat.so", "rn_vol_mat_worker_main", RTLD_NOW | RTLD_GLOBAL};
    if (command && !strcmp(command, "onnx-worker"))
        return (struct part){"runnel-onnx.so", "rn_onnx_worker_main", RTLD_NOW | RTLD_GLOBAL};
    return (struct part){is_headless(command) ? "runnel-media.so" : "runnel-play.so",
                         "rn_app_half_main", RTLD_LAZY | RTLD_LOCAL};
}

/* Returns the exit status. */
static int run_part(int argc, char **argv)
{
    char path[PATH_MAX], folder[PATH_MAX];
    bool completes = argc > 3 && !strcmp(argv[1], "complete"); /* `complete -- COMMAND ...` */
    struct part part = part_of(argv[completes ? 3 : 1]);
    bool found = find_part(part.name, path, folder);
    void *opened = found ? dlopen(path, part.flags) : NULL;
    int (*run)(int, char **);
    *(void **)&run = opened ? dlsym(opened, part.entry) : NULL;
    if (run)
        return run(argc, argv);
    return -rn_fail(RN_EINTERNAL,
                    "cannot load %s, which belongs into '%s' or into '" RN_PARTS
                    "' from there: %s; install runnel anew",
                    part.name, folder, found ? dlerror() : strerror(ENOENT));
}

/* The halves know the options and what to say of mistakes. */
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
        return run_part(argc, argv);
    rn_app_standard_io_open();
    static struct rn_app_cli cli = {.command = &rn_app_command_filters}; /* stacks may be small */
    cli.operand[0] = argc > 2 ? argv[2] : NULL;
    int err = 0;
    if (!strcmp(argv[1], rn_app_command_filters.name))
        err = cli.command->run(&cli);
    else
        puts("runnel " RN_VERSION);
    return -rn_app_standard_io_close(err);
}
