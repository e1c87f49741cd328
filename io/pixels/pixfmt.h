/* What the two directions of conversion share; see convert.h. */
#ifndef RN_IO_PIXELS_PIXFMT_H
#define RN_IO_PIXELS_PIXFMT_H

#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#include "filters/base/image.h"

enum rn_pix_convert_how { RN_COPY, RN_LINES, RN_SCALE, RN_TO_RGB };

/* Our format for a frame; *exact: it holds every value of the frame as it is. False if there is
 * none. */
bool rn_pix_format_of_frame(const AVFrame *frame, struct rn_format *fmt, bool *exact);

/* yuvj420p and its kin are the ordinary formats with full range: then *full_range is set. */
enum AVPixelFormat rn_pix_pixfmt_plain(enum AVPixelFormat fmt, bool *full_range);

bool rn_pix_pixfmt_is_gray(const AVPixFmtDescriptor *desc);

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

/* A scaler of w x h pictures of format fmt to another size. NULL where swscale has none. */
struct SwsContext *rn_pix_sws_open_resizing(enum AVPixelFormat fmt, int w, int h, int to_w,
                                            int to_h);

/* A frame with memory of its own. Returns 0 or RN_EINTERNAL (logged). */
int rn_pix_frame_buffer(AVFrame **frame, enum AVPixelFormat fmt, int w, int h);

/* Widens a sample of `from` bits to `to` bits by repeating them, so that 0 and the largest value
 * stay what they are. */
static inline unsigned rn_pix_sample_widen(unsigned v, int from, int to)
{
    unsigned wide = 0;
    for (int have = 0; have < to; have += from)
        wide =
            have + from <= to ? wide << from | v : wide << (to - have) | v >> (from - (to - have));
    return wide;
}

#endif
