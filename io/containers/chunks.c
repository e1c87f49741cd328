#include "io/containers/chunks.h"

#include <string.h>
#include <unistd.h>

bool rn_container_next_chunk(struct rn_container_chunks *c)
{
    if (c->end != RN_CHUNKS_WHOLE)
        return false;
    c->pos += c->length;
    c->length = 0;
    if (c->pos >= c->size)
        return false;
    memset(c->head, 0, sizeof c->head);
    c->n = (int)pread(c->fd, c->head, sizeof c->head, c->pos);
    if (c->n > 0)
        c->length = c->size_of(c->head, c->n, c->size - c->pos);
    if (c->length <= 0)
        c->end = RN_CHUNKS_GARBAGE;
    else if (c->length > c->size - c->pos)
        c->end = RN_CHUNKS_CUT;
    return c->n > 0;
}
