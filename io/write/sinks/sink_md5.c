/* SPDX-License-Identifier: MIT */
#include "io/write/sinks/sink_ops.h"

#include "filters/base/log.h"
#include "filters/base/output/textout.h"
#include "io/common/av.h"
#include "io/common/digest.h"

#include <libavutil/md5.h>

struct md5_sink {
    struct rn_write_sink base;
    struct rn_textout *out;
    struct AVMD5 *md5;
    uint8_t *row; /* little-endian samples, on machines that are not */
};

static int md5_open(struct rn_write_sink *sink, const struct rn_write_opts *opts)
{
    struct md5_sink *s = (struct md5_sink *)sink;
    s->md5 = av_md5_alloc();
    s->row = av_malloc_array((size_t)sink->geom.w, 4);
    return s->md5 && s->row ? rn_textout_open(&s->out, "-") : rn_fail_memory();
}

static int md5_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    struct md5_sink *s = (struct md5_sink *)sink;
    return rn_textout_close(&s->out,
                            ending == RN_ENDING_ABANDON ? RN_TEXT_ABANDON : RN_TEXT_COMPLETE);
}

static void md5_release(struct rn_write_sink *sink)
{
    struct md5_sink *s = (struct md5_sink *)sink;
    rn_textout_close(&s->out, RN_TEXT_ABANDON);
    av_free(s->md5);
    av_free(s->row);
}

static int md5_write(struct rn_write_sink *sink, const struct rn_image *img,
                     const struct rn_frame *frame)
{
    struct md5_sink *s = (struct md5_sink *)sink;
    int bytes = rn_format_bytes(&img->geom.fmt);
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++) {
        const struct rn_plane *plane = &img->plane[p];
        uint8_t digest[16];
        char hex[RN_DIGEST];
        av_md5_init(s->md5);
        for (int y = 0; y < plane->h; y++) {
            const uint8_t *row = plane->data + y * plane->stride;
            for (int i = 0; AV_HAVE_BIGENDIAN && i < plane->w * bytes; i++)
                s->row[i] = row[i ^ (bytes - 1)];
            av_md5_update(s->md5, AV_HAVE_BIGENDIAN ? s->row : row,
                          (size_t)plane->w * (size_t)bytes);
        }
        av_md5_final(s->md5, digest);
        rn_io_digest_text(digest, hex);
        fprintf(s->out->stream, "%" PRId64 " %d %s\n", frame->index, p, hex);
    }
    return rn_textout_update(s->out);
}

const struct rn_write_ops rn_write_md5_sink = {
    .size = sizeof(struct md5_sink),
    .holds = RN_HOLDS_NOTHING,
    .name = "md5:",
    .open = md5_open,
    .write = md5_write,
    .close = md5_close,
    .release = md5_release,
};
