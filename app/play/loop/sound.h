/* The sound of the preview, which its clock follows while it is heard. */
#ifndef RN_APP_PLAY_LOOP_SOUND_H
#define RN_APP_PLAY_LOOP_SOUND_H

#include <stdbool.h>

#include "io/read/source.h"

struct rn_play;

/* Zeroed before the first use, but for the volume. */
struct rn_play_sound {
    struct rn_read_audio *audio; /* NULL: the input has none that can be heard */
    struct rn_ui_speaker *speaker;
    double volume; /* 0..1 */
    double end;    /* time in the stream behind what was pushed */
    int rate;      /* samples per second */
    bool muted;
    bool sounding; /* something that was pushed is to be heard yet */
    bool stepped;  /* the sound is behind the picture */
};

/* Opens the sound of the input, where it can be heard: a picture without sound is better than none.
 * Closes it. */
void rn_play_open_sound(struct rn_play *p);
void rn_play_close_sound(struct rn_play *p);

/* Seeks to the picture, which has gone on without sound. */
void rn_play_resume_sound(struct rn_play *p);

/* Sets the clock by what is heard now: the picture follows the sound. */
void rn_play_follow_sound(struct rn_play *p);

/* Lets the sound that frame brings be heard behind what came before. Other speeds than the normal
 * one are silent. */
void rn_play_push_sound(struct rn_play *p, const struct rn_frame *frame);

/* Forgets what was not heard yet. */
void rn_play_forget_sound(struct rn_play *p);

/* Sets the volume, 0..1. */
void rn_play_sound_level(struct rn_play_sound *sound, double volume, bool muted);

/* Changes the volume by steps of 5 %; 0: mutes, or not any more. */
void rn_play_set_volume(struct rn_play *p, int count);

/* Is sound heard while the player plays as it is? */
bool rn_play_is_heard(const struct rn_play *p);

#endif
