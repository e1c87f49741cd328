/* Decoders side by side. A group of pictures begins with an entry, from which all that follows can
 * be decoded, so each of several decoders of one thread takes a group of its own. On 16 cores they
 * decode twice as many pictures as one decoder of 16 threads, which wait for each other's rows.
 *
 * A second demuxer reads the same file ahead and deals its groups out. The source reads packet
 * after packet as ever, with all that it counts, and only fetches the pictures here instead of from
 * a decoder of its own: a packet that is not the one that was read ahead, a sign of damage, or a
 * group that cannot stand alone ends that, and the source decodes by itself (rn_read_retry).
 *
 * Pictures shown before the entry of the next group (HEVC: an open group) may refer to both groups:
 * the decoder of the first one gets them too, behind the entry.
 *
 * One thread calls: the reader's. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include <libavcodec/avcodec.h>

struct rn_read_groups;
struct rn_read_source;

/* A picture comes at the latest when so many packets have followed its own. */
#define RN_GROUPS_DELAY 20

/* Starts the decoders that src->opts asks for, before the first packet is read. Returns NULL where
 * one decoder serves better: no file, another codec, few cores, or more pictures than the memory
 * may hold. Their threads have the rights of this one. */
struct rn_read_groups *rn_read_groups_open(struct rn_read_source *src, const AVCodec *codec);

/* NULL is legal; *groups is NULL afterwards. */
void rn_read_groups_close(struct rn_read_groups **groups);

/* The next packet of the input and its number (decode_audit.h), one more than the last one's. NULL:
 * there are no more. pkt stays the caller's. */
void rn_read_groups_send(struct rn_read_groups *groups, const AVPacket *pkt, int64_t number);

/* As avcodec_receive_frame; a picture brings the number of its packet. AVERROR_INVALIDDATA: these
 * decoders cannot give the next picture, until rn_read_groups_resume. */
int rn_read_groups_receive(struct rn_read_groups *groups, AVFrame *frame);

/* Goes on with the group that begins with pkt, the next one that is sent. Returns false if there is
 * none. */
bool rn_read_groups_resume(struct rn_read_groups *groups, const AVPacket *pkt);

/* The most pictures that are held at once. */
int64_t rn_read_groups_most(const struct rn_read_groups *groups);
