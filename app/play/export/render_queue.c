/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "app/play/export/export.h"

#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "app/commands/commands.h"
#include "app/play/loop/player.h"
#include "filters/base/clock.h"
#include "filters/base/owned.h"
#include "filters/base/text/plural.h"
#include "io/process/child.h"

#define MAX_RENDERS 16
#define NICENESS    10
#define PATIENCE    20.0 /* seconds until a render that is stopped is killed */

enum { PROGRESS, ERRORS };

/* A pipe from the running render, and its current line. */
struct pipe {
    int fd;
    char line[1024];
    size_t used;
};

struct rn_play_render_queue {
    struct job {
        char *name;        /* of the output */
        const char *codec; /* for people: behind the name */
        struct rn_app_words words;
    } job[MAX_RENDERS]; /* the first one runs */
    int n;
    pid_t pid;           /* of the one that runs; 0: it is not started yet */
    struct pipe pipe[2]; /* while it runs */
    char message[256];   /* the latest one of the render */
    double percent;      /* < 0: not known */
    int64_t frames;
    bool warned; /* the player was to quit, which was refused */
};

/* ---- the words of a job */

static void free_job(struct job *job)
{
    free(job->name);
    free(job->words.text);
    *job = (struct job){0};
}

/* Whether an option is of the input or device, and does not say which part is read, where marks
 * do. */
static bool is_passed_on(const struct rn_app_option_row *row, bool part)
{
    const char *name = row->name;
    bool of_part = !strcmp(name, "from") || !strcmp(name, "to") || !strcmp(name, "frames");
    return (row->group & (RN_OPTIONS_INPUT | RN_OPTIONS_DEVICE) || !strcmp(name, "allow-writes")) &&
           !(part && of_part);
}

/* codec: NULL: by the name. Returns false when out of memory. */
static bool write_words(struct job *job, const struct rn_play *p, const char *chain,
                        const char *codec)
{
    const struct rn_app_cli *cli = p->session->cli;
    unsigned lacks = rn_read_lacks(p->session->source);
    struct rn_play_range part;
    bool marked = rn_play_marked_range(p, &part);
    /* What the user's file of options said to this process is among the options given to it. */
    struct rn_app_words *words = &job->words;
    *words = rn_app_words_begin("runnel render --no-config -n -q --progress=/dev/fd/3");
    rn_app_words_add(words, "%s", cli->operand[0]);
    rn_app_words_add(words, "%s", job->name);
    for (int i = 0; i < cli->ngiven; i++)
        if (is_passed_on(cli->given[i].row, marked) &&
            !(lacks & rn_read_limited(cli->given[i].row->name)))
            rn_app_words_add_option(words, cli, i, NULL);
    const char *const option[][2] = {{"from", part.from},
                                     {"to", part.to},
                                     {"frames", part.frames},
                                     {"filters", chain},
                                     {"codec", codec ? codec : ""}};
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (*option[i][1])
            rn_app_words_add(words, "--%s=%s", option[i][0], option[i][1]);
    return !words->failed;
}

/* ---- what waits */

/* The first of NAME-0001.EXT, NAME-0002.EXT ... for `--export NAME.EXT` that is no file, nor will
 * be one. The caller frees it. NULL: out of memory, or of names. */
static char *free_name(const struct rn_play_render_queue *q, const char *export,
                       const char *extension)
{
    const char *given = export ? export : "runnel";
    const char *slash = strrchr(given, '/'), *dot = strrchr(slash ? slash : given, '.');
    int stem = (int)(dot ? dot - given : (ptrdiff_t)strlen(given));
    char *name = NULL, folder[PATH_MAX] = "";
    if (*given != '/' && !getcwd(folder, sizeof folder))
        return NULL;
    for (int i = 1; i < 10000; i++) {
        if (asprintf(&name, "%s%s%.*s-%04d.%s", folder, *folder ? "/" : "", stem, given, i,
                     dot ? dot + 1 : extension) < 0)
            return NULL;
        bool taken = access(name, F_OK) == 0;
        for (int k = 0; k < q->n && !taken; k++)
            taken = !strcmp(q->job[k].name, name);
        if (!taken)
            return name;
        free(name);
    }
    return NULL;
}

void rn_play_export(struct rn_play *p)
{
    struct rn_play_render_queue *q = p->renders;
    const struct rn_app_session *s = p->session;
    const char *export = s->cli->play.export;
    if (!rn_play_can_seek(p)) {
        rn_play_say(p, "this input cannot be read once more to be rendered");
        return;
    }
    if (q->n == MAX_RENDERS) {
        rn_play_say(p, "%d renders wait already", q->n);
        return;
    }
    RN_OWNED(rn_free_owned) char *chain = rn_chain_format(s->chain);
    /* Floats and signed samples are what no codec of Matroska keeps. */
    const struct rn_format *fmt = &s->analysis.out.fmt;
    bool coded = fmt->number == RN_NUMBER_UNSIGNED && !fmt->complex;
    const char *codec = coded && !export ? "ffv1" : NULL;
    struct job *job = &q->job[q->n];
    /* It still has pointers of the job before. */
    *job = (struct job){.name = free_name(q, export, coded ? "mkv" : "tif"),
                        .codec = codec ? " (FFV1)" : ""};
    if (!chain || !job->name || !write_words(job, p, chain, codec)) {
        rn_play_say(p, "out of memory");
        free_job(job);
        return;
    }
    q->n++; /* the line of what runs tells it */
    rn_play_say_part(p);
}

/* ---- the one that runs */

/* Ends of pipes beyond those of the child, which dup2 would leave closed on exec. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) < 0) /* its descriptors are lifted, and closed on exec then */
        return false;
    ends[0] = rn_io_child_lift(ends[0]);
    ends[1] = rn_io_child_lift(ends[1]);
    return ends[0] >= 0 && ends[1] >= 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) >= 0;
}

static int start(struct rn_play_render_queue *q)
{
    int ends[2][2] = {{-1, -1}, {-1, -1}};
    int err = open_pipe(ends[PROGRESS]) && open_pipe(ends[ERRORS]) ? 0 : errno;
    const struct rn_io_spawn how = {
        .fd = {-1, -1, ends[ERRORS][1], ends[PROGRESS][1]}, .n = 4, .alone = true};
    err = err ? err : rn_io_spawn_own(&q->pid, q->job[0].words.text, q->job[0].words.size, &how);
    if (!err)
        setpriority(PRIO_PROCESS, (id_t)q->pid, NICENESS);
    for (int i = 0; i < 2; i++) {
        q->pipe[i] = (struct pipe){.fd = ends[i][0]};
        rn_close_owned(&ends[i][1]);
        if (err)
            rn_close_owned(&ends[i][0]);
    }
    q->pid = err ? 0 : q->pid;
    *q->message = '\0';
    q->percent = -1;
    q->frames = 0;
    if (err)
        snprintf(q->message, sizeof q->message, "cannot start it: %s", strerror(err));
    return err;
}

/* Returns whether a line is complete; its end is cut off if it is too long. */
static bool read_line(struct pipe *p)
{
    char c;
    while (read(p->fd, &c, 1) == 1) {
        if (c != '\n' && p->used < sizeof p->line - 1)
            p->line[p->used++] = c;
        if (c != '\n')
            continue;
        p->line[p->used] = '\0';
        p->used = 0;
        return true;
    }
    return false;
}

/* Returns whether there was any. */
static bool take_progress(struct rn_play_render_queue *q)
{
    bool any = false;
    while (read_line(&q->pipe[PROGRESS])) {
        RN_OWNED(json_decrefp) json_t *event = json_loads(q->pipe[PROGRESS].line, 0, NULL);
        json_t *percent = json_object_get(event, "percent");
        json_t *frames = json_object_get(event, "frames");
        q->percent = json_is_number(percent) ? json_number_value(percent) : q->percent;
        q->frames = json_is_integer(frames) ? json_integer_value(frames) : q->frames;
        any = true;
    }
    return any;
}

/* A message may go on in further lines: the first line of the latest message counts. What others
 * write, such as compilers, counts as long as there is no message. */
static void take_message(struct rn_play_render_queue *q)
{
    static const char prefix[] = "runnel: ";
    const char *line = q->pipe[ERRORS].line;
    if (!strncmp(line, prefix, sizeof prefix - 1) ||
        (*line && strncmp(q->message, prefix, sizeof prefix - 1) != 0))
        snprintf(q->message, sizeof q->message, "%.255s", line);
}

static void take_errors(struct rn_play_render_queue *q)
{
    while (read_line(&q->pipe[ERRORS]))
        take_message(q);
}

static void describe_end(const struct rn_play_render_queue *q, int status, char *text)
{
    static const char prefix[] = "runnel: error: ";
    bool known = WIFEXITED(status);
    int code = known ? WEXITSTATUS(status) : WTERMSIG(status);
    const char *said = q->message;
    if (!strncmp(said, prefix, sizeof prefix - 1))
        said += sizeof prefix - 1;
    if (known && (code == 0 || code == 6))
        snprintf(text, RN_RENDERS_TEXT, "wrote %s, %lld frame%s%s%s", q->job[0].name,
                 (long long)q->frames, rn_plural(q->frames), code ? ": " : "", code ? said : "");
    else if (*said)
        snprintf(text, RN_RENDERS_TEXT, "no %s: %s", q->job[0].name, said);
    else
        snprintf(text, RN_RENDERS_TEXT, "no %s: render ended with %s %d", q->job[0].name,
                 known ? "status" : "signal", code);
}

static void drop_first(struct rn_play_render_queue *q)
{
    for (int i = 0; i < 2 && q->pid; i++)
        close(q->pipe[i].fd);
    free_job(&q->job[0]);
    memmove(q->job, q->job + 1, (size_t)--q->n * sizeof q->job[0]);
    q->pid = 0;
    q->warned = q->warned && q->n;
}

/* Returns whether rn_play_render_queue_describe has another text. text: the result of a render that
 * has ended; "": none has. */
static bool poll(struct rn_play_render_queue *q, char text[RN_RENDERS_TEXT])
{
    int status;
    *text = '\0';
    if (!q->n)
        return false;
    if (!q->pid) {
        if (!start(q))
            return true;
        snprintf(text, RN_RENDERS_TEXT, "no %s: %s", q->job[0].name, q->message);
        drop_first(q);
        return true;
    }
    bool news = take_progress(q);
    take_errors(q);
    if (waitpid(q->pid, &status, WNOHANG) != q->pid)
        return news;
    take_progress(q);
    take_errors(q);
    q->pipe[ERRORS].line[q->pipe[ERRORS].used] = '\0';
    take_message(q); /* a line without an end */
    describe_end(q, status, text);
    drop_first(q);
    return true;
}

void rn_play_poll_renders(struct rn_play *p)
{
    char text[RN_RENDERS_TEXT];
    if (poll(p->renders, text))
        rn_play_redraw(p);
    if (!*text)
        return;
    rn_play_say(p, "%s", text);
    rn_play_extend_message(p, 5); /* who waited for it may look elsewhere */
    rn_log(strncmp(text, "wrote", 5) ? RN_LOG_WARNING : RN_LOG_INFO, "%s", text);
}

void rn_play_render_queue_describe(const struct rn_play_render_queue *q, char text[RN_RENDERS_TEXT])
{
    char done[32] = "", wait[32] = "";
    *text = '\0';
    if (!q->n)
        return;
    if (q->percent >= 0)
        snprintf(done, sizeof done, " %.0f %%", floor(q->percent));
    if (q->n > 1)
        snprintf(wait, sizeof wait, "; %d more", q->n - 1);
    snprintf(text, RN_RENDERS_TEXT, "writing %s%s%s%s", q->job[0].name, q->job[0].codec, done,
             wait);
}

bool rn_play_may_quit(struct rn_play *p)
{
    struct rn_play_render_queue *q = p->renders;
    bool may = !q->n || q->warned;
    char key[RN_KEY_NAME];
    q->warned = true;
    if (!may)
        rn_play_say(p, "a render is running: %s again stops it", rn_play_key(p, "quit", key));
    return may;
}

/* ---- the end */

static bool has_ended(pid_t pid, double seconds)
{
    double end = rn_clock() + seconds;
    while (rn_clock() < end) {
        if (waitpid(pid, NULL, WNOHANG) != 0)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

void rn_play_render_queue_stop(struct rn_play_render_queue *q)
{
    if (q->pid) {
        kill(q->pid, SIGTERM);
        if (!has_ended(q->pid, PATIENCE)) {
            kill(q->pid, SIGKILL);
            waitpid(q->pid, NULL, 0);
        }
        const char *name = q->job[0].name, *dot = strrchr(name, '.');
        rn_log(RN_LOG_WARNING, "the render of %s was stopped: what it had is in %.*s.partial%s",
               name, (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name, dot ? dot : "");
    }
    while (q->n)
        drop_first(q);
}

const struct rn_play_part_type rn_play_renders_part = {.size = sizeof(struct rn_play_render_queue)};
