#include "io/write/mux/muxer.h"
#include "io/write/mux/room.h"

#include "filters/base/err.h"
#include "filters/base/output/textout.h"
#include "io/containers/table.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PACKET_OVERHEAD 16 /* bytes; the usual ones at most */

static int64_t text_size(const AVDictionary *dict)
{
    const AVDictionaryEntry *e = NULL;
    int64_t n = 0;
    while ((e = av_dict_get(dict, "", e, AV_DICT_IGNORE_SUFFIX)))
        n += 64 + (int64_t)strlen(e->value);
    return n;
}

/* The index of MOV and MP4 stands in the trailer with all that describes the streams. */
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

void rn_write_room_begin(struct rn_write_room *room, AVFormatContext *out, struct rn_outfile *file)
{
    const struct rn_container *container = rn_container_of_output(out->oformat);
    *room = (struct rn_write_room){.file = file, .container = container};
    room->overhead = avio_tell(out->pb);
    room->trailer = container->index_in_trailer
                        ? mov_trailer(out)
                        : container->trailer_bytes + /* a pack of each stream is held back */
                              container->pack_bytes * ((int64_t)out->nb_streams + 1);
    out->opaque = room;
}

/* What a packet adds to the trailer, and to the file beside its own bytes. */
static void count_packet(struct rn_write_room *room, const AVFormatContext *out,
                         const AVPacket *pkt)
{
    const struct rn_container *container = room->container;
    bool key = pkt->flags & AV_PKT_FLAG_KEY;
    room->handed += pkt->size;
    if (container->index_in_trailer) { /* size, duration, order, whether it is a key, its chunk */
        room->trailer += 12 + 8 * (pkt->pts != pkt->dts) + 4 * key + 20 * (out->nb_streams > 1);
        return;
    }
    room->trailer += container->trailer_per_packet + (key ? container->trailer_per_key : 0);
    room->overhead += container->pack_bytes        ? 32 + pkt->size / 32
                      : container->packet_overhead ? container->packet_overhead
                                                   : PACKET_OVERHEAD;
}

static int64_t needed(const struct rn_write_room *room, const AVFormatContext *out,
                      const AVPacket *pkt)
{
    int64_t at = avio_tell(out->pb), buffered = room->handed + room->overhead - at;
    int64_t own = pkt->size + pkt->size / 32 + 448; /* MPEG-TS cuts it in small pieces */
    return at + (buffered > 0 ? buffered : 0) + own + room->trailer;
}

/* libav's buffer holds some of them back, so the last is not enough. */
static void mark(struct rn_write_room *room, int64_t at)
{
    int64_t last = room->nmarks ? room->marks[(room->nmarks - 1) % RN_ROOM_MARKS] : 0;
    if (at >= last + 1024)
        room->marks[room->nmarks++ % RN_ROOM_MARKS] = at;
}

int rn_write_room_write(AVFormatContext *out, const char *path, AVPacket *pkt)
{
    struct rn_write_room *room = out->opaque;
    if (room && room->file) {
        int code = rn_outfile_reserve(room->file, needed(room, out, pkt));
        if (code) {
            av_packet_unref(pkt);
            return rn_write_fail(path, code);
        }
        count_packet(room, out, pkt);
    }
    int err = rn_write_checked(out, path, av_interleaved_write_frame(out, pkt));
    if (!err && room)
        mark(room, avio_tell(out->pb));
    return err;
}

bool rn_write_room_cut(const struct rn_write_room *room)
{
    struct stat st;
    if (!room->file || room->container->index_in_trailer || stat(room->file->temp, &st))
        return false;
    int64_t best = 0;
    for (int i = 0; i < room->nmarks && i < RN_ROOM_MARKS; i++)
        best = room->marks[i] <= st.st_size && room->marks[i] > best ? room->marks[i] : best;
    return best > 0 && !truncate(room->file->temp, best);
}
