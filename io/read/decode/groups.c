#include "io/read/decode/groups.h"

#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/threads/cores.h"
#include "filters/base/threads/thread.h"
#include "io/common/av_versions.h"
#include "io/read/demux/coded_picture.h"
#include "io/read/source_internal.h"

#include <string.h>

#include <libavutil/mem.h>

#define MOST_DECODERS 64
#define FRONT_ROOM    32 /* pictures of the group that is given out: it goes on whatever is held */
#define LEAST_CORES   4  /* on fewer a single decoder, whose threads share a group, is as quick */
#define LOOK_S        0.02 /* how often who waits for a picture looks whether to stop */

/* A group, from reading ahead until its last picture is given out. */
struct group {
    AVPacket **packet; /* its own, then the next group's entry and what leads it */
    bool *leads;
    int n, allocated;
    int own;          /* packets; known when the next group begins */
    bool complete;    /* no more packets come */
    bool taken, done; /* by a decoder; it is through */
    bool bad;         /* a sign of damage */
    bool dropped;     /* it has left the ring: its decoder frees it */
    AVFrame **picture;
    int npictures, given, room;
    int64_t number; /* of its first packet, once that was sent; 0: not yet */
};

struct decoder {
    struct rn_read_groups *groups;
    AVCodecContext *context;
    struct rn_io_watch watch;
    struct rn_thread thread;
};

struct rn_read_groups {
    const AVCodecParameters *par;
    struct rn_read_input *in; /* the second demuxer */
    struct rn_io_read_opts opts;
    int64_t most;
    atomic_bool stop;             /* of the second demuxer */
    const atomic_bool *interrupt; /* the source's */
    struct rn_thread reader;
    struct decoder decoder[MOST_DECODERS];
    int ndecoders;
    /* -- of the thread that reads ahead: */
    bool sets; /* parameter sets came between the pictures */
    /* -- of the thread that calls: */
    int64_t sending; /* the group whose packets are sent: its place in the whole input */
    int sent;        /* of its packets */
    int64_t newest;  /* number of the last one */
    bool lost, end;
    /* -- protected by the monitor: */
    struct rn_monitor monitor;
    AVPacket *head;                         /* the stream's first packet */
    struct group *group[MOST_DECODERS + 2]; /* a ring */
    int64_t first, behind;                  /* the places of those in it */
    int64_t held;                           /* pictures */
    bool ended;                             /* no more groups come */
    bool closing;
};

static struct group **place(struct rn_read_groups *g, int64_t at)
{
    return &g->group[at % (MOST_DECODERS + 2)];
}

static void destroy(struct group *x)
{
    for (int i = 0; i < x->n; i++)
        av_packet_free(&x->packet[i]);
    for (int i = x->given; i < x->npictures; i++)
        av_frame_free(&x->picture[i]);
    av_free(x->packet);
    av_free(x->leads);
    av_free(x->picture);
    av_free(x);
}

/* Takes the front group out of the ring. Locked. */
static void drop_front(struct rn_read_groups *g)
{
    struct group *x = *place(g, g->first);
    *place(g, g->first++) = NULL;
    g->held -= x->npictures - x->given;
    x->dropped = true;
    if (!x->taken || x->done)
        destroy(x);
    rn_monitor_tell(&g->monitor);
}

/* ---- reading ahead */

/* Locked. Returns false when out of memory. */
static bool add_packet(struct rn_read_groups *g, struct group *x, const AVPacket *pkt, bool leads)
{
    if (x->n == x->allocated) {
        int n = x->allocated ? 2 * x->allocated : 64;
        AVPacket **more = av_realloc_array(x->packet, (size_t)n, sizeof *more);
        x->packet = more ? more : x->packet;
        bool *flags = more ? av_realloc_array(x->leads, (size_t)n, sizeof *flags) : NULL;
        x->leads = flags ? flags : x->leads;
        if (!flags)
            return false;
        x->allocated = n;
    }
    x->packet[x->n] = av_packet_clone(pkt);
    x->leads[x->n] = leads;
    if (!x->packet[x->n])
        return false;
    x->n++;
    rn_monitor_tell(&g->monitor);
    return true;
}

/* Waits for room for another group. Locked. NULL: it closes, or no memory is left. */
static struct group *begin_group(struct rn_read_groups *g)
{
    while (!g->closing && g->behind - g->first > g->ndecoders)
        rn_monitor_wait(&g->monitor);
    struct group *x = g->closing ? NULL : av_mallocz(sizeof *x);
    if (x)
        *place(g, g->behind++) = x;
    return x;
}

/* Whether the packet can be told apart from others, and decoded with what its group brings. */
static bool is_usual(struct rn_read_groups *g, const AVPacket *pkt, bool entry)
{
    bool sets = rn_read_coded_picture_has_sets(g->par, pkt);
    bool alone = sets ? entry : !(entry && g->sets);
    g->sets |= sets;
    return alone && pkt->pts != AV_NOPTS_VALUE &&
           !(pkt->flags & (AV_PKT_FLAG_CORRUPT | AV_PKT_FLAG_DISCARD));
}

/* Deals pkt out to the group that is read, and to the one before, *open, while what leads pkt's
 * group comes. Locked. Returns false if reading ahead is over. */
static bool deal(struct rn_read_groups *g, AVPacket *pkt, struct group **open)
{
    struct rn_read_coded_picture picture = rn_read_coded_picture(g->par, pkt);
    struct group *last = g->behind > g->first ? *place(g, g->behind - 1) : NULL;
    bool entry = picture.entry && pkt->flags & AV_PKT_FLAG_KEY;
    if (!is_usual(g, pkt, entry) || (!last && !entry))
        return false;
    if (*open && (entry || !picture.leads)) {
        (*open)->complete = true;
        *open = NULL;
    }
    bool leads = *open; /* it is not closed */
    if (entry) {
        if (last)
            last->own = last->n;
        bool may_lead = last && g->par->codec_id == AV_CODEC_ID_HEVC;
        if (last && !may_lead)
            last->complete = true;
        if (may_lead) {
            *open = last;
            if (!add_packet(g, last, pkt, false))
                return false;
        }
        /* The ring may be full until the last group is through: that must not wait for this. */
        last = begin_group(g);
        if (!last)
            return false;
    } else if (*open && !add_packet(g, *open, pkt, true)) {
        return false;
    }
    return add_packet(g, last, pkt, leads);
}

static void *read_ahead(void *arg)
{
    struct rn_read_groups *g = arg;
    AVPacket *pkt = av_packet_alloc();
    struct group *open = NULL;
    bool going = pkt;
    while (going) {
        int err = g->in->ops->next(g->in, pkt);
        going = !err && av_packet_make_refcounted(pkt) >= 0;
        rn_monitor_lock(&g->monitor);
        if (going && !g->head)
            g->head = av_packet_clone(pkt);
        going = going && g->head && !g->closing && deal(g, pkt, &open);
        if (!going) {
            struct group *last = g->behind > g->first ? *place(g, g->behind - 1) : NULL;
            bool whole = err == RN_END && !g->closing;
            if (last && !last->complete) {
                last->own = last->own ? last->own : last->n;
                last->bad |= !whole; /* nobody knows where it ends */
                last->complete = true;
            }
            if (open) {
                open->bad |= !whole;
                open->complete = true;
            }
            g->ended = true;
        }
        rn_monitor_tell(&g->monitor);
        rn_monitor_unlock(&g->monitor);
        if (pkt)
            av_packet_unref(pkt);
    }
    av_packet_free(&pkt);
    return NULL;
}

/* ---- decoding */

/* Keeps the picture, when there is room. Returns false if the group is not wanted any more. */
static bool keep_picture(struct rn_read_groups *g, struct group *x, AVFrame *frame)
{
    rn_monitor_lock(&g->monitor);
    int64_t at = rn_io_number(frame);
    bool wanted = !x->own || at != x->own; /* else it is the next group's entry */
    while (!g->closing && !x->dropped && g->held >= g->most &&
           (*place(g, g->first) != x || x->npictures - x->given >= FRONT_ROOM))
        rn_monitor_wait(&g->monitor);
    bool going = !g->closing && !x->dropped;
    AVFrame *own = going && wanted ? av_frame_alloc() : NULL;
    if (own && av_dynarray_add_nofree(&x->picture, &x->npictures, own) < 0)
        av_frame_free(&own);
    if (own) {
        av_frame_move_ref(own, frame);
        g->held++;
    } else {
        av_frame_unref(frame);
        x->bad |= going && wanted;
    }
    rn_monitor_tell(&g->monitor);
    rn_monitor_unlock(&g->monitor);
    return going;
}

/* Returns 0, AVERROR(EAGAIN) or AVERROR_EOF while all is well. */
static int take_pictures(struct decoder *d, struct group *x, AVFrame *frame)
{
    int ret;
    while ((ret = avcodec_receive_frame(d->context, frame)) == 0) {
        /* From an error on no picture is given out: what counts again are those not given yet. */
        if (rn_read_decoder_is_flawed(frame) || atomic_load(&d->watch.errors))
            ret = AVERROR_INVALIDDATA;
        if (ret < 0 || !keep_picture(d->groups, x, frame))
            return ret < 0 ? ret : AVERROR_EXIT;
    }
    return ret;
}

static void decode_group(struct decoder *d, struct group *x, bool first, AVFrame *frame)
{
    struct rn_read_groups *g = d->groups;
    int delay = d->context->has_b_frames, ret = AVERROR(EAGAIN);
    atomic_store(&d->watch.errors, 0);
    for (int i = 0; ret == AVERROR(EAGAIN); i++) {
        rn_monitor_lock(&g->monitor);
        while (i >= x->n && !x->complete && !g->closing && !x->dropped)
            rn_monitor_wait(&g->monitor);
        bool over = g->closing || x->dropped;
        AVPacket *pkt = !over && i < x->n ? x->packet[i] : NULL;
        bool skipped = pkt && !first && i && x->leads[i] && (!x->own || i < x->own);
        rn_monitor_unlock(&g->monitor);
        if (over)
            break;
        if (skipped) /* the decoder of the group before has them */
            continue;
        if (pkt)
            rn_io_set_number(d->context, pkt, i);
        ret = avcodec_send_packet(d->context, pkt);
        ret = ret < 0 ? ret : take_pictures(d, x, frame);
    }
    bool learned = d->context->has_b_frames != delay && !first; /* pictures came out of order */
    avcodec_flush_buffers(d->context);
    rn_monitor_lock(&g->monitor);
    x->bad |= ret != AVERROR_EOF || learned || atomic_load(&d->watch.errors);
    x->done = true;
    if (x->dropped)
        destroy(x);
    rn_monitor_tell(&g->monitor);
    rn_monitor_unlock(&g->monitor);
}

/* Encoders leave notes in the first packet that decoders look at later, such as x264's version. */
static void show_head(struct decoder *d, AVFrame *frame)
{
    rn_monitor_lock(&d->groups->monitor);
    while (!d->groups->head && !d->groups->ended && !d->groups->closing)
        rn_monitor_wait(&d->groups->monitor);
    AVPacket *head = d->groups->head ? av_packet_clone(d->groups->head) : NULL;
    rn_monitor_unlock(&d->groups->monitor);
    if (!head)
        return;
    avcodec_send_packet(d->context, head);
    avcodec_send_packet(d->context, NULL);
    while (avcodec_receive_frame(d->context, frame) >= 0)
        av_frame_unref(frame);
    avcodec_flush_buffers(d->context);
    av_packet_free(&head);
}

static void *decode(void *arg)
{
    struct decoder *d = arg;
    struct rn_read_groups *g = d->groups;
    AVFrame *frame = av_frame_alloc();
    show_head(d, frame);
    for (;;) {
        struct group *x = NULL;
        int64_t at;
        rn_monitor_lock(&g->monitor);
        for (;;) {
            for (at = g->first; at < g->behind && (*place(g, at))->taken; at++)
                continue;
            if (g->closing || at < g->behind || g->ended)
                break;
            rn_monitor_wait(&g->monitor);
        }
        if (!g->closing && frame && at < g->behind) {
            x = *place(g, at);
            x->taken = true;
        }
        rn_monitor_unlock(&g->monitor);
        if (!x)
            break;
        decode_group(d, x, !at, frame);
    }
    av_frame_free(&frame);
    return NULL;
}

/* ---- opening and closing */

/* The mean number of pictures in a group, by the container's index; 0: it has none. */
static int64_t mean_length(const struct rn_read_input *p)
{
    AVStream *st = (AVStream *)rn_read_stream_in(p);
    int n = avformat_index_get_entries_count(st), keys = 0;
    int64_t first = 0, last = 0;
    for (int i = 0; i < n; i++) {
        const AVIndexEntry *e = avformat_index_get_entry(st, i);
        if (!(e->flags & AVINDEX_KEYFRAME))
            continue;
        first = keys++ ? first : e->timestamp;
        last = e->timestamp;
    }
    double seconds = (double)(last - first) * av_q2d(st->time_base);
    return keys > 2 && p->rate.num > 0 ? (int64_t)(seconds * av_q2d(p->rate) / (keys - 1)) + 1 : 0;
}

/* How many decoders there are to be, at least two; 0: one is better. */
static int count_decoders(const struct rn_read_source *src, int64_t most)
{
    const struct rn_read_input *p = src->in;
    enum AVCodecID id = p->par->codec_id;
    const struct rn_io_read_opts *o = &src->opts;
    bool codec = id == AV_CODEC_ID_H264 || id == AV_CODEC_ID_HEVC || id == AV_CODEC_ID_VP9;
    bool file = p->files == 1 && !o->allow_playlists && p->seekable && !p->container->endless;
    int n = o->threads ? o->threads : rn_cores();
    if (!codec || !file || p->par->field_order > AV_FIELD_PROGRESSIVE || o->from.kind ||
        !o->decoders || o->described)
        return 0;
    if (o->decoders > 0)
        return FFMIN(o->decoders, MOST_DECODERS);
    int64_t length = mean_length(p);
    if (!length || n < LEAST_CORES)
        return 0;
    int64_t fit = FFMIN(n, most / length);
    return 2 * fit < n ? 0 : (int)FFMIN(fit, MOST_DECODERS);
}

static int open_decoders(struct rn_read_groups *g, struct rn_read_source *src, const AVCodec *codec,
                         int n)
{
    int err = 0;
    while (g->ndecoders < n && !err) {
        struct decoder *d = &g->decoder[g->ndecoders];
        d->groups = g;
        d->watch.harmless = src->in->watch.harmless;
        d->watch.concealed = true;
        atomic_store(&d->watch.quiet, true);
        err = rn_read_decoder_context(src, codec, 1, &d->context);
        if (d->context)
            d->context->opaque = &d->watch;
        g->ndecoders++;
    }
    return err;
}

struct rn_read_groups *rn_read_groups_open(struct rn_read_source *src, const AVCodec *codec)
{
    const AVCodecParameters *par = src->in->par;
    int64_t pixels = (int64_t)par->width * par->height;
    int64_t most = pixels > 0 ? rn_io_max_pixels(par, src->opts.memory / 4) / pixels : 0;
    int n = count_decoders(src, most);
    if (n < 2 || most < FRONT_ROOM)
        return NULL;
    struct rn_read_groups *g = av_mallocz(sizeof *g);
    if (!g)
        return NULL;
    g->most = most;
    g->interrupt = &src->stop;
    g->opts = src->opts;
    g->opts.pictures_only = true;
    g->opts.losses = NULL;
    rn_monitor_init(&g->monitor);
    bool opened = !rn_read_demux_open(&g->in, src->name, &g->opts, &g->stop);
    if (opened) {
        g->par = g->in->par;
        atomic_store(&g->in->watch.quiet, true);
        opened = !open_decoders(g, src, codec, n) &&
                 rn_thread_try(&g->reader, "read ahead", read_ahead, g);
    }
    for (int i = 0; i < g->ndecoders && opened; i++)
        opened = rn_thread_try(&g->decoder[i].thread, "decode", decode, &g->decoder[i]);
    if (opened)
        rn_log(RN_LOG_DEBUG, "'%s': %d decoders side by side", src->name, g->ndecoders);
    else
        rn_read_groups_close(&g);
    return g;
}

void rn_read_groups_close(struct rn_read_groups **groups)
{
    struct rn_read_groups *g = *groups;
    if (!g)
        return;
    atomic_store(&g->stop, true);
    rn_monitor_lock(&g->monitor);
    g->closing = true;
    rn_monitor_tell(&g->monitor);
    rn_monitor_unlock(&g->monitor);
    rn_thread_join(&g->reader);
    for (int i = 0; i < g->ndecoders; i++) {
        rn_thread_join(&g->decoder[i].thread);
        avcodec_free_context(&g->decoder[i].context);
    }
    while (g->first < g->behind)
        drop_front(g);
    av_packet_free(&g->head);
    if (g->in)
        g->in->ops->close(g->in);
    rn_monitor_destroy(&g->monitor);
    av_freep(groups);
}

int64_t rn_read_groups_most(const struct rn_read_groups *g)
{
    return g->most + FRONT_ROOM;
}

/* ---- the caller's side */

static bool is_same(const AVPacket *a, const AVPacket *b)
{
    return a->pts == b->pts && a->dts == b->dts && a->size == b->size &&
           !memcmp(a->data, b->data, (size_t)a->size);
}

/* Waits for the reader or a decoder. Locked. Returns false if reading was stopped. */
static bool wait_for_more(struct rn_read_groups *g)
{
    rn_monitor_wait_until(&g->monitor, rn_clock() + LOOK_S);
    return !atomic_load(g->interrupt);
}

/* The group at this place, once it is read; NULL: there is none. Locked. */
static struct group *await_group(struct rn_read_groups *g, int64_t at)
{
    while (at >= g->behind && !g->ended && wait_for_more(g))
        continue;
    return at < g->behind ? *place(g, at) : NULL;
}

/* Whether pkt is the next one that was read ahead. Locked. */
static bool follows(struct rn_read_groups *g, const AVPacket *pkt, int64_t number)
{
    struct group *x = await_group(g, g->sending);
    for (;;) {
        if (x && x->own && g->sent == x->own) {
            x = await_group(g, ++g->sending);
            g->sent = 0;
        }
        if (!x || g->sent < x->n || x->complete || !wait_for_more(g))
            break;
    }
    if (!x || g->sent >= x->n || !is_same(x->packet[g->sent], pkt))
        return false;
    x->number = g->sent++ ? x->number : number;
    return true;
}

void rn_read_groups_send(struct rn_read_groups *g, const AVPacket *pkt, int64_t number)
{
    rn_monitor_lock(&g->monitor);
    if (!pkt)
        g->end = true;
    else if (!g->lost)
        g->lost = !follows(g, pkt, number);
    g->newest = pkt ? number : g->newest;
    rn_monitor_unlock(&g->monitor);
}

/* The next picture, if it is there; 1: it is due, and still to come. Locked. */
static int next_picture(struct rn_read_groups *g, AVFrame *frame)
{
    for (;;) {
        struct group *x = g->first < g->behind ? *place(g, g->first) : NULL;
        if (g->lost || (x && x->bad))
            return AVERROR_INVALIDDATA;
        if (!x && g->end)
            return g->ended ? AVERROR_EOF : 1;
        if (!x || !x->number)
            return g->end ? AVERROR_INVALIDDATA : AVERROR(EAGAIN);
        if (x->given < x->npictures) {
            AVFrame *own = x->picture[x->given];
            int64_t number = x->number + rn_io_number(own);
            if (number > g->newest)
                return g->end ? AVERROR_INVALIDDATA : AVERROR(EAGAIN);
            av_frame_move_ref(frame, own);
            av_frame_free(&own);
            x->given++;
            g->held--;
            rn_io_frame_set_number(frame, number);
            rn_monitor_tell(&g->monitor);
            return 0;
        }
        bool due =
            g->end || g->sending > g->first || x->number + x->given + RN_GROUPS_DELAY < g->newest;
        if (!x->done)
            return due ? 1 : AVERROR(EAGAIN);
        if (g->sending == g->first && !g->end)
            return AVERROR(EAGAIN);
        drop_front(g);
    }
}

int rn_read_groups_receive(struct rn_read_groups *g, AVFrame *frame)
{
    int ret;
    rn_monitor_lock(&g->monitor);
    while ((ret = next_picture(g, frame)) == 1 && wait_for_more(g))
        continue;
    rn_monitor_unlock(&g->monitor);
    return ret == 1 ? AVERROR(EAGAIN) : ret;
}

bool rn_read_groups_resume(struct rn_read_groups *g, const AVPacket *pkt)
{
    rn_monitor_lock(&g->monitor);
    struct group *x;
    while ((x = await_group(g, g->first)) != NULL && !is_same(x->packet[0], pkt) &&
           x->packet[0]->pts < pkt->pts) {
        if (x->complete)
            drop_front(g);
        else if (!wait_for_more(g)) /* the thread that reads ahead has it */
            break;
    }
    bool found = x && is_same(x->packet[0], pkt);
    g->sending = g->first;
    g->sent = 0;
    g->lost = g->end = false;
    rn_monitor_unlock(&g->monitor);
    return found;
}
