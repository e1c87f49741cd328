/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "app/run/segment.h"

#include <sys/xattr.h>

#include "app/run/files.h"
#include "app/run/json.h"
#include "filters/base/output/path.h"
#include "filters/base/owned.h"
#include "filters/base/threads/thread.h"
#include "filters/base/version.h"
#include "io/read/images/names.h"
#include "io/read/verify.h"

/* ---- what decides */

#define DECIDING (RN_OPTIONS_FILTERS | RN_OPTIONS_INPUT | RN_OPTIONS_ENCODE | RN_OPTIONS_REPLAY)

/* Whether an option is a word. The chain and the threads are words of their own. */
static bool is_word(const struct rn_app_option_row *row, bool plan)
{
    bool other = !(row->group & (DECIDING | (plan ? RN_OPTIONS_PIPELINE : 0))) &&
                 strcmp(row->name, "exact") != 0;
    return !other && strcmp(row->name, "filters") != 0 && strcmp(row->name, "threads") != 0 &&
           strcmp(row->name, "dry-run") != 0 && (plan || strcmp(row->name, "memory") != 0);
}

static json_t *word(const char *name, const char *value)
{
    RN_OWNED(rn_free_owned) char *text = NULL;
    int n = asprintf(&text, "--%s%s%s", name, *value ? "=" : "", value);
    return n < 0 ? NULL : rn_app_json_text(text);
}

json_t *rn_app_identity_words(const struct rn_app_session *s, bool plan)
{
    const struct rn_app_cli *cli = s->cli;
    RN_OWNED(rn_free_owned) char *chain = rn_chain_format(s->chain);
    json_t *words = chain ? json_array() : NULL;
    char threads[24];
    snprintf(threads, sizeof threads, "%d", cli->threads ? cli->threads : rn_cores());
    for (const struct rn_app_option_row *row = rn_app_options; row->name; row++) /* one order */
        for (int i = 0; i < cli->ngiven && is_word(row, plan); i++)
            if (cli->given[i].row == row)
                rn_app_json_append(&words, word(row->name, cli->given[i].value));
    if (plan)
        rn_app_json_append(&words, word("threads", threads));
    if (chain && *chain && !cli->replay)
        rn_app_json_append(&words, word("filters", chain));
    return words;
}

struct listing {
    json_t *files;
    int err;
};

static void list_file(void *arg, const char *path, enum rn_app_file_use use)
{
    struct listing *l = arg;
    char md5[RN_DIGEST];
    if (use != RN_APP_FILE_READ || l->err)
        return;
    RN_OWNED(json_decrefp) json_t *name = rn_app_json_text(path);
    l->err = rn_io_digest_file(path, md5);
    if (!l->err && json_object_set_new(l->files, json_string_value(name), json_string(md5)))
        l->err = rn_fail_memory();
}

int rn_app_identity_files(const struct rn_app_session *s, json_t **files)
{
    struct listing l = {.files = *files = json_object()};
    int err = rn_app_files_visit(s->cli, s->output, rn_app_session_named(s), list_file, &l);
    return err ? err : l.err;
}

/* ---- names of many inputs */

char *rn_app_fill(const char *text, const char *stem)
{
    RN_OWNED(rn_free_owned) char *filled = NULL;
    size_t size;
    FILE *f = open_memstream(&filled, &size);
    for (const char *at; f && stem && (at = strstr(text, "{}")); text = at + 2)
        fprintf(f, "%.*s%s", (int)(at - text), text, stem);
    if (f)
        fputs(text, f);
    return f && !fclose(f) ? rn_take_owned(&filled) : NULL;
}

/* A chain, whose values are filled, so that a name is never taken for a part of the chain. */
static char *fill_chain(const char *text, const char *stem)
{
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    int err = rn_chain_parse(&chain, text);
    for (int i = 0; i < rn_chain_count(chain) && !err; i++) {
        const struct rn_stage *stage = rn_chain_stage(chain, i);
        for (const struct rn_param *row = stage->table; row->name && !err; row++) {
            const char *value = row->type == RN_TEXT ? rn_param_text(row, stage->params) : "";
            RN_OWNED(rn_free_owned) char *filled = rn_app_fill(value, stem);
            if (strstr(value, "{}"))
                err = filled ? rn_chain_set(chain, i, row->name, filled) : RN_EINTERNAL;
        }
    }
    return err ? NULL : rn_chain_format(chain);
}

char *rn_app_fill_option(const struct rn_app_cli *cli, int given, const char *stem)
{
    const char *value = cli->given[given].value;
    bool chain = !strcmp(cli->given[given].row->name, "filters") && *value != '@';
    return stem && chain ? fill_chain(value, stem) : rn_app_fill(value, stem);
}

/* ---- the mark */

#define ATTRIBUTE "user.runnel"
#define MARK      160 /* bytes */

/* Size and time of a file; false: there is none. */
static bool describe(const char *path, char text[64])
{
    struct stat st;
    if (rn_path_look(path, &st) <= 0 || !S_ISREG(st.st_mode))
        return false;
    snprintf(text, 64, "%lld %lld.%09ld", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
             st.st_mtim.tv_nsec);
    return true;
}

static bool make_mark(const char *path, const char *key, const char *glance, char mark[MARK])
{
    char text[64];
    bool there = describe(path, text);
    snprintf(mark, MARK, "1 %s %s %s", key, glance, there ? text : "");
    return there;
}

bool rn_app_glance(const struct rn_app_cli *cli, const char *input, const char *output,
                   const char *stem, char glance[RN_DIGEST])
{
    RN_OWNED(rn_free_owned) char *text = NULL;
    char size[64];
    size_t n;
    FILE *f = describe(input, size) ? open_memstream(&text, &n) : NULL;
    if (!f)
        return false;
    fprintf(f, "%s %s\n%s\n%s\n%s\n", RN_VERSION, rn_io_library(), input, size, output);
    for (const struct rn_app_option_row *row = rn_app_options; row->name; row++)
        for (int i = 0; i < cli->ngiven; i++) {
            bool given = cli->given[i].row == row && row->group != RN_OPTIONS_COMMON;
            RN_OWNED(rn_free_owned) char *value = given ? rn_app_fill_option(cli, i, stem) : NULL;
            if (given)
                fprintf(f, "%s=%s\n", row->name, value ? value : "");
        }
    bool made = fclose(f) == 0;
    if (made)
        rn_io_digest(text, n, glance);
    return made;
}

bool rn_app_mark_is_there(const char *path, const char *key, const char *glance)
{
    char mark[MARK], now[MARK], of[RN_DIGEST], then[RN_DIGEST];
    ssize_t n = getxattr(path, ATTRIBUTE, mark, MARK - 1);
    mark[n > 0 ? n : 0] = '\0';
    return sscanf(mark, "1 %32s %32s", of, then) == 2 && make_mark(path, of, then, now) &&
           !strcmp(mark, now) && (!key || !strcmp(of, key)) && (!glance || !strcmp(then, glance));
}

void rn_app_mark_set(const char *path, const char *key, const char *glance)
{
    char mark[MARK];
    if (make_mark(path, key, glance, mark) && setxattr(path, ATTRIBUTE, mark, strlen(mark), 0))
        rn_log(RN_LOG_WARNING, "'%s' cannot be marked as complete: %s", path, strerror(errno));
}

void rn_app_mark_remove(const char *path)
{
    removexattr(path, ATTRIBUTE);
}

/* ---- a complete output */

static void look_for(void *arg, const char *path, enum rn_app_file_use use)
{
    struct stat st;
    if (use == RN_APP_FILE_WRITTEN && rn_path_look(path, &st) == 0)
        *(bool *)arg = false;
}

int rn_app_identity_find(struct rn_app_session *s, bool *complete)
{
    json_t *files;
    char source[RN_DIGEST] = "";
    const char *output = s->output;
    RN_OWNED(rn_free_owned) char *samples = rn_write_samples_name(output, &s->cli->write);
    /* Other names are of no file, or of several. */
    if (samples || !rn_read_verify_can(output) || rn_read_is_pattern(output) ||
        s->cli->source.on_change == RN_CHANGE_SPLIT)
        return rn_fail(RN_EUSAGE, "--skip-complete: '%s' is not one file", output);
    if (s->cli->source.allow_playlists)
        return rn_fail(RN_EUSAGE, "--skip-complete: files that playlists name may change unseen");
    int err = rn_app_identity_files(s, &files);
    err = err ? err : rn_read_sign(s->source, source);
    bool alone = !json_object_size(files) && !rn_app_has_siblings(s->cli->operand[0]) &&
                 !s->cli->metrics && !s->cli->progress &&
                 !rn_chain_written(rn_app_session_named(s), NULL);
    const char *dot = strrchr(output, '.'); /* which chooses the container */
    RN_OWNED(json_decrefp)
    json_t *all =
        rn_app_json_make("version:t library:t words:o source:t files:o kind:t", RN_VERSION,
                         rn_io_library(), rn_app_identity_words(s, false), source, files, dot);
    err = err ? err : all ? rn_app_json_digest(all, s->key) : rn_fail_memory();
    if (err || !alone || !rn_app_glance(s->cli, s->cli->operand[0], output, NULL, s->glance))
        strcpy(s->glance, "-");
    bool same = *complete = !err && rn_app_mark_is_there(output, s->key, NULL);
    if (same) /* the tables and reports, too */
        err = rn_app_files_visit(s->cli, output, rn_app_session_named(s), look_for, complete);
    if (err || same || s->cli->overwrite == RN_OVERWRITE_YES ||
        !rn_app_mark_is_there(output, NULL, NULL))
        return err;
    return rn_fail(RN_EOUTPUT,
                   "'%s' exists, made of another input or in another way; -y overwrites it",
                   output);
}
