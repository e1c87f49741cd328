/* SPDX-License-Identifier: MIT */
/* The sound of the preview. While it is heard, the clock follows it. */
#pragma once

#include "io/read/source.h"

struct rn_play;

/* Zeroed before the first use, but for the volume. */
struct rn_play_sound {
    struct rn_read_audio *audio; /* NULL: the input has none, or there is no speaker */
    struct rn_ui_speaker *speaker;
    double volume; /* 0..1 */
    double end;    /* time in the stream after what was pushed */
    int rate;      /* samples per second */
    bool muted;
    bool sounding; /* some of what was pushed was not heard yet */
    bool stepped;  /* the picture has gone on without it */
};

/* Opens the sound of the input, where it can be heard: a picture without sound is better than none.
 * Closes it. */
void rn_play_open_sound(struct rn_play *p);
void rn_play_close_sound(struct rn_play *p);

/* Seeks to the picture, which has gone on without sound. */
void rn_play_resume_sound(struct rn_play *p);

/* Sets the clock to the sound that is heard: the picture follows. */
void rn_play_follow_sound(struct rn_play *p);

/* Queues the sound of a frame. Only the normal speed has sound. */
void rn_play_push_sound(struct rn_play *p, const struct rn_frame *frame);

/* Drops the queue. */
void rn_play_forget_sound(struct rn_play *p);

/* Sets the volume, 0..1. */
void rn_play_sound_level(struct rn_play_sound *sound, double volume, bool muted);

/* Changes the volume by steps of 5 %, and says it; 0: mutes or unmutes. */
void rn_play_set_volume(struct rn_play *p, int count);

/* Whether the input has sound at the current speed. */
bool rn_play_is_heard(const struct rn_play *p);
