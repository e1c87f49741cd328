/* SPDX-License-Identifier: MIT */
#include "app/run/output.h"

#include "app/run/json.h"
#include "app/process/terminal.h"
#include "filters/base/clock.h"
#include "filters/base/output/textout.h"
#include "filters/base/threads/locked.h"

#include <math.h>
#include <stdatomic.h>
#include <sys/ioctl.h>

#define REDRAW_SECONDS 0.5
#define PLAIN_SECONDS  10.0

struct rn_app_progress {
    bool terminal, people;
    pthread_mutex_t lock;
    /* -- protected by lock: */
    struct rn_growing events; /* not open: no file, or it failed */
    bool failed;              /* a write failed, other than by a closed pipe */
    int64_t expected;         /* frames; -1 unknown */
    bool exact;               /* expected is no estimate */
    double length;            /* seconds of media; < 0 unknown */
    double start, since;      /* of this pass, 0: not yet; of all that is told at the end */
    double first_time;        /* time stamp of the first frame */
    double period;            /* seconds from frame to frame, on average */
    double media;             /* seconds of media written so far */
    int64_t frames;
    double next_line, next_event;
    bool shown, ended; /* the final line was written: for people, for programs */
};

/* The descriptor of events for a signal handler; -1: none. */
static atomic_int handler_fd = -1;

/* The content of both kinds of lines. */
struct state {
    int64_t frames, expected;
    bool exact;
    double elapsed, fps, speed;
    double done; /* 0..1; < 0 unknown */
    double eta;  /* seconds; < 0 unknown */
};

static struct state measure(const struct rn_app_progress *p, double now)
{
    struct state s = {.frames = p->frames, .expected = p->expected, .exact = p->exact};
    s.done = s.eta = -1;
    /* With a variable rate, the estimate from the average rate may be off. */
    bool known = p->length > 0 && p->media > 1 && p->frames > 1;
    double likely = known ? (double)p->frames * p->length / p->media : (double)p->expected;
    if (!p->exact && (p->frames > p->expected || likely < 0.8 * (double)p->expected ||
                      likely > 1.25 * (double)p->expected))
        s.expected = -1;
    s.elapsed = p->start > 0 ? now - p->start : 0;
    if (s.elapsed > 0) {
        s.fps = (double)p->frames / s.elapsed;
        s.speed = p->media / s.elapsed;
    }
    if (s.expected > 0)
        s.done = fmin(1, (double)p->frames / (double)s.expected);
    else if (p->length > 0)
        s.done = fmin(1, p->media / p->length);
    if (s.done > 0)
        s.eta = s.elapsed * (1 - s.done) / s.done;
    return s;
}

/* ---- for people */

static void append_clock(char *line, size_t size, const char *word, double seconds)
{
    size_t n = strlen(line);
    long long s = llround(seconds);
    snprintf(line + n, size - n, ", %s %lld:%02lld:%02lld", word, s / 3600, s / 60 % 60, s % 60);
}

static void format_line(char *line, size_t size, const struct state *s, bool is_final)
{
    int n = 0;
    if (s->done >= 0 && (s->exact || !is_final))
        n += snprintf(line, size, "[%5.1f%%] ", 100 * s->done);
    n += snprintf(line + n, size - (size_t)n, "%lld", (long long)s->frames);
    if (s->expected > 0 && (s->exact || !is_final))
        n += snprintf(line + n, size - (size_t)n, "/%s%lld", s->exact ? "" : "~",
                      (long long)s->expected);
    n += snprintf(line + n, size - (size_t)n, " frame%s, %.1f fps",
                  s->frames == 1 && s->expected <= 1 ? "" : "s", s->fps);
    if (s->speed > 0)
        snprintf(line + n, size - (size_t)n, ", %.*fx", s->speed < 10 ? 2 : 1, s->speed);
    if (is_final)
        append_clock(line, size, "took", s->elapsed);
    else if (s->eta >= 0)
        append_clock(line, size, "eta", s->eta);
}

static void show(struct rn_app_progress *p, const struct state *s, bool is_final)
{
    char line[160];
    format_line(line, sizeof line, s, is_final);
    struct winsize window;
    if (p->terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 &&
        window.ws_col <= strlen(line) && !is_final)
        line[window.ws_col - 1] = '\0'; /* a line that wraps cannot be redrawn */
    if (p->terminal)
        rn_app_terminal_status(is_final ? NULL : line);
    if (is_final || !p->terminal)
        rn_log(RN_LOG_INFO, "%s", line);
}

/* ---- for programs */

static void fail_events(struct rn_app_progress *p, int code)
{
    p->failed = code != EPIPE;
    rn_log(p->failed ? RN_LOG_ERROR : RN_LOG_WARNING, "cannot write '%s': %s; going on without it",
           p->events.path, strerror(code));
}

static void write_line(struct rn_app_progress *p, json_t *event)
{
    char *text = rn_app_json_dump(event, JSON_COMPACT | JSON_REAL_PRECISION(9));
    size_t size = text ? strlen(text) : 0;
    if (text)
        text[size] = '\n'; /* replaces the NUL: the line is written by its length */
    int code = text ? rn_growing_append(&p->events, text, size + 1) : ENOMEM;
    if (code) { /* the run goes on: its output matters more */
        fail_events(p, code);
        atomic_store(&handler_fd, -1);
        rn_growing_close(&p->events);
    }
    free(text);
    json_decref(event);
}

static bool writes_events(const struct rn_app_progress *p)
{
    return p->events.fd >= 0 && atomic_load(&handler_fd) >= 0;
}

static json_t *make_event(const char *name, const struct state *s)
{
    return rn_app_json_make("event:t frames:c frames_expected:c fps:f speed:f percent:f? "
                            "elapsed_s:f eta_s:f?",
                            name, s->frames, s->expected, s->fps, s->speed, s->done >= 0,
                            100 * s->done, s->elapsed, s->eta >= 0, s->eta);
}

/* The line of rn_app_progress_give_up has two keys. */
int rn_app_progress_describe(void)
{
    json_t *all = make_event("", &(const struct state){0}), *example = json_object(), *value;
    const char *key;
    char name[64];
    json_object_set_new(all, "exit_status", json_integer(0)); /* of the last one */
    json_object_set_new(all, "output?", json_string(""));
    json_object_foreach(all, key, value)
    {
        snprintf(name, sizeof name, "%s%s", key, strcmp(key, "event?") != 0 ? "*" : "");
        json_object_set(example, name, value);
    }
    json_decref(all);
    return rn_app_json_write(example, NULL);
}

/* ---- interface */

int rn_app_progress_open(struct rn_app_progress **out, const char *path)
{
    struct rn_app_progress *p = calloc(1, sizeof *p);
    if (!p)
        return rn_fail_memory();
    pthread_mutex_init(&p->lock, NULL);
    p->terminal = rn_app_terminal_redraws();
    p->people = rn_log_level() >= RN_LOG_INFO;
    p->expected = p->events.fd = -1;
    p->length = -1;
    *out = p;
    if (!path)
        return 0;
    int err = rn_growing_open(&p->events, path);
    err = err ? err : rn_growing_place(&p->events);
    if (!err)
        atomic_store(&handler_fd, p->events.fd);
    return err;
}

void rn_app_progress_close(struct rn_app_progress **p)
{
    if (!*p)
        return;
    atomic_store(&handler_fd, -1);
    rn_growing_free(&(*p)->events);
    pthread_mutex_destroy(&(*p)->lock);
    free(rn_take_owned(p));
}

void rn_app_progress_start(struct rn_app_progress *p, const struct rn_io_stream *stream,
                           bool final_only, double since)
{
    if (!p)
        return;
    RN_LOCKED(&p->lock);
    p->frames = 0; /* of an earlier pass */
    p->expected = stream->frames;
    p->exact = stream->exact;
    p->length = stream->duration;
    if (stream->rate.num > 0)
        p->period = (double)stream->rate.den / stream->rate.num;
    p->start = rn_clock();
    p->since = since;
    p->next_event = p->start + REDRAW_SECONDS;
    p->next_line = p->start + (p->terminal ? REDRAW_SECONDS : PLAIN_SECONDS);
    if (final_only)
        p->next_line = INFINITY;
}

void rn_app_progress_frame(struct rn_app_progress *p, const struct rn_frame *frame)
{
    if (!p)
        return;
    RN_LOCKED(&p->lock);
    double time = frame->start + frame->time;
    if (p->frames++ == 0)
        p->first_time = time;
    p->media = time - p->first_time + p->period;
    double now = rn_clock();
    struct state s = measure(p, now);
    if (p->people && now >= p->next_line) {
        show(p, &s, false);
        p->next_line = now + (p->terminal ? REDRAW_SECONDS : PLAIN_SECONDS);
    }
    if (writes_events(p) && now >= p->next_event) {
        write_line(p, make_event("progress", &s));
        p->next_event = now + REDRAW_SECONDS;
    }
}

int rn_app_progress_final(struct rn_app_progress *p)
{
    if (!p)
        return 0;
    RN_LOCKED(&p->lock);
    p->start = p->since;
    struct state s = measure(p, rn_clock());
    if (p->people && p->frames > 0 && !p->shown)
        show(p, &s, true);
    else if (p->terminal)
        rn_app_terminal_status(NULL);
    p->shown = true;
    return p->failed ? RN_EOUTPUT : 0;
}

int rn_app_progress_end(struct rn_app_progress *p, int status, const char *output)
{
    if (!p)
        return 0;
    rn_app_progress_final(p);
    RN_LOCKED(&p->lock);
    if (!p->ended && writes_events(p)) {
        bool finished = status == 0 || status == -RN_EDAMAGED;
        struct state s = measure(p, rn_clock());
        RN_OWNED(json_decrefp) json_t *event = make_event(finished ? "end" : "error", &s);
        bool whole = event && !json_object_set_new(event, "exit_status", json_integer(status)) &&
                     !json_object_set_new(event, "output", rn_app_json_text(output));
        write_line(p, whole ? rn_take_owned(&event) : NULL);
        atomic_store(&handler_fd, -1);
        int code = rn_growing_close(&p->events);
        if (code)
            fail_events(p, code);
    }
    p->ended = true;
    return p->failed ? RN_EOUTPUT : 0;
}

void rn_app_progress_give_up(int status)
{
    char line[] = "{\"event\":\"error\",\"exit_status\":000}\n";
    char *digit = line + sizeof line - 4;      /* the rightmost zero */
    int fd = atomic_exchange(&handler_fd, -1); /* no other line after this one */
    for (int i = 0; i < 3; i++, status /= 10)
        *digit-- = (char)('0' + status % 10);
    if (fd >= 0 && write(fd, line, sizeof line - 1) < 0)
        return; /* the process ends: nothing can be done */
}
