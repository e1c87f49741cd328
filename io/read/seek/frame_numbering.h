/* SPDX-License-Identifier: MIT */
/* The numbers of pictures, counted from 0 over the whole input, where those in front were left out:
 * after --from and after a seek. A picture's number is
 *
 *     those in front of the keyframe from which it was decoded, in the order of the file:
 *         known from the tables of MOV and MP4, from reading all packets up to there on the way, or
 *         from an index that is made of them for this (rn_read_packet_index)
 *   + those of the packets read since that are shown before the first picture that came out of the
 *     decoder, by their timestamps
 *   + those that came out since.
 *
 * Readers that know their pictures by number answer themselves (input.h). What is no file has
 * numbers by its average rate. All belongs to the reader's thread. */
#pragma once

#include <stdint.h>

#include "io/read/demux/coded_picture.h"

struct rn_read_source;

/* What the packets since the last seek add to the number of those in front of it. */
struct rn_read_frame_numbering {
    struct rn_read_packet_index *index; /* NULL: not needed yet, or not possible */
    bool index_tried;
    bool warned;
    struct rn_read_shown shown;
    bool collecting;
    int64_t *ts; /* of the n pictures read since the place where reading (again) began */
    int n;
    int untimed;   /* how many packets ago one came that has no pts, it included; 0: none */
    int64_t key;   /* pts of the first picture */
    int64_t lead;  /* pictures at the beginning of the input that come out of no decoder */
    int64_t begin; /* pts of the first that is decoded; AV_NOPTS_VALUE: none was */
    int64_t since; /* number of the last picture that came, counted from the place; -1: none came */
    int64_t sought; /* of the picture that was sought, likewise */
    bool second;    /* rn_read_origin.second of it */
    int64_t guess;  /* its number, as given out, until the right one is known; else -1 */
};

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

/* Finds out whether seeks can go by time. */
int rn_read_frame_numbering_find_clock_jumps(struct rn_read_source *src);

/* Gets the number of src->frame, the picture that was sought; decoded: pictures that came before
 * it, since the seek. RN_END: it will be known if the seek goes by reading, not by time. */
int rn_read_frame_numbering_find(struct rn_read_source *src, int64_t decoded, int64_t *number);

/* The correction to numbers since rn_read_frame_numbering_find, as more is known: mostly 0. */
int64_t rn_read_frame_numbering_error(struct rn_read_source *src);
