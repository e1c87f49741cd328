/* SPDX-License-Identifier: MIT */
/* Helpers for libav that all of io shares: its messages, its error texts, names of local files; and
 * its memory, strings and macros, and the C library's formats of int64_t. */
#pragma once

#include <inttypes.h>
#include <stdatomic.h>

#include <libavcodec/codec_id.h>
#include <libavutil/avstring.h>
#include <libavutil/avutil.h>
#include <libavutil/bprint.h>
#include <libavutil/macros.h>
#include <libavutil/mathematics.h>
#include <libavutil/mem.h>

#include "filters/base/owned.h"
#include "io/common/input.h"

struct AVCodec;
struct AVCodecContext;
struct AVCodecParameters;

/* Counts the errors that libav reports about one object. Some damage shows nowhere else: a decoder
 * that conceals a broken slice may return the picture without an error. An AVFormatContext or
 * AVCodecContext is watched if its opaque points here; frame threads inherit it. */
struct rn_io_watch {
    atomic_int errors;
    atomic_bool lacked;   /* one of them was a lack of memory: rn_io_watch_memory() */
    atomic_bool quiet;    /* the messages are not shown (but at level debug) */
    bool concealed;       /* counts also what decoders conceal and tell as information only */
    char first[200];      /* the first message; written once, before errors leaves 0 */
    const char *harmless; /* the message that tells of no damage in this input; NULL: none */
    void *owner;          /* for the context's other callbacks */
};

/* Counts an error if the last call of libav set errno to ENOMEM: libav often does not report a lack
 * of memory. The caller sets errno to 0 before that call. */
void rn_io_watch_memory(struct rn_io_watch *watch);

/* Makes a context for a codec with all defaults of its options; libav itself goes on without those
 * that it has no memory for. par: what a decoder gets; NULL: nothing. The caller frees it. Returns
 * NULL when out of memory. */
struct AVCodecContext *rn_io_codec_context(const struct AVCodec *codec,
                                           const struct AVCodecParameters *par);

/* Returns the text of a libav error code. The next call in the same thread overwrites it. */
const char *rn_io_error(int code);

/* Between begin and end, libav's errors in this thread are kept instead of printed, so that a
 * message can name the cause. Calls do not nest. */
void rn_io_capture_begin(void);
void rn_io_capture_end(void);

/* The cause of a failure: the first error captured since begin, else the text of code. */
const char *rn_io_cause(int code);

/* A protocol_whitelist without a protocol: what libav opens under it opens nothing further, by no
 * way, because libav hands the list down to everything that one opens for another. Its message of a
 * refusal quotes the list. */
#define RN_AV_NOTHING_FURTHER "nothing-further"

/* Returns true if libav refused to open anything because of RN_AV_NOTHING_FURTHER since the capture
 * began. */
bool rn_io_refused(void);

/* Gets the size of a picture that libav refused as too large, and forgets it. Returns
 * false if there was none. Any thread: libav's own threads refuse. */
bool rn_io_oversized(int *w, int *h);

/* Returns the value of max_pixels with which pictures of the codec fit the memory. Opening a codec
 * fails above INT_MAX, and probing then goes on without the parameters. */
int64_t rn_io_max_pixels(const struct AVCodecParameters *par, int64_t memory);

/* Returns a name under which libav opens path without taking "a:b.mp4" for a protocol. The caller
 * av_free()s it. */
static inline char *rn_io_file_url(const char *path)
{
    return av_asprintf("file:%s", path);
}

/* Returns the part of a file's name that may help to probe its contents: the extension with its
 * dot, or "". The rest may look like a pattern, which libav takes for a sequence of images. */
const char *rn_io_probe_name(const char *path);

/* The input format of generated pictures (lavfi:GRAPH). It is in libavdevice, which brings fifty
 * libraries more, for filters, windows and sound servers: so nothing is linked with it, and it is
 * loaded here. input: for the message. Any thread. NULL on failure (logged). */
const struct AVInputFormat *rn_io_find_lavfi(const char *input);

/* Number of threads for n = 0: as many as there are cores for this process, and at most what
 * libav's frame threads take. */
#define RN_AV_THREADS_MOST 16
int rn_io_threads(int n);

/* Declares an empty text of any length, which the end of the scope frees. */
static inline void rn_io_text_free(AVBPrint *text)
{
    av_bprint_finalize(text, NULL);
}
#define RN_IO_TEXT(name)                                                                           \
    RN_OWNED(rn_io_text_free) AVBPrint name;                                                       \
    av_bprint_init(&(name), 0, AV_BPRINT_SIZE_UNLIMITED)

/* Returns true if a codec of sound is any kind of PCM. */
static inline bool rn_io_is_pcm(enum AVCodecID id)
{
    return id >= AV_CODEC_ID_FIRST_AUDIO && id < AV_CODEC_ID_ADPCM_IMA_QT;
}

/* Convert a time to microseconds, and from them. Those that are not known stay so. */
static inline int64_t rn_io_to_us(int64_t ts, AVRational time_base)
{
    return ts == AV_NOPTS_VALUE ? ts : av_rescale_q(ts, time_base, AV_TIME_BASE_Q);
}

static inline int64_t rn_io_from_us(int64_t us, AVRational time_base)
{
    return us == AV_NOPTS_VALUE ? us : av_rescale_q(us, AV_TIME_BASE_Q, time_base);
}

static inline AVRational rn_io_to_av(struct rn_io_rational r)
{
    return (AVRational){r.num, r.den};
}

static inline struct rn_io_rational rn_io_from_av(AVRational r)
{
    return (struct rn_io_rational){r.num, r.den};
}
