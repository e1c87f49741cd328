#define _GNU_SOURCE /* closing descriptors on posix_spawn */
#include "app/play/exports.h"

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

#include "app/json.h"
#include "filters/base/clock.h"
#include "filters/base/log.h"
#include "filters/base/path.h"
#include "io/process/child.h"

#define NICENESS 10
#define PATIENCE 20.0 /* seconds, for one that is to stop */

extern char **environ;

/* ---- jobs */

static void free_job(struct rn_export_job *job)
{
    for (char **word = job->argv; word && *word; word++)
        free(*word);
    free(job->argv);
    free(job->name);
    *job = (struct rn_export_job){0};
}

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

/* An option that the request has another value for. */
static bool is_replaced(const struct rn_export_request *r, const char *name)
{
    return (r->from && !strcmp(name, "from")) ||
           (r->to && (!strcmp(name, "to") || !strcmp(name, "frames")));
}

static void add_input(struct words *w, const struct rn_export_request *r)
{
    for (int i = 0; i < r->cli->ngiven; i++)
        if (!is_replaced(r, r->cli->given[i].name))
            add_word(w, r->cli->given[i].name, r->cli->given[i].value);
    if (r->from)
        add_word(w, "from", r->from);
    if (r->to)
        add_word(w, "to", r->to);
}

static char **make_words(const struct rn_export_request *r, const char *output)
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
    free_job(&(struct rn_export_job){.argv = w.word});
    return NULL;
}

static bool is_taken(const struct rn_exports *e, const char *name)
{
    bool taken = access(name, F_OK) == 0;
    for (int i = 0; i < e->n && !taken; i++)
        taken = !strcmp(e->job[i].name, name);
    return taken;
}

/* --export NAME.EXT stands for NAME-0001.EXT and so on. */
static char *free_name(const struct rn_exports *e, const struct rn_export_request *r)
{
    const char *given = r->cli->play.export;
    const char *slash = given ? strrchr(given, '/') : NULL;
    const char *dot = given ? strrchr(slash ? slash : given, '.') : NULL;
    int stem = dot ? (int)(dot - given) : given ? (int)strlen(given) : 6;
    char *name = NULL;
    for (int i = 1; i < 10000; i++) {
        if (asprintf(&name, "%.*s-%04d.%s", stem, given ? given : "runnel", i,
                     dot ? dot + 1 : r->extension) < 0)
            return NULL;
        if (!is_taken(e, name))
            return name;
        free(name);
    }
    return NULL;
}

bool rn_exports_add(struct rn_exports *e, const struct rn_export_request *r, char *text)
{
    if (e->n == RN_EXPORTS_MOST) {
        snprintf(text, RN_EXPORTS_TEXT, "%d renders wait already", e->n);
        return false;
    }
    struct rn_export_job job = {.name = free_name(e, r)};
    job.argv = job.name ? make_words(r, job.name) : NULL;
    if (!job.argv) {
        free_job(&job);
        snprintf(text, RN_EXPORTS_TEXT, "out of memory");
        return false;
    }
    snprintf(text, RN_EXPORTS_TEXT, "rendering %s%s", job.name, e->n ? ", after the others" : "");
    e->job[e->n++] = job;
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

static int spawn(struct rn_exports *e, int progress, int errors)
{
    posix_spawn_file_actions_t files;
    int err = posix_spawn_file_actions_init(&files);
    if (err)
        return err;
    err = choose_files(&files, progress, errors);
    err = err ? err
              : posix_spawn(&e->pid, rn_child_own_program(), &files, NULL, e->job[0].argv, environ);
    posix_spawn_file_actions_destroy(&files);
    if (!err)
        setpriority(PRIO_PROCESS, (id_t)e->pid, NICENESS);
    return err;
}

/* Ends of pipes beyond those of the child, which dup2 would leave closed on exec. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) < 0) /* its descriptors are lifted, and closed on exec then */
        return false;
    ends[0] = rn_child_lift(ends[0]);
    ends[1] = rn_child_lift(ends[1]);
    return ends[0] >= 0 && ends[1] >= 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) >= 0;
}

static void close_both(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

static int start(struct rn_exports *e)
{
    int progress[2] = {-1, -1}, errors[2] = {-1, -1};
    int err = open_pipe(progress) && open_pipe(errors) ? 0 : errno;
    e->line_used = e->said_used = 0;
    *e->said = '\0';
    e->percent = -1;
    e->fps = 0;
    e->frames = 0;
    err = err ? err : spawn(e, progress[1], errors[1]);
    if (err) {
        close_both(progress);
        close_both(errors);
        snprintf(e->said, sizeof e->said, "cannot start it: %s", strerror(err));
        return err;
    }
    close(progress[1]);
    close(errors[1]);
    e->progress = progress[0];
    e->errors = errors[0];
    return 0;
}

static void take_event(struct rn_exports *e)
{
    json_t *event = json_loads(e->line, 0, NULL);
    json_t *percent = json_object_get(event, "percent"), *fps = json_object_get(event, "fps");
    json_t *frames = json_object_get(event, "frames");
    e->percent = json_is_number(percent) ? json_number_value(percent) : e->percent;
    e->fps = json_is_number(fps) ? json_number_value(fps) : e->fps;
    e->frames = json_is_integer(frames) ? json_integer_value(frames) : e->frames;
    json_decref(event);
}

/* Returns the number of lines that have come. */
static int take_progress(struct rn_exports *e)
{
    char c;
    int lines = 0;
    while (read(e->progress, &c, 1) == 1) {
        if (c != '\n' && e->line_used < sizeof e->line - 1)
            e->line[e->line_used++] = c;
        if (c != '\n')
            continue;
        e->line[e->line_used] = '\0';
        e->line_used = 0;
        take_event(e);
        lines++;
    }
    return lines;
}

/* The last line that is not empty stays. */
static void take_errors(struct rn_exports *e)
{
    char c;
    while (read(e->errors, &c, 1) == 1) {
        if (c == '\n') {
            e->said_used = 0;
        } else if (e->said_used < sizeof e->said - 1) {
            e->said[e->said_used++] = c;
            e->said[e->said_used] = '\0';
        }
    }
}

static void tell_end(const struct rn_exports *e, int status, char *text)
{
    static const char prefix[] = "runnel: error: ";
    bool known = WIFEXITED(status);
    int code = known ? WEXITSTATUS(status) : WTERMSIG(status);
    const char *said = e->said;
    if (!strncmp(said, prefix, sizeof prefix - 1))
        said += sizeof prefix - 1;
    if (known && (code == 0 || code == 6))
        snprintf(text, RN_EXPORTS_TEXT, "wrote %s, %lld frames%s%s", e->job[0].name,
                 (long long)e->frames, code ? ": " : "", code ? said : "");
    else if (*said)
        snprintf(text, RN_EXPORTS_TEXT, "no %s: %s", e->job[0].name, said);
    else
        snprintf(text, RN_EXPORTS_TEXT, "no %s: render ended with %s %d", e->job[0].name,
                 known ? "status" : "signal", code);
}

static void drop_first(struct rn_exports *e)
{
    free_job(&e->job[0]);
    memmove(e->job, e->job + 1, (size_t)--e->n * sizeof e->job[0]);
    e->pid = 0;
    e->warned = e->warned && e->n;
}

static void take_end(struct rn_exports *e, int status, char *text)
{
    take_progress(e);
    take_errors(e);
    tell_end(e, status, text);
    close(e->progress);
    close(e->errors);
    drop_first(e);
}

bool rn_exports_poll(struct rn_exports *e, char *text)
{
    int status;
    *text = '\0';
    if (!e->n)
        return false;
    if (!e->pid) {
        if (!start(e))
            return true;
        snprintf(text, RN_EXPORTS_TEXT, "no %s: %s", e->job[0].name, e->said);
        drop_first(e);
        return true;
    }
    bool news = take_progress(e) > 0;
    take_errors(e);
    if (waitpid(e->pid, &status, WNOHANG) != e->pid)
        return news;
    take_end(e, status, text);
    return true;
}

char *rn_exports_tell(const struct rn_exports *e, char *text)
{
    char done[32] = "", wait[32] = "";
    *text = '\0';
    if (!e->n)
        return text;
    if (e->percent >= 0)
        snprintf(done, sizeof done, " %.0f %%", floor(e->percent));
    if (e->n > 1)
        snprintf(wait, sizeof wait, "; %d more", e->n - 1);
    snprintf(text, RN_EXPORTS_TEXT, "%s%s, %.0f fps%s", e->job[0].name, done, e->fps, wait);
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

void rn_exports_stop(struct rn_exports *e)
{
    if (e->pid) {
        kill(e->pid, SIGTERM);
        if (!has_ended(e->pid, PATIENCE)) {
            kill(e->pid, SIGKILL);
            waitpid(e->pid, NULL, 0);
        }
        close(e->progress);
        close(e->errors);
        const char *name = e->job[0].name, *dot = strrchr(name, '.');
        rn_log(RN_LOG_WARNING, "the render of %s was stopped: what it had is in %.*s.partial%s",
               name, (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name, dot ? dot : "");
    }
    while (e->n)
        drop_first(e);
}
