#include "app/play/loop/sound.h"

#include "app/play/loop/player.h"
#include "io/read/audio.h"
#include "ui/speaker.h"
#include "ui/window.h"
#include "filters/base/clock.h"

#include <math.h>
#include <stdio.h>

void rn_play_follow_sound(struct rn_play *p)
{
    if (!p->speaker || !p->sounding || p->paused)
        return;
    double pending = rn_ui_speaker_pending(p->speaker);
    if (pending > 0)
        rn_play_stream_clock_set(&p->clock, rn_clock(), p->sound_end - pending);
    else
        p->sounding = false;
}

bool rn_play_is_heard(const struct rn_play *p)
{
    return p->audio && p->pace == 0;
}

void rn_play_push_sound(struct rn_play *p, const struct rn_frame *frame)
{
    const int16_t *samples;
    size_t n;
    double time;
    if (!rn_play_is_heard(p) || rn_read_audio_decode(p->audio, frame, &samples, &n, &time) || !n)
        return;
    if (rn_ui_speaker_push(p->speaker, samples, n))
        return;
    p->sound_end = time + (double)n / p->rate;
    p->sounding = true;
}

void rn_play_forget_sound(struct rn_play *p)
{
    if (p->speaker)
        rn_ui_speaker_clear(p->speaker);
    p->sounding = false;
}

void rn_play_set_volume(struct rn_play *p, int count)
{
    char text[64];
    if (count)
        p->volume = fmin(1, fmax(0, p->volume + 0.05 * count));
    else
        p->muted = !p->muted;
    if (p->speaker)
        rn_ui_speaker_volume(p->speaker, p->muted ? 0 : p->volume);
    snprintf(text, sizeof text, p->speaker ? "volume %.0f %%%s" : "no sound", 100 * p->volume,
             p->muted ? " (muted)" : "");
    rn_play_say(p, text);
}
