/* SPDX-License-Identifier: MIT */
#include "io/read/decode/cached_picture.h"

#include "filters/base/log.h"
#include "io/read/source_internal.h"

/* ---- holding */

static size_t bytes_of(const struct rn_read_cached_picture *d)
{
    size_t sum = sizeof *d + sizeof *d->picture;
    for (int i = 0; i < AV_NUM_DATA_POINTERS && d->picture->buf[i]; i++)
        sum += (size_t)d->picture->buf[i]->size;
    for (int i = 0; i < d->picture->nb_extended_buf; i++)
        sum += (size_t)d->picture->extended_buf[i]->size;
    for (int i = 0; i < d->picture->nb_side_data; i++)
        sum += d->picture->side_data[i]->size;
    for (int i = 0; d->extra && i < d->extra->n; i++)
        sum += sizeof(AVPacket) + (size_t)d->extra->packet[i]->size;
    return sum;
}

/* The packets of data, and its number, once more; their contents are shared. */
static struct rn_io_frame_data *clone(const struct rn_io_frame_data *data)
{
    struct rn_io_frame_data *copy = rn_io_frame_data_create();
    bool done = copy;
    for (int i = 0; done && i < data->n; i++) {
        AVPacket *pkt = av_packet_clone(data->packet[i]);
        done = pkt && !rn_io_frame_data_push(copy, pkt);
        av_packet_free(&pkt);
    }
    if (done)
        copy->number = data->number;
    else
        rn_io_frame_data_destroy(&copy);
    return copy;
}

/* data: what the picture came with, borrowed; NULL: it is bare. */
static struct rn_read_cached_picture *hold(const AVFrame *picture, const struct rn_frame *frame,
                                           const struct rn_io_frame_data *data)
{
    struct rn_read_cached_picture *d = av_mallocz(sizeof *d);
    if (!d)
        return NULL;
    d->picture = av_frame_clone(picture);
    d->extra = data ? clone(data) : NULL;
    d->frame = *frame;
    d->frame.data = NULL;
    if (d->picture && (d->extra || !data)) {
        d->bytes = bytes_of(d);
        return d;
    }
    rn_read_cached_picture_release(&d);
    return NULL;
}

struct rn_read_cached_picture *rn_read_cached_picture_hold(struct rn_read_source *source,
                                                           const struct rn_frame *frame)
{
    return frame->about || !frame->data ? NULL : hold(source->frame, frame, frame->data);
}

void rn_read_cached_picture_release(struct rn_read_cached_picture **decoded)
{
    if (!*decoded)
        return;
    av_frame_free(&(*decoded)->picture);
    rn_io_frame_data_destroy(&(*decoded)->extra);
    av_freep(decoded);
}

int rn_read_cached_picture_read(struct rn_read_source *source,
                                const struct rn_read_cached_picture *d, struct rn_image *img,
                                struct rn_frame *frame)
{
    *frame = d->frame;
    int err = rn_pix_import(&source->import, d->picture, img);
    if (err)
        return err;
    frame->data = d->extra ? clone(d->extra) : rn_io_frame_data_create();
    if (frame->data)
        frame->data->props = av_frame_alloc();
    if (frame->data && frame->data->props &&
        av_frame_copy_props(frame->data->props, d->picture) >= 0)
        return 0;
    rn_io_frame_release(frame);
    return rn_fail_memory();
}

int64_t rn_read_count_decoded(const struct rn_read_source *source)
{
    return source->pictures_out;
}

/* ---- those that seeks pass */

void rn_read_cache_passed_pictures(struct rn_read_source *source, size_t bytes)
{
    source->passed.max_bytes = bytes;
}

struct rn_read_cached_picture *rn_read_take_passed_picture(struct rn_read_source *source)
{
    struct rn_read_passed_pictures *p = &source->passed;
    struct rn_read_cached_picture *first = p->first;
    if (!first)
        return NULL;
    p->first = first->next;
    p->last = p->first ? p->last : NULL;
    p->bytes -= first->bytes;
    first->next = NULL;
    return first;
}

void rn_read_passed_pictures_clear(struct rn_read_source *src)
{
    struct rn_read_cached_picture *d;
    while ((d = rn_read_take_passed_picture(src)) != NULL)
        rn_read_cached_picture_release(&d);
}

void rn_read_passed_pictures_add(struct rn_read_source *src)
{
    struct rn_read_passed_pictures *p = &src->passed;
    struct rn_frame frame;
    const AVFrame *f = src->frame, *first = src->first;
    const struct rn_geom *geom = &src->media.stream.geom;
    /* Pictures of another size or format than the first may end the stream, and image files are
     * found by themselves. */
    bool is_worth_it = p->max_bytes && !rn_read_is_stills(src->in) && f->pts >= first->pts &&
                       f->width == geom->w && f->height == geom->h && f->format == first->format;
    rn_read_describe_frame(src, 0, &frame);
    struct rn_read_cached_picture *d = is_worth_it ? hold(f, &frame, NULL) : NULL;
    if (!d) {
        rn_read_passed_pictures_clear(src); /* none may be missing between them */
        return;
    }
    *(p->last ? &p->last->next : &p->first) = d;
    p->last = d;
    p->bytes += d->bytes;
    while (p->bytes > p->max_bytes && p->first) {
        struct rn_read_cached_picture *old = rn_read_take_passed_picture(src);
        rn_read_cached_picture_release(&old);
    }
}

void rn_read_passed_pictures_number(struct rn_read_source *src, int64_t next)
{
    int64_t n = 0;
    for (struct rn_read_cached_picture *d = src->passed.first; d; d = d->next)
        n++;
    for (struct rn_read_cached_picture *d = src->passed.first; d; d = d->next)
        d->frame.index = next - n--;
}
