/* SPDX-License-Identifier: MIT */
/* Properties of containers that libav does not tell, in one row for each container. Readers,
 * writers and reports look properties up here; no other code compares names of containers
 * (tests/lint.sh). To add a container, add its row to table.c.
 *
 * A property of 0 means that nothing is known. Rows are constant; any thread may use them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavformat/avformat.h>

struct rn_container_input; /* io/containers/checks/checks.h */
struct rn_io_damage;       /* io/common/ledger.h */
struct rn_io_media;        /* io/common/media.h */

/* The muxer for stdout, the demuxer and muxer of single images, the demuxer of filter graphs. */
#define RN_CONTAINER_FOR_STDOUT "yuv4mpegpipe"
#define RN_CONTAINER_OF_IMAGES  "image2"
#define RN_CONTAINER_OF_GRAPHS  "lavfi"

/* An index that lists what the file holds. */
enum rn_container_index {
    RN_INDEX_NONE,    /* or one that serves seeking alone */
    RN_INDEX_SAMPLES, /* all samples; those of fragments as they are read */
    RN_INDEX_CHUNKS,  /* all chunks; libav makes one while reading if it is missing */
};

/* How the container says how long each stream is as a whole. */
enum rn_container_totals {
    RN_TOTALS_NONE,
    RN_TOTALS_SAMPLES, /* the durations of all samples */
    RN_TOTALS_STEPS,   /* steps of the rate, some of them without a picture */
    RN_TOTALS_PACKETS, /* packets; they are numbered, so those behind a loss keep time */
    RN_TOTALS_TAGS,    /* tags of the stream: DURATION, NUMBER_OF_FRAMES */
};

/* Gaps that are losses; behind other gaps a recording may have paused. */
enum rn_container_gap {
    RN_GAP_OF_CLOCK = 1,        /* pictures have a constant rate by the file's clock */
    RN_GAP_OF_SOUND_CLOCK = 2,  /* sound follows the clock without a pause */
    RN_GAP_AT_HOLE = 4,         /* a gap of pictures where no packet holds the bytes */
    RN_GAP_OF_SOUND_AT_HOLE = 8 /* the same for sound */
};

/* The times at which pictures can be written. */
enum rn_container_rate {
    RN_RATE_FREE,
    RN_RATE_STEPS,    /* at steps of a rate; empty chunks fill those without a picture */
    RN_RATE_CONSTANT, /* one at every step */
};

/* Where the duration of the last picture is stored. */
enum rn_container_last_duration {
    RN_LAST_TOLD,   /* in its packet */
    RN_LAST_SUM,    /* in the sum of all durations, in the order of decoding */
    RN_LAST_OPTION, /* in the muxer's option final_delay, in 1/100 s */
    RN_LAST_UNTOLD, /* nowhere: the container stores only when pictures begin */
};

/* How an attached picture is written. */
enum rn_container_cover {
    RN_CONTAINER_COVER_NONE,
    RN_CONTAINER_COVER_FILE,    /* as an attached file */
    RN_CONTAINER_COVER_STREAM,  /* as a stream of one packet */
    RN_CONTAINER_COVER_DROPPED, /* the muxer takes it and drops it */
};

/* What the container keeps of an input, for the advice of the loss report. */
enum rn_container_kept {
    RN_KEEPS_TAGS = 1 << 0,
    RN_KEEPS_STREAM_TAGS = 1 << 1,
    RN_KEEPS_STREAMS = 1 << 2, /* of every kind */
    RN_KEEPS_DISPOSITIONS = 1 << 3,
    RN_KEEPS_CHAPTERS = 1 << 4,
    RN_KEEPS_PROGRAMS = 1 << 5,
    RN_KEEPS_TIMECODE = 1 << 6,
    RN_KEEPS_ASPECT = 1 << 7,
    RN_KEEPS_ROTATION = 1 << 8,
    RN_KEEPS_COLOUR = 1 << 9, /* tags, range, and the light of HDR */
    RN_KEEPS_STEREO = 1 << 10,
    RN_KEEPS_SPHERICAL = 1 << 11,
    RN_KEEPS_ALPHA = 1 << 12,
    RN_KEEPS_CHANNELS = 1 << 13, /* which speakers the channels of sound are for */
};

/* Checks of a file; the members of struct rn_container say what each returns. Any thread. */
typedef bool rn_container_complete_fn(int fd, int64_t size);
typedef int64_t rn_container_packet_size_fn(int fd);
typedef int64_t rn_container_first_hole_fn(int fd, int64_t size);
typedef bool rn_container_joined_fn(const struct rn_container_input *input);
typedef void rn_container_missing_fn(const struct rn_container_input *input,
                                     struct rn_io_damage *damage);
typedef int rn_container_loop_fn(const uint8_t *head, int n);

/* Puts tags, languages, chapters and loops of media so that the muxer of out writes them: changes
 * metadata of out and its streams, and private options of the muxer. Called when all streams are
 * described, before the header is written. video: the stream of the pictures. options: the user's,
 * which come before what is chosen here; may be added to. Returns 0 or RN_EINTERNAL (logged). */
typedef int rn_container_metadata_fn(AVFormatContext *out, const struct rn_io_media *media,
                                     AVStream *video, AVDictionary **options);

enum rn_container_use {
    RN_CONTAINER_FOR_PLAYERS = 1, /* browsers and phones */
    RN_CONTAINER_FOR_TV = 2,
    RN_CONTAINER_FOR_ARCHIVES = 4,
    RN_CONTAINER_FOR_EDITING = 8,
};

struct rn_container {
    /* Names that libav gives its demuxer, in full, and its muxers, separated by commas. NULL: it is
     * not read, or not written, with properties of its own. */
    const char *demuxer, *muxers;

    /* ---- reading: how much there is */
    enum rn_container_index index;
    enum rn_container_totals totals;
    bool total_bounds;       /* no packet that the file had ends far before its duration */
    bool shared_duration;    /* the duration of a stream is that of the file */
    bool average_duration;   /* all pictures of a stream have the average duration */
    bool header_rewritten;   /* muxers write into the header when each stream ends */
    bool endless;            /* a generator: it has no end, and no packet comes later than now */
    const char *no_pictures; /* why it has no pictures: sound (libav would unpack gzip), or text */
    const char *frame_mark;  /* what stands in front of each frame, usually; NULL: nothing known */
    bool bare_frames;        /* holds only frames of one size; the last one may be cut */

    /* ---- reading: times */
    unsigned losses;      /* gaps that are losses: enum rn_container_gap */
    bool pictures_abut;   /* each picture lasts until the next: there are no gaps */
    bool sound_abuts;     /* the same for sound */
    bool clock_restarts;  /* in joined files the times restart */
    bool whole_times;     /* its own times are right; those that libav fills in may be wrong */
    double max_read_rate; /* frames/s: readers show faster files at this rate; 0: no limit */

    /* ---- reading: bytes */
    int packet_header;      /* bytes before each packet if nothing else separates them; else 0 */
    bool found_by_bytes;    /* packets are found from any byte on; there is no index */
    bool transport_packets; /* libav reads it through io/containers/mpegts */
    bool seeks_subtitles;   /* a seek also finds the subtitle that is on screen */
    bool changing_aspect;   /* the demuxer's aspect is that of the last packet read */
    const char *harmless;   /* an error that libav also logs for undamaged files */

    /* ---- reading: checks of a file, in files of io/containers; NULL: there is none */
    rn_container_complete_fn *is_complete; /* is its end there? */
    rn_container_joined_fn *is_joined;     /* does another file follow that libav does not read? */
    rn_container_missing_fn *find_missing; /* adds what the demuxer passes over without a word */
    rn_container_loop_fn *loop_count;      /* of an animation: 1.., RN_LOOP_FOREVER, 0: unknown */
    bool reads_joined; /* packets of a file that follows are read, but not all */
    /* Where the first bytes stand, among the packets, that are no element of the container or were
     * made void; INT64_MAX: nowhere, so that pauses of pictures are no losses. */
    rn_container_first_hole_fn *first_hole;
    /* How an index, tags or padding begin, one of which follows on the last packet unless the file
     * ends there; ended by NULL. NULL: not known. */
    const char *const *end_marks;
    int elided_bytes; /* at most, that packets leave out at their beginning */
    rn_container_packet_size_fn *packet_size; /* where libav tells only where packets begin */

    unsigned uses; /* what its files are delivered for: enum rn_container_use */

    /* ---- writing: what it holds */
    const char *extension; /* that the loss report suggests for streams that others cannot hold */
    const char *video_encoder, *alpha_encoder, *audio_encoder; /* NULL: the muxer's own default */
    const enum AVCodecID *codecs;       /* that can be read again; NULL: what the muxer takes */
    bool codecs_of_sound_only;          /* codecs lists no others */
    const enum AVPixelFormat *pix_fmts; /* that its muxer writes; NULL: all of the encoder's */
    bool header_needs_pictures;         /* a header of sound alone fails */
    bool experimental;      /* its muxer calls codings experimental that are standards now */
    bool needs_start_codes; /* H.264 and HEVC with start codes only */
    bool prefers_alac;      /* for lossless sound; else FLAC comes first */
    bool tells_range;       /* full or limited, whatever the coding says */
    bool no_header;         /* nothing describes the samples */
    bool attachments;
    enum rn_container_cover cover;
    unsigned hevc_tag; /* the sample entry that all players know; 0: the muxer's */
    unsigned keeps;    /* enum rn_container_kept */

    /* ---- writing: times */
    enum rn_container_rate rate;
    bool listed_rates; /* it has a list of rates, none below 1 frame/s */
    enum rn_container_last_duration last_duration;
    bool untimed;        /* pictures have no times: readers make some up */
    bool starts_at_zero; /* all streams begin at 0 and have no times: see io/write/mux/avi.c */
    bool sound_untimed;  /* sound begins with the file and never pauses */
    bool pcm_untimed;    /* PCM never pauses */
    bool keeps_negative_times; /* streams may begin before 0 */
    bool edit_lists;           /* what lies before 0 stays hidden */
    bool subtracts_delay;      /* demuxers subtract the codec delay from the times */
    bool rate_is_duration;     /* the average rate becomes the duration of every picture */
    bool movie_timescale;      /* the muxer has that option, too coarse by default */
    bool pcm_needs_layout;     /* every channel of PCM needs a place */
    int sound_rate;            /* the only one, in Hz; 0: any */
    bool sound_bit_rate_harms; /* some bit rates give frames that libav cannot read */

    /* ---- writing: the file */
    bool needs_seek;       /* cannot be written to a pipe */
    bool index_in_trailer; /* of no use without it */
    bool always_readable;  /* if libav cannot read it again, the muxer went wrong */
    int trailer_bytes;     /* at most, without what depends on packets; not of index_in_trailer */
    int trailer_per_packet, trailer_per_key; /* bytes that packets add to it */
    int packet_overhead;                     /* bytes beside those of a packet; 0: the usual */
    int pack_bytes; /* packets are cut into packs of this size, and the last is filled up */
    const char *fixed_ids_extension; /* of names whose files have PIDs of their own; NULL: none */
    rn_container_metadata_fn *fit_metadata; /* NULL: the muxer writes it as it is */
};

/* The row of what a demuxer reads; NULL, and one that the table does not name, has the row of all
 * others. Never NULL. */
const struct rn_container *rn_container_of_demuxer(const AVInputFormat *demuxer);

/* The row of an opened input, or NULL for image files. */
static inline const struct rn_container *rn_container_of_input(const AVFormatContext *fmt)
{
    return rn_container_of_demuxer(fmt ? fmt->iformat : NULL);
}

/* The row of an output, likewise. */
const struct rn_container *rn_container_of_output(const AVOutputFormat *of);

/* Do the streams of an output of this name keep no PIDs of the input's? */
bool rn_container_has_fixed_ids(const struct rn_container *container, const char *name);

/* Row i, in the order of the table; NULL behind the last one. */
const struct rn_container *rn_container_row(size_t i);

/* The muxer of the first name of a row. NULL: this libav has none. */
const AVOutputFormat *rn_container_muxer(const struct rn_container *container);
