/* SPDX-License-Identifier: MIT */
/* The state of a demuxer, for the files that share it: demux.c opens it, reads packets and seeks,
 * av_input.c lets libav open the input, discontinuity.c repairs times, demux_lost.c looks for what
 * is missing. */
#pragma once

#include "io/read/input.h"

#include "io/containers/mpegts/packet_filter.h"
#include "io/read/demux/announced.h"
#include "io/volumes/bytes.h"

/* ---- av_input.c */

/* Opens one input with libav, and nothing that the input names.
 *
 * The user named one file or address, whose contents may be hostile. Some formats name further
 * files or addresses to open: playlists (HLS, DASH, concat, SDP), whatever their file is called,
 * and references in MOV. Opening those could read private files, or tell a server who reads what.
 * So libav may open nothing further, unless the user allows it. */
struct rn_read_av_input {
    AVFormatContext *fmt;
    AVIOContext *io; /* of the input itself; NULL: its demuxer makes it or connects by itself */
    AVIOContext *transport; /* reads io if it is MPEG-TS; else NULL */
    bool is_stdin;
    bool is_pipe; /* stdin, or what stands in a folder and is no regular file */
    bool is_file; /* a regular file, which had this status */
    struct stat st;
    bool paced;     /* at the rate of the options */
    int loop_count; /* as in rn_io_media */
};

/* Opens name as far as libav's stream information: a path, an address, "-" (stdin) or lavfi:GRAPH.
 * in: zeroed or closed; the caller closes it, also on failure. opts: how far to probe, and whether
 * what the input names may be opened. watch: takes libav's errors from the moment on that the
 * format is known, as long as in->fmt is used. *stop: makes a blocked call return soon, now and as
 * long as in->fmt is used. Returns 0, RN_EINPUT or RN_EINTERNAL (logged). */
int rn_read_av_input_open(struct rn_read_av_input *in, const char *name,
                          const struct rn_io_read_opts *opts, struct rn_io_watch *watch,
                          const atomic_bool *stop);
void rn_read_av_input_close(struct rn_read_av_input *in);

/* ---- discontinuity.c */

/* Repairs jumps of the timestamps in containers whose clock may jump (MPEG-TS, MPEG-PS, Ogg):
 * recordings joined end to end, a clock that was set anew, a 33-bit counter that went round; and in
 * others whose counter goes round (FLV).
 *
 * Between two jumps all streams run on one clock, so all get the same offset. Streams meet a jump
 * at different moments: each keeps to the offset that makes its own times go on, and the first one
 * that no known offset suits makes a new one. Belongs to the thread of the packets. */
struct rn_read_discontinuity {
    struct rn_read_one_clock *stretch; /* the first has offset 0 */
    size_t n;                          /* behind the first is one for each jump found so far */
    struct rn_read_clock_track *track;
    int ntracks, video;
    bool may_jump; /* the clock of the container may */
};

/* For the streams that fmt has now; video: the stream whose times have to go on without a gap.
 * Returns false when out of memory. */
bool rn_read_discontinuity_open(struct rn_read_discontinuity *d, const AVFormatContext *fmt,
                                int video);
/* Legal on a zeroed one. */
void rn_read_discontinuity_close(struct rn_read_discontinuity *d);

/* Moves the times of a packet that was just read from fmt. Returns true if the packet is the first
 * of its stream behind a jump; *made: and the first of all streams. */
bool rn_read_discontinuity_repair(struct rn_read_discontinuity *d, const AVFormatContext *fmt,
                                  AVPacket *pkt, bool *made);

/* After a seek: the next packets need not follow the last ones. Which offset is theirs is known by
 * their place in the file, as far as the file was read before. */
void rn_read_discontinuity_restart(struct rn_read_discontinuity *d);

/* ---- what is missing between packets: demux_lost.c */

/* Pictures that were overwritten in a file: time that no picture covers, where the file has bytes
 * that no packet holds. Where frames of variable rate were never recorded, the next packet follows
 * right behind the last one. Zeroed at the beginning and by a seek. */
struct rn_read_holes {
    bool begun;
    int64_t end;   /* of all packets so far, in the file */
    int64_t pos;   /* of the last one; those of one block of Matroska begin together */
    int64_t dts;   /* of the last picture; AV_NOPTS_VALUE: unknown */
    int64_t fresh; /* bytes of a hole whose time is still to come */
    int wait;      /* pictures to come until that is too late */
    int64_t pictures, bytes;
    double at, seconds; /* of the first */
};

/* Sound that is missing: a pause in a stream of sound where the file has bytes that no packet
 * holds, and every pause where the container carries a clock. Else, where sound was never recorded,
 * the next packets follow right behind the last ones. Of the whole file; zeroed likewise. */
struct rn_read_pauses {
    int64_t end, pos;      /* of all packets so far in the file, and of the last one */
    int64_t unheld, spent; /* bytes between packets; those of them that packets need anyway */
};

/* Of one stream; zeroed likewise. */
struct rn_read_pause {
    bool begun;
    int64_t next;          /* when its next packet should begin, in its time base */
    int64_t unheld, spent; /* of the file, at its last packet */
    int64_t steady, late;  /* packets that followed the one before, and that did not */
    double missing, at;    /* seconds before some packets ago, and where; 0: none */
    int wait;              /* packets to come until that is sure */
};

/* ---- regular.c: pictures at regular places of a file */

struct rn_read_regular {
    struct rn_vol_bytes *bytes; /* NULL: there are none */
    int64_t first, step;        /* offset of the first picture's text; from picture to picture */
    int64_t pictures;           /* that are whole */
    bool behind;                /* libavformat stands where pictures were left out */
};

/* ---- the demuxer */

struct track {
    int64_t first_dts; /* in the stream's time base, since the opening or a seek */
    int64_t last_dts;
    bool damaged;      /* counted already; pictures are counted one by one, other streams once */
    int corrupt;       /* broken packets not yet counted: they may be a jump's doing */
    int since;         /* packets after the last of them */
    int64_t n;         /* packets */
    int64_t bytes;     /* of them */
    int64_t first_pos; /* in the file, of the first of them */
    int64_t last_pos;  /* and of the last one */
    int64_t first_us;  /* the earliest beginning of one of them */
    int64_t end_us;    /* the latest end */
    int64_t untold_us; /* a likely duration of the last one, if it does not tell */
    int64_t duration;  /* of all packets together, in the stream's time base */
    struct rn_read_pause pause;
    struct rn_read_listed_sound listed; /* on opening */
    int64_t corrupt_ts;                 /* of the first of them */
    bool follows;                       /* a packet came since the opening or a seek */
};

struct demux {
    struct rn_read_input base;
    const char *input; /* as given */
    const struct rn_io_read_opts *opts;
    atomic_bool *stop;
    struct rn_read_av_input in;
    struct track *track; /* of the ntracks streams that there were on opening */
    int ntracks;
    int nlate;         /* streams up to this one were counted as found too late */
    struct track late; /* pictures of such streams */
    struct rn_read_discontinuity clock;
    struct rn_io_frame_data *ahead; /* packets of the pictures, read ahead by seeking */
    struct rn_read_holes holes;
    struct rn_read_pauses pauses;
    bool looked; /* for holes in the container's elements: */
    int64_t first_hole;
    int64_t end_us;  /* largest end of a packet, any stream */
    int64_t end_pos; /* end of the last packet of the pictures in the file */
    int bad_reads;
    size_t back;  /* which of seek's ways back was taken last, or FROM_BEGINNING */
    bool keyless; /* no keyframe was found between the beginning and a target */
    bool sought;  /* since the opening: packets were left out */
    int nindex;   /* entries that the container's own index had on opening */
    struct rn_read_counted counted;
    struct rn_read_regular regular;
};

/* Looks whether they are. Once, when the streams are known. */
void rn_read_regular_open(struct demux *d);

/* As struct rn_read_input_ops has them. leave_out sets all of a packet but its data. */
bool rn_read_regular_is_apart(struct rn_read_input *p);
bool rn_read_regular_leave_out(struct rn_read_input *p, AVPacket *pkt);
bool rn_read_regular_samples(const struct rn_read_input *p, int64_t pts, struct rn_image *img,
                             bool *copied);
void rn_read_regular_go_back(struct rn_read_input *p, int64_t pts);

/* Lets libavformat go on behind what was left out. */
void rn_read_regular_resume(struct demux *d);

/* Returns the number of frames in so many seconds; 0: unknown. Broken files have rates of n/0. */
static inline int64_t rn_read_demux_frames_in(double seconds, double rate)
{
    double frames = seconds > 0 && rate > 0 ? seconds * rate + 0.5 : 0;
    return frames < 1e15 ? (int64_t)frames : 0;
}

/* Counts a stream beside the pictures as damaged, once. */
void rn_read_demux_count_other(struct demux *d, int stream);

/* Counts the broken packets of stream i that wait for it. */
void rn_read_demux_settle_corrupt(struct demux *d, int i);

/* Learns of a packet that was just read and accounted for, and looks for holes in front of it. */
void rn_read_demux_add_hole(struct demux *d, const AVPacket *pkt);

/* Learns of a packet that was just read, before it is accounted for, and notes what is missing in
 * front of it. jumped: it is the first of its stream behind a jump of the clock. */
void rn_read_demux_note_lost(struct demux *d, const AVPacket *pkt, bool jumped);

/* See finish of rn_read_input_ops. */
void rn_read_demux_finish(struct rn_read_input *p);
