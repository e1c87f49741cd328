#include "io/write/mux/tee.h"

#include "io/common/av_versions.h"

#include <string.h>

#include <libavutil/error.h>
#include <libavutil/mem.h>

#define BUFFER (1 << 15)

struct rn_write_tee {
    AVIOContext *under;
    struct rn_write_head head;
};

static void keep(struct rn_write_head *head, const uint8_t *data, size_t size)
{
    size_t left = RN_MOST_HEAD - head->size, take = left < size ? left : size;
    if (head->size + take > head->room) {
        size_t room = head->room ? head->room : 2 * BUFFER;
        while (room < head->size + take)
            room *= 2;
        uint8_t *more = av_realloc(head->data, room);
        if (!more)
            return;
        head->data = more;
        head->room = room;
    }
    if (take)
        memcpy(head->data + head->size, data, take);
    head->size += take;
}

static int write_both(void *opaque, rn_io_written *data, int size)
{
    struct rn_write_tee *tee = opaque;
    keep(&tee->head, data, (size_t)size);
    avio_write(tee->under, data, size);
    avio_flush(tee->under);
    return tee->under->error < 0 ? tee->under->error : size;
}

int rn_write_tee_open(struct rn_write_tee **out, AVIOContext **pb)
{
    struct rn_write_tee *tee = av_mallocz(sizeof *tee);
    uint8_t *buf = av_malloc(BUFFER);
    AVIOContext *own =
        tee && buf ? avio_alloc_context(buf, BUFFER, 1, tee, NULL, write_both, NULL) : NULL;
    if (!own) {
        av_free(buf);
        av_free(tee);
        return AVERROR(ENOMEM);
    }
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
