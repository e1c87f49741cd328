/* SPDX-License-Identifier: MIT */
#include "io/write/mux/container.h"

#include "io/common/av_versions.h"

#include <string.h>

#include <libavutil/common.h>
#include <libavutil/error.h>
#include <libavutil/mem.h>

#define BUFFER (1 << 15)

struct rn_write_tee {
    AVIOContext *under;
    struct rn_write_head head;
};

static int write_both(void *opaque, rn_io_written *data, int size)
{
    struct rn_write_tee *tee = opaque;
    size_t n = FFMIN(RN_MAX_HEAD - tee->head.size, (size_t)size);
    memcpy(tee->head.data + tee->head.size, data, n);
    tee->head.size += n;
    avio_write(tee->under, data, size);
    avio_flush(tee->under);
    return tee->under->error < 0 ? tee->under->error : size;
}

int rn_write_tee_open(struct rn_write_tee **out, AVIOContext **pb)
{
    struct rn_write_tee *tee = av_mallocz(sizeof *tee);
    uint8_t *buf = av_malloc(BUFFER);
    uint8_t *head = av_malloc(RN_MAX_HEAD); /* the system provides its pages when they are used */
    AVIOContext *own =
        tee && buf && head ? avio_alloc_context(buf, BUFFER, 1, tee, NULL, write_both, NULL) : NULL;
    if (!own) {
        av_free(head);
        av_free(buf);
        av_free(tee);
        return AVERROR(ENOMEM);
    }
    tee->head.data = head;
    tee->under = *pb;
    *pb = own;
    *out = tee;
    return 0;
}

int rn_write_tee_close(struct rn_write_tee **tee, AVIOContext **pb, struct rn_write_head *head)
{
    if (!*tee)
        return avio_closep(pb);
    avio_flush(*pb);
    int written = (*pb)->error, closed = avio_closep(&(*tee)->under);
    av_freep(&(*pb)->buffer);
    avio_context_free(pb);
    if (head)
        *head = (*tee)->head;
    else
        av_free((*tee)->head.data);
    av_freep(tee);
    return written < 0 ? written : closed;
}
