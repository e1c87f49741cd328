#include "app/play.h"

#include "app/clock.h"
#include "app/reader.h"
#include "app/record.h"
#include "app/tuner.h"
#include "filters/core/err.h"
#include "io/audio.h"
#include "io/display.h"
#include "io/sink.h"
#include "ui/speaker.h"
#include "ui/window.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS        8 /* enough sound ahead of the picture: packets travel with the frames */
#define MESSAGE_TIME 2.0
#define SEEN         1024

/* This thread submits, waits and draws; only reading is ahead of it. So a turned knob reaches the
 * next frame that is shown, whatever is in flight. */
struct player {
    const struct rn_cli *cli;
    struct rn_source *source;
    const struct rn_stream *stream;
    struct rn_device *device;
    struct rn_chain *chain;
    struct rn_runner *runner;
    struct rn_reader *reader;
    struct rn_window *window;
    struct rn_display *show_in, *show_out;
    struct rn_audio *audio;
    struct rn_speaker *speaker;
    struct rn_record *record;
    struct rn_sink *hashes; /* --md5 */
    struct rn_tuner tuner;

    struct rn_slot *shown; /* on the screen; its input is kept to be filtered again */
    struct rn_slot *next;  /* submitted, waits for its time */
    bool paused, bypass, split, help, times, loop, muted, quit;
    bool hurry; /* show the next frame at once: the first, after a seek, a step */
    bool at_end;
    double split_at, volume;

    /* The clock: at wall time `anchor` it was `anchored` in the stream. Sound corrects it. */
    double anchor, anchored, sound_end;
    int rate; /* of the sound, samples per second */
    bool sounding;

    struct {
        double time, before;
    } seen[SEEN]; /* frames that followed each other, to step back along */
    int nseen;
    double last_time; /* of the frame read last; NAN after a seek */

    char message[256];
    double message_until;
    int64_t drawn, dropped;
    double second, fps; /* the last full second */
    int64_t drawn_then;
    struct rn_times then, per_frame;
};

static volatile sig_atomic_t caught;

static void on_signal(int sig)
{
    caught = sig;
}

static void say(struct player *p, const char *text)
{
    snprintf(p->message, sizeof p->message, "%s", text);
    p->message_until = rn_clock() + MESSAGE_TIME;
}

static void say_parameter(struct player *p)
{
    char text[256];
    say(p, rn_tuner_describe(&p->tuner, text, sizeof text));
}

/* ---- time */

static double stream_time(const struct player *p)
{
    return p->paused ? p->anchored : p->anchored + (rn_clock() - p->anchor);
}

static void set_clock(struct player *p, double time)
{
    p->anchor = rn_clock();
    p->anchored = time;
}

/* What is heard is now: the picture follows the sound. */
static void follow_sound(struct player *p)
{
    if (!p->speaker || !p->sounding || p->paused)
        return;
    double pending = rn_speaker_pending(p->speaker);
    if (pending > 0)
        set_clock(p, p->sound_end - pending);
    else
        p->sounding = false;
}

static void push_sound(struct player *p, const struct rn_frame *frame)
{
    const int16_t *samples;
    size_t n;
    double time;
    if (!p->audio || rn_audio_decode(p->audio, frame, &samples, &n, &time) || !n)
        return;
    if (rn_speaker_push(p->speaker, samples, n))
        return;
    p->sound_end = time + (double)n / p->rate;
    p->sounding = true;
}

static double frame_duration(const struct player *p)
{
    const struct rn_rational *r = &p->stream->rate;
    return r->num > 0 && r->den > 0 ? (double)r->den / r->num : 0.04;
}

/* ---- drawing */

static void describe_times(const struct player *p, char *buf, size_t size)
{
    const struct rn_frame *f = &p->shown->frame;
    size_t used = (size_t)snprintf(
        buf, size, "frame %lld  %.3f s\n%.1f fps, %lld dropped\n%d of %d slots filled\n",
        (long long)f->index, f->time, p->fps, (long long)p->dropped, rn_reader_filled(p->reader),
        SLOTS);
    const struct rn_times *t = &p->per_frame;
    if (p->device && !rn_device_info(p->device)->shared_memory && used < size)
        used += (size_t)snprintf(buf + used, size - used, "upload %.2f ms  download %.2f ms\n",
                                 1e3 * t->upload, 1e3 * t->download);
    for (int i = 0; i < p->chain->n && used < size; i++) {
        const struct rn_stage *s = p->chain->stage[i];
        used += (size_t)snprintf(buf + used, size - used, "%s  %.2f ms%s\n",
                                 s->label ? s->label : s->desc->name, 1e3 * t->stage[i],
                                 s->on ? "" : "  (off)");
    }
    if (used && used < size)
        buf[used - 1] = '\0';
}

static const char *alert_text(const struct player *p)
{
    for (int i = 0; i < p->chain->n; i++) {
        const struct rn_stage *s = p->chain->stage[i];
        const char *alert = s->desc->alert ? s->desc->alert(s) : NULL;
        if (alert)
            return alert;
    }
    return NULL;
}

/* The numbers of the first measuring stage. */
static void show_numbers(struct player *p, struct rn_scene *scene, char *text, size_t size)
{
    for (int i = 0; i < p->chain->n; i++) {
        struct rn_stage *s = p->chain->stage[i];
        if (!s->desc->show || !s->on)
            continue;
        s->desc->show(s, text, size, &scene->histogram, &scene->nbins);
        return;
    }
}

static int draw(struct player *p)
{
    struct rn_screen in, out;
    char times[1024], numbers[512] = "", status[1024];
    struct rn_scene scene = {.split = p->split_at, .help = p->help, .alert = alert_text(p)};
    if (!p->shown)
        return 0;
    int err = 0;
    if (p->bypass || p->split)
        err = rn_display_show(p->show_in, &p->shown->in, &in);
    if (!err && !p->bypass)
        err = rn_display_show(p->show_out, &p->shown->out, &out);
    if (err)
        return err;
    scene.filtered = p->bypass ? &in : &out;
    scene.original = p->split && !p->bypass ? &in : NULL;
    show_numbers(p, &scene, numbers, sizeof numbers);
    bool message = rn_clock() < p->message_until;
    snprintf(status, sizeof status, "%s%s%s", numbers, *numbers && message ? "\n" : "",
             message ? p->message : "");
    scene.status = *status ? status : NULL;
    if (p->times) {
        describe_times(p, times, sizeof times);
        scene.times = times;
    }
    return rn_window_draw(p->window, &scene);
}

static void count_second(struct player *p)
{
    double now = rn_clock();
    if (now - p->second < 1)
        return;
    struct rn_times t;
    rn_runner_times(p->runner, &t);
    double n = (double)(t.frames - p->then.frames);
    p->per_frame = (struct rn_times){0};
    if (n > 0) {
        p->per_frame.upload = (t.upload - p->then.upload) / n;
        p->per_frame.download = (t.download - p->then.download) / n;
        for (int i = 0; i < p->chain->n; i++)
            p->per_frame.stage[i] = (t.stage[i] - p->then.stage[i]) / n;
    }
    p->then = t;
    p->fps = (double)(p->drawn - p->drawn_then) / (now - p->second);
    p->drawn_then = p->drawn;
    p->second = now;
}

/* ---- frames */

static int hash_shown(struct player *p)
{
    struct rn_frame frame = p->shown->frame;
    frame.side = NULL;
    return p->hashes ? rn_sink_write(p->hashes, &p->shown->out, &frame) : 0;
}

/* The picture in p->shown has changed: everything that follows from that. */
static int present(struct player *p)
{
    int err = hash_shown(p);
    if (!err && p->record)
        err = rn_record_frame(p->record, p->chain, p->shown->frame.index);
    p->drawn++;
    return err ? err : draw(p);
}

static void remember(struct player *p, double time)
{
    if (!isnan(p->last_time)) {
        p->seen[p->nseen % SEEN].time = time;
        p->seen[p->nseen % SEEN].before = p->last_time;
        p->nseen++;
    }
    p->last_time = time;
}

/* Takes a frame from the reader and submits it as p->next. Frames that are late already are dropped
 * unseen while others wait behind them. */
static int take(struct player *p, double timeout)
{
    for (;;) {
        struct rn_slot *slot;
        int err = rn_reader_next(p->reader, timeout, &slot);
        if (err || !slot)
            return err;
        push_sound(p, &slot->frame);
        remember(p, slot->frame.time);
        follow_sound(p);
        bool late = !p->hurry && !p->cli->play.untimed &&
                    slot->frame.time + 1.5 * frame_duration(p) < stream_time(p);
        if (!late || !rn_reader_filled(p->reader)) {
            p->next = slot;
            return rn_runner_submit(p->runner, slot);
        }
        p->dropped++;
        if ((err = rn_reader_give(p->reader, slot)) != 0)
            return err;
    }
}

static int show_next(struct player *p)
{
    int err = rn_runner_wait(p->runner, p->next);
    if (!err && p->shown)
        err = rn_reader_give(p->reader, p->shown);
    p->shown = p->next;
    p->next = NULL;
    if (p->hurry)
        set_clock(p, p->shown->frame.time);
    p->hurry = false;
    return err ? err : present(p);
}

static int drop_next(struct player *p)
{
    struct rn_slot *slot = p->next;
    p->next = NULL;
    if (!slot)
        return 0;
    int err = rn_runner_wait(p->runner, slot);
    int given = rn_reader_give(p->reader, slot);
    return err ? err : given;
}

static int seek(struct player *p, double time)
{
    int err = drop_next(p);
    if (!rn_reader_seek(p->reader, time > 0 ? time : 0)) {
        say(p, "this input cannot seek");
        return err;
    }
    if (p->audio)
        rn_audio_flush(p->audio);
    if (p->speaker)
        rn_speaker_clear(p->speaker);
    p->sounding = false;
    p->hurry = true;
    p->at_end = false;
    p->last_time = NAN;
    return err;
}

static double time_before(const struct player *p)
{
    double now = p->shown->frame.time;
    int first = p->nseen > SEEN ? p->nseen - SEEN : 0;
    for (int i = p->nseen - 1; i >= first; i--)
        if (p->seen[i % SEEN].time == now)
            return p->seen[i % SEEN].before;
    return now - 1.5 * frame_duration(p);
}

/* ---- changes */

struct snapshot {
    void *params[RN_MAX_STAGES];
    bool on[RN_MAX_STAGES];
};

static void take_snapshot(const struct player *p, struct snapshot *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < p->chain->n; i++) {
        const struct rn_stage *stage = p->chain->stage[i];
        s->on[i] = stage->on;
        if ((s->params[i] = malloc(stage->params_size)) != NULL)
            memcpy(s->params[i], stage->params, stage->params_size);
    }
}

static void put_back(struct player *p, const struct snapshot *s)
{
    for (int i = 0; i < p->chain->n; i++) {
        struct rn_stage *stage = p->chain->stage[i];
        stage->on = s->on[i];
        if (s->params[i])
            memcpy(stage->params, s->params[i], stage->params_size);
    }
}

/* Filters what is in flight and on the screen again, with the parameters of now. */
static int filter_again(struct player *p)
{
    int err = 0;
    if (p->next) {
        err = rn_runner_wait(p->runner, p->next);
        err = err ? err : rn_runner_submit(p->runner, p->next);
    }
    if (!err && p->shown) {
        err = rn_runner_submit(p->runner, p->shown);
        err = err ? err : rn_runner_wait(p->runner, p->shown);
        err = err ? err : present(p);
    }
    return err;
}

static int change(struct player *p, void (*edit)(struct player *p, int count), int count)
{
    struct snapshot before;
    take_snapshot(p, &before);
    edit(p, count);
    int err = rn_runner_update(p->runner);
    if (err == RN_EUSAGE) {
        put_back(p, &before);
        err = rn_runner_update(p->runner);
        say(p, "refused: see the message in the terminal");
    } else if (!err) {
        say_parameter(p);
    }
    for (int i = 0; i < RN_MAX_STAGES; i++)
        free(before.params[i]);
    return err ? err : filter_again(p);
}

static void edit_step(struct player *p, int count)
{
    int stage = 0;
    const struct rn_param *row = NULL;
    if (rn_tuner_selected(&p->tuner, &stage, &row))
        rn_param_step(row, p->chain->stage[stage]->params, count);
}

static void edit_reset(struct player *p, int count)
{
    int stage = 0;
    const struct rn_param *row = NULL;
    (void)count;
    if (rn_tuner_selected(&p->tuner, &stage, &row))
        rn_param_reset(row, p->chain->stage[stage]->params);
}

static void edit_reset_all(struct player *p, int count)
{
    (void)count;
    rn_tuner_reset_all(&p->tuner);
}

static void edit_toggle(struct player *p, int count)
{
    int stage = 0;
    const struct rn_param *row = NULL;
    (void)count;
    if (rn_tuner_selected(&p->tuner, &stage, &row))
        p->chain->stage[stage]->on = !p->chain->stage[stage]->on;
}

static int poll_kernels(struct player *p)
{
    bool changed = false;
    int err = rn_runner_poll(p->runner, &changed);
    if (err || !changed)
        return err;
    rn_tuner_move(&p->tuner, 0); /* the list may have become shorter */
    say(p, alert_text(p) ? "the kernel does not build" : "kernel reloaded");
    return filter_again(p);
}

/* ---- files */

static int screenshot(struct player *p)
{
    char name[64], text[96];
    struct rn_sink *sink = NULL;
    struct rn_sink_opts opts = {0};
    if (!p->shown)
        return 0;
    rn_free_name("runnel", "png", name);
    struct rn_frame frame = p->shown->frame;
    frame.side = NULL;
    int err = rn_sink_open(&sink, name, &opts, p->source, &p->chain->out);
    err = err ? err : rn_sink_write(sink, &p->shown->out, &frame);
    int closed = rn_sink_close(&sink, err ? RN_ENDING_ABANDON : RN_ENDING_COMPLETE);
    err = err ? err : closed;
    snprintf(text, sizeof text, err ? "could not write %s" : "wrote %s", name);
    say(p, text);
    if (!err)
        rn_log(RN_LOG_INFO, "%s", text);
    return 0; /* a full disk does not end the preview */
}

static void write_chain(struct player *p)
{
    char name[64], text[96];
    int err = rn_tuner_write(&p->tuner, p->cli->operand[0], name);
    snprintf(text, sizeof text, err ? "could not write %s" : "wrote %s", name);
    say(p, text);
    if (!err)
        rn_log(RN_LOG_INFO, "%s; `render -f @%s` applies it", text, name);
}

/* ---- keys */

static void pause(struct player *p, bool paused)
{
    if (paused == p->paused)
        return;
    set_clock(p, paused ? stream_time(p) : p->shown ? p->shown->frame.time : p->anchored);
    p->paused = paused;
    if (p->speaker)
        rn_speaker_pause(p->speaker, paused);
}

static int step_frame(struct player *p, int count)
{
    pause(p, true);
    if (count < 0 && p->shown)
        return seek(p, time_before(p));
    p->hurry = true;
    return 0;
}

static void set_volume(struct player *p, int count)
{
    char text[64];
    if (count)
        p->volume = fmin(1, fmax(0, p->volume + 0.05 * count));
    else
        p->muted = !p->muted;
    if (p->speaker)
        rn_speaker_volume(p->speaker, p->muted ? 0 : p->volume);
    snprintf(text, sizeof text, p->speaker ? "volume %.0f %%%s" : "no sound", 100 * p->volume,
             p->muted ? " (muted)" : "");
    say(p, text);
}

static int act(struct player *p, const struct rn_event *e)
{
    double now = p->shown ? p->shown->frame.time : 0;
    switch (e->action) {
    case RN_ACT_QUIT:
        p->quit = true;
        return 0;
    case RN_ACT_STEP:
        return change(p, edit_step, e->count);
    case RN_ACT_RESET:
        return change(p, edit_reset, 0);
    case RN_ACT_RESET_ALL:
        return change(p, edit_reset_all, 0);
    case RN_ACT_TOGGLE_STAGE:
        return change(p, edit_toggle, 0);
    case RN_ACT_PARAM_NEXT:
        rn_tuner_move(&p->tuner, e->count);
        say_parameter(p);
        break;
    case RN_ACT_BYPASS:
        p->bypass = !p->bypass;
        say(p, p->bypass ? "chain bypassed" : "chain on");
        break;
    case RN_ACT_SPLIT:
        p->split = !p->split;
        break;
    case RN_ACT_SPLIT_TO:
        p->split_at = e->position;
        break;
    case RN_ACT_SPLIT_BY:
        p->split_at = fmin(1, fmax(0, p->split_at + 0.01 * e->count));
        break;
    case RN_ACT_PAUSE:
        pause(p, !p->paused);
        break;
    case RN_ACT_FRAME:
        return step_frame(p, e->count);
    case RN_ACT_SEEK:
        return seek(p, now + e->count);
    case RN_ACT_HOME:
        return seek(p, 0);
    case RN_ACT_TIMES:
        p->times = !p->times;
        break;
    case RN_ACT_SCREENSHOT: {
        int err = screenshot(p);
        return err ? err : draw(p);
    }
    case RN_ACT_WRITE_CHAIN:
        write_chain(p);
        break;
    case RN_ACT_LOOP:
        p->loop = !p->loop;
        say(p, p->loop ? "loop on" : "loop off");
        break;
    case RN_ACT_HELP:
        p->help = !p->help;
        break;
    case RN_ACT_VOLUME:
        set_volume(p, e->count);
        break;
    case RN_ACT_MUTE:
        set_volume(p, 0);
        break;
    case RN_ACT_FULLSCREEN:
    case RN_ACT_REDRAW:
    case RN_ACT_NONE:
        break;
    }
    return draw(p);
}

/* ---- the loop */

/* Brings the next frame, and shows it when its time has come. *wait: how long nothing is to be
 * done. */
static int advance(struct player *p, double *wait)
{
    int err = 0;
    *wait = 0.05;
    if (p->paused && !p->hurry)
        return 0;
    if (!p->next && !p->at_end) {
        err = take(p, p->hurry ? 0.02 : 0);
        if (err == RN_END) {
            err = 0;
            p->at_end = true;
            if (p->loop)
                return seek(p, 0);
            p->hurry = false;
        }
    }
    if (err || !p->next) {
        *wait = p->at_end ? 0.05 : 0.002;
        return err;
    }
    follow_sound(p);
    double due = p->hurry || p->cli->play.untimed ? 0 : p->next->frame.time - stream_time(p);
    if (due <= 0.001) {
        *wait = 0;
        return show_next(p);
    }
    *wait = fmin(due, 0.05);
    return 0;
}

static int play(struct player *p)
{
    int err = 0;
    while (!p->quit && !caught && !err) {
        struct rn_event event;
        double wait = 0;
        bool message = rn_clock() < p->message_until;
        err = advance(p, &wait);
        err = err ? err : poll_kernels(p);
        count_second(p);
        while (!err && rn_window_event(p->window, wait, &event)) {
            err = act(p, &event);
            wait = 0;
            if (p->quit)
                break;
        }
        if (!err && message && rn_clock() >= p->message_until)
            err = draw(p); /* the message goes */
    }
    return err;
}

/* ---- setting up */

static int open_sound(struct player *p)
{
    int channels;
    if (p->cli->play.untimed)
        return 0;
    int err = rn_audio_open(&p->audio, p->source, &p->rate, &channels);
    if (!err && p->audio && rn_speaker_open(&p->speaker, p->rate, channels))
        rn_audio_close(&p->audio);
    return 0; /* a picture without sound is better than none */
}

static int make_chain(struct player *p)
{
    int err = rn_chain_parse(&p->chain, p->cli->filters);
    if (!err && p->cli->play.kernel) {
        struct rn_stage *stage = rn_chain_append(p->chain, "custom");
        const struct rn_param *row = stage ? rn_param_find(stage->table, "file") : NULL;
        err = row ? rn_stage_set(stage, row, p->cli->play.kernel) : RN_EUSAGE;
    }
    return err;
}

static int open_window(struct player *p)
{
    char title[512];
    const struct rn_rational *a = &p->stream->aspect;
    double aspect = a->num > 0 && a->den > 0 ? (double)a->num / a->den : 1;
    snprintf(title, sizeof title, "%.400s - runnel", p->cli->operand[0]);
    return rn_window_open(&p->window, title, p->chain->out.w, p->chain->out.h, aspect);
}

static int set_up(struct player *p)
{
    const struct rn_cli *cli = p->cli;
    struct rn_source_opts opts = cli->source;
    struct rn_sink_opts none = {0};
    opts.threads = cli->threads;
    int err = make_chain(p);
    err = err ? err : rn_source_open(&p->source, cli->operand[0], &opts);
    if (err)
        return err;
    p->stream = rn_source_stream(p->source);
    err = rn_chain_check(p->chain, &p->stream->geom);
    err = err ? err : rn_device_open(&p->device, cli->device);
    err = err ? err : rn_runner_open(&p->runner, p->device, p->chain, &p->stream->geom, SLOTS);
    if (err)
        return err;
    rn_runner_keep_input(p->runner);
    err = rn_display_create(&p->show_in, &p->chain->in);
    err = err ? err : rn_display_create(&p->show_out, &p->chain->out);
    err = err ? err : open_window(p);
    err = err ? err : open_sound(p);
    if (!err && cli->play.md5)
        err = rn_sink_open(&p->hashes, "md5:", &none, p->source, &p->chain->out);
    if (!err && cli->play.record)
        err = rn_record_create(&p->record, cli->play.record, p->chain);
    err = err ? err : rn_runner_start(p->runner);
    return err ? err : rn_reader_start(&p->reader, p->source, p->runner, SLOTS);
}

static int tear_down(struct player *p, int err)
{
    if (p->next)
        rn_runner_wait(p->runner, p->next); /* its commands use the slots' memory */
    if (p->runner) {
        int stopped = rn_runner_stop(p->runner, !err && !caught);
        err = err ? err : stopped;
    }
    if (p->next)
        rn_frame_release(&p->next->frame);
    if (p->shown)
        rn_frame_release(&p->shown->frame);
    rn_reader_stop(&p->reader);
    int closed = rn_record_close(&p->record);
    err = err ? err : closed;
    closed = rn_sink_close(&p->hashes, RN_ENDING_COMPLETE);
    err = err ? err : closed;
    rn_speaker_close(&p->speaker);
    rn_audio_close(&p->audio);
    rn_window_close(&p->window);
    rn_display_destroy(&p->show_in);
    rn_display_destroy(&p->show_out);
    rn_runner_close(&p->runner);
    closed = rn_device_close(&p->device);
    err = err ? err : closed;
    rn_source_close(&p->source);
    rn_chain_destroy(&p->chain);
    return err;
}

static void take_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
    sigaction(SIGINT, &action, NULL); /* the second one ends the process at once */
    sigaction(SIGTERM, &action, NULL);
}

static int play_run(const struct rn_cli *cli)
{
    struct player p = {.cli = cli,
                       .split_at = 0.5,
                       .volume = 1,
                       .hurry = true,
                       .last_time = NAN,
                       .loop = cli->play.loop};
    take_signals();
    rn_device_environment(cli->threads);
    rn_io_init();
    int err = set_up(&p);
    p.tuner.chain = p.chain;
    p.second = rn_clock();
    if (!err) {
        say_parameter(&p);
        err = play(&p);
    }
    err = tear_down(&p, err);
    return err ? err : caught ? -(128 + caught) : 0;
}

const struct rn_command rn_command_play = {
    .name = "play",
    .operands = "INPUT",
    .summary = "filter INPUT and show it; keys tune the filters",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT | RN_OPTIONS_PLAY |
               RN_OPTIONS_OVERWRITE,
    .min_operands = 1,
    .max_operands = 1,
    .about = RN_ABOUT_INPUT "\nPress ? in the window for the keys.\n",
    .examples = "  runnel play clip.mp4 -f convolution=preset=sharpen,closing=shape=disk:radius=2\n"
                "  runnel play 'slices/*.png' -f closing --fps 10 --loop\n"
                "  runnel play clip.mp4 --kernel my.cl\n",
    .status = RN_STATUS_STREAM,
    .run = play_run,
};
