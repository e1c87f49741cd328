/* SPDX-License-Identifier: MIT */
#include "io/write/encode/encoder.h"

#include "filters/base/log.h"
#include "filters/base/text/nearest.h"

#include <ctype.h>
#include <string.h>

#include <libavutil/avstring.h>

#define MAX_NAMES  1024 /* of encoders and their codings */
#define MAX_ADVICE 4

const AVCodec *rn_write_encoder_named(const char *name, enum AVMediaType type)
{
    const AVCodec *codec = avcodec_find_encoder_by_name(name);
    const AVCodecDescriptor *desc = avcodec_descriptor_get_by_name(name);
    if (!codec && desc)
        codec = avcodec_find_encoder(desc->id);
    return codec && codec->type == type ? codec : NULL;
}

static const AVCodec *next_encoder(void **iter, enum AVMediaType type)
{
    const AVCodec *c;
    while ((c = av_codec_iterate(iter)) && (!av_codec_is_encoder(c) || c->type != type))
        ;
    return c;
}

/* Copies the letters and digits in lower case: H.265 / HEVC is h265hevc. */
static void simplify(const char *from, char *to, size_t size)
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

/* Is name part of the long name of the codec's coding? */
static bool is_called(const AVCodec *codec, const char *name)
{
    const AVCodecDescriptor *desc = avcodec_descriptor_get(codec->id);
    char word[64], called[160];
    simplify(name, word, sizeof word);
    simplify(desc && desc->long_name ? desc->long_name : "", called, sizeof called);
    return strlen(word) > 2 && strstr(called, word);
}

static int list_encoders(bool (*fits)(const AVCodec *codec, const char *name), const char *name,
                         enum AVMediaType type, char *list, size_t size)
{
    void *iter = NULL;
    int n = 0;
    for (const AVCodec *c; n < MAX_ADVICE && (c = next_encoder(&iter, type));)
        if (fits(c, name))
            av_strlcatf(list, size, "%s%s", n++ ? ", " : "", c->name);
    return n;
}

static const char *nearest(const char *name, enum AVMediaType type)
{
    const char *names[MAX_NAMES + 1];
    void *iter = NULL;
    int n = 0;
    for (const AVCodec *c; n + 1 < MAX_NAMES && (c = next_encoder(&iter, type));) {
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
    if (type == AVMEDIA_TYPE_VIDEO && !strcmp(name, "copy"))
        return "; filtered pictures are encoded anew, by ffv1 without loss";
    if (type != AVMEDIA_TYPE_VIDEO && av_match_name(name, "no,off,false,disable,0"))
        return " (did you mean none?)";
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

/* ---- by container */

int rn_write_codec_choose(const AVCodec **codec, const AVOutputFormat *of, const char *wanted,
                          const struct rn_io_media *media, const struct rn_geom *geom,
                          const char *name, bool quiet)
{
    if (wanted)
        return rn_write_encoder_find(wanted, codec);
    const struct rn_container *container = rn_container_of_output(of);
    /* avcodec_find_encoder_by_name takes NULL. */
    const AVCodec *common = avcodec_find_encoder_by_name(container->video_encoder);
    if (!common)
        common = avcodec_find_encoder(of->video_codec);
    *codec = media->transparent && geom->fmt.alpha
                 ? avcodec_find_encoder_by_name(container->alpha_encoder)
                 : NULL;
    if (*codec && common && !quiet)
        rn_log(RN_LOG_INFO, "'%s': the pictures are encoded as %s, which holds their transparency",
               name, avcodec_get_name((*codec)->id));
    *codec = *codec ? *codec : common;
    return *codec ? 0
                  : rn_fail(RN_EUSAGE, "'%s': no encoder for %s; choose one with --codec", name,
                            of->name);
}

bool rn_write_codec_specifies_range(const AVOutputFormat *of, enum AVCodecID id)
{
    static const enum AVCodecID telling[] = {
        AV_CODEC_ID_H264,  AV_CODEC_ID_HEVC,  AV_CODEC_ID_AV1,    AV_CODEC_ID_VP9,
        AV_CODEC_ID_MJPEG, AV_CODEC_ID_LJPEG, AV_CODEC_ID_JPEGLS,
    };
    for (size_t i = 0; i < sizeof telling / sizeof telling[0]; i++)
        if (telling[i] == id)
            return true;
    return rn_container_of_output(of)->tells_range;
}
