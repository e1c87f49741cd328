/* SPDX-License-Identifier: MIT */
#include "io/read/demux/packet_index.h"

#include "filters/base/clock.h"
#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/threads/stall.h"
#include "filters/base/threads/thread.h"
#include "io/read/input.h"
#include "io/read/demux/coded_picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/common.h>
#include <libavutil/mem.h>

#define MAX_QUICK_SIZE (INT64_C(256) << 20) /* bytes */

struct key {
    int64_t pts, before; /* pictures in front of it, in the order of the file */
};

struct rn_read_packet_index {
    const char *input;
    struct rn_io_read_opts opts;
    struct rn_thread thread;
    bool quick;
    atomic_bool stop;
    struct rn_monitor monitor;
    /* -- protected by lock: */
    struct key *key; /* rising pts */
    int n;
    int64_t wanted, reached; /* pts; reached: of the last keyframe */
    bool clock_jumps;
    bool ended;
};

int rn_read_packet_index_create(struct rn_read_packet_index **index, const char *input,
                                const struct rn_io_read_opts *opts)
{
    struct stat st;
    *index = NULL;
    int found = rn_path_look(input, &st);
    if (found < 0)
        return rn_fail(RN_EINPUT, "cannot look at '%s': %s", input, strerror(errno));
    if (!found || !S_ISREG(st.st_mode))
        return 0;
    struct rn_read_packet_index *x = av_mallocz(sizeof *x);
    if (!x)
        return rn_fail_memory();
    x->input = input;
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
    *index = x;
    return 0;
}

bool rn_read_packet_index_is_quick(const struct rn_read_packet_index *x)
{
    return x->quick;
}

/* ---- the thread */

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
    AVPacket *pkt = av_packet_alloc();
    int err = pkt ? rn_read_demux_open(&p, x->input, &x->opts, &x->stop) : RN_EINTERNAL;
    struct rn_read_shown *shown = err ? NULL : rn_read_shown_create(p->par);
    if (shown) {
        atomic_store(&p->watch.quiet, true);
        /* Streams that nobody asked for need not be read, but where they tell of a clock's jump. */
        for (unsigned i = 0; i < p->fmt->nb_streams; i++)
            if ((int)i != p->video && !(p->fmt->iformat->flags & AVFMT_TS_DISCONT))
                p->fmt->streams[i]->discard = AVDISCARD_ALL;
        read_keys(x, p, shown, pkt);
    }
    rn_monitor_lock(&x->monitor);
    x->ended = true;
    rn_monitor_tell(&x->monitor);
    rn_monitor_unlock(&x->monitor);
    rn_read_shown_destroy(&shown);
    if (p)
        p->ops->close(p);
    av_packet_free(&pkt);
    return NULL;
}

void rn_read_packet_index_destroy(struct rn_read_packet_index **index)
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

/* ---- questions */

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

enum rn_read_indexed rn_read_packet_index_before(struct rn_read_packet_index *x, int64_t pts,
                                                 bool wait, const atomic_bool *stop,
                                                 int64_t *before)
{
    rn_monitor_lock(&x->monitor);
    bool there = reach(x, pts, wait, stop);
    const struct key *key =
        there && x->n ? bsearch(&pts, x->key, (size_t)x->n, sizeof *key, by_pts) : NULL;
    if (key)
        *before = key->before;
    rn_monitor_unlock(&x->monitor);
    return key ? RN_INDEX_KNOWN : there ? RN_INDEX_NEVER : RN_INDEX_PENDING;
}

bool rn_read_packet_index_jumps(struct rn_read_packet_index *x, const atomic_bool *stop)
{
    rn_monitor_lock(&x->monitor);
    reach(x, INT64_MAX, true, stop);
    bool jumps = x->clock_jumps;
    rn_monitor_unlock(&x->monitor);
    return jumps;
}
