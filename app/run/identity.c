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

int rn_app_identity_files(const struct rn_app_session *s, json_t **files)
{
    RN_OWNED(rn_free_owned) struct rn_app_file *file = NULL;
    int n = rn_app_files_list(s->cli, s->output, rn_app_session_named(s), &file);
    int err = n < 0 ? n : 0;
    char md5[RN_DIGEST];
    *files = json_object();
    for (int i = 0; i < n && !err; i++) {
        if (file[i].use != RN_APP_FILE_READ)
            continue;
        RN_OWNED(json_decrefp) json_t *name = rn_app_json_text(file[i].path);
        err = rn_io_digest_file(file[i].path, md5);
        if (!err && json_object_set_new(*files, json_string_value(name), json_string(md5)))
            err = rn_fail_memory();
    }
    return err;
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
    RN_OWNED(rn_free_owned) struct rn_app_file *file = NULL;
    struct stat st;
    int n = same ? rn_app_files_list(s->cli, output, rn_app_session_named(s), &file) : 0;
    err = n < 0 ? n : err;
    for (int i = 0; i < n; i++) /* the tables and reports, too */
        *complete &= file[i].use != RN_APP_FILE_WRITTEN || rn_path_look(file[i].path, &st) != 0;
    if (err || same || s->cli->overwrite == RN_OVERWRITE_YES ||
        !rn_app_mark_is_there(output, NULL, NULL))
        return err;
    return rn_fail(RN_EOUTPUT,
                   "'%s' exists, made of another input or in another way; -y overwrites it",
                   output);
}
