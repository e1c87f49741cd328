#include "io/write/encode/encoder_find.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/text/nearest.h"

#include <libavutil/avstring.h>

#define MOST_NAMES  1024 /* of encoders and their codings */
#define MOST_ADVICE 4

const AVCodec *rn_write_encoder_named(const char *name, enum AVMediaType type)
{
    const AVCodec *codec = avcodec_find_encoder_by_name(name);
    const AVCodecDescriptor *desc = avcodec_descriptor_get_by_name(name);
    if (!codec && desc)
        codec = avcodec_find_encoder(desc->id);
    return codec && codec->type == type ? codec : NULL;
}

/* The next encoder of the type; NULL: there is no other. */
static const AVCodec *next_encoder(void **iter, enum AVMediaType type)
{
    const AVCodec *c;
    while ((c = av_codec_iterate(iter)) && (!av_codec_is_encoder(c) || c->type != type))
        ;
    return c;
}

/* Its letters and digits: H.265 / HEVC is h265hevc. */
static void plain(const char *from, char *to, size_t size)
{
    size_t n = 0;
    for (; *from && n + 1 < size; from++)
        if (isalnum((unsigned char)*from))
            to[n++] = (char)tolower((unsigned char)*from);
    to[n] = '\0';
}

static bool has_name(const AVCodec *codec, const char *name)
{
    return strlen(name) > 1 && av_stristr(codec->name, name);
}

/* Is that what people call its coding? */
static bool is_called(const AVCodec *codec, const char *name)
{
    const AVCodecDescriptor *desc = avcodec_descriptor_get(codec->id);
    char word[64], called[160];
    plain(name, word, sizeof word);
    plain(desc && desc->long_name ? desc->long_name : "", called, sizeof called);
    return strlen(word) > 2 && strstr(called, word);
}

static int list_encoders(bool (*fits)(const AVCodec *codec, const char *name), const char *name,
                         enum AVMediaType type, char *list, size_t size)
{
    void *iter = NULL;
    int n = 0;
    for (const AVCodec *c; n < MOST_ADVICE && (c = next_encoder(&iter, type));)
        if (fits(c, name))
            av_strlcatf(list, size, "%s%s", n++ ? ", " : "", c->name);
    return n;
}

static const char *nearest(const char *name, enum AVMediaType type)
{
    const char *names[MOST_NAMES + 1];
    void *iter = NULL;
    int n = 0;
    for (const AVCodec *c; n + 1 < MOST_NAMES && (c = next_encoder(&iter, type));) {
        names[n++] = c->name;
        names[n++] = avcodec_get_name(c->id);
    }
    names[n] = NULL;
    return rn_nearest(name, names);
}

const char *rn_write_encoder_advice(const char *name, enum AVMediaType type, char *text,
                                    size_t size)
{
    char list[200] = "";
    int n = list_encoders(has_name, name, type, list, sizeof list);
    n = n ? n : list_encoders(is_called, name, type, list, sizeof list);
    const char *near = n ? NULL : nearest(name, type);
    if (near)
        av_strlcpy(list, near, sizeof list);
    *text = '\0';
    av_strlcatf(text, size, "%s%s%s; \"ffmpeg -encoders\" (package ffmpeg) lists them",
                *list ? " (did you mean " : "", list, *list ? "?)" : "");
    return text;
}

int rn_write_encoder_find(const char *name, const AVCodec **codec)
{
    char advice[300];
    *codec = rn_write_encoder_named(name, AVMEDIA_TYPE_VIDEO);
    if (*codec)
        return 0;
    const AVCodec *other = avcodec_find_encoder_by_name(name);
    if (other && other->type != AVMEDIA_TYPE_VIDEO)
        return rn_fail(RN_EUSAGE, "%s encodes no video", name);
    return rn_fail(RN_EUSAGE, "no video encoder is named '%.64s'%s", name,
                   rn_write_encoder_advice(name, AVMEDIA_TYPE_VIDEO, advice, sizeof advice));
}
