#define _GNU_SOURCE /* asprintf, closing descriptors on posix_spawn */
#include "app/play/export/render_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/run/json.h"
#include "filters/base/clock.h"
#include "filters/base/log.h"
#include "filters/base/text/plural.h"
#include "io/process/child.h"

#define NICENESS 10
#define PATIENCE 20.0 /* seconds, for one that is to stop */

extern char **environ;

/* ---- the words of a job */

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

static void free_job(struct rn_play_render_job *job)
{
    for (char **word = job->argv; word && *word; word++)
        free(*word);
    free(job->argv);
    free(job->name);
    *job = (struct rn_play_render_job){0};
}

static char **make_words(const struct rn_play_render_request *r, const char *output)
{
    struct words w = {0};
    add_word(&w, "runnel", NULL);
    add_word(&w, "render", NULL);
    add_word(&w, r->cli->operand[0], NULL);
    add_word(&w, output, NULL);
    for (int i = 0; i < r->cli->ngiven; i++)
        if (!r->part || !is_of_part(r->cli->given[i].name))
            add_word(&w, r->cli->given[i].name, r->cli->given[i].value);
    if (r->part) {
        const char *const option[][2] = {
            {"from", r->part->from}, {"to", r->part->to}, {"frames", r->part->frames}};
        for (size_t i = 0; i < sizeof option / sizeof *option; i++)
            if (*option[i][1])
                add_word(&w, option[i][0], option[i][1]);
    }
    if (*r->chain)
        add_word(&w, "filters", r->chain);
    if (r->codec)
        add_word(&w, "codec", r->codec);
    add_word(&w, "-n", NULL);
    add_word(&w, "-q", NULL);
    add_word(&w, "progress", "/dev/fd/3");
    if (!w.failed)
        return w.word;
    free_job(&(struct rn_play_render_job){.argv = w.word});
    return NULL;
}

/* Name number n, from 1 on, of the files that a request may be written to: NAME-0001.EXT for
 * `--export NAME.EXT`. The caller frees it. NULL: out of memory. */
static char *name_of(const struct rn_play_render_request *r, int n)
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

/* name: becomes the job's. Returns false when out of memory; name is freed then. */
static bool make_job(struct rn_play_render_job *job, const struct rn_play_render_request *request,
                     char *name)
{
    *job = (struct rn_play_render_job){.name = name, .argv = make_words(request, name)};
    if (job->argv)
        return true;
    free_job(job);
    return false;
}

/* ---- what waits */

static bool is_taken(const struct rn_play_render_queue *q, const char *name)
{
    bool taken = access(name, F_OK) == 0;
    for (int i = 0; i < q->n && !taken; i++)
        taken = !strcmp(q->job[i].name, name);
    return taken;
}

/* The first one of the request that is no file, nor will be one. */
static char *free_name(const struct rn_play_render_queue *q, const struct rn_play_render_request *r)
{
    char *name = NULL;
    for (int i = 1; i < 10000 && (name = name_of(r, i)) != NULL; i++) {
        if (!is_taken(q, name))
            return name;
        free(name);
    }
    return NULL;
}

bool rn_play_render_queue_add(struct rn_play_render_queue *q,
                              const struct rn_play_render_request *r, char *text)
{
    if (q->n == RN_RENDERS_MOST) {
        snprintf(text, RN_RENDERS_TEXT, "%d renders wait already", q->n);
        return false;
    }
    struct rn_play_render_job job;
    char *name = free_name(q, r);
    if (!name || !make_job(&job, r, name)) {
        snprintf(text, RN_RENDERS_TEXT, "out of memory");
        return false;
    }
    snprintf(text, RN_RENDERS_TEXT, "rendering %s%s", job.name, q->n ? ", after the others" : "");
    q->job[q->n++] = job;
    return true;
}

/* ---- the one that runs */

static int choose_files(posix_spawn_file_actions_t *files, int progress, int errors)
{
    int err = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    err = err ? err
              : posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    err = err ? err : posix_spawn_file_actions_adddup2(files, errors, STDERR_FILENO);
    err = err ? err : posix_spawn_file_actions_adddup2(files, progress, 3);
    return err ? err : posix_spawn_file_actions_addclosefrom_np(files, 4);
}

static int spawn(struct rn_play_render_queue *q, int progress, int errors)
{
    posix_spawn_file_actions_t files;
    int err = posix_spawn_file_actions_init(&files);
    if (err)
        return err;
    err = choose_files(&files, progress, errors);
    err = err ? err
              : posix_spawn(&q->pid, rn_io_child_own_program(), &files, NULL, q->job[0].argv,
                            environ);
    posix_spawn_file_actions_destroy(&files);
    if (!err)
        setpriority(PRIO_PROCESS, (id_t)q->pid, NICENESS);
    return err;
}

/* Ends of pipes beyond those of the child, which dup2 would leave closed on exec. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) < 0) /* its descriptors are lifted, and closed on exec then */
        return false;
    ends[0] = rn_io_child_lift(ends[0]);
    ends[1] = rn_io_child_lift(ends[1]);
    return ends[0] >= 0 && ends[1] >= 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) >= 0;
}

static void close_both(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

static int start(struct rn_play_render_queue *q)
{
    int progress[2] = {-1, -1}, errors[2] = {-1, -1};
    int err = open_pipe(progress) && open_pipe(errors) ? 0 : errno;
    q->line_used = q->heard_used = 0;
    *q->said = '\0';
    q->percent = -1;
    q->fps = 0;
    q->frames = 0;
    err = err ? err : spawn(q, progress[1], errors[1]);
    if (err) {
        close_both(progress);
        close_both(errors);
        snprintf(q->said, sizeof q->said, "cannot start it: %s", strerror(err));
        return err;
    }
    close(progress[1]);
    close(errors[1]);
    q->progress = progress[0];
    q->errors = errors[0];
    return 0;
}

/* Returns the number of lines that have come. */
static int take_progress(struct rn_play_render_queue *q)
{
    char c;
    int lines = 0;
    while (read(q->progress, &c, 1) == 1) {
        if (c != '\n' && q->line_used < sizeof q->line - 1)
            q->line[q->line_used++] = c;
        if (c != '\n')
            continue;
        q->line[q->line_used] = '\0';
        q->line_used = 0;
        json_t *event = json_loads(q->line, 0, NULL);
        json_t *percent = json_object_get(event, "percent"), *fps = json_object_get(event, "fps");
        json_t *frames = json_object_get(event, "frames");
        q->percent = json_is_number(percent) ? json_number_value(percent) : q->percent;
        q->fps = json_is_number(fps) ? json_number_value(fps) : q->fps;
        q->frames = json_is_integer(frames) ? json_integer_value(frames) : q->frames;
        json_decref(event);
        lines++;
    }
    return lines;
}

/* A message may go on in further lines: the first one of the last message stays; what others say,
 * as compilers, where there is none. */
static void take_message(struct rn_play_render_queue *q)
{
    static const char prefix[] = "runnel: ";
    q->heard[q->heard_used] = '\0';
    if (!strncmp(q->heard, prefix, sizeof prefix - 1) ||
        (q->heard_used && strncmp(q->said, prefix, sizeof prefix - 1) != 0))
        memcpy(q->said, q->heard, sizeof q->said);
    q->heard_used = 0;
}

static void take_errors(struct rn_play_render_queue *q)
{
    char c;
    while (read(q->errors, &c, 1) == 1)
        if (c == '\n')
            take_message(q);
        else if (q->heard_used < sizeof q->heard - 1)
            q->heard[q->heard_used++] = c;
}

static void tell_end(const struct rn_play_render_queue *q, int status, char *text)
{
    static const char prefix[] = "runnel: error: ";
    bool known = WIFEXITED(status);
    int code = known ? WEXITSTATUS(status) : WTERMSIG(status);
    const char *said = q->said;
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
    free_job(&q->job[0]);
    memmove(q->job, q->job + 1, (size_t)--q->n * sizeof q->job[0]);
    q->pid = 0;
    q->warned = q->warned && q->n;
}

bool rn_play_render_queue_poll(struct rn_play_render_queue *q, char *text)
{
    int status;
    *text = '\0';
    if (!q->n)
        return false;
    if (!q->pid) {
        if (!start(q))
            return true;
        snprintf(text, RN_RENDERS_TEXT, "no %s: %s", q->job[0].name, q->said);
        drop_first(q);
        return true;
    }
    bool news = take_progress(q) > 0;
    take_errors(q);
    if (waitpid(q->pid, &status, WNOHANG) != q->pid)
        return news;
    take_progress(q);
    take_errors(q);
    take_message(q); /* a line without an end */
    tell_end(q, status, text);
    close(q->progress);
    close(q->errors);
    drop_first(q);
    return true;
}

char *rn_play_render_queue_tell(const struct rn_play_render_queue *q, char *text)
{
    char done[32] = "", wait[32] = "";
    *text = '\0';
    if (!q->n)
        return text;
    if (q->percent >= 0)
        snprintf(done, sizeof done, " %.0f %%", floor(q->percent));
    if (q->n > 1)
        snprintf(wait, sizeof wait, "; %d more", q->n - 1);
    snprintf(text, RN_RENDERS_TEXT, "%s%s, %.0f fps%s", q->job[0].name, done, q->fps, wait);
    return text;
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
        close(q->progress);
        close(q->errors);
        const char *name = q->job[0].name, *dot = strrchr(name, '.');
        rn_log(RN_LOG_WARNING, "the render of %s was stopped: what it had is in %.*s.partial%s",
               name, (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name, dot ? dot : "");
    }
    while (q->n)
        drop_first(q);
}
