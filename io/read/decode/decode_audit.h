/* SPDX-License-Identifier: MIT */
/* Finds packets of which the decoder should have made pictures and did not, which it need not
 * report. Each packet gets a number on its way into the decoder, and its picture brings the number
 * back. A packet without a picture is judged when much later ones have theirs: some rightly have
 * none.
 *
 * Belongs to the thread that decodes. */
#pragma once

#include <stdbool.h>

#include <libavcodec/avcodec.h>

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
void rn_read_decode_audit_restart(struct rn_read_decode_audit *a);

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
