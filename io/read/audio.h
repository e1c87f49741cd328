/* SPDX-License-Identifier: MIT */
/* The sound of a source for a player: the audio packets that travel with the frames, decoded. */
#pragma once

#include "io/read/source.h"

struct rn_read_audio;

/* Opens a decoder for the best audio stream of source. *audio: NULL if it has none (no error).
 * rate, channels: of the samples that come out. Returns 0 or RN_EINPUT (logged as a warning). */
int rn_read_audio_open(struct rn_read_audio **audio, const struct rn_read_source *source, int *rate,
                       int *channels);
void rn_read_audio_close(struct rn_read_audio **audio);

/* Decodes the audio packets in frame->data. *samples: interleaved 16 bit, owned by audio, valid
 * until the next call; *frames: samples per channel, 0 if there are none; *time: of the first, in
 * seconds on the pictures' time line. Returns 0 or RN_EINTERNAL; damaged packets are left out. */
int rn_read_audio_decode(struct rn_read_audio *audio, const struct rn_frame *frame,
                         const int16_t **samples, size_t *frames, double *time);

#define RN_SLOWEST_SOUND 0.5
#define RN_FASTEST_SOUND 2.2

/* From the next call on the sound is `speed` times faster, RN_SLOWEST_SOUND..RN_FASTEST_SOUND, of
 * the same pitch (libavfilter's atempo, which is loaded for it); a sample then lasts `speed` times
 * as long on the time line. Returns 0 or RN_EINPUT (logged): there is no libavfilter. */
int rn_read_audio_tempo(struct rn_read_audio *audio, double speed);

/* Forgets what came before (after a seek). */
void rn_read_audio_flush(struct rn_read_audio *audio);
