/* SPDX-License-Identifier: MIT */
/* The state of a source, for the files that share it: source.c opens it, pictures.c reads frame
 * after frame, source_seek.c decodes up to the picture that was asked for; both through decode.c,
 * which gets pictures from decoder.c. damage.c counts what went wrong, range.c goes on behind a
 * change. What serves one purpose alone has a header of its own: other_streams.h,
 * frame_numbering.h.
 *
 * The source decodes one picture ahead: `frame` is the picture that the next read gives. Everything
 * belongs to the reader's thread but `stop`, which any thread may set, and `intake`. */
#pragma once

#include <sys/resource.h>

#include "filters/base/threads/stall.h"
#include "io/common/av_versions.h"
#include "io/pixels/convert.h"
#include "io/read/decode/decode_watch.h"
#include "io/common/media.h"
#include "io/containers/file.h"
#include "io/read/input.h"
#include "io/read/decode/prepare.h"
#include "io/read/seek/frame_numbering.h"

struct rn_read_source;

/* ---- gaps in time: damage.c */

/* Watches whether pictures that else follow each other regularly leave gaps: time that no picture
 * covers, which no packet and no decoder tells of.
 *
 * What a gap means depends on the container. In those that carry a clock of constant rate (MPEG-PS,
 * MXF, GXF, DV and what is made of them) the pictures fill the time, so a gap, or pictures that
 * stand on the time of others, is a loss. MPEG-TS carries one, too, but counts its packets
 * (continuity.h): as long as none is missing, a recording of variable rate paused. In all others
 * each picture has a time of its own and the next one may come when it likes: screen and camera
 * recordings pause. There a gap alone is no loss, it is counted and said; it is one if bytes
 * without packets lie at its place (holes.h), or if the container lists more packets than came
 * (announced.h). Pictures that go back behind others are wrong everywhere. Streams of variable rate
 * are not judged: their gaps are meant. */

#define RN_CADENCE_TAIL 16 /* no coding moves a picture behind more others than that */

struct rn_read_cadence {
    bool begun;
    int64_t pts, duration;       /* of the last picture */
    int64_t regular, irregular;  /* steps from a picture to the next one */
    int64_t excess;              /* irregular steps less the durations of their pictures */
    int64_t gaps, gap;           /* steps that are too long, and by how much in all */
    int64_t worst, worst_at;     /* the longest gap or overlap and the pts before it */
    int64_t crowded, crowded_by; /* pictures that had to be moved behind others, and how far */
    int64_t steps;
    int64_t tail[RN_CADENCE_TAIL]; /* by how much step n was too long, at n modulo its size */
};

/* Learns of the next picture; all times in one time base. behind: by how much it came too early to
 * stand behind the one before; 0: not at all. */
void rn_read_cadence_add(struct rn_read_cadence *c, int64_t pts, int64_t duration, int64_t behind);

/* ---- change.c */

/* Pictures that change their size or shape in mid-stream (--on-change). An output has one size and
 * one shape, those of the first picture. */

/* A picture as it was decoded, and where it stands. */
struct rn_read_change_place {
    int w, h;
    int64_t number; /* -1: unknown, as nobody has asked for numbers */
    double time;    /* seconds */
};

/* One kind of change: since when, to what at first, and how many pictures. */
struct rn_read_change_count {
    int64_t pictures;
    struct rn_read_change_place first;
    int w, h;
    AVRational aspect;
    bool further; /* there were other sizes or shapes as well */
};

struct rn_read_changes {
    struct rn_read_change_count size;
    struct rn_read_change_count shape; /* of the samples alone */
    struct rn_read_change_count format;
    struct rn_read_change_count part; /* of the size before a crop, which finds another part then */
    int w, h; /* of the first picture as it was decoded; set by the caller */
    enum AVPixelFormat from, to;
    char stopped[256]; /* why reading has ended; "": it has not */
};

/* The shape of the samples of frame, which is prepared; num 0: unknown. A container that says how
 * large pictures are shown says it for all, and players follow it; the coding may change it. */
AVRational rn_read_change_aspect(const struct rn_read_input *in,
                                 const struct rn_read_prepare *prepare, const AVFrame *frame);

/* Looks at the picture in src->frame, the next one, of this number. Returns 0: it is to be given,
 * scaled if it has another size; RN_END: it is not, and the stream, or a part of it, ends before it
 * (--on-change stop and split); RN_EINPUT (logged): the files of a sequence differ in size, and
 * nobody asked for scaling. */
int rn_read_change_look(struct rn_read_source *src, int64_t number);

/* Adds what became of the pictures to the losses. */
void rn_read_change_report(const struct rn_read_source *src);

/* ---- range.c */

/* The range that --from, --to and --frames ask for. */
struct rn_read_range {
    int64_t from_us, to_us; /* those of the options, if they are in seconds; the input's times */
    int64_t end_us;         /* where it ends, better known on the way; INT64_MAX = with the input */
    int64_t requested_end_us; /* as it was known on opening */
    bool ended_by_option;     /* it has ended by --to or --frames, not with the input */
};

/* Converts times of the options, which count from zero_us, to times of the input. */
void rn_read_range_begin(struct rn_read_source *src, int64_t zero_us);

/* Sets both ends by what is known with the first picture, and stream.duration. */
void rn_read_range_set_end(struct rn_read_source *src);

/* Returns the number of pictures that will come, by the container; -1: unknown. */
int64_t rn_read_range_frames(const struct rn_read_source *src);

/* Returns true if that number is exact: the container's own count, of a range in frames. */
bool rn_read_range_is_exact(const struct rn_read_source *src);

/* Returns the duration of the range in seconds; < 0: unknown. */
double rn_read_range_duration(const struct rn_read_source *src);

/* Returns true if the picture in src->frame is before t, a limit of the range; us is its time. */
bool rn_read_range_is_before(const struct rn_read_source *src, const struct rn_io_time *t,
                             int64_t us);

/* Returns true if the input, read to its end, ended before --to or --frames. */
bool rn_read_range_is_short(const struct rn_read_source *src);

/* ---- the source */

/* Decoding errors. */
struct rn_read_faults {
    int64_t flagged; /* pictures with errors, and errors instead of pictures */
    int64_t logged;  /* pictures during whose decoding libav reported errors */
    int watched;     /* packets->watch.errors seen so far */
};

/* The pictures that a seek decodes on the way, see rn_read_cache_passed_pictures. */
struct rn_read_passed_pictures {
    struct rn_read_cached_picture *first, *last; /* in their order */
    size_t bytes, max_bytes;                     /* of all of them */
};

/* Decoders of several threads conceal damage otherwise than those of one, and overlook some of it;
 * those of one conceal it by what they decoded before. So a decoder of as many threads as there
 * are decodes what is whole. Where it shows a sign of damage, one of one thread decodes again and
 * looks where it is. From the point of entry before the damage a fresh one of one thread decodes
 * until two points of entry show none. So pixels and counts of a damaged input are the same with
 * any number of threads. */
enum rn_read_phase {
    RN_READ_WHOLE,  /* no sign of damage is known */
    RN_READ_SEARCH, /* several threads showed a sign: one looks for it */
    RN_READ_AGAIN,  /* a fresh decoder of one thread gives what is damaged */
};

struct rn_read_retry {
    enum rn_read_phase phase;
    bool varies; /* damaged pictures depend on threads; false: all is decoded once */
    struct rn_read_packet_history history;
    struct rn_io_watch overlooked; /* by a decoder whose errors do not count: all come again */
    int threads;                   /* of the decoder for what is whole */
    int64_t until;                 /* the last packet that another decoder got before; 0: none */
    int64_t newest;                /* the last packet whose picture came */
    int64_t damaged;               /* the packet that showed it */
    bool suspect;                  /* a packet was refused or is broken, or a picture unwritten */
    int64_t errors; /* of the input, at the last entry; -1: none came since the damage */
    int64_t resume; /* the packet of entry from which the decoder for what is whole goes on; 0 */
    struct rn_read_unwritten unwritten;
};

struct rn_read_source {
    char *name; /* as given */
    struct rn_io_read_opts opts;
    struct rlimit limit; /* of memory, before opening was confined */
    bool confined;
    struct rn_io_media media;
    struct rn_vol volume; /* of the pictures as they are given; media has it of scans */
    struct rn_read_input *in;
    AVCodecContext *dec;   /* NULL: the reader puts pictures into frames itself */
    AVBufferRef *hardware; /* that decodes; NULL: the CPU */
    bool by_hardware;      /* the last picture out of the decoder was */
    AVPacket *pkt;
    int64_t pkt_number;         /* of rn_read_decode_audit_packet */
    struct rn_read_retry retry; /* of damage, by a decoder of one thread */
    AVFrame *frame;             /* the next picture */
    AVFrame *model;             /* the first one, without samples: for those that are left out */
    struct rn_read_prepare prepare;
    AVRational time_base; /* of the pictures; that of the packets may be coarser */
    AVFrame *first;       /* properties of the first picture */
    struct rn_pix_import *import;

    struct rn_read_range range;
    bool has_picture; /* frame holds a picture */
    bool leaves_out;  /* samples, where the reader can do that and nothing else needs them */
    bool draining;    /* the decoder got its last packet */
    bool restarting;  /* or the last one before a change: pkt waits until it is empty */
    /* Of a PNG, before the first picture came. */
    struct rn_container_png_chunks png;

    uint32_t sequence;      /* MPEG-1 and -2: size and shape by the last header; 0: none yet */
    bool ended;             /* no more pictures will come */
    bool changed;           /* frame is of another size or shape and waits for rn_read_resume */
    bool resumed;           /* there was such a one */
    int64_t decoded;        /* pictures of the input so far, with those that a seek left out */
    int64_t given;          /* likewise, of its range */
    _Atomic int64_t copied; /* of these, into the memory of who reads, or converted there */
    int64_t offset;         /* subtracted from all timestamps, in time_base */
    int64_t newest_pts, newest_dts; /* the greatest of a packet that is shown; the last; so far */
    int64_t last_pts, previous_duration; /* of the last picture decoded, as the packets count */
    int64_t claimed_duration;            /* the duration of that one by its packet */
    double start;                 /* the input's time at which the range begins, in seconds */
    struct rn_read_origin origin; /* of the picture in frame */
    struct rn_read_cadence cadence;
    struct rn_read_frame_numbering numbering;
    struct rn_read_decode_audit audit;
    struct rn_read_changes changes;
    double search_end;    /* of a seek, by rn_clock; 0: it may take its time */
    int64_t end_pts;      /* of the last picture, where a seek has found the end */
    int64_t pictures_out; /* pictures out of the decoder */
    int empty;            /* packets into it since the last one */
    struct rn_read_faults faults;
    int64_t last_number, unbroken; /* of a scan: of the picture read last, and how many before it
                                    * followed each other */
    int settling;  /* pictures to come after a seek for which libav's messages mean nothing */
    bool finished; /* it was looked for what is missing at the end */
    int64_t late_packets; /* packets of other streams left out: their part had ended */
    struct rn_read_passed_pictures passed;
    struct rn_io_frame_data
        *packets_ahead; /* packets of the pictures to be decoded next; may be NULL */

    pthread_mutex_t lock;
    struct rn_io_intake intake; /* protected by lock */

    /* Not beside the flags above: compilers read neighbouring flags as one word. */
    atomic_bool stop;
    enum rn_stall stall; /* what reading it is */
};

/* ---- source.c */

/* Logs that libav holds pictures of w x h for larger than the memory. Returns RN_EINPUT. */
int rn_read_refuse_size(const struct rn_read_source *src, int w, int h);

/* ---- decoder.c */

/* Opens the decoder of src->in; to be closed. Returns 0 or an error (logged). */
int rn_read_decoder_open(struct rn_read_source *src);

/* Also one that is not open. */
void rn_read_decoder_close(struct rn_read_source *src);

/* Returns an estimate of the bytes of the decoder's frames, once the first picture is known. */
int64_t rn_read_decoder_bytes(const struct rn_read_source *src);

/* Moves the next picture into src->frame, as it stands in the input: from the decoder, or from a
 * reader that needs none. Returns 0, RN_END (also after a stop) or an error (logged). */
int rn_read_decoder_next(struct rn_read_source *src);

/* The reader goes elsewhere: decodes as if just opened. */
void rn_read_decoder_restart(struct rn_read_source *src);

/* Decodes by a fresh decoder of that many threads. Returns 0 or an error (logged). */
int rn_read_decoder_change(struct rn_read_source *src, int threads);

/* ---- retry.c: what is damaged is decoded again */

/* src->dec was opened. varies: threads may change what it makes of damage. */
void rn_read_retry_open(struct rn_read_source *src, bool varies);
void rn_read_retry_restart(struct rn_read_source *src);

/* Returns true if the decoder says of a picture that it is damaged, or left a part out. */
static inline bool rn_read_retry_is_flawed(const AVFrame *f)
{
    return f->decode_error_flags || f->flags & AV_FRAME_FLAG_CORRUPT;
}

/* Returns true for the first pictures behind a seek, or of an input that is cut at none: they lack
 * those that they refer to. */
static inline bool rn_read_retry_may_stumble(const struct rn_read_source *src)
{
    return src->settling || (!src->pictures_out && !src->audit.sure);
}

/* Keeps src->pkt, which was read and is decoded next. Returns 0 or an error (logged). */
int rn_read_retry_remember(struct rn_read_source *src);

/* Takes the next packet to be decoded again into src->pkt. Returns 0, RN_END: there is none, or an
 * error (logged). */
int rn_read_retry_take(struct rn_read_source *src);

/* Receives the next picture into src->frame; one that was given before goes by. *ret: 0 or what
 * libav said. Returns 0 or an error (logged). */
int rn_read_retry_receive(struct rn_read_source *src, int *ret);

/* ---- decode.c, damage.c */

/* The counts of damage at one moment, to go back to. */
struct rn_read_tally {
    int64_t flagged, logged, corrupt, lost;
    struct rn_io_damage damage;
};

struct rn_read_tally rn_read_decode_tally(const struct rn_read_source *src);

/* Goes back to the counts of an earlier moment: nobody asked for the pictures since then. */
void rn_read_decode_set_tally(struct rn_read_source *src, const struct rn_read_tally *tally);

/* Counts the picture that is decoded, or would have been, as damaged; what: how, for people. */
void rn_read_decode_flag(struct rn_read_source *src, const char *what);

/* Returns true if libav has reported errors since the last call. */
bool rn_read_decode_errors_since(struct rn_read_source *src);

/* Sums up the counts for rn_read_ledger, which any thread may call. */
void rn_read_decode_publish(struct rn_read_source *src);

/* Decodes and prepares the next picture of the input into src->frame, whether it is in the range of
 * the options or not; sets its pts, which always rises, and duration. Returns 0, RN_END (also after
 * a stop) or an error (logged). */
int rn_read_decode_next(struct rn_read_source *src);

/* Makes the picture in src->frame the one that the next read gives. Returns 0, or RN_END if it lies
 * behind the range of the options. */
int rn_read_decode_accept(struct rn_read_source *src);

/* Both, for the next picture in the options' range. Returns 0, RN_END or an error (logged). */
int rn_read_decode_advance(struct rn_read_source *src);

/* Whether src->frame is to be filtered field by field. */
static inline bool rn_read_is_by_field(const struct rn_read_source *src)
{
    enum rn_io_fields fields = src->opts.fields;
    return fields == RN_FIELDS_FIELD ||
           (fields == RN_FIELDS_AUTO && rn_io_is_interlaced(src->frame));
}

/* Fills frame, but for what it carries, with what is known of the picture in src->frame, whose
 * index is to be `index`. */
void rn_read_describe_frame(const struct rn_read_source *src, int64_t index,
                            struct rn_frame *frame);

/* ---- pictures that a seek passes */

/* Adds src->frame, if it may be held. */
void rn_read_passed_pictures_add(struct rn_read_source *src);

/* Numbers them, as rn_frame.index does: next is the number of the picture behind the last one. */
void rn_read_passed_pictures_number(struct rn_read_source *src, int64_t next);

void rn_read_passed_pictures_clear(struct rn_read_source *src);

/* The average frame rate of the pictures; num 0: unknown. */
AVRational rn_read_rate(const struct rn_read_source *src);

/* Describes the picture in src->frame, and so those that follow. Returns 0 or an error (logged). */
int rn_read_describe_pictures(struct rn_read_source *src);

/* Decodes the first picture of the input, from which numbers count, and makes that at --from, a
 * time, the one that the next read gives. The input can seek. Returns 0, RN_END (there is none, or
 * the source was stopped) or an error (logged). */
int rn_read_go_to_from(struct rn_read_source *src);
