/* SPDX-License-Identifier: MIT */
#include "ui/window.h"

#include "filters/base/log.h"

#include <SDL.h>
#include <stdlib.h>
#include <string.h>

struct rn_ui_speaker {
    SDL_AudioDeviceID device;
    int rate, channels;
    bool paused;
    Uint64 paused_at; /* performance counter */
    /* protected by the device's lock, which its callback holds: */
    SDL_AudioStream *queue; /* pending samples; converts nothing */
    int volume;             /* 0..256 */
    double tail;  /* seconds of sound that the device had not played at its last callback */
    double chunk; /* seconds of sound, without silence, in the last callback */
    Uint64 asked; /* time of the last callback */
};

static double seconds(Uint64 ticks)
{
    return (double)ticks / (double)SDL_GetPerformanceFrequency();
}

/* Called in SDL's thread. The volume is applied here, not to the queue, so that it acts at once. */
static void speaker_play(void *arg, Uint8 *stream, int len)
{
    struct rn_ui_speaker *sp = arg;
    int16_t *out = (int16_t *)(void *)stream;
    int got = SDL_AudioStreamGet(sp->queue, stream, len);
    size_t n = got > 0 ? (size_t)got / sizeof *out : 0;
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)(out[i] * sp->volume / 256);
    memset(out + n, 0, (size_t)len - n * sizeof *out);
    /* Devices have two buffers: while one is filled, the previous one begins to play. */
    double real = (double)n / (sp->rate * sp->channels);
    sp->tail = sp->chunk + real;
    sp->chunk = real;
    sp->asked = SDL_GetPerformanceCounter();
}

static void alsa_quiet(const char *file, int line, const char *function, int err, const char *fmt,
                       ...)
{
}

/* On a machine without sound ALSA's library writes a page to stderr before SDL can say it in a
 * line. The library is the one that SDL loads. Returns what is to be unloaded, or NULL. */
static void *alsa_silence(void)
{
    void *lib = SDL_LoadObject("libasound.so.2");
    int (*set)(void (*)(const char *, int, const char *, int, const char *, ...)) =
        lib ? SDL_LoadFunction(lib, "snd_lib_error_set_handler") : NULL;
    if (set)
        set(alsa_quiet);
    return lib;
}

int rn_ui_speaker_open(struct rn_ui_speaker **speaker, int rate, int channels)
{
    *speaker = NULL;
    struct rn_ui_speaker *sp = calloc(1, sizeof *sp);
    if (!sp)
        return rn_fail_memory();
    sp->rate = rate;
    sp->channels = channels;
    sp->volume = 256;
    sp->paused = true;
    sp->paused_at = SDL_GetPerformanceCounter();
    /* Whichever of window and speaker comes first starts SDL's events, and with them its handlers
     * of SIGINT and SIGTERM unless told otherwise. */
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (SDL_InitSubSystem(SDL_INIT_AUDIO)) {
        rn_log(RN_LOG_WARNING, "no sound: %s", SDL_GetError());
        free(sp);
        return RN_EINTERNAL;
    }
    SDL_AudioSpec spec = {
        .freq = rate,
        .format = AUDIO_S16SYS,
        .channels = (Uint8)channels,
        .samples = 256,
        .callback = speaker_play,
        .userdata = sp,
    };
    while (spec.samples < rate / 50 && spec.samples < 8192)
        spec.samples = (Uint16)(spec.samples * 2);
    void *alsa = alsa_silence();
    sp->queue =
        SDL_NewAudioStream(spec.format, spec.channels, rate, spec.format, spec.channels, rate);
    sp->device = sp->queue ? SDL_OpenAudioDevice(NULL, 0, &spec, NULL, 0) : 0;
    if (alsa)
        SDL_UnloadObject(alsa);
    if (!sp->device) {
        rn_log(RN_LOG_WARNING, "no sound (%d Hz, %d channels): %s", rate, channels, SDL_GetError());
        rn_ui_speaker_close(&sp);
        return RN_EINTERNAL;
    }
    *speaker = sp;
    rn_ui_speaker_pause(sp, false);
    return 0;
}

void rn_ui_speaker_close(struct rn_ui_speaker **speaker)
{
    struct rn_ui_speaker *sp = *speaker;
    if (!sp)
        return;
    *speaker = NULL;
    SDL_CloseAudioDevice(sp->device);
    SDL_FreeAudioStream(sp->queue);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    free(sp);
}

int rn_ui_speaker_push(struct rn_ui_speaker *speaker, const int16_t *samples, size_t frames)
{
    size_t size = frames * (size_t)speaker->channels * sizeof *samples;
    if (!size)
        return 0;
    SDL_LockAudioDevice(speaker->device);
    bool bad = SDL_AudioStreamPut(speaker->queue, samples, (int)size);
    SDL_UnlockAudioDevice(speaker->device);
    return bad ? rn_fail_memory() : 0;
}

double rn_ui_speaker_pending(struct rn_ui_speaker *speaker)
{
    SDL_LockAudioDevice(speaker->device);
    Uint64 now = speaker->paused ? speaker->paused_at : SDL_GetPerformanceCounter();
    double tail = speaker->tail;
    if (tail > 0 && now > speaker->asked)
        tail -= seconds(now - speaker->asked);
    int size = SDL_AudioStreamAvailable(speaker->queue);
    SDL_UnlockAudioDevice(speaker->device);
    return (double)size / (2.0 * speaker->rate * speaker->channels) + (tail > 0 ? tail : 0);
}

void rn_ui_speaker_clear(struct rn_ui_speaker *speaker)
{
    SDL_LockAudioDevice(speaker->device);
    SDL_AudioStreamClear(speaker->queue);
    speaker->tail = speaker->chunk = 0;
    SDL_UnlockAudioDevice(speaker->device);
}

void rn_ui_speaker_pause(struct rn_ui_speaker *speaker, bool paused)
{
    if (paused == speaker->paused)
        return;
    SDL_LockAudioDevice(speaker->device);
    Uint64 now = SDL_GetPerformanceCounter();
    if (paused)
        speaker->paused_at = now;
    else if (speaker->asked) /* the clock stood still */
        speaker->asked += now - speaker->paused_at;
    speaker->paused = paused;
    SDL_UnlockAudioDevice(speaker->device);
    SDL_PauseAudioDevice(speaker->device, paused);
}

void rn_ui_speaker_volume(struct rn_ui_speaker *speaker, double volume)
{
    volume = volume < 0 ? 0 : volume > 1 ? 1 : volume;
    SDL_LockAudioDevice(speaker->device);
    speaker->volume = (int)(volume * 256 + 0.5);
    SDL_UnlockAudioDevice(speaker->device);
}
