/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "app/help/help.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/output/textfile.h"
#include "filters/base/owned.h"
#include "filters/base/text/words.h"

#include <dirent.h>
#include <limits.h>

#define ENDING ".chain"

struct list {
    struct rn_app_preset *preset; /* RN_PRESETS_MOST of them */
    int n;
};

#ifndef RN_PRESETS
#define RN_PRESETS "../share/runnel/presets" /* in DATADIR, seen from BINDIR */
#endif

static int is_preset(const struct dirent *e)
{
    size_t n = strlen(e->d_name), ending = strlen(ENDING);
    return *e->d_name != '.' && n > ending && !strcmp(e->d_name + n - ending, ENDING);
}

static int compare(const void *a, const void *b)
{
    const struct rn_app_preset *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int find(const struct list *list, const char *name)
{
    int i = 0;
    while (i < list->n && strcmp(list->preset[i].name, name) != 0)
        i++;
    return i;
}

/* Adds the presets of a folder whose names are new. */
static int add_folder(struct list *list, const char *folder)
{
    RN_OWNED(rn_free_owned) struct dirent **found = NULL;
    int n = scandir(folder, &found, is_preset, alphasort), err = 0;
    for (int i = 0; i < n; i++) {
        char *path = NULL, *name = found[i]->d_name;
        if (!err && asprintf(&path, "%s/%s", folder, name) < 0)
            err = rn_fail_memory();
        name[strlen(name) - strlen(ENDING)] = '\0';
        if (!err && list->n < RN_PRESETS_MOST && find(list, name) == list->n) {
            struct rn_app_preset *to = &list->preset[list->n];
            *to = (struct rn_app_preset){rn_intern(name), rn_intern(path)};
            err = to->name && to->path ? 0 : rn_fail_memory();
            list->n += !err;
        }
        free(path);
        free(found[i]);
    }
    return err;
}

static int collect(struct list *list)
{
    /* from the program's folder: installed; in the source tree, of two depths */
    static const char *const places[] = {RN_PRESETS, "../app/presets", "../../app/presets"};
    int err;
    char program[PATH_MAX];
    RN_OWNED(rn_free_owned) char *own = rn_config_path("presets", &err);
    if (own)
        err = add_folder(list, own);
    bool known = realpath("/proc/self/exe", program);
    bool found = false;
    for (size_t i = 0; known && !found && !err && i < sizeof places / sizeof *places; i++) {
        struct stat st;
        RN_OWNED(rn_free_owned) char *folder = rn_path_beside(program, places[i]);
        found = folder && rn_path_look(folder, &st) > 0;
        err = found ? add_folder(list, folder) : folder ? 0 : rn_fail_memory();
    }
    return err;
}

int rn_app_preset_resolve(const char **chain)
{
    const char *name = *chain && **chain == '@' ? *chain + 1 : "";
    struct stat st;
    if (!*name || strpbrk(name, "/.") || rn_path_look(name, &st) != 0)
        return 0;
    struct rn_app_preset preset[RN_PRESETS_MOST] = {{NULL, NULL}};
    struct list list = {.preset = preset};
    int err = collect(&list), i = find(&list, name);
    const char *names[RN_PRESETS_MOST + 1] = {NULL};
    char text[RN_UNKNOWN_TEXT], path[PATH_MAX + 1];
    for (int k = 0; k < list.n; k++)
        names[k] = preset[k].name;
    if (!err && i == list.n)
        return rn_fail(RN_EUSAGE,
                       "there is neither a file nor a preset %s; `runnel filters --presets` lists "
                       "presets",
                       rn_unknown_name(name, rn_nearest(name, names), text));
    if (err)
        return err;
    snprintf(path, sizeof path, "@%s", preset[i].path);
    *chain = rn_intern(path);
    return *chain ? 0 : rn_fail_memory();
}

int rn_app_presets_list(struct rn_app_preset list[RN_PRESETS_MOST])
{
    struct list all = {.preset = list};
    int err = collect(&all);
    qsort(list, (size_t)all.n, sizeof *list, compare);
    return err ? err : all.n;
}

const char *rn_app_preset_about(const struct rn_app_preset *preset, char buf[RN_PRESET_ABOUT])
{
    char why[RN_TEXT_WHY], *text;
    *buf = '\0';
    if (!rn_text_read(&text, preset->path, RN_TEXT_LIMIT, why) && text[0] == '#')
        snprintf(buf, RN_PRESET_ABOUT, "%.*s", (int)strcspn(text + 1, "\n"), text + 1);
    free(text);
    return buf + strspn(buf, " ");
}

int rn_app_presets_print(void)
{
    struct rn_app_preset list[RN_PRESETS_MOST] = {{NULL, NULL}};
    char about[RN_PRESET_ABOUT];
    int n = rn_app_presets_list(list);
    for (int i = 0; i < n; i++)
        printf("%-12s %s\n", list[i].name, rn_app_preset_about(&list[i], about));
    printf("\n`-f @NAME` applies one, after a file of this name; `presets/NAME.chain` in "
           "$XDG_CONFIG_HOME/runnel or\n~/.config/runnel is one of your own.\n");
    return n < 0 ? n : 0;
}
