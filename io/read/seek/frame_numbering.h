/* The numbers of pictures, counted from 0 over the whole input, where those in front were left out:
 * after --from and after a seek. A picture's number is
 *
 *     those in front of the keyframe from which it was decoded, in the order of the file:
 *         known from the tables of MOV and MP4, from reading all packets up to there on the way, or
 *         from an index that is made of them for this (packet_index.h)
 *   + those of the packets read since that are shown before the first picture that came out of the
 *     decoder, by their timestamps
 *   + those that came out since.
 *
 * Readers that know their pictures by number answer themselves (input.h). What is no file has
 * numbers by its average rate. All belongs to the reader's thread. */
#ifndef RN_IO_READ_SEEK_FRAME_NUMBERING_H
#define RN_IO_READ_SEEK_FRAME_NUMBERING_H

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>

struct rn_read_source;

/* Return 0 or RN_EINTERNAL (logged), as all here that return int. */
int rn_read_frame_numbering_open(struct rn_read_source *src);
void rn_read_frame_numbering_close(struct rn_read_source *src);

/* Reading begins, at the beginning of the input or after a seek. */
void rn_read_frame_numbering_restart(struct rn_read_source *src);

/* Another packet of the pictures goes into the decoder. */
int rn_read_frame_numbering_add(struct rn_read_source *src, const AVPacket *pkt);

/* src->frame came out of the decoder. Returns its number since reading began, -1 if that is not
 * known (yet), for rn_read_origin.count. */
int64_t rn_read_frame_numbering_decoded(struct rn_read_source *src);

/* The pts of the first picture; AV_NOPTS_VALUE if it was not decoded. */
int64_t rn_read_frame_numbering_begin(const struct rn_read_source *src);

/* Finds out whether a seek to target, a pts, can go by time. */
int rn_read_frame_numbering_look_ahead(struct rn_read_source *src, int64_t target);

/* Gets the number of src->frame, the picture that was sought; decoded: pictures that came before
 * it, since the seek. RN_END: it will be known if the seek goes by reading, not by time. */
int rn_read_frame_numbering_find(struct rn_read_source *src, int64_t decoded, int64_t *number);

/* The correction to the numbers since rn_read_frame_numbering_find, now that more is known: mostly
 * 0. */
int64_t rn_read_frame_numbering_error(struct rn_read_source *src);

/* May more become known? */
bool rn_read_frame_numbering_is_guess(const struct rn_read_source *src);

#endif
