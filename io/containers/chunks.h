/* Walks through what a file consists of, one chunk after the other: boxes of MP4, chunks of RIFF,
 * objects of ASF, elements of EBML, pages of Ogg. Each begins with a head that tells its size. */
#ifndef RN_IO_CONTAINERS_CHUNKS_H
#define RN_IO_CONTAINERS_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#define RN_CONTAINER_CHUNK_HEAD 282 /* bytes: the longest is that of an Ogg page */

/* The size of the chunk whose first n bytes are at head, itself included; <= 0: it is no chunk.
 * left: bytes from its beginning to the end of the file. */
typedef int64_t rn_container_chunk_size_fn(const uint8_t *head, int n, int64_t left);

enum rn_container_chunks_end {
    RN_CHUNKS_WHOLE,   /* the last chunk ends with the file, or more of them follow */
    RN_CHUNKS_CUT,     /* the chunk reaches beyond the end of the file */
    RN_CHUNKS_GARBAGE, /* something else stands there */
};

/* Set the first three; the others are zeroed and then tell of the present chunk. */
struct rn_container_chunks {
    int fd;
    int64_t size; /* of the file */
    rn_container_chunk_size_fn *size_of;
    int64_t pos, length;
    uint8_t head[RN_CONTAINER_CHUNK_HEAD]; /* zeros behind its n bytes */
    int n;
    enum rn_container_chunks_end end;
};

/* Goes to the first chunk, then to the next. Returns false if there is none. The last one may be
 * cut, or garbage: see end. */
bool rn_container_next_chunk(struct rn_container_chunks *chunks);

#endif
