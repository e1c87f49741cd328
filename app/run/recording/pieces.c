/* SPDX-License-Identifier: MIT */
#include "app/run/recording/pieces.h"

#include <stdlib.h>

#include "filters/base/log.h"

struct kept {
    struct rn_image img;
    struct rn_frame frame;
};

struct rn_app_pieces {
    struct rn_read_source *source;
    struct kept *kept; /* a ring of the latest frames that may be read again */
    int room, begin, n;
    int reach;
    struct rn_app_piece piece;
    int at;         /* of the kept frames, the next one to give */
    int64_t newest; /* the latest frame of the source, -1: none */
    bool ended;
    struct rn_frame tail;
};

void rn_app_pieces_destroy(struct rn_app_pieces **pieces)
{
    struct rn_app_pieces *p = *pieces;
    if (!p)
        return;
    for (int i = 0; p->kept && i < p->room; i++) {
        rn_image_free(&p->kept[i].img);
        rn_io_frame_release(&p->kept[i].frame);
    }
    rn_io_frame_release(&p->tail);
    free(p->kept);
    free(p);
    *pieces = NULL;
}

int rn_app_pieces_create(struct rn_app_pieces **pieces, struct rn_read_source *source,
                         const struct rn_geom *geom, int reach)
{
    struct rn_app_pieces *p = *pieces = calloc(1, sizeof *p);
    if (!p)
        return rn_fail_memory();
    p->source = source;
    p->reach = reach;
    p->room = reach + 1;
    p->newest = -1;
    p->kept = calloc((size_t)p->room, sizeof *p->kept);
    int err = p->kept ? 0 : rn_fail_memory();
    for (int i = 0; i < p->room && !err; i++)
        err = rn_image_alloc(&p->kept[i].img, geom);
    if (err)
        rn_app_pieces_destroy(pieces);
    return err;
}

void rn_app_pieces_begin(struct rn_app_pieces *p, struct rn_app_piece piece)
{
    p->piece = piece;
    p->at = 0;
}

static struct kept *kept_at(const struct rn_app_pieces *p, int i)
{
    return &p->kept[(p->begin + i) % p->room];
}

/* A frame without its data, which stays where it is. */
static struct rn_frame bare(const struct rn_frame *frame)
{
    struct rn_frame copy = *frame;
    copy.data = NULL;
    return copy;
}

/* Keeps a copy of the newest frame; its data if a later piece writes it. */
static void keep(struct rn_app_pieces *p, const struct rn_image *img, struct rn_frame *frame)
{
    if (p->n == p->room) {
        rn_io_frame_release(&kept_at(p, 0)->frame);
        p->begin = (p->begin + 1) % p->room;
        p->n--;
        p->at--;
    }
    struct kept *k = kept_at(p, p->n++);
    p->at++;
    rn_image_copy(img, &k->img);
    k->frame = bare(frame);
    if (!rn_app_span_has(p->piece.write, frame->index)) {
        k->frame.data = frame->data;
        frame->data = NULL;
    }
}

/* Returns false if there is none in the piece. */
static bool give_kept(struct rn_app_pieces *p, struct rn_image *img, struct rn_frame *frame)
{
    while (p->at < p->n && kept_at(p, p->at)->frame.index < p->piece.read.first)
        p->at++;
    struct kept *k = p->at < p->n ? kept_at(p, p->at) : NULL;
    if (!k || k->frame.index > p->piece.read.last)
        return false;
    p->at++;
    rn_image_copy(&k->img, img);
    *frame = bare(&k->frame);
    if (rn_app_span_has(p->piece.write, frame->index)) {
        frame->data = k->frame.data;
        k->frame.data = NULL;
    }
    return true;
}

/* The end of a piece; what comes behind the last frame of the input belongs to the last one. */
static int end_piece(struct rn_app_pieces *p, struct rn_frame *frame)
{
    *frame = (struct rn_frame){.data = NULL};
    if (!rn_app_pieces_more(p)) {
        *frame = p->tail;
        p->tail.data = NULL;
    }
    return RN_END;
}

static int read_piece(void *arg, struct rn_image *img, struct rn_frame *frame)
{
    struct rn_app_pieces *p = arg;
    if (give_kept(p, img, frame))
        return 0;
    if (p->ended || p->at < p->n || p->newest >= p->piece.read.last)
        return end_piece(p, frame);
    int err = rn_read_read(p->source, img, frame);
    if (err == RN_END) {
        p->ended = true;
        p->tail = *frame;
        return end_piece(p, frame);
    }
    if (err)
        return err;
    p->newest = frame->index;
    bool beyond = frame->index > p->piece.read.last; /* frames are missing */
    if (beyond || frame->index > p->piece.write.last - p->reach)
        keep(p, img, frame);
    if (!beyond)
        return 0;
    p->at--;
    return end_piece(p, frame);
}

struct rn_app_feed rn_app_pieces_feed(struct rn_app_pieces *p)
{
    return (struct rn_app_feed){.arg = p, .read = read_piece, .source = p->source};
}

bool rn_app_pieces_more(const struct rn_app_pieces *p)
{
    return !p->ended || (p->n && kept_at(p, p->n - 1)->frame.index > p->piece.write.last);
}
