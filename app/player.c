#include "app/player.h"

#include "app/clock.h"
#include "filters/core/err.h"

#include <math.h>

/* ---- time */

static double stream_time(const struct rn_player *p)
{
    return p->paused ? p->anchored : p->anchored + (rn_clock() - p->anchor);
}

static void set_clock(struct rn_player *p, double time)
{
    p->anchor = rn_clock();
    p->anchored = time;
}

/* What is heard is now: the picture follows the sound. */
static void follow_sound(struct rn_player *p)
{
    if (!p->speaker || !p->sounding || p->paused)
        return;
    double pending = rn_speaker_pending(p->speaker);
    if (pending > 0)
        set_clock(p, p->sound_end - pending);
    else
        p->sounding = false;
}

static void push_sound(struct rn_player *p, const struct rn_frame *frame)
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

static double frame_duration(const struct rn_player *p)
{
    const struct rn_rational *r = &p->stream->rate;
    return r->num > 0 && r->den > 0 ? (double)r->den / r->num : 0.04;
}

/* ---- frames */

static int hash_shown(struct rn_player *p)
{
    struct rn_frame frame = p->shown->frame;
    frame.side = NULL;
    return p->hashes ? rn_sink_write(p->hashes, &p->shown->out, &frame) : 0;
}

/* The picture in p->shown has changed: everything that follows from that. */
static int present(struct rn_player *p)
{
    int err = hash_shown(p);
    if (!err && p->record)
        err = rn_record_frame(p->record, p->chain, p->shown->frame.index);
    p->drawn++;
    return err ? err : rn_player_draw(p);
}

static void remember(struct rn_player *p, double time)
{
    if (!isnan(p->last_time)) {
        p->seen[p->nseen % RN_PLAYER_SEEN].time = time;
        p->seen[p->nseen % RN_PLAYER_SEEN].before = p->last_time;
        p->nseen++;
    }
    p->last_time = time;
}

/* Takes a frame from the reader and submits it as p->next. Frames that are late already are dropped
 * unseen while others wait behind them. */
static int take(struct rn_player *p, double timeout)
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

static int show_next(struct rn_player *p)
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

static int drop_next(struct rn_player *p)
{
    struct rn_slot *slot = p->next;
    p->next = NULL;
    if (!slot)
        return 0;
    int err = rn_runner_wait(p->runner, slot);
    int given = rn_reader_give(p->reader, slot);
    return err ? err : given;
}

int rn_player_seek(struct rn_player *p, double time)
{
    int err = drop_next(p);
    if (!rn_reader_seek(p->reader, time > 0 ? time : 0)) {
        rn_player_say(p, "this input cannot seek");
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

static double time_before(const struct rn_player *p)
{
    double now = p->shown->frame.time;
    int first = p->nseen > RN_PLAYER_SEEN ? p->nseen - RN_PLAYER_SEEN : 0;
    for (int i = p->nseen - 1; i >= first; i--)
        if (p->seen[i % RN_PLAYER_SEEN].time == now)
            return p->seen[i % RN_PLAYER_SEEN].before;
    return now - 1.5 * frame_duration(p);
}

int rn_player_seek_back(struct rn_player *p)
{
    return p->shown ? rn_player_seek(p, time_before(p)) : 0;
}

void rn_player_pause(struct rn_player *p, bool paused)
{
    if (paused == p->paused)
        return;
    set_clock(p, paused ? stream_time(p) : p->shown ? p->shown->frame.time : p->anchored);
    p->paused = paused;
    if (p->speaker)
        rn_speaker_pause(p->speaker, paused);
}

/* Filters what is in flight and on the screen again, with the parameters of now. */
int rn_player_filter_again(struct rn_player *p)
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

/* ---- on and on */

/* Brings the next frame, and shows it when its time has come. *wait: how long nothing is to be
 * done. */
int rn_player_advance(struct rn_player *p, double *wait)
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
                return rn_player_seek(p, 0);
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
