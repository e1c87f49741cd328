#include "io/write/encode/asked.h"

#include "io/common/traits.h"

#include <string.h>

unsigned rn_write_asked_traits(const AVDictionary *options)
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
