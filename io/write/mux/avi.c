/* SPDX-License-Identifier: MIT */
#include "io/write/mux/container.h"

#include "io/read/input.h"

/* Microseconds; below a millisecond, as times were rounded. */
#define SLACK 900

/* Samples in each packet; 0: they differ or are unknown. */
static int packet_samples(const AVCodecParameters *par)
{
    switch (par->codec_id) {
    case AV_CODEC_ID_AAC:
    case AV_CODEC_ID_MP2:
    case AV_CODEC_ID_MP3:
    case AV_CODEC_ID_AC3:
    case AV_CODEC_ID_EAC3:
    case AV_CODEC_ID_DTS: {
        int n = av_get_audio_frame_duration2((AVCodecParameters *)par, 0);
        return n > 0 ? n : par->frame_size;
    }
    default:
        return 0;
    }
}

/* The time of the first packet, with its lead-in. */
static bool find_start(const struct rn_io_media *media, const AVStream *in, int64_t *us)
{
    const AVIndexEntry *first = avformat_index_get_entry((AVStream *)in, 0);
    int64_t ts = in->start_time;
    if (rn_container_of_input(media->fmt)->index == RN_INDEX_SAMPLES && first)
        ts = first->timestamp;
    else if (ts != AV_NOPTS_VALUE && in->codecpar->initial_padding > 0)
        ts -= av_rescale_q(in->codecpar->initial_padding,
                           (AVRational){1, in->codecpar->sample_rate}, in->time_base);
    if (ts == AV_NOPTS_VALUE)
        return false;
    *us = rn_io_to_us(ts, in->time_base) - media->offset_us;
    return true;
}

int64_t rn_write_avi_origin(const struct rn_io_media *media, const AVCodecContext *video)
{
    if (!media->fmt)
        return 0;
    AVRational tb = media->fmt->streams[media->video]->time_base;
    int64_t first = rn_io_to_us(media->first->pts, tb) - media->offset_us;
    double sound = (double)first, step = 1e6 * av_q2d(video->time_base);
    int delay = 0;
    for (unsigned i = 0; i < media->fmt->nb_streams; i++) {
        const AVStream *in = media->fmt->streams[i];
        int64_t start;
        if (in->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || in->codecpar->sample_rate <= 0 ||
            !rn_read_stream_is_copied(media->fmt, media->video, (int)i))
            continue;
        delay = video->has_b_frames;       /* of pictures, in steps */
        if (find_start(media, in, &start)) /* sound before 0 is not heard */
            sound = fmin(sound, fmax(0, (double)start));
    }
    double steps = fmax(delay, ceil(((double)first - sound) / step - 0.001));
    return first - llrint(steps * step);
}

bool rn_write_avi_fits(const struct rn_io_media *media, const AVStream *in, int64_t origin,
                       int64_t *error)
{
    const AVCodecParameters *par = in->codecpar;
    double packet = par->sample_rate > 0 ? 1e6 * packet_samples(par) / par->sample_rate : 0;
    enum AVCodecID id = par->codec_id;
    bool pcm = id >= AV_CODEC_ID_FIRST_AUDIO && id < AV_CODEC_ID_AMR_NB; /* and ADPCM */
    bool in_blocks =                                                     /* AVI counts bytes */
        par->block_align > 0 && (pcm || id == AV_CODEC_ID_WMAV1 || id == AV_CODEC_ID_WMAV2);
    int64_t start;
    *error = llrint(packet / 2);
    if (!find_start(media, in, &start) || (packet <= 0 && !in_blocks))
        return false;
    double at = (double)(start - origin);
    if (packet > 0 && at < 0)
        at -= packet * round(at / packet); /* whole packets are left out */
    *error = -llrint(at);
    return fabs(at) <= SLACK && !media->cut; /* a cut begins with any packet */
}

int rn_write_avi_begin(AVFormatContext *out, const AVPacket *pkt)
{
    RN_OWNED(av_packet_free) AVPacket *empty = pkt->dts > 0 ? av_packet_alloc() : NULL;
    if (!empty)
        return pkt->dts > 0 ? AVERROR(ENOMEM) : 0;
    empty->stream_index = pkt->stream_index;
    empty->pts = empty->dts = 0; /* the muxer fills from here up to the next packet */
    return av_interleaved_write_frame(out, empty);
}
