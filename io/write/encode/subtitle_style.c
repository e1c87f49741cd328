#include "io/write/encode/subtitle_style.h"

#include <string.h>

#include <libavutil/bprint.h>

/* Bold, italic, underlined, struck out. */
static const char simple[] = "bius";

/* What stands between braces: \\i1 and the like. Returns the styles that are on behind it; what is
 * none of the simple ones is kept as it is. */
static unsigned read_tags(AVBPrint *to, const char *p, const char *end, unsigned on)
{
    while (p < end) {
        const char *tag = memchr(p, '\\', (size_t)(end - p));
        if (!tag)
            break;
        p = memchr(tag + 1, '\\', (size_t)(end - tag - 1));
        p = p ? p : end;
        const char *which = tag + 1 < end ? strchr(simple, tag[1]) : NULL;
        unsigned bit = which && *which ? 1u << (which - simple) : 0;
        if (bit && p - tag == 3 && (tag[2] == '0' || tag[2] == '1'))
            on = tag[2] == '1' ? on | bit : on & ~bit;
        else if (p - tag == 2 && tag[1] == 'r')
            on = 0;
        else
            av_bprint_append_data(to, tag, (unsigned)(p - tag));
    }
    return on;
}

/* Every character with the styles in which it is shown. */
static void describe(AVBPrint *to, const AVSubtitle *text)
{
    for (unsigned i = 0; i < text->num_rects; i++) {
        const char *p = text->rects[i]->ass ? text->rects[i]->ass : "";
        unsigned on = 0;
        for (int comma = 0; comma < 8 && strchr(p, ','); comma++)
            p = strchr(p, ',') + 1;
        for (; *p; p++) {
            const char *end = *p == '{' && p[1] == '\\' ? strchr(p, '}') : NULL;
            if (end)
                on = read_tags(to, p, end, on);
            else
                av_bprintf(to, "%c%c", 'a' + (int)on, *p);
            p = end ? end : p;
        }
        av_bprint_chars(to, '\n', 1);
    }
}

bool rn_write_subtitle_same_style(const AVSubtitle *a, const AVSubtitle *b)
{
    AVBPrint one, other;
    av_bprint_init(&one, 0, AV_BPRINT_SIZE_UNLIMITED);
    av_bprint_init(&other, 0, AV_BPRINT_SIZE_UNLIMITED);
    describe(&one, a);
    describe(&other, b);
    bool same =
        av_bprint_is_complete(&one) && av_bprint_is_complete(&other) && !strcmp(one.str, other.str);
    av_bprint_finalize(&one, NULL);
    av_bprint_finalize(&other, NULL);
    return same;
}

/* The line of it in the header of an ASS file. */
static size_t default_of(const AVCodecContext *dec, const char **line)
{
    static const char key[] = "\nStyle: Default,";
    const char *header = (const char *)dec->subtitle_header;
    *line = header ? strstr(header, key) : NULL;
    return *line ? strcspn(*line + 1, "\r\n") + 1 : 0;
}

bool rn_write_subtitle_same_default(const AVCodecContext *a, const AVCodecContext *b)
{
    const char *one, *other;
    size_t n = default_of(a, &one);
    return n == default_of(b, &other) && (!n || !memcmp(one, other, n));
}
