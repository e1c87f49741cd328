/* Where a source takes its compressed pictures from: a demuxer, or image files one by one. The
 * decoding above it (source.c) is the same for both. */
#ifndef RN_PACKETS_H
#define RN_PACKETS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "io/av.h"
#include "io/side.h"
#include "io/source.h"

struct rn_packets;

struct rn_packets_ops {
    /* The next packet of the pictures' stream. Returns 0, RN_END, or an error (logged). Packets of
     * other streams on the way to it are appended to side. */
    int (*next)(struct rn_packets *packets, AVPacket *pkt);
    /* A picture came out of the decoder. ok: without errors. Optional. */
    void (*decoded)(struct rn_packets *packets, int64_t pts, bool ok);
    /* The input was read to its end and all pictures came out: looks for what is missing. */
    void (*finish)(struct rn_packets *packets);
    /* All other streams were read up to time us. Optional. */
    bool (*others_past)(const struct rn_packets *packets, int64_t us);
    /* The file that the picture at pts comes from; NULL if that is the whole input. Optional. */
    const char *(*name)(const struct rn_packets *packets, int64_t pts, int64_t *number);
    /* Goes to where the picture at pts target (not before the first one's) can be decoded from, and
     * empties side. again: the last place was too late, as the decoder found; goes further back.
     * Returns 0, RN_END if there is nothing further back, RN_EUSAGE (not logged) if this input
     * cannot seek, or an error (logged). fmt and par may be others afterwards. Optional. */
    int (*seek)(struct rn_packets *packets, int64_t target, bool again);
    bool (*is_file)(const struct rn_packets *packets, const struct stat *st);
    void (*close)(struct rn_packets *packets);
};

struct rn_packets {
    const struct rn_packets_ops *ops;

    /* Set on opening. */
    const AVCodecParameters *par;
    AVRational time_base, rate, aspect; /* rate and aspect may be 0/0 or 0/1: unknown */
    int64_t start_us;                   /* the moment that --from and --to count from */
    int64_t frames;       /* pictures in the input or, if ranged, that will come; -1 */
    double duration;      /* seconds; < 0 unknown */
    bool ranged;          /* from, to and frames of the options were applied already */
    AVFormatContext *fmt; /* NULL for image files */
    int video;            /* index of the pictures' stream in fmt */

    /* While reading. */
    struct rn_side *side; /* never NULL; the reader takes packets out of it */
    int64_t corrupt;      /* broken packets among those given */
    struct rn_damage
        damage;            /* missing pictures, broken packets of other streams; the first of all */
    struct rn_watch watch; /* errors of demuxer and decoder */
};

/* stop: set by another thread to end a read that blocks. Return 0 or an error (logged). */
int rn_demux_open(struct rn_packets **packets, const char *input, const struct rn_source_opts *opts,
                  atomic_bool *stop);
int rn_images_open(struct rn_packets **packets, const char *input,
                   const struct rn_source_opts *opts, atomic_bool *stop);
int rn_tiff_open_stack(struct rn_packets **packets, const char *input,
                       const struct rn_source_opts *opts, atomic_bool *stop);
int rn_dicom_open(struct rn_packets **packets, const char *input, const struct rn_source_opts *opts,
                  atomic_bool *stop);

/* Says whether input is DICOM: a file, a glob or a pattern of such names, or a folder of a series.
 */
bool rn_dicom_match(const char *input);

/* Says whether input is image files: a pattern, a glob, a folder, or a file with one image. */
bool rn_images_match(const char *input);

/* Says whether input is a TIFF with several pages, or of a kind that only libtiff reads. */
bool rn_tiff_match(const char *input);

/* For inputs whose pictures are counted before they are read, such as pages: sets what they have in
 * common; p->side is NULL when out of memory. */
void rn_pages_begin(struct rn_packets *p, const struct rn_packets_ops *ops,
                    const struct rn_source_opts *opts);

/* Applies from, to and frames to n pictures: *begin and *end (exclusive) of those to read. what:
 * the word for pictures, for the message. Returns 0 or RN_EUSAGE (logged). */
int rn_pages_range(struct rn_packets *p, const struct rn_source_opts *opts, int n, const char *what,
                   int *begin, int *end);

/* Keeps the text if it is the first about damage. */
void rn_damage_note(struct rn_damage *damage, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Does stream i of fmt travel to an output beside the pictures of stream `video`? */
bool rn_stream_carried(const AVFormatContext *fmt, int video, int i);

#endif
