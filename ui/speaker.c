#include "ui/speaker.h"

#include "filters/base/err.h"
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
    int16_t *samples; /* interleaved; [start, end) is pending */
    size_t start, end, capacity;
    int volume;   /* 0..256 */
    double tail;  /* seconds of sound that the device still had to play when it last asked */
    double chunk; /* seconds of real sound in the last answer */
    Uint64 asked; /* when it last asked */
};

static double seconds(Uint64 ticks)
{
    return (double)ticks / (double)SDL_GetPerformanceFrequency();
}

/* SDL's thread. The volume is applied here and not to what is queued, so that it acts at once. */
static void speaker_play(void *arg, Uint8 *stream, int len)
{
    struct rn_ui_speaker *sp = arg;
    int16_t *out = (int16_t *)(void *)stream;
    size_t want = (size_t)len / sizeof *out;
    size_t have = sp->end - sp->start;
    size_t n = have < want ? have : want;

    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)(sp->samples[sp->start + i] * sp->volume / 256);
    memset(out + n, 0, (want - n) * sizeof *out);
    sp->start += n;
    /* Devices have two buffers: while this one is being filled, the one before begins to sound. */
    double real = (double)n / (sp->rate * sp->channels);
    sp->tail = sp->chunk + real;
    sp->chunk = real;
    sp->asked = SDL_GetPerformanceCounter();
}

static void alsa_quiet(const char *file, int line, const char *function, int err, const char *fmt,
                       ...)
{
    (void)file;
    (void)line;
    (void)function;
    (void)err;
    (void)fmt;
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
    sp->device = SDL_OpenAudioDevice(NULL, 0, &spec, NULL, 0);
    if (alsa)
        SDL_UnloadObject(alsa);
    if (!sp->device) {
        rn_log(RN_LOG_WARNING, "no sound (%d Hz, %d channels): %s", rate, channels, SDL_GetError());
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
        free(sp);
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
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    free(sp->samples);
    free(sp);
}

/* Makes room for n samples behind the pending ones. Returns false without memory. */
static bool speaker_room(struct rn_ui_speaker *sp, size_t n)
{
    size_t have = sp->end - sp->start;
    if (sp->capacity - sp->end >= n)
        return true;
    if (sp->capacity >= have + n && sp->start >= sp->capacity / 2) {
        memmove(sp->samples, sp->samples + sp->start, have * sizeof *sp->samples);
    } else {
        size_t capacity = 2 * (have + n);
        int16_t *samples = malloc(capacity * sizeof *samples);
        if (!samples)
            return false;
        if (have)
            memcpy(samples, sp->samples + sp->start, have * sizeof *samples);
        free(sp->samples);
        sp->samples = samples;
        sp->capacity = capacity;
    }
    sp->start = 0;
    sp->end = have;
    return true;
}

int rn_ui_speaker_push(struct rn_ui_speaker *speaker, const int16_t *samples, size_t frames)
{
    size_t n = frames * (size_t)speaker->channels;
    if (!n)
        return 0;
    SDL_LockAudioDevice(speaker->device);
    bool room = speaker_room(speaker, n);
    if (room) {
        memcpy(speaker->samples + speaker->end, samples, n * sizeof *samples);
        speaker->end += n;
    }
    SDL_UnlockAudioDevice(speaker->device);
    return room ? 0 : rn_fail_memory();
}

double rn_ui_speaker_pending(struct rn_ui_speaker *speaker)
{
    SDL_LockAudioDevice(speaker->device);
    Uint64 now = speaker->paused ? speaker->paused_at : SDL_GetPerformanceCounter();
    double tail = speaker->tail;
    if (tail > 0 && now > speaker->asked)
        tail -= seconds(now - speaker->asked);
    size_t have = speaker->end - speaker->start;
    SDL_UnlockAudioDevice(speaker->device);
    return (double)have / (speaker->rate * speaker->channels) + (tail > 0 ? tail : 0);
}

void rn_ui_speaker_clear(struct rn_ui_speaker *speaker)
{
    SDL_LockAudioDevice(speaker->device);
    speaker->start = speaker->end = 0;
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
