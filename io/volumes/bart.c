/* BART's .cfl, complex floats, and the .hdr beside it with the sizes: of the numbers the magnitude
 * is taken. Only read. */
#include "io/volumes/layout.h"
#include "io/volumes/text.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

#include <stdio.h>
#include <string.h>

#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/mem.h>

#define MOST_DIM 16

static const char first_line[] = "# Dimensions\n";

static bool bart_match(const char *path, const uint8_t *head, size_t n)
{
    return av_match_ext(path, "cfl") ||
           (n > sizeof first_line && !memcmp(head, first_line, sizeof first_line - 1));
}

/* The other one of the two files. */
static char *partner(const char *path, const char *extension)
{
    const char *base = av_basename(path), *dot = strrchr(base, '.');
    char name[300];
    snprintf(name, sizeof name, "%.*s.%s", dot ? (int)(dot - base) : (int)strlen(base), base,
             extension);
    return rn_volume_beside(path, name);
}

/* Columns, rows, slices, coils; all that BART has behind those counts as points in time. */
static int take_sizes(const char *path, const uint8_t *head, size_t n, struct rn_layout *l)
{
    struct rn_volume *v = &l->volume;
    struct rn_lines lines = {.text = (const char *)head, .size = n};
    char line[1024] = "";
    double size[MOST_DIM] = {0}, times = 1;
    while (strcmp(line, "# Dimensions") != 0 && rn_lines_next(&lines, line, sizeof line))
        ;
    if (!rn_lines_next(&lines, line, sizeof line))
        *line = '\0';
    int dims = rn_numbers_parse(line, " ", size, MOST_DIM);
    if (dims < 2 || dims > MOST_DIM)
        return rn_fail(RN_EINPUT, "'%s' (BART): the header beside it gives no 2 to %d sizes", path,
                       MOST_DIM);
    v->w = size[0] <= RN_MAX_SIDE ? (int)size[0] : 0;
    v->h = size[1] <= RN_MAX_SIDE ? (int)size[1] : 0;
    for (int i = 4; i < dims; i++)
        times *= size[i];
    v->n[RN_AXIS_SLICE] = dims > 2 && size[2] < 1e9 ? (int64_t)size[2] : dims < 3;
    v->n[RN_AXIS_CHANNEL] = dims > 3 && size[3] < 1e9 ? (int64_t)size[3] : dims < 4;
    v->n[RN_AXIS_TIME] = times >= 1 && times < 1e9 ? (int64_t)times : 0;
    return 0;
}

static int bart_parse(const char *path, const uint8_t *head, size_t n, bool packed,
                      struct rn_layout *l)
{
    uint8_t *own = NULL;
    bool samples = av_match_ext(path, "cfl");
    if (samples) {
        char *header = partner(path, "hdr");
        own = header ? rn_volume_head(header, &n, &packed) : NULL;
        if (header && !own)
            rn_fail(RN_EINPUT, "'%s' (BART): its header '%s' cannot be read", path, header);
        av_free(header);
        if (!own)
            return RN_EINPUT;
        head = own;
    } else if (!(l->path = partner(path, "cfl"))) {
        return RN_EINPUT;
    }
    l->type = RN_STORED_F32;
    l->complex = true;
    l->swapped = rn_is_swapped(false);
    int err = take_sizes(path, head, n, l);
    av_free(own);
    return err;
}

const struct rn_volume_format rn_bart_format = {
    .name = "BART",
    .extensions = "",
    .match = bart_match,
    .parse = bart_parse,
};
