/* A look at a file that was just written, with the eyes of any other program: libavformat opens it
 * again, so that what a muxer or an encoder left out without a word is seen. Little is read: the
 * header, the first packet of each stream, the last ones where the header does not tell when they
 * end, and one picture is decoded if it is asked for. */
#ifndef RN_IO_WRITE_REPORT_LOOK_H
#define RN_IO_WRITE_REPORT_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include <libavformat/avformat.h>
#include <libavutil/frame.h>

#include "io/write/mux/tee.h"

struct rn_write_look;

/* Opens the file temp (or, if temp is NULL, the beginning of one) whose name is to be `name`, which
 * is borrowed, and
 * reads up to the first packets of its pictures and of `sounds` streams of sound. Nothing is
 * logged. Returns 0 or libav's error code; *look is NULL then. */
int rn_write_look_open(struct rn_write_look **look, const char *temp,
                       const struct rn_write_head *head, const char *name, int sounds);
void rn_write_look_close(struct rn_write_look **look);

const AVFormatContext *rn_write_look_format(const struct rn_write_look *look);

/* The stream of the pictures, or NULL. */
const AVStream *rn_write_look_pictures(const struct rn_write_look *look);

/* The first time stamp of stream i in microseconds, AV_NOPTS_VALUE if none was seen; *nth is set to
 * the number of the packet that has it, counted from 0. */
int64_t rn_write_look_first_us(const struct rn_write_look *look, int i, int *nth);

/* The first packet of the pictures, or NULL; look owns it. */
const AVPacket *rn_write_look_packet(const struct rn_write_look *look);

/* Decodes the first picture. Returns NULL if that does not work; look owns it. */
const AVFrame *rn_write_look_decode(struct rn_write_look *look);

/* When a stream ends, in microseconds; AV_NOPTS_VALUE: the file does not tell. */
struct rn_write_look_end {
    int64_t us;        /* its end: many containers do not say how long the last packet lasts */
    int64_t begins_us; /* when the packet that is shown or heard last begins */
    int64_t since_us;  /* all packets behind this were read; likewise */
    int64_t packets;   /* that were read */
    bool all;          /* those are all that it has */
};

/* Finds out when the streams end: by the header of containers whose muxers add up what they write,
 * else by reading: the whole of a small file, of others the end (which is to be found behind
 * near_us). No picture can be decoded any more afterwards. */
void rn_write_look_find_ends(struct rn_write_look *look, int64_t near_us);

/* What was found of stream i; look owns it. */
const struct rn_write_look_end *rn_write_look_end(const struct rn_write_look *look, int i);

#endif
