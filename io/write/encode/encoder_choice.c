/* SPDX-License-Identifier: MIT */
#include "io/write/encode/encoder.h"

#include "filters/base/log.h"
#include "filters/base/text/words.h"
#include "filters/base/text/number.h"
#include "io/common/av.h"

#include <ctype.h>

#include <libavutil/error.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/opt.h>

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

/* ---- its options */

int rn_write_codec_options_parse(const char *text, AVDictionary **options)
{
    if (text && av_dict_parse_string(options, text, "=", ":", 0) < 0)
        return rn_fail(RN_EUSAGE, "--codec-opts '%s' is not key=value:key=value", text);
    return 0;
}

int rn_write_codec_options_take_tag(AVDictionary **options, unsigned *tag)
{
    const AVDictionaryEntry *e = av_dict_get(*options, "tag", NULL, 0);
    if (!e)
        return 0;
    char *end;
    unsigned long number = strtoul(e->value, &end, 0);
    if (strlen(e->value) == 4)
        *tag = AV_RL32(e->value);
    else if (isdigit((unsigned char)*e->value) && !*end && number <= UINT32_MAX)
        *tag = (unsigned)number;
    else
        return rn_fail(
            RN_EUSAGE,
            "--codec-opts: tag=%.100s is neither four characters (tag=hvc1) nor a number",
            e->value);
    return av_dict_set(options, "tag", NULL, 0) < 0 ? rn_fail_memory() : 0;
}

static void describe_value(const void *owner, const AVOption *o, char *text, size_t size)
{
    static const struct {
        enum AVOptionType type;
        const char *name;
    } kinds[] = {
        {AV_OPT_TYPE_INT, "a whole number"},    {AV_OPT_TYPE_INT64, "a whole number"},
        {AV_OPT_TYPE_UINT64, "a whole number"}, {AV_OPT_TYPE_FLOAT, "a number"},
        {AV_OPT_TYPE_DOUBLE, "a number"},       {AV_OPT_TYPE_RATIONAL, "a fraction"},
        {AV_OPT_TYPE_BOOL, "0, 1 or auto"},     {AV_OPT_TYPE_FLAGS, "names joined by +"},
        {AV_OPT_TYPE_DURATION, "a time"},
    };
    const char *kind = "another kind of value";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        kind = kinds[i].type == o->type ? kinds[i].name : kind;
    bool number = o->type == AV_OPT_TYPE_INT || o->type == AV_OPT_TYPE_INT64 ||
                  o->type == AV_OPT_TYPE_FLOAT || o->type == AV_OPT_TYPE_DOUBLE;
    av_strlcpy(text, kind, size);
    if (number && o->min > INT32_MIN)
        av_strlcatf(text, size, " from %g", o->min);
    if (number && o->max < INT32_MAX)
        av_strlcatf(text, size, " up to %g", o->max);
    const char *lead = ", or one of ";
    for (const AVOption *c = NULL; o->unit && (c = av_opt_next(owner, c));) {
        if (c->type != AV_OPT_TYPE_CONST || !c->unit || strcmp(c->unit, o->unit) != 0)
            continue;
        av_strlcatf(text, size, "%s%s", lead, c->name);
        lead = " ";
    }
}

/* FFmpeg's table has no end of it, and the libraries take what lies behind theirs for that. */
#define MOST_CRF 51

int rn_write_codec_options_try(const AVDictionary *options, void *object, const char *name)
{
    const AVDictionaryEntry *e = NULL;
    int ret = 0;
    while (ret >= 0 && (e = av_dict_get(options, "", e, AV_DICT_IGNORE_SUFFIX))) {
        rn_io_capture_begin();
        ret = av_opt_set(object, e->key, e->value, AV_OPT_SEARCH_CHILDREN);
        rn_io_capture_end();
        if (ret == AVERROR_OPTION_NOT_FOUND)
            ret = 0;
        if (ret >= 0 && av_match_name(name, "libx264,libx265") && !strcmp(e->key, "crf") &&
            rn_number_parse(e->value, NULL) > MOST_CRF)
            return rn_fail(RN_EUSAGE,
                           "--codec-opts: %s cannot take crf=%.100s: crf is a number up to %d",
                           name, e->value, MOST_CRF);
    }
    if (ret >= 0)
        return 0;
    if (ret == AVERROR(ENOMEM))
        return rn_fail_memory();
    char takes[300] = "";
    void *owner;
    const AVOption *o = av_opt_find2(object, e->key, NULL, 0, AV_OPT_SEARCH_CHILDREN, &owner);
    if (o)
        describe_value(owner, o, takes, sizeof takes);
    const char *comma = strchr(e->value, ',');
    bool joined = comma && strchr(comma, '=');
    return rn_fail(RN_EUSAGE, "--codec-opts: %s cannot take %s=%.100s: %s is %s%s", name, e->key,
                   e->value, e->key, takes, joined ? "; options are joined by ':', not ','" : "");
}

int rn_write_codec_options_check(const AVDictionary *options, const char *codec,
                                 const char *container)
{
    const AVDictionaryEntry *unknown = av_dict_get(options, "", NULL, AV_DICT_IGNORE_SUFFIX);
    if (unknown && container)
        return rn_fail(RN_EUSAGE, "--codec-opts: neither %s nor %s knows '%s'", codec, container,
                       unknown->key);
    return unknown ? rn_fail(RN_EUSAGE, "--codec-opts: %s does not know '%s'", codec, unknown->key)
                   : 0;
}

unsigned rn_write_codec_options_traits(const AVDictionary *options)
{
    /* part: what the value must contain, of options that hold a library's own; NULL: anything. */
    static const struct {
        const char *keys, *part;
        unsigned traits;
    } known[] = {
        {"color_primaries,color_trc,colorspace", NULL, RN_TRAIT_COLOUR},
        {"color_range", NULL, RN_TRAIT_RANGE},
        {"chroma_sample_location", NULL, RN_TRAIT_CHROMA},
        {"aspect", NULL, RN_TRAIT_ASPECT},
        {"field_order", NULL, RN_TRAIT_FIELDS},
        {"a53cc,a53_cc", NULL, RN_TRAIT_CAPTIONS},
        {"-params", "colorprim", RN_TRAIT_COLOUR},
        {"-params", "transfer", RN_TRAIT_COLOUR},
        {"-params", "colormatrix", RN_TRAIT_COLOUR},
        {"-params", "range", RN_TRAIT_RANGE},
        {"-params", "fullrange", RN_TRAIT_RANGE},
        {"-params", "chromaloc", RN_TRAIT_CHROMA},
        {"-params", "sar", RN_TRAIT_ASPECT},
        {"-params", "tff", RN_TRAIT_FIELDS},
        {"-params", "bff", RN_TRAIT_FIELDS},
        {"-params", "interlace", RN_TRAIT_FIELDS},
        {"-params", "master-display", RN_TRAIT_MASTERING},
        {"-params", "mastering-display", RN_TRAIT_MASTERING},
        {"-params", "cll", RN_TRAIT_LIGHT},
    };
    unsigned traits = 0;
    const AVDictionaryEntry *e = NULL;
    while ((e = av_dict_get(options, "", e, AV_DICT_IGNORE_SUFFIX)))
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (known[i].part ? strstr(e->key, known[i].keys) && strstr(e->value, known[i].part)
                              : av_match_name(e->key, known[i].keys))
                traits |= known[i].traits;
    return traits;
}
