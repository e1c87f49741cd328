/* SPDX-License-Identifier: MIT */
#include "io/write/mux/container.h"

#include "filters/base/log.h"
#include "filters/base/output/textout.h"
#include "io/common/av.h"

#include <sys/stat.h>

#define PACKET_OVERHEAD 16 /* bytes, usual maximum */

static int64_t text_size(const AVDictionary *dict)
{
    const AVDictionaryEntry *e = NULL;
    int64_t n = 0;
    while ((e = av_dict_get(dict, "", e, AV_DICT_IGNORE_SUFFIX)))
        n += 64 + (int64_t)strlen(e->value);
    return n;
}

/* The trailer of MOV and MP4 has the index and the descriptions of streams. */
static int64_t mov_trailer(const AVFormatContext *out)
{
    int64_t n = 2048 + text_size(out->metadata);
    for (unsigned i = 0; i < out->nb_streams; i++)
        n += 1024 + 2 * (int64_t)out->streams[i]->codecpar->extradata_size +
             text_size(out->streams[i]->metadata);
    for (unsigned i = 0; i < out->nb_chapters; i++)
        n += 64 + 2 * text_size(out->chapters[i]->metadata);
    return n;
}

int rn_write_av_write_fail(const char *path, int averror)
{
    int cause = AVUNERROR(averror);
    if (cause > 0 && cause < 4096) /* an errno, not libav's own code */
        return rn_write_fail(path, cause);
    return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, rn_io_error(averror));
}

int rn_write_checked(const AVFormatContext *out, const char *path, int ret)
{
    if (out->pb->error < 0)
        ret = out->pb->error;
    return ret < 0 ? rn_write_av_write_fail(path, ret) : 0;
}

void rn_write_reserved_begin(struct rn_write_reserved *reserved, AVFormatContext *out,
                             struct rn_outfile *file)
{
    const struct rn_container *container = rn_container_of_output(out->oformat);
    *reserved = (struct rn_write_reserved){.file = file, .container = container};
    reserved->overhead = avio_tell(out->pb);
    reserved->trailer = container->index_in_trailer
                            ? mov_trailer(out)
                            : container->trailer_bytes + /* plus a buffered pack of each stream */
                                  container->pack_bytes * ((int64_t)out->nb_streams + 1);
    out->opaque = reserved;
}

/* Counts the bytes that a packet adds to the trailer, and to the file beside its own. */
static void count_packet(struct rn_write_reserved *reserved, const AVFormatContext *out,
                         const AVPacket *pkt)
{
    const struct rn_container *container = reserved->container;
    bool key = pkt->flags & AV_PKT_FLAG_KEY;
    reserved->handed += pkt->size;
    if (container->index_in_trailer) { /* size, duration, order, whether it is a key, its chunk */
        reserved->trailer += 12 + 8 * (pkt->pts != pkt->dts) + 4 * key + 20 * (out->nb_streams > 1);
        return;
    }
    reserved->trailer += container->trailer_per_packet + (key ? container->trailer_per_key : 0);
    reserved->overhead += container->pack_bytes        ? 32 + pkt->size / 32
                          : container->packet_overhead ? container->packet_overhead
                                                       : PACKET_OVERHEAD;
}

int rn_write_reserved_write(AVFormatContext *out, const char *path, AVPacket *pkt)
{
    struct rn_write_reserved *reserved = out->opaque;
    if (reserved && reserved->file) {
        int64_t at = avio_tell(out->pb), buffered = reserved->handed + reserved->overhead - at;
        int64_t own = pkt->size + pkt->size / 32 + 448; /* MPEG-TS splits it into small packets */
        int code = rn_outfile_reserve(reserved->file,
                                      at + (buffered > 0 ? buffered : 0) + own + reserved->trailer);
        if (code) {
            av_packet_unref(pkt);
            return rn_write_fail(path, code);
        }
        count_packet(reserved, out, pkt);
    }
    int err = rn_write_checked(out, path, av_interleaved_write_frame(out, pkt));
    if (err || !reserved)
        return err;
    /* Several positions, as libav's buffer may hold the last packets. */
    int64_t at = avio_tell(out->pb), n = reserved->nmarks;
    if (at >= (n ? reserved->marks[(n - 1) % RN_RESERVED_MARKS] : 0) + 1024)
        reserved->marks[reserved->nmarks++ % RN_RESERVED_MARKS] = at;
    return 0;
}

bool rn_write_reserved_cut(const struct rn_write_reserved *reserved)
{
    struct stat st;
    if (!reserved->file || reserved->container->index_in_trailer || stat(reserved->file->temp, &st))
        return false;
    int64_t best = 0;
    for (int i = 0; i < reserved->nmarks && i < RN_RESERVED_MARKS; i++)
        best = reserved->marks[i] <= st.st_size && reserved->marks[i] > best ? reserved->marks[i]
                                                                             : best;
    return best > 0 && !truncate(reserved->file->temp, best);
}
