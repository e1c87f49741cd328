/* SPDX-License-Identifier: MIT */
/* The functions that the table of containers lists; each container has one file of code, or a part
 * of checks.c. Most check files that are read: whether they are complete, and what is missing. */
#pragma once

#include <sys/types.h>

#include "io/containers/table.h"

/* A file that has been read to its end. */
struct rn_container_input {
    AVFormatContext *fmt;
    int video; /* index of the pictures' stream */
    int fd;    /* open for reading */
    int64_t size;
    int64_t end;     /* where the last packet that was read ends; 0: there was none */
    bool from_start; /* no seek skipped packets */
    int64_t read;    /* packets of the pictures */
    int64_t frames;  /* that were announced; < 0: unknown */
};

/* ---- shared by the checks */

/* Raises the missing frames of damage to n, and notes the text if that is more than before. */
void rn_container_add_missing(struct rn_io_damage *damage, int64_t n, const char *text);

#define RN_CONTAINER_IVF_HEADER 12 /* bytes before each frame */
#define RN_CONTAINER_NUT_INDEX  "NX\xdd\x67\x2f\x23\xe6\x4e"
#define RN_CONTAINER_LOST_IMAGES                                                                   \
    "not all images of the animation are read; if it was joined, join it with ffmpeg -f concat"

/* The first place of a mark in n bytes; NULL: there is none. */
const uint8_t *rn_container_find(const void *bytes, ssize_t n, const void *mark, size_t size);

/* Reads n bytes that start `back` bytes before the end. Returns false if the file is shorter. */
bool rn_container_read_tail(int fd, int64_t size, int64_t back, void *buf, size_t n);

/* Returns true if the first bytes of the file occur again at or behind the last packet's end. */
rn_container_joined_fn rn_container_has_second_head;

/* Counts another file that follows in the input as missing. */
void rn_container_add_joined(struct rn_io_damage *damage);

/* Returns true if the file ends with the last packet, or one of end_marks follows within a few
 * bytes. */
bool rn_container_is_filled(const struct rn_container *container, int fd, int64_t end);

/* ---- chunks: boxes of MP4, chunks of RIFF, objects of ASF, elements of EBML, pages of Ogg. Each
 * begins with a head that tells its size. */

#define RN_CONTAINER_CHUNK_HEAD 282 /* bytes: the longest is that of an Ogg page */

/* The size of the chunk with its head, whose first n bytes are given; <= 0: it is no chunk.
 * rest: bytes from its beginning to the end of the file. */
typedef int64_t rn_container_chunk_size_fn(const uint8_t *head, int n, int64_t rest);

enum rn_container_chunks_end {
    RN_CHUNKS_WHOLE,   /* the last chunk ends with the file, or more of them follow */
    RN_CHUNKS_CUT,     /* the chunk reaches beyond the end of the file */
    RN_CHUNKS_GARBAGE, /* something else stands there */
};

/* The caller sets the first three and zeroes the others, which then describe the current chunk. */
struct rn_container_chunks {
    int fd;
    int64_t size; /* of the file */
    rn_container_chunk_size_fn *size_of;
    int64_t pos, length;
    uint8_t head[RN_CONTAINER_CHUNK_HEAD]; /* zeros behind its n bytes */
    int n;
    enum rn_container_chunks_end end;
};

/* Goes to the first chunk, then to the next. Returns false behind the last one, which may be cut,
 * or garbage: see end. */
bool rn_container_next_chunk(struct rn_container_chunks *chunks);

/* Goes through all of them; what the walk ends with says whether the file is whole. */
struct rn_container_chunks rn_container_last_chunk(int fd, int64_t size,
                                                   rn_container_chunk_size_fn *size_of);

/* ---- the checks of containers; the members of struct rn_container say what they do */

rn_container_complete_fn rn_container_mov_is_complete, rn_container_matroska_is_complete,
    rn_container_avi_is_complete, rn_container_asf_is_complete, rn_container_flv_is_complete,
    rn_container_nut_is_complete, rn_container_ogg_is_complete, rn_container_gif_is_complete,
    rn_container_mpegts_is_complete, rn_container_roq_is_complete;
rn_container_first_hole_fn rn_container_matroska_first_hole;
rn_container_packet_size_fn rn_container_asf_packet_size;
rn_container_joined_fn rn_container_flv_is_joined;
rn_container_missing_fn rn_container_mov_find_missing, rn_container_avi_find_missing,
    rn_container_asf_find_missing, rn_container_nut_find_missing, rn_container_ogg_find_missing,
    rn_container_gif_find_missing, rn_container_apng_find_missing, rn_container_ivf_find_missing;
rn_container_loop_fn rn_container_gif_loop_count, rn_container_apng_loop_count;
