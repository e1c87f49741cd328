/* Matroska and WebM: EBML elements with their sizes. */
#include "io/containers/checks/checks.h"

#define EBML_HEADER 0x1A45DFA3

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

/* A live recording says nothing about its length. */
static int64_t element_size(const uint8_t *head, int n, int64_t rest)
{
    uint64_t id, size;
    int nid = ebml_number(head, n, true, &id);
    int nsize = nid ? ebml_number(head + nid, n - nid, false, &size) : 0;
    if (!nsize)
        return -1;
    return size == UINT64_MAX ? rest : nid + nsize + (int64_t)size;
}

/* The EBML header, then one segment or more, then perhaps junk. */
bool rn_container_matroska_is_complete(int fd, int64_t size)
{
    struct rn_container_chunks e = {.fd = fd, .size = size, .size_of = element_size};
    while (rn_container_next_chunk(&e))
        ;
    uint64_t id = EBML_HEADER;
    bool junk = e.end == RN_CHUNKS_GARBAGE && e.pos > 0 && ebml_number(e.head, e.n, true, &id) > 0;
    return e.end == RN_CHUNKS_WHOLE || (junk && id != EBML_HEADER);
}
