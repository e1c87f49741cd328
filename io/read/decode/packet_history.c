/* SPDX-License-Identifier: MIT */
#include "io/read/decode/decode_watch.h"

#include "filters/base/log.h"

#include <string.h>

#include <libavutil/mem.h>

static bool is_key(const struct rn_read_past_packet *p)
{
    return p->entry || p->pkt->flags & AV_PKT_FLAG_KEY;
}

static void drop(struct rn_read_packet_history *h, int n)
{
    if (!n)
        return;
    for (int i = 0; i < n; i++) {
        h->bytes -= h->packet[i].pkt->size;
        av_packet_free(&h->packet[i].pkt);
    }
    h->n -= n;
    memmove(h->packet, h->packet + n, (size_t)h->n * sizeof *h->packet);
    h->next = h->n;
}

/* The last keyframe among the first n packets; 0: none. */
static int keyframe_in(const struct rn_read_packet_history *h, int n)
{
    while (n > 1 && !is_key(&h->packet[n - 1]))
        n--;
    return n > 0 ? n - 1 : 0;
}

int rn_read_packet_history_add(struct rn_read_packet_history *h, AVPacket *pkt, int64_t number,
                               bool entry, int delay)
{
    void *more = av_fast_realloc(h->packet, &h->size, (size_t)(h->n + 1) * sizeof *h->packet);
    if (!more)
        return rn_fail_memory();
    h->packet = more;
    /* Demuxers may hand out packets whose memory is their own until the next read. */
    AVPacket *own = av_packet_make_refcounted(pkt) < 0 ? NULL : av_packet_clone(pkt);
    if (!own)
        return rn_fail_memory();
    h->packet[h->n++] = (struct rn_read_past_packet){own, number, entry};
    h->bytes += own->size;
    h->next = h->n;
    if (is_key(&h->packet[h->n - 1])) {
        int previous = keyframe_in(h, h->n - 1), pending = keyframe_in(h, h->n - delay);
        drop(h, keyframe_in(h, previous < pending ? previous : pending));
    }
    return 0;
}

static int entry_of(const struct rn_read_packet_history *h, int64_t number)
{
    int i = h->n - 1;
    while (i >= 0 && h->packet[i].number > number)
        i--;
    return i >= 0 && h->packet[i].number == number && h->packet[i].entry ? i : -1;
}

bool rn_read_packet_history_has_entry(const struct rn_read_packet_history *h, int64_t number)
{
    return entry_of(h, number) >= 0;
}

bool rn_read_packet_history_go_to(struct rn_read_packet_history *h, int64_t number)
{
    int i = entry_of(h, number);
    h->next = i >= 0 ? i : h->next;
    return i >= 0;
}

void rn_read_packet_history_go_before(struct rn_read_packet_history *h, int64_t number)
{
    int end = h->n, start;
    while (end > 0 && h->packet[end - 1].number > number)
        end--;
    start = keyframe_in(h, keyframe_in(h, end));
    for (int i = start; i < end - 1; i++)
        start = h->packet[i].entry ? i : start;
    h->next = start;
}

void rn_read_packet_history_rewind(struct rn_read_packet_history *h)
{
    h->next = 0;
}

const struct rn_read_past_packet *rn_read_packet_history_take(struct rn_read_packet_history *h)
{
    return h->next < h->n ? &h->packet[h->next++] : NULL;
}

void rn_read_packet_history_clear(struct rn_read_packet_history *h)
{
    drop(h, h->n);
    av_freep(&h->packet);
    h->size = 0;
}
