/* SPDX-License-Identifier: MIT */
/* The interface between a source and the readers, one for each kind of input. The readers of media
 * files, pipes and generators (a demuxer) and of image files give packets, which the source
 * decodes. Those of volumes (also TIFF and DICOM) put samples directly into frames. The source does
 * seeking (source_seek.c), ranges and everything else for all of them.
 *
 * To add a kind: fill a struct that begins with struct rn_read_input and its table of functions,
 * and enter a match and an open function in source.c. A reader belongs to one thread at a time. */
#pragma once

#include <sys/stat.h>

#include <libavcodec/avcodec.h>

#include "io/common/av.h"
#include "io/common/frame_data.h"
#include "io/containers/table.h"

struct rn_read_input;
struct rn_vol; /* io/volumes/volume.h */

struct rn_read_input_ops {
    /* One of these two. */

    /* Reads the next packet of the pictures' stream into pkt, which is empty. Packets of other
     * streams that stand before it are appended to data. Returns 0, RN_END or an error (logged). */
    int (*next)(struct rn_read_input *in, AVPacket *pkt);
    /* Puts the next picture into frame, whatever it held: samples, best_effort_timestamp and
     * duration. Returns likewise. */
    int (*picture)(struct rn_read_input *in, AVFrame *frame);

    /* Says whether `picture` may leave out the samples of the next picture, or leave_out its
     * packet. With samples. */
    bool (*is_apart)(struct rn_read_input *in);
    /* Of readers that give packets: passes over the next one if is_apart, and sets of pkt all but
     * its data. go_back: the next picture is that at pts again, which was left out. */
    bool (*leave_out)(struct rn_read_input *in, AVPacket *pkt);
    void (*go_back)(struct rn_read_input *in, int64_t pts);
    /* Fills img with the samples of the picture at pts, which `picture` left out. Any threads,
     * several at once, also beside the other functions. *copied: they were copied or converted on
     * their way. Returns false if they are not whole, or there is something to report of them: seek
     * and picture do that. Optional. */
    bool (*samples)(const struct rn_read_input *in, int64_t pts, struct rn_image *img,
                    bool *copied);

    /* Learns that the picture at pts came out of the decoder; ok: without errors. Optional. */
    void (*decoded)(struct rn_read_input *in, int64_t pts, bool ok);
    /* Looks for what is missing and adds it to damage. Called when the input was read to its end
     * and all pictures have come out of the decoder. Optional. */
    void (*finish)(struct rn_read_input *in);
    /* The number of packets of the pictures that the container lists, from the first one read to
     * the last one read, or to the end (whole). -1: it lists none. Optional: -1. */
    int64_t (*announced)(struct rn_read_input *in, bool whole);
    /* Returns true if all other streams were read up to time us. Optional: true. */
    bool (*other_streams_read_to)(const struct rn_read_input *in, int64_t us);
    /* Names the file that holds the picture at pts, NULL if that is the whole input, and sets
     * *number to its number in a numbered sequence, else to -1. Optional. */
    const char *(*name)(const struct rn_read_input *in, int64_t pts, int64_t *number);
    /* Seeks to a position from which the picture at pts target can be decoded, and empties data.
     * target is not before the first picture. again: the decoder found that the last position was
     * too late; seeks further back. fmt and par may change. Returns 0, RN_END if there is nothing
     * further back, RN_EUSAGE (not logged) if this input cannot seek, or an error (logged).
     * Optional: it cannot. */
    int (*seek)(struct rn_read_input *in, int64_t target, bool again);
    /* The number of the picture at pts, counted from 0 over the whole input. Optional: pictures
     * have to be counted. */
    int64_t (*index)(const struct rn_read_input *in, int64_t pts);
    /* Releases everything and the reader itself. */
    void (*close)(struct rn_read_input *in);
};

struct rn_read_input {
    const struct rn_read_input_ops *ops;

    /* Set on opening. */
    const AVCodecParameters *par;       /* of those that give packets; else of no codec */
    AVRational time_base, rate, aspect; /* rate and aspect may be 0/0 or 0/1: unknown */
    int64_t start_us;                   /* the moment that --from and --to count from */
    int64_t frames;       /* pictures in the input or, of stills, that will come; -1: unknown */
    double duration;      /* seconds; < 0: unknown */
    bool exact;           /* frames was counted, not estimated */
    bool short_range;     /* of stills: the input ends before the range does */
    int begin, end, next; /* of stills: the range of pictures; next == end: all were read */
    AVFormatContext *fmt; /* NULL for image files */
    const struct rn_container *container; /* of fmt; for image files the row of all others */
    int video;                            /* index of the pictures' stream in fmt */
    int loop_count;                       /* as in rn_io_media */
    bool paced;                           /* not stills, but at the rate of the options */
    bool seekable;                        /* ops->seek can do it */
    bool ambiguous;              /* ops->seek goes by times, which may occur twice in the file */
    const struct rn_vol *volume; /* of a scan: all of the input; what the samples are; else NULL */

    struct rn_read_file *file; /* that it was opened with: rn_read_note_file */
    int files;

    /* While reading. */
    int64_t before; /* pictures in front of the packet read first, or since a seek; -1: unknown */
    /* Set by the source: a seek reads all packets in front of its target, as the clock jumps, or so
     * that they are counted. */
    bool must_read_all;
    /* Set by the source: picture leaves samples out that `samples` can read, and the frame has no
     * buffer. */
    bool leaves_out;
    struct rn_io_frame_data
        *data;          /* for the next frame; never NULL; the source takes packets out */
    int64_t read;       /* packets of the pictures, since the opening or a seek */
    int64_t corrupt;    /* broken packets among those of the pictures */
    bool unbroken;      /* the container counts packets: none of the pictures is missing */
    int64_t breaks;     /* places where it counts some that are */
    double sound_short; /* seconds by which sound ends before the pictures; at the end */
    struct rn_io_damage
        damage; /* missing pictures, broken packets of other streams; the first text */
    struct rn_io_watch watch; /* errors of demuxer and decoder */
};

/* Open an input of the kind. input, opts: borrowed until the reader is closed. stop: another thread
 * sets it to end a read that blocks. Return 0 or an error (logged); *in is set on success. */
int rn_read_demux_open(struct rn_read_input **in, const char *input,
                       const struct rn_io_read_opts *opts, atomic_bool *stop);
int rn_read_images_open(struct rn_read_input **in, const char *input,
                        const struct rn_io_read_opts *opts, atomic_bool *stop);
int rn_vol_tiff_open_stack(struct rn_read_input **in, const char *input,
                           const struct rn_io_read_opts *opts, atomic_bool *stop);
int rn_dicom_open(struct rn_read_input **in, const char *input, const struct rn_io_read_opts *opts,
                  atomic_bool *stop);

/* Volumes in one array (io/volumes/layout.h), also those that opts->raw describes. */
int rn_vol_array_open(struct rn_read_input **in, const char *input,
                      const struct rn_io_read_opts *opts, atomic_bool *stop);

/* Says whether input is one of them that has a header. */
bool rn_vol_array_match(const char *input);

/* Says whether input is DICOM: a file, a glob or pattern of such names, or a folder of a series. */
bool rn_dicom_match(const char *input);

/* Says whether input is image files: a pattern, a glob, a folder, or a file with one image. */
bool rn_read_images_match(const char *input);

/* Says whether input is a TIFF with several pages, or of a kind that only libtiff reads. */
bool rn_vol_tiff_match(const char *input);

/* Sets the fields of p that readers of image files, pages and slices share, which know each picture
 * by its index before they read it: the frame rate of the options, which gives pictures their
 * times, the time base, and empty data. p->data is NULL when out of memory. */
void rn_read_stills_begin(struct rn_read_input *p, const struct rn_read_input_ops *ops,
                          const struct rn_io_read_opts *opts);

/* Applies --from, --to and --frames to its n pictures: sets begin, end, next, short_range, frames
 * and duration. number: of each, ascending, a gap in which is one in time; NULL: it has none. what:
 * pictures in messages. Returns 0, or RN_EUSAGE (logged) if none is left. */
int rn_read_stills_range(struct rn_read_input *p, const struct rn_io_read_opts *opts, int n,
                         const int64_t *number, const char *what);

/* ---- its files */

#define RN_HELD_FILES 2 /* of so few each is held open: a header and its samples */

/* Notes a file of the input with its status before it is opened; st NULL: the one that it has now,
 * if there is such a file. Returns 0 or RN_EINTERNAL (logged). The reader's close calls
 * rn_read_forget_files. */
int rn_read_note_file(struct rn_read_input *in, const char *path, const struct stat *st);
void rn_read_forget_files(struct rn_read_input *in);

/* Is the file with this status part of the input? */
bool rn_read_has_file(const struct rn_read_input *in, const struct stat *st);

/* Is a file of the input shorter than it was when it was noted? */
bool rn_read_has_shrunk(const struct rn_read_input *in);

/* ---- what an input is */

/* Returns true for single pictures (image files, pages, slices), whose indices are known before
 * they are read. Their reader applies --from, --to and --frames itself, pictures may have names,
 * and there are no clock and no other streams. */
static inline bool rn_read_is_stills(const struct rn_read_input *p)
{
    return p->ops->index != NULL;
}

/* The pictures' stream in the container; NULL: they are stills. */
static inline const AVStream *rn_read_stream_in(const struct rn_read_input *p)
{
    return p->fmt ? p->fmt->streams[p->video] : NULL;
}

/* ---- shared by all */

/* Returns true if stream i of fmt is copied to outputs with the pictures of stream `video`. */
bool rn_read_stream_is_copied(const AVFormatContext *fmt, int video, int i);

/* The first stream of a type that is; -1: none. */
int rn_read_first_copied(const AVFormatContext *fmt, int video, enum AVMediaType type);
