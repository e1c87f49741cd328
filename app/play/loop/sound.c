#include "app/play/loop/sound.h"

#include "app/play/loop/player.h"
#include "app/play/loop/seek.h"
#include "app/play/view/message.h"
#include "io/read/audio.h"
#include "ui/speaker.h"
#include "ui/window.h"
#include "filters/base/clock.h"

#include <math.h>
#include <stdio.h>

void rn_play_follow_sound(struct rn_play *p)
{
    if (!p->sound->speaker || !p->sound->sounding || p->paused)
        return;
    double pending = rn_ui_speaker_pending(p->sound->speaker);
    if (pending > 0)
        rn_play_stream_clock_set(&p->transport->clock, rn_clock(), p->sound->end - pending);
    else
        p->sound->sounding = false;
}

bool rn_play_is_heard(const struct rn_play *p)
{
    return p->sound->audio && p->transport->pace == 0;
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
    p->sound->end = time + (double)n / p->sound->rate;
    p->sound->sounding = true;
}

void rn_play_forget_sound(struct rn_play *p)
{
    if (p->sound->speaker)
        rn_ui_speaker_clear(p->sound->speaker);
    p->sound->sounding = false;
}

void rn_play_set_volume(struct rn_play *p, int count)
{
    char text[64];
    if (count)
        p->sound->volume = fmin(1, fmax(0, p->sound->volume + 0.05 * count));
    else
        p->sound->muted = !p->sound->muted;
    if (p->sound->speaker)
        rn_ui_speaker_volume(p->sound->speaker, p->sound->muted ? 0 : p->sound->volume);
    snprintf(text, sizeof text, p->sound->speaker ? "volume %.0f %%%s" : "no sound",
             100 * p->sound->volume, p->sound->muted ? " (muted)" : "");
    rn_play_say(p, text);
}
