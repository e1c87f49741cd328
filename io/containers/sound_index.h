/* What the index of a MOV, MP4 or AVI lists of a stream of sound. Parsers glue what is no packet to
 * the one before or behind it, so those that were overwritten show in the count alone. */
#ifndef RN_IO_CONTAINERS_SOUND_INDEX_H
#define RN_IO_CONTAINERS_SOUND_INDEX_H

#include <stdint.h>

#include <libavformat/avformat.h>

struct rn_container_sound_index {
    int64_t packets, bytes; /* 0: it does not tell */
};

/* st: of fmt. To the index of an AVI reading adds, so it tells before the first packet was read;
 * that of a MOV or MP4 in fragments is complete behind the last one. */
struct rn_container_sound_index rn_container_sound_index_take(const AVFormatContext *fmt,
                                                              AVStream *st);

/* How many packets are missing where so many, of so many bytes, were read of what is listed. */
int64_t rn_container_sound_index_lack(const struct rn_container_sound_index *listed,
                                      int64_t packets, int64_t bytes);

#endif
