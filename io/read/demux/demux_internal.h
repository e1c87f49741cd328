/* The state of a demuxer, for the files that share it: demux.c opens it, reads packets and seeks,
 * demux_lost.c looks for what is missing between packets, demux_end.c once all was read. */
#ifndef RN_IO_READ_DEMUX_DEMUX_INTERNAL_H
#define RN_IO_READ_DEMUX_DEMUX_INTERNAL_H

#include "io/read/demux/announced.h"
#include "io/read/demux/av_input.h"
#include "io/read/demux/discontinuity.h"
#include "io/read/demux/holes.h"
#include "io/read/demux/packets.h"
#include "io/read/demux/pauses.h"

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
    int64_t held;      /* time of all packets together, in the stream's time base */
    struct rn_read_pause pause;
    struct rn_read_listed_sound listed; /* on opening */
    int64_t corrupt_ts;                 /* of the first of them */
    bool follows;                       /* a packet came since the opening or a seek */
};

struct demux {
    struct rn_read_packets base;
    const char *input; /* as given */
    const struct rn_read_opts *opts;
    atomic_bool *stop;
    struct rn_read_av_input in;
    struct track *track; /* of the ntracks streams that there were on opening */
    int ntracks;
    int nlate;         /* streams up to this one were counted as found too late */
    struct track late; /* pictures of such streams */
    struct rn_read_discontinuity *jumps;
    AVPacket *held;                   /* read ahead by seeking */
    struct rn_io_frame_data *skipped; /* likewise, by going forward without a seek */
    int taken;                        /* of those */
    struct rn_read_holes holes;
    struct rn_read_pauses pauses;
    int64_t end_us;  /* largest end of a packet, any stream */
    int64_t end_pos; /* end of the last packet of the pictures in the file */
    int64_t video_end_us;
    int bad_reads;
    size_t back; /* which of seek's ways back was taken last */
    bool sought; /* since the opening: packets were left out */
    int nindex;  /* entries that the container's own index had on opening */
};

/* How many frames so many seconds have; 0: it cannot be told. Broken files have rates of n/0. */
static inline int64_t rn_read_demux_frames_in(double seconds, double rate)
{
    double frames = seconds > 0 && rate > 0 ? seconds * rate + 0.5 : 0;
    return frames < 1e15 ? (int64_t)frames : 0;
}

/* Counts a stream beside the pictures as damaged, once. */
void rn_read_demux_count_other(struct demux *d, int stream);

/* Counts the broken packets of stream i that wait for it. */
void rn_read_demux_settle_corrupt(struct demux *d, int i);

/* Learns of a packet that was just read, before it is accounted for, and notes what is missing in
 * front of it. jumped: it is the first of its stream behind a jump of the clock. */
void rn_read_demux_note_lost(struct demux *d, const AVPacket *pkt, bool jumped);

/* See finish of rn_read_packets_ops. */
void rn_read_demux_finish(struct rn_read_packets *p);

#endif
