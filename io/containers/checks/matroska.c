/* SPDX-License-Identifier: MIT */
/* Matroska and WebM: EBML elements with their sizes. */
#include "io/containers/checks/checks.h"

#define EBML_HEADER  0x1A45DFA3
#define TRACKS       0x1654AE6B
#define TRACK_ENTRY  0xAE
#define TRACK_NUMBER 0xD7
#define CLUSTER      0x1F43B675
#define SEGMENT      0x18538067
#define BLOCK_GROUP  0xA0
#define BLOCK        0xA1
#define SIMPLE_BLOCK 0xA3
#define VOID         0xEC

/* An EBML number of n bytes, n - 1 leading zero bits. Returns n, 0 if it is none. All ones mean an
 * unknown size: *value is then UINT64_MAX. keep: the marker bit is part of the number (IDs). */
static int ebml_number(const uint8_t *p, int rest, bool keep, uint64_t *value)
{
    int n = 1;
    while (n <= 8 && !(rest > 0 && p[0] & (0x80 >> (n - 1))))
        n++;
    if (n > 8 || n > rest)
        return 0;
    uint64_t v = keep ? p[0] : p[0] & (0x7f >> (n - 1));
    for (int i = 1; i < n; i++)
        v = v << 8 | p[i];
    *value = !keep && v == (UINT64_C(1) << 7 * n) - 1 ? UINT64_MAX : v;
    return n;
}

/* The ID and the size of an element. Returns the bytes of both, 0 if it is none. */
static int element(const uint8_t *head, int n, uint64_t *id, uint64_t *size)
{
    int nid = ebml_number(head, n, true, id);
    int nsize = nid ? ebml_number(head + nid, n - nid, false, size) : 0;
    return nsize ? nid + nsize : 0;
}

/* A live recording says nothing about its length. */
static int64_t element_size(const uint8_t *head, int n, int64_t rest)
{
    uint64_t id, size;
    int at = element(head, n, &id, &size);
    return !at ? -1 : size == UINT64_MAX ? rest : at + (int64_t)size;
}

/* The EBML header, then one segment or more, then perhaps junk. */
bool rn_container_matroska_is_complete(int fd, int64_t size)
{
    struct rn_container_chunks e = rn_container_last_chunk(fd, size, element_size);
    uint64_t id = EBML_HEADER;
    bool junk = e.end == RN_CHUNKS_GARBAGE && e.pos > 0 && ebml_number(e.head, e.n, true, &id) > 0;
    return e.end == RN_CHUNKS_WHOLE || (junk && id != EBML_HEADER);
}

static bool is_one_of(uint64_t id, const uint32_t *list)
{
    while (*list && *list != id)
        list++;
    return *list;
}

/* The elements of a file down to the blocks, in a row: of those that hold others only the head
 * counts. */
static int64_t flat_size(const uint8_t *head, int n, int64_t rest)
{
    static const uint32_t entered[] = {SEGMENT, TRACKS, TRACK_ENTRY, CLUSTER, BLOCK_GROUP, 0};
    uint64_t id = 0, size;
    int at = element(head, n, &id, &size);
    return at && is_one_of(id, entered) ? at : element_size(head, n, rest);
}

/* The same where only elements are expected that a segment, a cluster or a block group holds. */
static int64_t known_size(const uint8_t *head, int n, int64_t rest)
{
    static const uint32_t known[] = {EBML_HEADER,  SEGMENT,    0x114D9B74,  0x1549A966, 0x1C53BB6B,
                                     0x1941A469,   0x1043A770, 0x1254C367,  VOID,       0xBF,
                                     CLUSTER,      0xE7,       0x5854,      0xA7,       0xAB,
                                     SIMPLE_BLOCK, 0xAF,       BLOCK_GROUP, BLOCK,      0xA2,
                                     0x75A1,       0x9B,       0xFA,        0xFB,       0xFD,
                                     0xA4,         0x75A2,     0x8E,        0xC8,       0};
    uint64_t id = 0, size;
    return element(head, n, &id, &size) && is_one_of(id, known) ? flat_size(head, n, rest) : -1;
}

/* What is no element, blocks of no track, and what was made void in front of blocks. */
int64_t rn_container_matroska_first_hole(int fd, int64_t size)
{
    enum { MAX_TRACK = 128 }; /* others are not judged */
    struct rn_container_chunks e = {.fd = fd, .size = size, .size_of = flat_size};
    bool known[MAX_TRACK] = {false};
    int64_t made_void = INT64_MAX;
    while (rn_container_next_chunk(&e) && e.end != RN_CHUNKS_GARBAGE) {
        uint64_t id, length, number = 0;
        int at = element(e.head, e.n, &id, &length);
        for (int i = at; id == TRACK_NUMBER && i < e.length && i < e.n; i++)
            number = number << 8 | e.head[i];
        if (id == TRACK_NUMBER && number < MAX_TRACK)
            known[number] = true;
        if (id == CLUSTER || id == EBML_HEADER)
            e.size_of = id == CLUSTER ? known_size : flat_size;
        if (id == VOID && e.size_of == known_size)
            made_void = FFMIN(made_void, e.pos);
        if (id != BLOCK && id != SIMPLE_BLOCK)
            continue;
        ebml_number(e.head + at, e.n - at, false, &number);
        if (made_void < e.pos || (number < MAX_TRACK && !known[number]))
            return FFMIN(made_void, e.pos);
    }
    return e.end == RN_CHUNKS_GARBAGE ? e.pos : INT64_MAX;
}
