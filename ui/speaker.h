/* SPDX-License-Identifier: MIT */
/* Sound through SDL: interleaved 16-bit samples in, a clock out. Main thread.
 * The speaker plays what was pushed, in order, and tells how much of it is still to come. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rn_ui_speaker;

/* Returns 0, or RN_EINTERNAL where there is no sound device (a warning; the caller plays on
 * silently). */
int rn_ui_speaker_open(struct rn_ui_speaker **speaker, int rate, int channels);
void rn_ui_speaker_close(struct rn_ui_speaker **speaker);

/* Appends frames (samples of all channels). Returns 0 or RN_EINTERNAL. */
int rn_ui_speaker_push(struct rn_ui_speaker *speaker, const int16_t *samples, size_t frames);

/* Seconds of sound that were pushed and not yet heard. */
double rn_ui_speaker_pending(struct rn_ui_speaker *speaker);

/* Forgets what is pending (after a seek). */
void rn_ui_speaker_clear(struct rn_ui_speaker *speaker);

void rn_ui_speaker_pause(struct rn_ui_speaker *speaker, bool paused);

/* volume: 0..1. */
void rn_ui_speaker_volume(struct rn_ui_speaker *speaker, double volume);
