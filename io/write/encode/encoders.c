#include "io/write/encode/encoders.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/common/av.h"
#include "filters/base/threads/workers.h"

#include <libavutil/mem.h>

struct rn_write_encoders {
    struct rn_workers *workers; /* NULL: there is one encoder alone */
    int64_t taken;              /* pictures */
    int n;
    struct rn_write_encoder *enc[];
};

static void work(void *piece)
{
    rn_write_encoder_work(piece);
}

/* The first encoder has spoken for all, and has taken the options out that it knows. */
static int open_others(struct rn_write_encoders *e, const struct rn_write_encoder_setup *setup,
                       int n, const AVDictionary *options)
{
    struct rn_write_encoder_setup again = *setup;
    again.quiet = true;
    again.losses = NULL;
    int err = 0;
    while (!err && e->n < n) {
        AVDictionary *copy = NULL;
        again.options = &copy;
        err = av_dict_copy(&copy, options, 0) < 0 ? rn_fail_memory()
                                                  : rn_write_encoder_open(&e->enc[e->n], &again);
        av_dict_free(&copy);
        e->n += !err;
    }
    if (!err && !(e->workers = rn_workers_create(rn_io_threads(setup->threads), n, work)))
        err = rn_fail_memory();
    return err;
}

int rn_write_encoders_open(struct rn_write_encoders **out,
                           const struct rn_write_encoder_setup *setup, bool sequence)
{
    int threads = sequence ? rn_io_threads(setup->threads) : 1, n = threads > 1 ? threads + 2 : 1;
    struct rn_write_encoders *e = av_mallocz(sizeof *e + (size_t)n * sizeof e->enc[0]);
    AVDictionary *options = NULL;
    if (!e)
        return rn_fail_memory();
    int err = av_dict_copy(&options, *setup->options, 0) < 0 ? rn_fail_memory() : 0;
    err = err ? err : rn_write_encoder_open(&e->enc[0], setup);
    e->n = !err;
    if (!err && n > 1 && rn_write_encoder_is_single(e->enc[0]))
        err = open_others(e, setup, n, options);
    av_dict_free(&options);
    if (err)
        rn_write_encoders_close(&e);
    else
        *out = e;
    return err;
}

void rn_write_encoders_close(struct rn_write_encoders **encoders)
{
    struct rn_write_encoders *e = *encoders;
    if (!e)
        return;
    rn_workers_destroy(&e->workers);
    for (int i = 0; i < e->n; i++)
        rn_write_encoder_close(&e->enc[i]);
    av_freep(encoders);
}

const AVCodecContext *rn_write_encoders_context(const struct rn_write_encoders *e)
{
    return rn_write_encoder_context(e->enc[0]);
}

/* Gives the packets away that are ready; with wait, of all pictures. */
static int give(struct rn_write_encoders *e, bool wait, rn_write_packet_fn *fn, void *opaque)
{
    struct rn_write_encoder *enc;
    int err = 0;
    while (!err && (enc = rn_workers_pop(e->workers, wait)) != NULL)
        err = rn_write_encoder_give(enc, fn, opaque);
    return err;
}

int rn_write_encoders_write(struct rn_write_encoders *e, const struct rn_image *img,
                            const struct rn_frame *frame, rn_write_packet_fn *fn, void *opaque)
{
    if (!e->workers)
        return rn_write_encoder_write(e->enc[0], img, frame, fn, opaque);
    if (!img)
        return give(e, true, fn, opaque);
    int err = 0;
    if (rn_workers_are_full(e->workers)) /* the oldest has the encoder that is next */
        err = rn_write_encoder_give(rn_workers_pop(e->workers, true), fn, opaque);
    struct rn_write_encoder *enc = e->enc[e->taken % e->n];
    err = err ? err : rn_write_encoder_take(enc, img, frame);
    if (err)
        return err;
    e->taken++;
    rn_workers_push(e->workers, enc);
    return give(e, false, fn, opaque);
}
