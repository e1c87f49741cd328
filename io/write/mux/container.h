/* SPDX-License-Identifier: MIT */
/* The container of an output.
 *
 * ---- container.c: chooses its muxer by its name or by --container, and checks what it holds
 *
 * libavformat's list of a container's codings (avformat_query_codec) is incomplete: Matroska's
 * lacks everything that is stored the way of AVI and WAV. Other muxers write codings that no
 * demuxer can identify. So the list is asked first, then the muxer writes the header of such a
 * stream to memory; the codings of muxers that accept too much are in the table
 * (io/containers/table.h). */
#pragma once

#include <libavcodec/avcodec.h>

#include "filters/base/output/outfile.h"
#include "io/common/media.h"
#include "io/containers/file.h"

/* True for containers of nothing but pictures (GIF, y4m, raw streams). */
static inline bool rn_write_container_is_pictures_only(const AVOutputFormat *of)
{
    return of->audio_codec == AV_CODEC_ID_NONE && of->subtitle_codec == AV_CODEC_ID_NONE;
}

/* True if of holds a stream with these parameters. Uses libav's capture of messages (av.h). */
bool rn_write_container_holds(const AVOutputFormat *of, const AVCodecParameters *par);

/* The same for such a stream in another coding. */
bool rn_write_container_holds_coding(const AVOutputFormat *of, const AVCodecParameters *par,
                                     enum AVCodecID id);

/* True if of holds a coding by the lists alone. */
bool rn_write_container_lists(const AVOutputFormat *of, enum AVCodecID id);

/* Clears the codec tag of the source's container in par if it means something else, or nothing, in
 * this one. */
void rn_write_container_choose_tag(const AVOutputFormat *of, AVCodecParameters *par);

/* Gives sound of unknown layout the usual one for its number of channels if of must specify the
 * place of each (PCM in MP4). */
void rn_write_container_choose_layout(const AVOutputFormat *of, AVCodecParameters *par);

/* Makes the muxer of an output called name, without streams or a file, and sets the options that
 * its container always needs. streamed: the output cannot seek. Returns 0, RN_EUSAGE (no such
 * container, or it cannot hold video, or not in a stream) or RN_EINTERNAL (logged). The caller
 * frees *muxer with avformat_free_context. */
int rn_write_muxer_open(AVFormatContext **muxer, const char *name, const char *container,
                        bool streamed);

/* ---- describe.c: copies the description of the source's streams: tags, dispositions, side data,
 * timecode, chapters. Names streams in messages. */

/* Copies the description of the pictures' stream (language, rotation, disposition...) to video, a
 * stream of the output called name. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_describe_video(const struct rn_io_media *media, const struct rn_container *container,
                            const char *name, AVStream *video);

/* Copies side data to a stream of the output. recoded: NULL if its packets are copied; else only
 * side data that does not depend on the coding is copied. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_copy_side_data(AVStream *to, const AVStream *from, const struct rn_io_media *recoded);

#define RN_STREAM_NAME 100 /* bytes */

/* Writes "stream 1 of the input (audio, opus)" for messages. Returns name. */
const char *rn_write_stream_name(const AVStream *st, char name[RN_STREAM_NAME]);

/* Reports that a stream is not copied to output. why: a clause, such as "its coding is unknown". */
void rn_write_lose_stream(struct rn_losses *losses, const char *output, const AVStream *st,
                          const char *why);

/* True if a chapter overlaps the range of the input that is read. */
bool rn_write_chapter_is_read(const struct rn_io_media *media, const AVChapter *chapter);

/* If the output starts later than the input, sets the tag `timecode` in metadata to the timecode of
 * the first picture; does nothing if there is no valid one. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_timecode_shift(const struct rn_io_media *media, AVDictionary **metadata);

/* Adds the chapters for which rn_write_chapter_is_read. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_add_chapters(const struct rn_io_media *media, AVFormatContext *out);

/* ---- avi.c: keeps the streams of AVI in sync, which stores no times (starts_at_zero)
 *
 * Each stream begins at 0 and has no gaps: pictures have a constant rate,
 * with empty chunks for missing ones; coded sound consists of whole packets. Therefore the clock is
 * moved, and sound that does not fit becomes PCM. Functions without state. */

/* The time of the source's packets, in microseconds, that becomes 0 in the file: a whole number of
 * steps before the first picture, and before all sound but lead-ins. video: the opened encoder of
 * the pictures, whose time base is one step. */
int64_t rn_write_avi_origin(const struct rn_io_media *media, const AVCodecContext *video);

/* True if a copy of the sound of stream in is heard at its time, within a millisecond. *error: by
 * how many microseconds it is late (> 0) or early. */
bool rn_write_avi_fits(const struct rn_io_media *media, const AVStream *in, int64_t origin,
                       int64_t *error);

/* Writes the empty chunk that lets the pictures of out begin after 0. Call it before their first
 * packet, pkt, is written. Returns what libav returned. */
int rn_write_avi_begin(AVFormatContext *out, const AVPacket *pkt);

/* ---- reserved_space.c
 *
 * Reserves space for the muxer's buffers and the trailer, so that writing fails at a packet while
 * the file can still be ended, if the disk is full or the file's size is limited. The file is
 * playable up to there. One thread at a time. */

#define RN_RESERVED_MARKS 64

struct rn_write_reserved {
    struct rn_outfile *file; /* NULL: no space can be reserved, as in a pipe */
    const struct rn_container *container;
    int64_t handed;                   /* bytes of the packets that the muxer got */
    int64_t overhead;                 /* bytes that it adds to them, at most */
    int64_t trailer;                  /* bytes, at most */
    int64_t marks[RN_RESERVED_MARKS]; /* the most recent positions after whole packets */
    int nmarks;                       /* so far, those that were overwritten included */
};

/* Begins after the header was written. Sets out->opaque to reserved, which is the caller's. */
void rn_write_reserved_begin(struct rn_write_reserved *reserved, AVFormatContext *out,
                             struct rn_outfile *file);

/* Writes a packet, interleaved, and takes its content. out->opaque: reserved, or NULL. path: for
 * the message. Returns 0 or RN_EOUTPUT (logged); the file can be ended even if the disk is full. */
int rn_write_reserved_write(AVFormatContext *out, const char *path, AVPacket *pkt);

/* Truncates a closed file after its last whole packet, if no trailer could be written. Returns
 * false if there is none, or if the file is useless without a trailer. */
bool rn_write_reserved_cut(const struct rn_write_reserved *reserved);

/* Checks ret, which libav returned for a write to out, and earlier failures that only out->pb
 * records. path: of the output, for the message. Returns 0 or RN_EOUTPUT (logged). */
int rn_write_checked(const AVFormatContext *out, const char *path, int ret);

/* Logs, as rn_write_fail, that a write to path failed with libav's code. Returns RN_EOUTPUT. */
int rn_write_av_write_fail(const char *path, int averror);

#define RN_MAX_HEAD ((size_t)1 << 20)

/* The first bytes of an output that cannot be read again, up to RN_MAX_HEAD. */
struct rn_write_head {
    uint8_t *data;
    size_t size;
};

/* ---- theora.c: Theora's encoder returns an empty packet for a picture that repeats the one
 * before. FFmpeg's Ogg muxer skips such packets since version 6, so later pictures get wrong times
 * and the last ones are lost. */

/* Replaces such a packet of the encoder enc by a picture without coded blocks. Other packets do not
 * change. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_theora_fill(const AVCodecContext *enc, AVPacket *pkt);
