/* SPDX-License-Identifier: MIT */
/* Files of bare samples whose pictures lie one behind the other, all with the same text in front.
 * Their samples are left out by the demuxer, so that several threads read them to where the device
 * takes them. */
#include "io/read/demux/demux_internal.h"

#include <string.h>

#include <libavutil/imgutils.h>

#define HEADER 4096 /* bytes of the file's first line, at most */
#define MARK   16   /* of the text in front of a picture */

void rn_read_regular_open(struct demux *d)
{
    struct rn_read_regular *r = &d->regular;
    const char *mark = d->base.container->frame_mark;
    const AVCodecParameters *par = d->base.par;
    int bytes = av_image_get_buffer_size(par->format, par->width, par->height, 1);
    char line[HEADER];
    if (!mark || !d->in.is_file || bytes <= 0 ||
        rn_vol_bytes_open(&r->bytes, d->input, 0, RN_PACKING_NONE))
        return;
    size_t n = rn_vol_bytes_read(r->bytes, 0, line, sizeof line);
    const char *end = memchr(line, '\n', n);
    r->first = end ? end + 1 - line : 0;
    r->step = (int64_t)strlen(mark) + bytes;
    r->pictures = end ? (d->in.st.st_size - r->first) / r->step : 0;
}

/* Where the next picture's text begins, if all before it are regular. */
static int64_t next_place(const struct demux *d)
{
    return d->regular.first + (d->track[d->base.video].last_dts + 1) * d->regular.step;
}

bool rn_read_regular_is_apart(struct rn_read_input *p)
{
    const struct demux *d = (struct demux *)p;
    int64_t last = d->track[p->video].last_dts;
    return !d->ahead && last != AV_NOPTS_VALUE && last + 1 < d->regular.pictures &&
           d->end_pos == next_place(d);
}

bool rn_read_regular_leave_out(struct rn_read_input *p, AVPacket *pkt)
{
    struct demux *d = (struct demux *)p;
    struct rn_read_regular *r = &d->regular;
    if (!rn_read_regular_is_apart(p))
        return false;
    pkt->stream_index = p->video;
    pkt->pts = pkt->dts = d->track[p->video].last_dts + 1;
    pkt->size = (int)r->step - (int)strlen(p->container->frame_mark);
    pkt->pos = next_place(d) + r->step - pkt->size;
    pkt->duration = 1;
    pkt->flags = AV_PKT_FLAG_KEY;
    r->behind = true;
    return true;
}

bool rn_read_regular_samples(const struct rn_read_input *p, int64_t pts, struct rn_image *img,
                             bool *copied)
{
    const struct demux *d = (const struct demux *)p;
    const char *mark = p->container->frame_mark;
    uint8_t text[MARK];
    int64_t at = d->regular.first + pts * d->regular.step, n = (int64_t)strlen(mark);
    bool whole = rn_vol_bytes_read_rows(d->regular.bytes, at, (size_t)n, 1, text, 0) &&
                 !memcmp(text, mark, (size_t)n);
    at += n;
    for (int i = 0; i < rn_format_planes(&img->geom.fmt) && whole; i++) {
        const struct rn_plane *to = &img->plane[i];
        size_t row = (size_t)to->w * (size_t)rn_format_bytes(&img->geom.fmt);
        whole = rn_vol_bytes_read_rows(d->regular.bytes, at, row, to->h, to->data, to->stride);
        at += (int64_t)row * to->h;
    }
    *copied = false;
    return whole;
}

void rn_read_regular_go_back(struct rn_read_input *p, int64_t pts)
{
    struct demux *d = (struct demux *)p;
    d->track[p->video].last_dts = pts - 1;
    d->end_pos = next_place(d);
    d->holes = (struct rn_read_holes){0};
    d->regular.behind = true;
}

/* libavformat may hold packets that it has read already. */
void rn_read_regular_resume(struct demux *d)
{
    struct rn_read_regular *r = &d->regular;
    if (!r->behind)
        return;
    avformat_flush(d->base.fmt);
    avio_seek(d->base.fmt->pb, next_place(d), SEEK_SET);
    r->behind = false;
}
