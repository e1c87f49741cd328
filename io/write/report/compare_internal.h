/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the comparison: compare.c (opens the output; streams, tags, chapters),
 * compare_pictures.c (properties of the pictures), compare_lengths.c and look.c. */
#pragma once

#include "io/write/report/compare.h"

/* ---- look.c */

/* Reopens a file that was just written with libavformat, as any other program does, so that losses
 * that a muxer or encoder does not report are seen. Little is read: the header, the first packet of
 * each stream, the last packets if the header does not specify the ends, and one picture. */

#define RN_LOOK_STREAMS 64 /* streams beyond that are not looked at */

/* The end of a stream, in microseconds; AV_NOPTS_VALUE: unknown. */
struct rn_write_look_end {
    int64_t us;        /* many containers do not specify the duration of the last packet */
    int64_t begins_us; /* when the packet that is shown or heard last begins */
    int64_t since_us;  /* all packets after this were read */
    int64_t packets;   /* that were read */
    bool all;          /* they are all packets of the stream */
};

struct rn_write_look_stream {
    int64_t first_us; /* the first timestamp in microseconds; AV_NOPTS_VALUE: none was seen */
    int untimed;      /* packets without a timestamp before that */
    struct rn_write_look_end end;
};

struct rn_write_look {
    AVFormatContext *fmt;
    AVIOContext *pb;
    const char *name;              /* borrowed */
    int video;                     /* index of the stream of the pictures; -1: none */
    struct rn_io_frame_data *kept; /* the first packets of the pictures */
    AVFrame *frame;                /* the first picture; NULL: not decoded */
    struct rn_write_look_stream stream[RN_LOOK_STREAMS];
    const struct rn_write_head *head; /* read instead of a file; NULL: the file */
    size_t at;                        /* in head */
};

/* Opens the file temp or, if temp is NULL, the beginning of one, whose final name is `name`
 * (borrowed). Reads up to the first packets of the pictures and of `sounds` audio streams. Logs
 * nothing. look: zeroed but for video, -1; closed by the caller in any case. Returns 0 or libav's
 * error code. */
int rn_write_look_open(struct rn_write_look *look, const char *temp,
                       const struct rn_write_head *head, const char *name, int sounds);
void rn_write_look_close(struct rn_write_look *look);

/* The stream of the pictures, or NULL. */
static inline const AVStream *rn_write_look_pictures(const struct rn_write_look *look)
{
    return look->video < 0 ? NULL : look->fmt->streams[look->video];
}

/* What was found of stream i; nothing beyond RN_LOOK_STREAMS. */
const struct rn_write_look_stream *rn_write_look_stream(const struct rn_write_look *look, int i);

/* Decodes the first picture. Returns NULL if that fails; look owns it. */
const AVFrame *rn_write_look_decode(struct rn_write_look *look);

/* Finds the ends of the streams: in the header, if the muxer adds up what it writes, else by
 * reading a small file, or the end of a large one (which is after near_us). Afterwards no picture
 * can be decoded. */
void rn_write_look_find_ends(struct rn_write_look *look, int64_t near_us);

/* ---- the comparison */

/* The input, the request, and what is found. */
struct rn_write_pair {
    const struct rn_write_written *written;
    const struct rn_io_media *media;
    struct rn_write_look *look; /* NULL: the output cannot be opened */
    const AVFormatContext *is;  /* likewise */
    struct rn_write_shortfall *lacks;
};

/* A list for a line; zeroed it is empty. */
struct rn_write_names {
    char text[160];
    int n, unlisted; /* counted; those that do not fit in text */
};

void rn_write_names_add(struct rn_write_names *names, const char *name);

/* Adds the tags of `was` that are not in `is` (NULL: empty) and describe the contents rather than
 * the old file or its maker. stream: the kind of stream that has them, NULL: the file; dates: with
 * the creation time. */
void rn_write_names_add_tags(struct rn_write_names *names, const AVDictionary *was,
                             const AVDictionary *is, const char *stream, bool dates);

/* The list, with the number of names that do not fit; names owns it. */
const char *rn_write_names_text(struct rn_write_names *names);

/* Adds a line to the loss report: the output's name, the text, and the advice, unless the output's
 * container keeps that anyway (kept; 0: no advice). */
void rn_write_lose(const struct rn_write_pair *p, const char *kind, enum rn_container_kept kept,
                   const char *advice, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The stream of the reopened output that stream i of the muxer has become, or NULL. */
const AVStream *rn_write_pair_stream(const struct rn_write_pair *p, unsigned i);

/* Compares the ends and the packet counts of pictures and sound in the file with what was written.
 * Call it last: it reads to the end of the file. */
void rn_write_compare_lengths(const struct rn_write_pair *p);

/* Compares the pictures. */
void rn_write_compare_pictures(const struct rn_write_pair *p);
