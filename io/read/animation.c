#include "io/read/animation.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/intreadwrite.h>

static bool skip(FILE *f, int n)
{
    while (n-- > 0)
        if (getc(f) == EOF)
            return false;
    return true;
}

static bool skip_palette(FILE *f, int flags)
{
    return !(flags & 0x80) || skip(f, 3 << ((flags & 7) + 1));
}

/* Blocks of up to 255 bytes, each behind its length, and an empty one. */
static bool skip_blocks(FILE *f)
{
    int n;
    while ((n = getc(f)) > 0)
        if (!skip(f, n))
            return false;
    return n == 0;
}

static bool skip_header(FILE *f)
{
    char head[13];
    return fread(head, sizeof head, 1, f) == 1 && !memcmp(head, "GIF8", 4) &&
           skip_palette(f, head[10]);
}

static bool skip_image(FILE *f)
{
    return skip(f, 8) && skip_palette(f, getc(f)) && skip(f, 1) && skip_blocks(f);
}

int64_t rn_gif_images(const char *path)
{
    int64_t n = 0;
    FILE *f = fopen(path, "rbe");
    bool more = f && skip_header(f);
    while (more) {
        int block = getc(f);
        if (block == 0x2c)
            n += more = skip_image(f);
        else if (block == 0x21)
            more = skip(f, 1) && skip_blocks(f);
        else
            more = block == ';' && skip_header(f);
    }
    if (f)
        fclose(f);
    return n;
}

int64_t rn_apng_images(const char *path)
{
    uint8_t head[4096];
    FILE *f = fopen(path, "rbe");
    size_t size = f ? fread(head, 1, sizeof head, f) : 0;
    int64_t n = 0;
    for (size_t pos = 8; pos + 12 <= size && !n; pos += 12 + (size_t)AV_RB32(head + pos))
        if (!memcmp(head + pos + 4, "acTL", 4))
            n = AV_RB32(head + pos + 8);
    if (f)
        fclose(f);
    return n;
}
