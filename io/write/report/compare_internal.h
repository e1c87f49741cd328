/* What the two halves of the comparison share: compare.c, which opens what was written and looks at
 * all that stands beside the pictures, and compare_pictures.c. */
#ifndef RN_IO_WRITE_REPORT_COMPARE_INTERNAL_H
#define RN_IO_WRITE_REPORT_COMPARE_INTERNAL_H

#include "io/containers/table.h"
#include "io/write/report/compare.h"

/* ---- look.c */

/* A look at a file that was just written, with the eyes of any other program: libavformat opens it
 * again, so that what a muxer or an encoder left out without a word is seen. Little is read: the
 * header, the first packet of each stream, the last ones where the header does not tell when they
 * end, and one picture is decoded if it is asked for. */
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

/* ---- the comparison */

/* The input, what was asked for, and what is found. */
struct rn_write_pair {
    const struct rn_write_written *written;
    const struct rn_io_media *media;
    struct rn_write_look *look; /* NULL where nothing can be opened */
    const AVFormatContext *is;  /* likewise */
};

/* A list for a line; zeroed it is empty. */
struct rn_write_names {
    char text[160];
    int n, left; /* counted; those that found no place */
};

void rn_write_names_add(struct rn_write_names *names, const char *name);

/* Whether a tag says something of the contents, rather than of the old file or its maker. */
bool rn_write_is_worth_keeping(const AVDictionaryEntry *tag);

/* Whether tags hold the same. */
bool rn_write_has_tag(const AVDictionary *tags, const AVDictionaryEntry *tag);

/* The list, with how many more there are; names owns it. */
const char *rn_write_names_text(struct rn_write_names *names);

/* text, unless the output's container keeps that already: then "". */
const char *rn_write_advice(const struct rn_write_pair *p, const char *text,
                            enum rn_container_kept kept);

/* Adds a line to the loss report: the output's name, text, and more behind it. */
void rn_write_lose(const struct rn_write_pair *p, const char *kind, const char *text,
                   const char *more);

/* Compares the pictures. */
void rn_write_compare_pictures(const struct rn_write_pair *p);

/* Compares when pictures and sound end in the file, and how many packets of them it has, with what
 * was written. Call it last: the look ends at the end of the file. */
void rn_write_compare_lengths(const struct rn_write_pair *p);

/* The timecode that a file names, or one of its streams; NULL: none does. */
const char *rn_write_compare_timecode(const AVFormatContext *fmt);

/* The stream of the output that stream i of what was given to the muxer has become, or NULL. */
const AVStream *rn_write_compare_find(const struct rn_write_pair *p, unsigned i);

#endif
