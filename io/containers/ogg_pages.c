#include "io/containers/ogg_pages.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/intreadwrite.h>

#define HEAD         27
#define MOST_STREAMS 64
#define FIRST_PAGE   2 /* flags */
#define LAST_PAGE    4

struct stream {
    uint32_t serial, next;
    bool begun; /* a page behind the headers came */
    bool late; /* and is not the one that follows them: recordings of live streams begin anywhere */
    int link;  /* of a chain: streams whose first pages stand together */
    bool ended; /* its last page says that it is */
};

static struct stream *find(struct stream *streams, int *n, uint32_t serial, int link)
{
    for (int i = 0; i < *n; i++)
        if (streams[i].serial == serial)
            return &streams[i];
    if (*n == MOST_STREAMS)
        return NULL;
    streams[*n] = (struct stream){.serial = serial, .link = link};
    return &streams[(*n)++];
}

enum next { PAGE, END, GARBAGE };

static enum next next_page(FILE *f, uint8_t head[HEAD])
{
    uint8_t lacing[255];
    size_t n = fread(head, 1, HEAD, f);
    if (n != HEAD || memcmp(head, "OggS", 4) != 0)
        return n ? GARBAGE : END;
    if (fread(lacing, 1, head[26], f) != head[26])
        return GARBAGE;
    long size = 0;
    for (int i = 0; i < head[26]; i++)
        size += lacing[i];
    return fseek(f, size, SEEK_CUR) ? END : PAGE;
}

/* Where a stream has its last page, the others need one too. */
static bool all_end(const struct stream *streams, int n)
{
    bool any = false, all = true;
    for (int i = 0; i < n; i++) {
        any |= streams[i].ended;
        all &= streams[i].ended || !streams[i].begun;
    }
    return all || !any;
}

/* A recording begins anywhere in all streams, or in none. */
static bool begin_alike(const struct stream *streams, int n)
{
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++)
            if (streams[i].begun && streams[k].begun && streams[i].link == streams[k].link &&
                streams[i].late != streams[k].late)
                return false;
    return true;
}

bool rn_container_ogg_has_all_pages(const char *path)
{
    struct stream streams[MOST_STREAMS];
    uint8_t head[HEAD];
    int n = 0, link = 0;
    bool all = true, heads = true;
    FILE *f = fopen(path, "rb");
    enum next next = END;
    while (f && all && (next = next_page(f, head)) == PAGE) {
        bool first = head[5] & FIRST_PAGE;
        link += first && !heads;
        heads = first;
        struct stream *s = find(streams, &n, AV_RL32(head + 14), link);
        uint32_t number = AV_RL32(head + 18);
        if (!s)
            break;
        all = first || !s->begun || number == s->next;
        s->late = !first && (s->late || number != s->next);
        s->link = first ? link : s->link;
        s->begun = !first && (s->begun || AV_RL64(head + 6) != 0);
        s->next = number + 1;
        s->ended = head[5] & LAST_PAGE;
    }
    if (f)
        fclose(f);
    return all && next != GARBAGE && (next == PAGE || all_end(streams, n)) &&
           begin_alike(streams, n);
}
