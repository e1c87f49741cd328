/* SPDX-License-Identifier: MIT */
#include "app/play/loop/player.h"
#include "io/read/audio.h"

#include <math.h>

void rn_play_open_sound(struct rn_play *p)
{
    struct rn_play_sound *s = p->sound;
    int channels;
    s->stepped = s->sounding = false;
    if (p->session->cli->play.untimed ||
        rn_read_audio_open(&s->audio, p->session->source, &s->rate, &channels) || !s->audio)
        return;
    if (rn_ui_speaker_open(&s->speaker, s->rate, channels)) {
        rn_read_audio_close(&s->audio);
        return;
    }
    rn_play_sound_level(s, s->volume, s->muted);
    rn_ui_speaker_pause(s->speaker, p->paused);
}

void rn_play_close_sound(struct rn_play *p)
{
    rn_ui_speaker_close(&p->sound->speaker);
    rn_read_audio_close(&p->sound->audio);
}

void rn_play_resume_sound(struct rn_play *p)
{
    if (!p->paused && p->sound->stepped && p->sound->speaker && p->shown && rn_play_is_heard(p))
        rn_play_seek_time(p, p->shown->frame.time);
}

void rn_play_follow_sound(struct rn_play *p)
{
    if (!p->sound->speaker || !p->sound->sounding || p->paused)
        return;
    double pending = rn_ui_speaker_pending(p->sound->speaker);
    if (pending > 0)
        rn_play_set_time(p, p->sound->end - pending * rn_play_speed(p));
    else
        p->sound->sounding = false;
}

bool rn_play_is_heard(const struct rn_play *p)
{
    double speed = rn_play_speed(p);
    return p->sound->audio && speed >= RN_SLOWEST_SOUND && speed <= RN_FASTEST_SOUND;
}

void rn_play_push_sound(struct rn_play *p, const struct rn_frame *frame)
{
    const int16_t *samples;
    size_t n;
    double time;
    if (!rn_play_is_heard(p) || rn_read_audio_decode(p->sound->audio, frame, &samples, &n, &time) ||
        !n)
        return;
    if (rn_ui_speaker_push(p->sound->speaker, samples, n))
        return;
    p->sound->end = time + (double)n * rn_play_speed(p) / p->sound->rate;
    p->sound->sounding = true;
}

void rn_play_forget_sound(struct rn_play *p)
{
    if (p->sound->speaker)
        rn_ui_speaker_clear(p->sound->speaker);
    p->sound->sounding = false;
}

void rn_play_sound_level(struct rn_play_sound *s, double volume, bool muted)
{
    s->volume = volume;
    s->muted = muted;
    if (s->speaker)
        rn_ui_speaker_volume(s->speaker, muted ? 0 : volume);
}

void rn_play_set_volume(struct rn_play *p, int count)
{
    struct rn_play_sound *s = p->sound;
    rn_play_sound_level(s, fmin(1, fmax(0, s->volume + 0.05 * count)),
                        count ? s->muted : !s->muted);
    if (s->speaker)
        rn_play_say(p, "volume %.0f %%%s", 100 * s->volume, s->muted ? " (muted)" : "");
    else
        rn_play_say(p, "no sound");
}
