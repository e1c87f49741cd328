/* SPDX-License-Identifier: MIT */
/* What watches over a decoder. All but the marks (any thread) belongs to the thread that decodes.
 *
 * ---- samples that were never written
 *
 * Finds pictures of which a decoder left out a part without a word: FFmpeg's decoder of HEVC ends a
 * picture where its slices end, and what they do not cover shows what lay in the memory before.
 *
 * Marks of 8 samples lie in the first plane before decoding, one in each square of 16x16 samples,
 * the smallest part that HEVC codes. Where a mark still is, nobody wrote; it stands so far inside
 * that the deblocking of a neighbour (3 samples) does not reach it. A decoded square has its values
 * by chance once in 2^64 (8 bits a sample). A picture predicted from one with marks may have them,
 * too: it shows the same part that was left out.
 *
 * A picture refers to those decoded before it, of which some are shown later: they are looked at
 * when the first picture behind them comes, not when their turn does. */
#pragma once

#include <stdint.h>

#include <libavcodec/avcodec.h>

#include "filters/base/threads/locked.h"

#define RN_READ_MARKED 64 /* pictures; decoders hold 16 back, and one for each thread */

/* All zero, but for the lock: empty. */
struct rn_read_unwritten {
    pthread_mutex_t lock;
    int n;
    struct rn_read_marked {
        AVBufferRef *buffer; /* NULL: it was looked at */
        bool left;           /* a part was left out */
        int64_t number;      /* of its packet */
        int bytes;           /* a sample */
        int linesize, width, height;
    } picture[RN_READ_MARKED]; /* those that did not come yet, in the order of decoding */
};

/* Forgets all pictures. */
void rn_read_unwritten_clear(struct rn_read_unwritten *u);

/* Marks the buffer of a picture to be decoded, as avcodec_default_get_buffer2 gives it, and refers
 * to it until it is looked at. Does nothing where samples are not whole bytes in a plane of their
 * own. Any thread. */
void rn_read_unwritten_mark(struct rn_read_unwritten *u, const AVFrame *frame);

/* The picture of the packet `number` came: looks at those whose packets are not behind it, all of
 * which are decoded. Returns the number of the last one that did not come before and of which a
 * part is left out, -1: there is none. *own: a part of the one that came is. */
int64_t rn_read_unwritten_find(struct rn_read_unwritten *u, int64_t number, bool *own);

/* ---- packets to be decoded again
 *
 * The packets that a decoder got last, from a keyframe on, to decode their pictures once more: at
 * least those of the last keyframe and of the two before it: the picture of a keyframe may be
 * damaged, and those behind one may refer to what stands before it. */

struct rn_read_past_packet {
    AVPacket *pkt;
    int64_t number; /* of rn_read_decode_audit_packet */
    bool entry;     /* all that follows can be decoded from here on */
};

/* All zero: empty. */
struct rn_read_packet_history {
    struct rn_read_past_packet *packet; /* in the order of the input */
    int n;
    unsigned size; /* of its memory */
    int next;      /* the one to be decoded again; n: none is */
    int64_t bytes;
};

/* Appends a reference to pkt's data; what is older than needed is dropped, but not the last `delay`
 * packets, whose pictures may be in the decoder. The history must not be read again just then.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_read_packet_history_add(struct rn_read_packet_history *h, AVPacket *pkt, int64_t number,
                               bool entry, int delay);

/* Returns true if it holds the packet of this number, and that is an entry. */
bool rn_read_packet_history_has_entry(const struct rn_read_packet_history *h, int64_t number);

/* Reads again from the packet of this number on. Returns false, with nothing changed, if it is gone
 * or is no entry. */
bool rn_read_packet_history_go_to(struct rn_read_packet_history *h, int64_t number);

/* Reads again from the last entry before the packet of this number on, or from the keyframe before
 * the last one, whichever is later; the oldest one if neither is there. */
void rn_read_packet_history_go_before(struct rn_read_packet_history *h, int64_t number);

/* Reads again from the oldest one on. */
static inline void rn_read_packet_history_rewind(struct rn_read_packet_history *h)
{
    h->next = 0;
}

/* The next one to be read again, which stays the history's; NULL: there is none. */
static inline const struct rn_read_past_packet *
rn_read_packet_history_take(struct rn_read_packet_history *h)
{
    return h->next < h->n ? &h->packet[h->next++] : NULL;
}

/* Drops all packets. */
void rn_read_packet_history_clear(struct rn_read_packet_history *h);

/* ---- the audit
 *
 * Finds packets of which the decoder should have made pictures and did not, which it need not
 * report. Each packet gets a number on its way into the decoder, and its picture brings the number
 * back. A packet without a picture is judged when much later ones have theirs: some rightly have
 * none. */

/* Twice as many packets as decoders hold back: 16 frames, maybe of two fields, for reordering, as
 * many threads, and more to be safe. */
#define RN_DECODE_AUDIT_WINDOW 256

struct rn_read_decode_audit {
    int64_t sent;       /* packets; the last one's number */
    int64_t shown;      /* number of the one whose picture came last; 0: none did */
    int64_t from;       /* pictures shown before it need not come; INT64_MIN: all must */
    int64_t first;      /* number of the first packet that became a picture; 0: none yet */
    int64_t first_ts;   /* when that picture is shown */
    bool first_timed;   /* it is known when */
    int64_t run;        /* packets right behind it that did not */
    int64_t sure_ts;    /* when the first picture is shown from which all can be decoded */
    bool sure;          /* there was one */
    bool again;         /* there was another */
    int64_t interlaced; /* pictures with two fields */
    int64_t extra;      /* pictures beyond the first of a packet, or of an unknown one */
    int64_t hidden, fields, leading, lost;
    int64_t lost_ts; /* time of the first that was lost */
    struct rn_read_audited_packet {
        int64_t ts; /* when it is shown or, if that is unknown, decoded; AV_NOPTS_VALUE */
        bool timed; /* it is when it is shown */
        bool pending, due, sure, leads, decoded, interlaced;
    } packet[RN_DECODE_AUDIT_WINDOW];
};

/* Begins anew: at the opening, and after a seek. The counts stay. */
static inline void rn_read_decode_audit_restart(struct rn_read_decode_audit *a)
{
    for (int i = 0; i < RN_DECODE_AUDIT_WINDOW; i++)
        a->packet[i] = (struct rn_read_audited_packet){0};
    a->first = a->run = a->shown = 0;
    a->sure = a->again = false;
}

/* A packet goes to the decoder. Returns its number, from 1 on. */
int64_t rn_read_decode_audit_packet(struct rn_read_decode_audit *a, const AVCodecParameters *par,
                                    const AVPacket *pkt);

/* A picture came that brought this number; <= 0: none. interlaced: it has two fields. */
void rn_read_decode_audit_picture(struct rn_read_decode_audit *a, int64_t number, bool interlaced);

/* Returns true if the picture of this number has come; numbers that are unknown: false. */
bool rn_read_decode_audit_has(const struct rn_read_decode_audit *a, int64_t number);

/* Returns the number of the first packet that should still give a picture; one more than were sent:
 * there is none. */
int64_t rn_read_decode_audit_oldest(const struct rn_read_decode_audit *a);

/* No more pictures come: judges all packets (INT64_MAX) or those that are shown before `until`. */
void rn_read_decode_audit_finish(struct rn_read_decode_audit *a, int64_t until);

/* Packets that should have given a picture and did not, as far as they are judged. */
int64_t rn_read_decode_audit_lost(const struct rn_read_decode_audit *a);

/* Packets that give no picture of their own. */
int64_t rn_read_decode_audit_hidden(const struct rn_read_decode_audit *a);
