#define _GNU_SOURCE /* asprintf */
#include "app/play/export/render_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words */

struct words {
    char **word;
    size_t n;
    bool failed;
};

/* Appends NAME, or --NAME=VALUE where there is a value; nothing after a failure. */
static void add_word(struct words *w, const char *name, const char *value)
{
    char *word = NULL;
    char **more = realloc(w->word, (w->n + 2) * sizeof *w->word);
    if (more)
        w->word = more;
    if (!value)
        word = strdup(name);
    else if (asprintf(&word, "--%s%s%s", name, *value ? "=" : "", value) < 0)
        word = NULL;
    w->failed |= !more || !word;
    if (w->failed) {
        free(word);
        return;
    }
    w->word[w->n++] = word;
    w->word[w->n] = NULL;
}

/* An option that says which part is read. */
static bool is_of_part(const char *name)
{
    return !strcmp(name, "from") || !strcmp(name, "to") || !strcmp(name, "frames");
}

static void add_part(struct words *w, const struct rn_play_part *part)
{
    const char *const option[][2] = {
        {"from", part->from}, {"to", part->to}, {"frames", part->frames}};
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (*option[i][1])
            add_word(w, option[i][0], option[i][1]);
}

static void add_input(struct words *w, const struct rn_play_render_request *r)
{
    for (int i = 0; i < r->cli->ngiven; i++)
        if (!r->part || !is_of_part(r->cli->given[i].name))
            add_word(w, r->cli->given[i].name, r->cli->given[i].value);
    if (r->part)
        add_part(w, r->part);
}

static char **make_words(const struct rn_play_render_request *r, const char *output)
{
    struct words w = {0};
    add_word(&w, "runnel", NULL);
    add_word(&w, "render", NULL);
    add_word(&w, r->cli->operand[0], NULL);
    add_word(&w, output, NULL);
    add_input(&w, r);
    if (*r->chain)
        add_word(&w, "filters", r->chain);
    if (r->codec)
        add_word(&w, "codec", r->codec);
    add_word(&w, "-n", NULL);
    add_word(&w, "-q", NULL);
    add_word(&w, "progress", "/dev/fd/3");
    if (!w.failed)
        return w.word;
    rn_play_render_job_free(&(struct rn_play_render_job){.argv = w.word});
    return NULL;
}

/* ---- the job */

char *rn_play_render_job_name(const struct rn_play_render_request *r, int n)
{
    const char *given = r->cli->play.export;
    const char *slash = given ? strrchr(given, '/') : NULL;
    const char *dot = given ? strrchr(slash ? slash : given, '.') : NULL;
    int stem = dot ? (int)(dot - given) : given ? (int)strlen(given) : 6;
    char *name = NULL;
    int length = asprintf(&name, "%.*s-%04d.%s", stem, given ? given : "runnel", n,
                          dot ? dot + 1 : r->extension);
    return length < 0 ? NULL : name;
}

bool rn_play_render_job_make(struct rn_play_render_job *job,
                             const struct rn_play_render_request *request, char *name)
{
    *job = (struct rn_play_render_job){.name = name, .argv = make_words(request, name)};
    if (job->argv)
        return true;
    rn_play_render_job_free(job);
    return false;
}

void rn_play_render_job_free(struct rn_play_render_job *job)
{
    for (char **word = job->argv; word && *word; word++)
        free(*word);
    free(job->argv);
    free(job->name);
    *job = (struct rn_play_render_job){0};
}
