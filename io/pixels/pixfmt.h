/* SPDX-License-Identifier: MIT */
/* Properties of pixel formats, and scalers, for both directions of conversion (convert.h). */
#pragma once

#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#include "filters/base/image.h"

/* All scalers use full chroma positions and no shortcuts. BITEXACT gives the same pixels with every
 * set of CPU features. */
#define RN_SWS_FLAGS                                                                               \
    (SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT)

enum rn_pix_convert_how { RN_COPY, RN_LINES, RN_SCALE, RN_TO_RGB };

/* Finds our format for a frame; *exact: it holds every value of the frame unchanged. Returns false
 * if there is none. */
bool rn_pix_format_of_frame(const AVFrame *frame, struct rn_format *fmt, bool *exact);

/* The ordinary format of yuvj420p and its kin, for which *full_range is set (or NULL); else fmt. */
enum AVPixelFormat rn_pix_pixfmt_plain(enum AVPixelFormat fmt, bool *full_range);

static inline bool rn_pix_pixfmt_is_gray(const AVPixFmtDescriptor *desc)
{
    return desc->nb_components <= 2 && !(desc->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL));
}

/* Component of a libav descriptor (R G B A; Y U V A; Y A) that our plane p holds. */
int rn_pix_pixfmt_component(const struct rn_format *fmt, int p);

struct rn_pix_sws_side {
    enum AVPixelFormat fmt;
    bool full_range;
    enum rn_colour_matrix matrix;
};

/* A scaler of w x h pictures that only changes the format. NULL where swscale has none. */
struct SwsContext *rn_pix_sws_open(int w, int h, const struct rn_pix_sws_side *from,
                                   const struct rn_pix_sws_side *to);

/* A frame with memory of its own. Returns 0 or RN_EINTERNAL (logged). */
int rn_pix_frame_buffer(AVFrame **frame, enum AVPixelFormat fmt, int w, int h);

/* Widens a sample of `from` bits to `to` bits by repeating them, which keeps black and white. */
static inline unsigned rn_pix_sample_widen(unsigned v, int from, int to)
{
    unsigned wide = 0;
    for (int have = 0; have < to; have += from)
        wide =
            have + from <= to ? wide << from | v : wide << (to - have) | v >> (from - (to - have));
    return wide;
}
