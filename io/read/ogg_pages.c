#include "io/read/ogg_pages.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/intreadwrite.h>

#define HEAD         27
#define MOST_STREAMS 64
#define FIRST_PAGE   2 /* flag */

struct stream {
    uint32_t serial, next;
    bool begun; /* a page behind the headers came: recordings of live streams begin anywhere */
};

static struct stream *find(struct stream *streams, int *n, uint32_t serial)
{
    for (int i = 0; i < *n; i++)
        if (streams[i].serial == serial)
            return &streams[i];
    if (*n == MOST_STREAMS)
        return NULL;
    streams[*n] = (struct stream){serial, 0, false};
    return &streams[(*n)++];
}

/* Returns false for what is no page, or the end. */
static bool next_page(FILE *f, uint8_t head[HEAD])
{
    uint8_t lacing[255];
    if (fread(head, 1, HEAD, f) != HEAD || memcmp(head, "OggS", 4) != 0 ||
        fread(lacing, 1, head[26], f) != head[26])
        return false;
    long size = 0;
    for (int i = 0; i < head[26]; i++)
        size += lacing[i];
    return !fseek(f, size, SEEK_CUR);
}

bool rn_ogg_has_all_pages(const char *path)
{
    struct stream streams[MOST_STREAMS];
    uint8_t head[HEAD];
    int n = 0;
    bool all = true;
    FILE *f = fopen(path, "rb");
    while (f && all && next_page(f, head)) {
        struct stream *s = find(streams, &n, AV_RL32(head + 14));
        uint32_t number = AV_RL32(head + 18);
        if (!s)
            break;
        bool first = head[5] & FIRST_PAGE;
        all = first || !s->begun || number == s->next;
        s->begun = !first && (s->begun || AV_RL64(head + 6) != 0);
        s->next = number + 1;
    }
    if (f)
        fclose(f);
    return all;
}
