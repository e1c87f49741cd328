/* SPDX-License-Identifier: MIT */
/* MOV, MP4 and related formats: boxes. libav goes by the shortest table of samples and skips
 * fragments that it cannot read, without a message. */
#include "io/containers/checks/checks.h"

#include "filters/base/log.h"
#include "io/common/read_at.h"

#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

#define MAX_FRAGMENT (16 << 20) /* bytes of one fragment's tables; larger ones are passed over */
#define MAX_TABLES   (64 << 20) /* likewise, of the whole movie */
#define MAX_HEADERS  16         /* bytes of headers of media data: less than a sample */

/* ---- boxes: size32 type, or 1 type size64; size 0: to the end of the file */

static int64_t box_size(const uint8_t *head, int n, int64_t rest)
{
    int64_t size = AV_RB32(head);
    if (n < 8)
        return -1;
    if (size == 0)
        return AV_RB32(head + 4) ? rest : -1;
    if (size == 1)
        size = n < 16 ? -1 : (int64_t)AV_RB64(head + 8);
    return size < 8 ? -1 : size;
}

/* Returns true if a box, of which 8 bytes are there, has this type of four letters. */
static bool is_type(const uint8_t *box, const char *type)
{
    return !memcmp(box + 4, type, 4);
}

/* Returns the size of the box at pos inside another one of `size` bytes; 0: there is none. */
static size_t inner_box(const uint8_t *p, size_t size, size_t pos)
{
    size_t n = size - pos >= 8 ? AV_RB32(p + pos) : 0;
    return n < 8 || n > size - pos ? 0 : n;
}

bool rn_container_mov_is_complete(int fd, int64_t size)
{
    struct rn_container_chunks box = rn_container_last_chunk(fd, size, box_size);
    bool zeros = box.end == RN_CHUNKS_GARBAGE && box.n >= 8 && !AV_RB32(box.head);
    return box.end == RN_CHUNKS_WHOLE || zeros;
}

/* ---- fragments */

struct fragments {
    int64_t n, broken;
    int64_t number;       /* of the last one */
    int64_t steps, jumps; /* from one to the next; those of more than one */
    int64_t skipped;      /* numbers left out by the jumps */
};

/* Returns true if the inner boxes fill the outer ones, and every part of a track lists samples or
 * says that it has none. */
static bool is_whole(const uint8_t *p, size_t size)
{
    bool part = is_type(p, "traf"), samples = false, empty = false;
    size_t pos = 8;
    for (size_t n; (n = inner_box(p, size, pos)) > 0; pos += n) {
        if (is_type(p + pos, "traf") && !is_whole(p + pos, n))
            return false;
        samples |= is_type(p + pos, "trun");
        empty |= is_type(p + pos, "tfhd") && n >= 12 && AV_RB24(p + pos + 9) & 0x010000;
    }
    return pos == size && (!part || samples || empty);
}

static void take_fragment(struct fragments *s, const uint8_t *moof, size_t size)
{
    s->broken += !is_whole(moof, size);
    if (size < 24 || !is_type(moof + 8, "mfhd"))
        return;
    int64_t number = AV_RB32(moof + 20);
    if (s->n++) {
        s->steps++;
        s->jumps += number != s->number + 1;
        s->skipped += number > s->number + 1 ? number - s->number - 1 : 0;
    }
    s->number = number;
}

/* The positions that the index at the end of the file lists. */
struct places {
    int64_t present, absent; /* where a fragment stands, and where none does */
};

/* A version, flags, the track, lengths of three numbers, how many entries follow; each is a time, a
 * place, and those numbers. */
static void take_places(struct places *s, int fd, const uint8_t *tfra, size_t size)
{
    if (size < 24)
        return;
    unsigned lengths = tfra[19], wide = tfra[8] ? 8 : 4;
    size_t entry = 2 * wide + 3 + (lengths & 3) + (lengths >> 2 & 3) + (lengths >> 4 & 3);
    size_t n = AV_RB32(tfra + 20), max = (size - 24) / entry;
    int64_t previous = -1, absent = 0;
    for (size_t i = 0; i < n && i < max; i++) {
        const uint8_t *p = tfra + 24 + i * entry + wide;
        int64_t pos = wide == 8 ? (int64_t)AV_RB64(p) : AV_RB32(p);
        uint8_t head[8];
        if (pos > 0 && pos != previous) { /* 0: none came; several pictures may stand in one */
            bool present = rn_io_read_at(fd, head, sizeof head, pos) == (ssize_t)sizeof head &&
                           is_type(head, "moof");
            s->present += present;
            absent += !present;
        }
        previous = pos;
    }
    s->absent = absent > s->absent ? absent : s->absent; /* of all tracks */
}

/* Counts fragments that are damaged inside, or missing by the numbers of the others or by the
 * index. whole: the file holds only boxes. */
static int64_t fragments_lost(const struct fragments *s, const struct places *places, bool whole)
{
    /* Some writers number all files of a presentation together, or do not count at all. */
    bool counted = 3 * s->jumps <= s->steps || s->jumps == 1;
    int64_t lost = s->broken + (counted ? s->skipped : 0) + (s->n && !whole);
    if (lost || !s->n)
        return lost;
    return places->present ? places->absent : 0; /* some writers list other places throughout */
}

/* ---- tables */

/* Samples by each table of a track; -1: it has none such. */
struct counts {
    int64_t sizes, times;
    const uint8_t *stsc;
    size_t stsc_size;
    int64_t nchunks;
};

static int64_t sum_times(const uint8_t *p, size_t size)
{
    int64_t sum = 0;
    size_t n = AV_RB32(p + 12);
    for (size_t i = 0; i < n && 16 + 8 * i + 8 <= size; i++)
        sum += AV_RB32(p + 16 + 8 * i);
    return sum;
}

/* Runs of chunks with the same number of samples. */
static int64_t sum_chunks(const struct counts *c)
{
    int64_t sum = 0;
    int64_t n = c->stsc ? AV_RB32(c->stsc + 12) : 0;
    if (n <= 0 || (int64_t)c->stsc_size < 16 + 12 * n)
        return -1;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *e = c->stsc + 16 + 12 * i;
        int64_t first = AV_RB32(e), next = i + 1 < n ? AV_RB32(e + 12) : c->nchunks + 1;
        sum += next > first ? (next - first) * (int64_t)AV_RB32(e + 4) : 0;
    }
    return sum;
}

static void read_table(struct counts *c, const uint8_t *p, size_t size)
{
    if (size < 20)
        return;
    if (is_type(p, "stsz"))
        c->sizes = AV_RB32(p + 16);
    else if (is_type(p, "stts"))
        c->times = sum_times(p, size);
    else if (is_type(p, "stco") || is_type(p, "co64"))
        c->nchunks = AV_RB32(p + 12);
    if (is_type(p, "stsc")) {
        c->stsc = p;
        c->stsc_size = size;
    }
}

/* Goes through the boxes in the size bytes at p. */
static int64_t tables_lack(const uint8_t *p, size_t size, struct counts *c)
{
    int64_t largest = 0;
    for (size_t pos = 0, n; (n = inner_box(p, size, pos)) > 0; pos += n) {
        int64_t lack = 0;
        if (is_type(p + pos, "trak") || is_type(p + pos, "mdia") || is_type(p + pos, "minf"))
            lack = tables_lack(p + pos + 8, n - 8, c);
        if (is_type(p + pos, "stbl")) {
            *c = (struct counts){.sizes = -1, .times = -1};
            tables_lack(p + pos + 8, n - 8, c);
            int64_t chunks = sum_chunks(c);
            /* Samples of one size are those of sound, which chunks may hold otherwise. */
            if (c->sizes > 0 && c->times > 0 && chunks > 0)
                lack = FFMAX3(c->sizes, c->times, chunks) - FFMIN3(c->sizes, c->times, chunks);
        } else {
            read_table(c, p + pos, n);
        }
        largest = lack > largest ? lack : largest;
    }
    return largest;
}

/* The findings of one walk over the file. */
struct movie {
    struct fragments fragments;
    struct places places;
    int moovs;
    bool lack_known;
    int64_t lack; /* samples that the tables lack */
    int64_t data; /* bytes of media; 0 also if they reach to the end without saying how many */
};

/* Skips large boxes, and those for which there is no memory. */
static void take_box(struct movie *m, int fd, const struct rn_container_chunks *box)
{
    bool moof = is_type(box->head, "moof"), moov = is_type(box->head, "moov");
    bool sized = AV_RB32(box->head), mfra = is_type(box->head, "mfra");
    size_t size = (size_t)box->length;
    m->moovs += moov;
    if (is_type(box->head, "mdat") && box->length > 0 && box->length < INT64_MAX / 2)
        m->data = sized ? m->data + box->length : 0;
    /* A movie has one box that describes it, whatever fragments follow. */
    if (box->end != RN_CHUNKS_WHOLE || !sized || !(moof || mfra || (moov && !m->lack_known)) ||
        box->length > (moov ? MAX_TABLES : MAX_FRAGMENT))
        return;
    RN_OWNED(av_freep) uint8_t *data = av_malloc(size);
    struct counts counts = {0};
    if (!data || rn_io_read_at(fd, data, size, box->pos) != (ssize_t)size)
        return;
    for (size_t pos = 8, n; mfra && (n = inner_box(data, size, pos)) > 0; pos += n)
        if (is_type(data + pos, "tfra"))
            take_places(&m->places, fd, data + pos, n);
    if (moof)
        take_fragment(&m->fragments, data, size);
    if (moov)
        m->lack = tables_lack(data + 8, size - 8, &counts);
    m->lack_known |= moov;
}

/* The bytes of all samples that libav knows of. */
static int64_t listed_bytes(AVFormatContext *fmt)
{
    int64_t bytes = 0;
    for (unsigned i = 0; i < fmt->nb_streams; i++) {
        AVStream *st = fmt->streams[i];
        for (int k = avformat_index_get_entries_count(st) - 1; k >= 0; k--)
            bytes += avformat_index_get_entry(st, k)->size;
    }
    return bytes;
}

void rn_container_mov_find_missing(const struct rn_container_input *in, struct rn_io_damage *damage)
{
    struct rn_container_chunks box = {.fd = in->fd, .size = in->size, .size_of = box_size};
    struct movie m = {0};
    while (rn_container_next_chunk(&box))
        take_box(&m, in->fd, &box);
    if (m.moovs > 1)
        rn_container_add_joined(damage);
    bool whole = box.end != RN_CHUNKS_GARBAGE;
    rn_container_add_missing(damage, fragments_lost(&m.fragments, &m.places, whole),
                             "fragments of the movie are missing or damaged");
    int64_t listed = listed_bytes(in->fmt);
    bool fragmented = in->fmt->streams[in->video]->nb_frames <= 0;
    if (in->from_start && fragmented && m.data > 0 && listed > m.data)
        rn_container_add_missing(damage, 1, "the fragments of the movie list more than there is");
    if (m.lack == 1 && m.data > 0 && m.data - listed <= MAX_HEADERS)
        rn_log(RN_LOG_WARNING, "the tables of the movie differ by a sample, but none is missing");
    else
        rn_container_add_missing(damage, m.lack, "the tables of the movie are damaged");
}
