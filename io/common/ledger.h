/* SPDX-License-Identifier: MIT */
/* The ledger of a run: what the input announced, and what became of it on its way into the output.
 * Every count has one owner, who alone changes it; the report, --metrics and the exit status read
 * them when the run has ended. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Damage of the input so far. */
struct rn_io_damage {
    int64_t damaged;         /* frames decoded with errors, or packets that could not be decoded */
    int64_t other_streams;   /* of these, in streams beside the pictures */
    int64_t missing;         /* frames that should be there and are not */
    int64_t surplus;         /* bytes of samples behind those that a header announces */
    int64_t discontinuities; /* jumps of the timestamps that were repaired: no damage */
    char what[256];          /* the first of them, for people; "" if none */
};

/* The counts of the source. */
struct rn_io_intake {
    int64_t announced;  /* packets of the pictures that the container lists in what was read; of
                           images, pages and slices those in the range; -1: it lists none */
    int64_t packets;    /* of the pictures, read; after a seek: since then */
    int64_t decoded;    /* frames that the decoder gave, those before the range too */
    int64_t copied;     /* frames that were copied, or converted, into the memory of a slot */
    int64_t hidden;     /* packets that give no frame of their own: second fields, pictures that are
                           only referred to, places of frames that were left out */
    int64_t leading;    /* packets at the beginning that refer to what lies before it */
    int64_t unanswered; /* packets that gave no frame, though they should */
    int64_t gaps;       /* in the time of pictures that follow each other regularly */
    double gap_seconds; /* all of them together */
    double sound_short; /* seconds by which sound ends before the pictures; 0: it does not */
    bool short_range;   /* the input ended before --to or --frames did */
    struct rn_io_damage damage; /* what all this sums up to, and what else was found */
};

/* The counts of a sink that encodes pictures. In stacks and image sequences a packet is a
 * page or a file. */
struct rn_io_outflow {
    bool counted;
    int64_t frames;      /* sent to the encoder */
    int64_t copied;      /* of those, copied or converted out of the memory of a slot */
    int64_t repeated;    /* of those, repetitions that keep a constant rate */
    int64_t dropped;     /* frames left out to keep a constant rate */
    int64_t encoded;     /* packets that the encoder gave */
    int64_t packets;     /* packets that stand in the output */
    int64_t older_files; /* numbered as the output's are, and of an older set */
    double seconds_lost; /* by which the output lasts another time than its frames; 0: none */
};

struct rn_io_ledger {
    struct rn_io_intake in;
    int64_t read; /* frames given to the chain: those in the range of the options */
    int64_t
        written; /* frames that came out of it and were written; this and read: the pipeline's */
    struct rn_io_outflow out;
};

/* Returns how many frames sent to the encoder are missing in the output. */
int64_t rn_io_ledger_output_lacks(const struct rn_io_ledger *ledger);

#define RN_IO_DAMAGE_TEXT 480

/* Writes for people what the input has of damage, "" if none. Returns whether there is any. */
bool rn_io_damage_describe(const struct rn_io_damage *damage, char text[RN_IO_DAMAGE_TEXT]);

/* Keeps the text if it is the first about damage. */
void rn_io_damage_note(struct rn_io_damage *damage, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
