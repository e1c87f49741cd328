/* SPDX-License-Identifier: MIT */
/* Two passes over the pictures, for a file of a given size (--size). The first one writes nothing
 * and counts what the file has beside its pictures; the second one gets the bit rate that is left.
 * Where the file is too large, another one follows with a lower rate. */
#pragma once

#include <libavcodec/avcodec.h>

#include "filters/base/output/outplace.h"

struct rn_write_passes {
    int64_t size;   /* bytes of the file, at most */
    double aim;     /* the part of them that is used: at first RN_WRITE_AIM */
    int number;     /* of this pass; 0: nothing was encoded yet */
    bool again;     /* the file was too large and is left out: another pass is to follow */
    double seconds; /* of the pictures: about, exactly after pass 1; 0: unknown */
    int64_t others; /* bytes of the file beside its pictures, after pass 1 */
    char *stats;    /* of libvpx, after pass 1 */
    struct rn_outplace place;
    struct rn_outstage *stage; /* a folder for those of x264 and x265, beside the output */
};
#define RN_WRITE_AIM 0.97

/* Makes the folder, and closes in any state. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_passes_open(struct rn_write_passes *passes, const char *output);
void rn_write_passes_close(struct rn_write_passes *passes);

/* The first of the options that choose the rate or the quality; NULL: none is given. */
const char *rn_write_rate_option(const AVDictionary *options);

/* Refuses encoders without two passes, options that choose a rate, and a size that leaves none.
 * Returns 0 or RN_EUSAGE (logged). */
int rn_write_passes_check(const struct rn_write_passes *passes, const AVCodec *codec,
                          const AVDictionary *options);

/* Sets an encoder up for the pass; in a rehearsal its rate alone. Returns 0 or a libav error. */
int rn_write_passes_configure(const struct rn_write_passes *passes, bool rehearsal,
                              AVCodecContext *ctx, AVDictionary **options);

/* After a pass but the first one, of a file of so many bytes. Returns 0, with passes->again if it
 * is too large, or RN_EOUTPUT (logged) if it always is. */
int rn_write_passes_judge(struct rn_write_passes *passes, const char *output, int64_t bytes);
