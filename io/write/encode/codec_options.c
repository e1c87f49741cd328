#include "io/write/encode/codec_options.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/common/traits.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/error.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/opt.h>

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

int rn_write_codec_options_add(AVDictionary **options, const char *list, const char *key,
                               const char *value)
{
    const AVDictionaryEntry *e = av_dict_get(*options, list, NULL, 0);
    if (e && strstr(e->value, key))
        return 0;
    char *text = av_asprintf("%s%s%s=%s", e ? e->value : "", e ? ":" : "", key, value);
    int ret = text ? av_dict_set(options, list, text, AV_DICT_DONT_STRDUP_VAL) : AVERROR(ENOMEM);
    return ret < 0 ? ret : 0;
}

static const char *kind_of_value(enum AVOptionType type)
{
    switch (type) {
    case AV_OPT_TYPE_INT:
    case AV_OPT_TYPE_INT64:
    case AV_OPT_TYPE_UINT64:
        return "a whole number";
    case AV_OPT_TYPE_FLOAT:
    case AV_OPT_TYPE_DOUBLE:
        return "a number";
    case AV_OPT_TYPE_RATIONAL:
        return "a fraction";
    case AV_OPT_TYPE_BOOL:
        return "0, 1 or auto";
    case AV_OPT_TYPE_FLAGS:
        return "names joined by +";
    case AV_OPT_TYPE_DURATION:
        return "a time";
    default:
        return "another kind of value";
    }
}

/* What an option of owner takes, in words: type, range where that bounds anything, names. */
static void describe_value(const void *owner, const AVOption *o, char *text, size_t size)
{
    bool number = o->type == AV_OPT_TYPE_INT || o->type == AV_OPT_TYPE_INT64 ||
                  o->type == AV_OPT_TYPE_FLOAT || o->type == AV_OPT_TYPE_DOUBLE;
    av_strlcpy(text, kind_of_value(o->type), size);
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
    const AVDictionaryEntry *left = av_dict_get(options, "", NULL, AV_DICT_IGNORE_SUFFIX);
    if (left && container)
        return rn_fail(RN_EUSAGE, "--codec-opts: neither %s nor %s knows '%s'", codec, container,
                       left->key);
    if (left)
        return rn_fail(RN_EUSAGE, "--codec-opts: %s does not know '%s'", codec, left->key);
    return 0;
}

unsigned rn_write_codec_options_traits(const AVDictionary *options)
{
    /* part: of the value, of options that hold a library's own; NULL: any. */
    static const struct {
        const char *key, *part;
        unsigned traits;
    } known[] = {
        {"color_primaries", NULL, RN_TRAIT_COLOUR},
        {"color_trc", NULL, RN_TRAIT_COLOUR},
        {"colorspace", NULL, RN_TRAIT_COLOUR},
        {"color_range", NULL, RN_TRAIT_RANGE},
        {"chroma_sample_location", NULL, RN_TRAIT_CHROMA},
        {"aspect", NULL, RN_TRAIT_ASPECT},
        {"field_order", NULL, RN_TRAIT_FIELDS},
        {"a53cc", NULL, RN_TRAIT_CAPTIONS},
        {"a53_cc", NULL, RN_TRAIT_CAPTIONS},
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
            if (known[i].part ? strstr(e->key, known[i].key) && strstr(e->value, known[i].part)
                              : !strcmp(e->key, known[i].key))
                traits |= known[i].traits;
    return traits;
}
