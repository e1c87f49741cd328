#include "io/containers/sound_index.h"

#include "io/read/demux/announced.h"

/* An AVI may count bytes instead, of which packets begin anywhere. */
static bool counts_packets(AVStream *st, int n)
{
    for (int i = 1; i < n; i++)
        if (avformat_index_get_entry(st, i)->timestamp -
                avformat_index_get_entry(st, i - 1)->timestamp !=
            1)
            return false;
    return n > 1;
}

struct rn_container_sound_index rn_container_sound_index_take(const AVFormatContext *fmt,
                                                              AVStream *st)
{
    struct rn_container_sound_index listed = {0};
    bool avi = rn_read_announced_is_avi(fmt);
    int n = avformat_index_get_entries_count(st);
    if (st->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || !(avi || rn_read_announced_is_mov(fmt)))
        return listed;
    for (int i = 0; i < n; i++) {
        const AVIndexEntry *e = avformat_index_get_entry(st, i);
        listed.packets += e->size > 0;
        listed.bytes += e->size;
    }
    /* In old MOVs samples are those of the sound itself, which stand in chunks. */
    if (avi ? !counts_packets(st, n) : st->nb_frames > 2 * (int64_t)n)
        listed.packets = 0;
    if (!avi)
        listed.bytes = 0;
    return listed;
}

int64_t rn_container_sound_index_lack(const struct rn_container_sound_index *listed,
                                      int64_t packets, int64_t bytes)
{
    if (packets < listed->packets)
        return listed->packets - packets;
    return bytes < listed->bytes;
}
