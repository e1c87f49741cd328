/* SPDX-License-Identifier: MIT */
#include "io/read/seek/frame_numbering.h"

#include "filters/base/clock.h"
#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/threads/thread.h"
#include "io/read/source_internal.h"

#define MAX_QUICK_SIZE (INT64_C(256) << 20) /* bytes */

/* ---- the pictures before a keyframe, where the container does not say it: a thread reads the
 * packets of the file once more from the beginning, without decoding. It reads as far as requested
 * and keeps what it has counted. */

enum indexed {
    INDEX_KNOWN,
    INDEX_PENDING, /* not read that far yet */
    INDEX_NEVER,   /* the file cannot be read that far, or has no such keyframe */
};

struct key {
    int64_t pts, before; /* pictures in front of it, in the order of the file */
};

struct rn_read_packet_index {
    const char *input;
    struct rn_io_read_opts opts;
    struct rn_thread thread;
    bool quick; /* so small that a user at a window can wait for all of it */
    atomic_bool stop;
    struct rn_monitor monitor;
    /* -- protected by lock: */
    struct key *key; /* rising pts */
    int n;
    int64_t wanted, reached; /* pts; reached: of the last keyframe */
    bool clock_jumps;
    bool ended;
};

/* -- the thread */

/* The lock is held. Returns false when out of memory. */
static bool add_key(struct rn_read_packet_index *x, int64_t pts, int64_t before)
{
    const struct key key = {pts, before};
    if (x->n && pts <= x->reached)
        return true;
    x->reached = pts;
    return av_dynarray2_add((void **)&x->key, &x->n, sizeof key, (const uint8_t *)&key);
}

static int read_packet(struct rn_read_packet_index *x, struct rn_read_input *p, AVPacket *pkt)
{
    enum rn_stall outer = rn_stall_enter(x->opts.allow_playlists ? RN_STALL_LIVE : RN_STALL_INPUT);
    int err = p->ops->next(p, pkt);
    rn_stall_leave(outer);
    return err;
}

static void read_keys(struct rn_read_packet_index *x, struct rn_read_input *p,
                      struct rn_read_shown *shown, AVPacket *pkt)
{
    int64_t before = 0;
    bool going = true;
    while (going && read_packet(x, p, pkt) == 0) {
        if (pkt->flags & AV_PKT_FLAG_KEY && pkt->pts != AV_NOPTS_VALUE) {
            rn_monitor_lock(&x->monitor);
            going = add_key(x, pkt->pts, before);
            x->clock_jumps = p->damage.discontinuities > 0;
            rn_monitor_tell(&x->monitor);
            while (going && x->reached >= x->wanted && x->reached != INT64_MIN &&
                   !atomic_load(&x->stop))
                rn_monitor_wait(&x->monitor);
            going = going && !atomic_load(&x->stop);
            rn_monitor_unlock(&x->monitor);
        }
        before += rn_read_shown_take(shown, pkt);
        av_packet_unref(pkt);
    }
}

/* Its demuxer is quiet: the reader of the pictures logs the same messages. */
static void *make_index(void *arg)
{
    struct rn_read_packet_index *x = arg;
    struct rn_read_input *p = NULL;
    RN_OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    int err = pkt ? rn_read_demux_open(&p, x->input, &x->opts, &x->stop) : RN_EINTERNAL;
    RN_OWNED(rn_read_shown_close) struct rn_read_shown shown = {0};
    if (!err && rn_read_shown_open(&shown, p->par)) {
        atomic_store(&p->watch.quiet, true);
        /* Streams that nobody asked for need not be read, but where they tell of a clock's jump. */
        for (unsigned i = 0; i < p->fmt->nb_streams; i++)
            if ((int)i != p->video && !(p->fmt->iformat->flags & AVFMT_TS_DISCONT))
                p->fmt->streams[i]->discard = AVDISCARD_ALL;
        read_keys(x, p, &shown, pkt);
    }
    rn_monitor_lock(&x->monitor);
    x->ended = true;
    rn_monitor_tell(&x->monitor);
    rn_monitor_unlock(&x->monitor);
    if (p)
        p->ops->close(p);
    return NULL;
}

static void destroy_index(struct rn_read_packet_index **index)
{
    struct rn_read_packet_index *x = *index;
    if (!x)
        return;
    rn_monitor_lock(&x->monitor);
    atomic_store(&x->stop, true);
    rn_monitor_tell(&x->monitor);
    rn_monitor_unlock(&x->monitor);
    rn_thread_join(&x->thread);
    rn_monitor_destroy(&x->monitor);
    av_free(x->key);
    av_freep(index);
}

/* -- questions */

/* The lock is held. Reads up to pts; with wait, until that is done. Returns false if it is not. */
static bool reach(struct rn_read_packet_index *x, int64_t pts, bool wait, const atomic_bool *stop)
{
    if (pts > x->wanted)
        x->wanted = pts;
    if (!x->thread.runs && !rn_thread_try(&x->thread, "packet index", make_index, x))
        x->ended = true;
    rn_monitor_tell(&x->monitor);
    for (; wait && x->reached < pts && !x->ended && !atomic_load(stop); rn_stall_beat())
        rn_monitor_wait_until(&x->monitor, rn_clock() + 0.02); /* stop wakes nobody */
    return x->reached >= pts || x->ended;
}

static int by_pts(const void *pts, const void *key)
{
    return FFDIFFSIGN(*(const int64_t *)pts, ((const struct key *)key)->pts);
}

int rn_read_frame_numbering_open(struct rn_read_source *src)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    n->begin = AV_NOPTS_VALUE;
    n->guess = -1;
    return rn_read_shown_open(&n->shown, src->in->par) ? 0 : rn_fail_memory();
}

void rn_read_frame_numbering_close(struct rn_read_source *src)
{
    destroy_index(&src->numbering.index);
    rn_read_shown_close(&src->numbering.shown);
    av_freep(&src->numbering.ts);
}

/* ---- what is read */

static bool counts(const struct rn_read_source *src)
{
    return !rn_read_is_stills(src->in) && src->in->seekable &&
           src->opts.index_mode != RN_FRAME_INDEX_ANY;
}

void rn_read_frame_numbering_restart(struct rn_read_source *src)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    n->shown.half = AV_PICTURE_STRUCTURE_UNKNOWN; /* a picture begins with the next packet */
    n->collecting = counts(src);
    n->n = n->untimed = 0;
    n->key = AV_NOPTS_VALUE;
    n->since = n->sought = n->guess = -1;
}

static int push(struct rn_read_frame_numbering *n, int64_t ts)
{
    const uint8_t *bytes = (const uint8_t *)&ts;
    return av_dynarray2_add((void **)&n->ts, &n->n, sizeof ts, bytes) ? 0 : rn_fail_memory();
}

/* In MPEG-PS, pictures that others refer to may have no pts: they are shown when the next of their
 * kind is decoded. Pictures of HEVC that a cut has left in Matroska in front of its start have
 * none, too: they come before the keyframe. */
int rn_read_frame_numbering_add(struct rn_read_source *src, const AVPacket *pkt)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    if (!n->collecting)
        return 0;
    bool none = pkt->pts == AV_NOPTS_VALUE, refers = none || pkt->pts > pkt->dts;
    if (none && n->key != AV_NOPTS_VALUE && rn_read_coded_picture(src->in->par, pkt).leads)
        return push(n, n->key - 1);
    if (n->untimed && refers && pkt->dts != AV_NOPTS_VALUE) {
        n->ts[n->n - n->untimed] = pkt->dts;
        n->key = n->untimed == n->n ? pkt->dts : n->key;
        n->untimed = 0;
    }
    if (!rn_read_shown_take(&n->shown, pkt))
        return 0;
    n->key = n->n ? n->key : pkt->pts;
    n->untimed += n->untimed || none;
    return push(n, none ? INT64_MAX : pkt->pts);
}

/* All pictures shown before one are decoded before it: they have been read. */
static int64_t earlier_than(const struct rn_read_frame_numbering *n, int64_t pts)
{
    int64_t earlier = 0;
    for (int i = 0; i < n->n; i++)
        earlier += n->ts[i] < pts;
    return earlier;
}

/* Those that are shown before the keyframe may come or not. From the first of the others on every
 * picture comes, so that packets without a time do not matter. */
int64_t rn_read_frame_numbering_decoded(struct rn_read_source *src)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    int64_t pts = src->frame->pts;
    if (n->begin == AV_NOPTS_VALUE && src->in->before == 0) {
        n->begin = pts;
        n->lead = n->collecting ? earlier_than(n, pts) : 0;
        n->collecting = false;
    } else if (n->since >= 0) {
        n->since++;
    } else if (n->collecting && n->key != AV_NOPTS_VALUE && pts >= n->key) {
        n->since = earlier_than(n, pts);
    }
    n->collecting &= n->since < 0;
    return n->since;
}

/* ---- numbers */

static int64_t by_rate(const struct rn_read_source *src, int64_t pts)
{
    const struct rn_read_input *p = src->in;
    AVRational rate = p->rate;
    int64_t begin = src->numbering.begin;
    if (begin == AV_NOPTS_VALUE)
        begin = rn_io_from_us(p->start_us, p->time_base);
    double ticks = (double)(pts - begin);
    double number = rate.num > 0 ? ticks * av_q2d(p->time_base) * av_q2d(rate)
                                 : ticks / (double)src->previous_duration;
    return number > 0 && number < 1e15 ? llrint(number) : 0;
}

/* The number of src->frame, or of the first made of the same, if the decoded one's is `decoded`. */
static int64_t of_pictures(const struct rn_read_source *src, int64_t decoded)
{
    return src->prepare.factor * decoded + src->numbering.second;
}

/* The index stays NULL if the input is no file. Returns 0 or an error (logged). */
static int open_index(struct rn_read_source *src)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    const struct rn_io_read_opts *opts = &src->opts;
    struct stat st;
    if (n->index_tried)
        return 0;
    n->index_tried = true;
    int found = rn_path_look(src->name, &st);
    if (found < 0)
        return rn_fail(RN_EINPUT, "cannot look at '%s': %s", src->name, strerror(errno));
    if (!found || !S_ISREG(st.st_mode))
        return 0;
    struct rn_read_packet_index *x = n->index = av_mallocz(sizeof *x);
    if (!x)
        return rn_fail_memory();
    x->input = src->name;
    x->quick = st.st_size <= MAX_QUICK_SIZE;
    x->opts = (struct rn_io_read_opts){.frames = -1,
                                       .allow_playlists = opts->allow_playlists,
                                       .probe_bytes = opts->probe_bytes,
                                       .probe_seconds = opts->probe_seconds,
                                       .map = opts->map,
                                       .drop = opts->drop,
                                       .pictures_only = true};
    x->wanted = x->reached = INT64_MIN;
    rn_monitor_init(&x->monitor);
    return 0;
}

static bool may_wait(const struct rn_read_source *src)
{
    return src->opts.index_mode == RN_FRAME_INDEX_EXACT || src->numbering.index->quick;
}

int rn_read_frame_numbering_find_clock_jumps(struct rn_read_source *src)
{
    struct rn_read_input *p = src->in;
    if (p->must_read_all || !p->ambiguous || !counts(src))
        return 0;
    int err = open_index(src);
    struct rn_read_packet_index *x = src->numbering.index;
    if (err || !x || !may_wait(src))
        return err;
    /* A clock that starts again makes the times in front of the jump ambiguous, too. */
    rn_monitor_lock(&x->monitor);
    reach(x, INT64_MAX, true, &src->stop);
    p->must_read_all = x->clock_jumps;
    rn_monitor_unlock(&x->monitor);
    return 0;
}

/* Numbers src->frame by the pictures before the last keyframe, in the order of the file, and starts
 * or continues reading up to that. wait: until the number is known or the source is stopped;
 * otherwise it may be pending. */
static enum indexed ask_index(struct rn_read_source *src, bool wait, int64_t *number)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    struct rn_read_packet_index *x = n->index;
    if (!x || n->key == AV_NOPTS_VALUE)
        return INDEX_NEVER;
    rn_monitor_lock(&x->monitor);
    bool there = reach(x, n->key, wait, &src->stop);
    const struct key *key =
        there && x->n ? bsearch(&n->key, x->key, (size_t)x->n, sizeof *key, by_pts) : NULL;
    int64_t before = key ? key->before : 0;
    rn_monitor_unlock(&x->monitor);
    *number = of_pictures(src, before + n->sought - n->lead);
    return key ? INDEX_KNOWN : there ? INDEX_NEVER : INDEX_PENDING;
}

int rn_read_frame_numbering_find(struct rn_read_source *src, int64_t decoded, int64_t *number)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    const struct rn_read_input *p = src->in;
    int64_t pts = src->origin.pts;
    n->collecting = false;
    n->sought = src->origin.count;
    n->second = src->origin.second;
    *number = p->ops->index    ? p->ops->index(p, pts)
              : p->before == 0 ? decoded
                               : of_pictures(src, by_rate(src, pts));
    if (p->before == 0 || !counts(src))
        return 0;
    if (p->before > 0) {
        *number = of_pictures(src, p->before + n->sought - n->lead);
        return 0;
    }
    int64_t counted = 0;
    int err = open_index(src);
    enum indexed state = err ? INDEX_NEVER : ask_index(src, n->index && may_wait(src), &counted);
    if (state == INDEX_KNOWN)
        *number = counted;
    else if (state == INDEX_PENDING)
        n->guess = *number;
    else if (!err && p->ambiguous && n->index && may_wait(src))
        return RN_END;
    else if (!err && !n->warned) {
        if (src->opts.index_mode == RN_FRAME_INDEX_EXACT)
            rn_log(RN_LOG_WARNING,
                   "'%s': the frames behind what was skipped are numbered by the average rate: "
                   "they cannot be counted here",
                   src->name);
        n->warned = true;
    }
    return err;
}

int64_t rn_read_frame_numbering_error(struct rn_read_source *src)
{
    struct rn_read_frame_numbering *n = &src->numbering;
    int64_t number = 0, guess = n->guess;
    if (guess < 0)
        return 0;
    enum indexed state = ask_index(src, false, &number);
    if (state != INDEX_PENDING)
        n->guess = -1;
    return state == INDEX_KNOWN ? number - guess : 0;
}
