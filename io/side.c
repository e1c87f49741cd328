#include "io/side.h"

#include "filters/core/err.h"
#include "filters/core/log.h"
#include "io/source.h"

#include <libavutil/mem.h>

struct rn_side *rn_side_create(void)
{
    struct rn_side *side = av_mallocz(sizeof *side);
    if (side)
        side->number = -1;
    return side;
}

void rn_side_destroy(struct rn_side **side)
{
    if (!*side)
        return;
    for (int i = 0; i < (*side)->n; i++)
        av_packet_free(&(*side)->packet[i]);
    av_freep(&(*side)->packet);
    av_frame_free(&(*side)->props);
    av_freep(side);
}

int rn_side_push(struct rn_side *side, AVPacket *pkt)
{
    if (side->n == side->size) {
        int size = side->size ? 2 * side->size : 16;
        AVPacket **list = av_realloc_array(side->packet, (size_t)size, sizeof *list);
        if (!list)
            goto fail;
        side->packet = list;
        side->size = size;
    }
    AVPacket *own = av_packet_alloc();
    if (!own)
        goto fail;
    /* Demuxers may hand out packets whose memory is their own until the next read. */
    if (av_packet_make_refcounted(pkt) < 0) {
        av_packet_free(&own);
        goto fail;
    }
    av_packet_move_ref(own, pkt);
    side->packet[side->n++] = own;
    return 0;
fail:
    av_packet_unref(pkt);
    return rn_fail_memory();
}

void rn_frame_release(struct rn_frame *frame)
{
    rn_side_destroy(&frame->side);
}
