/* SPDX-License-Identifier: MIT */
/* Ogg: pages, which each stream numbers. */
#include "io/containers/checks/checks.h"

#include <string.h>

#include <libavutil/intreadwrite.h>

#define HEAD        27
#define MAX_PAGE    65307
#define MAX_STREAMS 64
#define FIRST_PAGE  2 /* flags */
#define LAST_PAGE   4

static int64_t page_size(const uint8_t *head, int n, int64_t rest)
{
    if (n < HEAD || memcmp(head, "OggS", 4) != 0 || n < HEAD + head[26])
        return -1;
    int64_t size = HEAD + head[26];
    for (int i = 0; i < head[26]; i++)
        size += head[HEAD + i];
    return size;
}

/* The last page is whole and says that its stream ends. */
bool rn_container_ogg_is_complete(int fd, int64_t size)
{
    uint8_t buf[MAX_PAGE];
    int n = (int)FFMIN(size, MAX_PAGE);
    if (!rn_container_read_tail(fd, size, n, buf, (size_t)n))
        return true;
    for (int i = n - HEAD; i >= 0; i--)
        if (!memcmp(buf + i, "OggS", 4))
            return page_size(buf + i, n - i, n - i) == n - i && buf[i + 5] & LAST_PAGE;
    return false;
}

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
    if (*n == MAX_STREAMS)
        return NULL;
    streams[*n] = (struct stream){.serial = serial, .link = link};
    return &streams[(*n)++];
}

/* Returns true if all streams have their last page, or none has. */
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

/* Returns true if the pages of every stream are numbered without a gap behind the headers, only
 * pages stand in the file, and every stream has its last page if one has. */
static bool has_all_pages(const struct rn_container_input *in)
{
    struct rn_container_chunks page = {.fd = in->fd, .size = in->size, .size_of = page_size};
    struct stream streams[MAX_STREAMS];
    int n = 0, link = 0;
    bool all = true, heads = true;
    while (all && rn_container_next_chunk(&page) && page.length > 0) {
        bool first = page.head[5] & FIRST_PAGE;
        link += first && !heads;
        heads = first;
        struct stream *s = find(streams, &n, AV_RL32(page.head + 14), link);
        uint32_t number = AV_RL32(page.head + 18);
        if (!s) /* too many to tell whether all end */
            return begin_alike(streams, n);
        all = first || !s->begun || number == s->next;
        s->late = !first && (s->late || number != s->next);
        s->link = first ? link : s->link;
        s->begun = !first && (s->begun || AV_RL64(page.head + 6) != 0);
        s->next = number + 1;
        s->ended = page.head[5] & LAST_PAGE;
    }
    return all && page.end != RN_CHUNKS_GARBAGE && all_end(streams, n) && begin_alike(streams, n);
}

void rn_container_ogg_find_missing(const struct rn_container_input *in, struct rn_io_damage *damage)
{
    if (!has_all_pages(in))
        rn_container_add_missing(damage, 1, "pages of the Ogg file are missing");
}
