/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "app/play/edit/chain_file.h"

#include <inttypes.h>
#include <limits.h>
#include <time.h>

#include "filters/base/version.h"
#include "filters/base/log.h"
#include "filters/base/output/textout.h"
#include "filters/base/owned.h"

#define SNAPSHOT "# snapshot "
#define VERSUS   "# versus: "
#define GOES_ON  "#+"

/* ---- writing */

/* Replaces line breaks, which would end the comment. */
static void print_name(FILE *f, const char *title, const char *name)
{
    fprintf(f, "# %s ", title);
    for (; *name; name++)
        fputc(*name == '\n' || *name == '\r' ? '?' : *name, f);
    fputc('\n', f);
}

static void print_origin(FILE *f, const char *input, const struct rn_frame *frame)
{
    print_name(f, "tuned on", input);
    if (frame)
        fprintf(f, "# at frame %" PRId64 ", %.3f s\n", frame->index, frame->time);
    fprintf(f, "# by runnel %s\n", RN_VERSION);
}

/* Prints a text as a comment. text: freed; NULL: out of memory, returns false. */
static bool print_comment(FILE *f, char *text)
{
    for (const char *c = text; c && *c; c++) {
        fputc(*c, f);
        if (*c == '\n')
            fputs(GOES_ON, f);
    }
    fputc('\n', f);
    free(text);
    return text != NULL;
}

static bool print_body(FILE *f, const struct rn_chain *chain, const struct rn_chain *versus,
                       const struct rn_play_snapshots *snapshots)
{
    bool done = true;
    for (int i = 0; snapshots && i < RN_SNAPSHOTS; i++) {
        const char *text = snapshots->text[i];
        if (!text && !snapshots->chain[i])
            continue;
        fprintf(f, SNAPSHOT "%c: ", rn_play_snapshot_name(i));
        done &= print_comment(f, text ? strdup(text) : rn_chain_format(snapshots->chain[i]));
    }
    if (versus) {
        fputs(VERSUS, f);
        done &= print_comment(f, rn_chain_format(versus));
    }
    RN_OWNED(rn_free_owned) char *text = rn_chain_format(chain);
    fprintf(f, "%s\n", text ? text : "");
    return done && text;
}

char *rn_play_chain_file_make(const char *input, const struct rn_frame *frame,
                              const struct rn_chain *chain, const struct rn_chain *versus,
                              const struct rn_play_snapshots *snapshots)
{
    RN_OWNED(rn_free_owned) char *text = NULL;
    char folder[PATH_MAX], date[64];
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    print_origin(f, input, frame);
    struct tm local;
    time_t now = time(NULL);
    if (localtime_r(&now, &local) && strftime(date, sizeof date, "%F %T %z", &local))
        fprintf(f, "# on %s\n", date);
    if (getcwd(folder, sizeof folder))
        print_name(f, "in", folder);
    bool whole = print_body(f, chain, versus, snapshots) && !ferror(f);
    return !fclose(f) && whole ? rn_take_owned(&text) : NULL;
}

/* ---- reading */

static bool begins(const char *line, const char *with)
{
    return !strncmp(line, with, strlen(with));
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

const char *rn_play_chain_file_body(const char *text)
{
    while (*text == '#' && !begins(text, SNAPSHOT) && !begins(text, VERSUS))
        text = next_line(text);
    return text;
}

/* Appends a line without its end to *text. Returns false when out of memory. */
static bool append(char **text, const char *line)
{
    char *more, *had = *text ? *text : "";
    if (asprintf(&more, "%s%s%.*s", had, *had ? "\n" : "", (int)strcspn(line, "\n"), line) < 0)
        return false;
    free(*text);
    *text = more;
    return true;
}

/* The field that a line belongs to; NULL: none. Moves *line past its title. */
static char **place_of(struct rn_play_chain_file *file, const char **line)
{
    _Static_assert(RN_SNAPSHOTS == 4, "a row each");
    const struct {
        const char *begin;
        char **place;
    } rows[] = {{"# on ", &file->date},
                {"# in ", &file->folder},
                {VERSUS, &file->versus},
                {SNAPSHOT "A: ", &file->snapshot[0]},
                {SNAPSHOT "B: ", &file->snapshot[1]},
                {SNAPSHOT "C: ", &file->snapshot[2]},
                {SNAPSHOT "D: ", &file->snapshot[3]}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (begins(*line, rows[i].begin)) {
            *line += strlen(rows[i].begin);
            return rows[i].place;
        }
    return **line == '#' ? NULL : &file->chain;
}

int rn_play_chain_file_read(struct rn_play_chain_file *file, const char *text)
{
    *file = (struct rn_play_chain_file){0};
    char **place = NULL;
    bool done = true;
    for (const char *line = text; *line && done; line = next_line(line)) {
        const char *rest = line + strlen(GOES_ON);
        if (!begins(line, GOES_ON)) {
            rest = line;
            place = place_of(file, &rest);
        }
        done = !place || append(place, rest);
    }
    if (done)
        return 0;
    rn_play_chain_file_free(file);
    return rn_fail_memory();
}

void rn_play_chain_file_free(struct rn_play_chain_file *file)
{
    free(file->date);
    free(file->folder);
    free(file->chain);
    free(file->versus);
    for (int i = 0; i < RN_SNAPSHOTS; i++)
        free(file->snapshot[i]);
    *file = (struct rn_play_chain_file){0};
}

/* ---- the file of `w` */

void rn_play_free_name(const char *prefix, const char *ext, char name[64])
{
    for (int i = 1; i < 10000; i++) {
        snprintf(name, 64, "%s-%04d.%s", prefix, i, ext);
        if (access(name, F_OK) != 0)
            return;
    }
}

int rn_play_chain_file_write(const struct rn_chain *chain, const char *input,
                             const struct rn_frame *frame, const char *range, char name[64])
{
    RN_OWNED(rn_free_owned) char *text = rn_chain_format(chain);
    struct rn_textout *out = NULL;
    rn_play_free_name("runnel", "chain", name);
    int err = text ? rn_textout_open(&out, name) : rn_fail_memory();
    if (!err) {
        FILE *f = out->stream;
        print_origin(f, input, frame);
        if (*range)
            fprintf(f, "# marked %s\n", range);
        fprintf(f, "%s\n", text);
        err = rn_textout_close(&out, RN_TEXT_COMPLETE);
    }
    return err;
}
