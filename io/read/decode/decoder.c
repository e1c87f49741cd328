#include "io/read/decode/decoder.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/common/av_versions.h"
#include "io/read/source_internal.h"

#include <string.h>

/* FFmpeg's own decoders of VP8 and VP9 leave transparency out; that of libvpx does not. */
static const AVCodec *find_decoder(const struct rn_read_source *src)
{
    const struct rn_read_packets *p = src->packets;
    const AVStream *st = p->fmt ? p->fmt->streams[p->video] : NULL;
    const AVDictionaryEntry *mode = st ? av_dict_get(st->metadata, "alpha_mode", NULL, 0) : NULL;
    enum AVCodecID id = p->par->codec_id;
    if (!mode || strcmp(mode->value, "1") != 0 || (id != AV_CODEC_ID_VP8 && id != AV_CODEC_ID_VP9))
        return avcodec_find_decoder(id);
    const AVCodec *codec =
        avcodec_find_decoder_by_name(id == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9");
    if (codec)
        return codec;
    rn_losses_add(src->opts.losses, "alpha",
                  "'%s': its transparency is left out: this FFmpeg lacks libvpx", src->input);
    return avcodec_find_decoder(id);
}

/* One more than cores, as FFmpeg itself takes: whoever waits for the oldest picture does not keep a
 * core from the next ones. */
static int decoder_threads(int asked)
{
    int n = rn_io_threads(asked);
    return asked > 0 || n == 1 || n == RN_AV_THREADS_MOST ? n : n + 1;
}

int rn_read_decoder_open(struct rn_read_source *src)
{
    const struct rn_read_packets *p = src->packets;
    const AVCodec *codec = find_decoder(src);
    if (!codec)
        return rn_fail(RN_EINPUT, "'%s': no decoder for %s", src->input,
                       avcodec_get_name(p->par->codec_id));
    src->dec = rn_io_codec_context(codec);
    src->pkt = av_packet_alloc();
    src->frame = av_frame_alloc();
    src->first = av_frame_alloc();
    if (!src->dec || !src->pkt || !src->frame || !src->first ||
        avcodec_parameters_to_context(src->dec, p->par) < 0)
        return rn_fail_memory();
    src->dec->opaque = &src->packets->watch;
    rn_io_number_frames(src->dec);
    src->dec->pkt_timebase = p->time_base;
    src->dec->framerate = p->rate;
    /* Theora in Ogg may be chained: a new header comes, which several threads would not take. */
    bool chained = p->fmt && p->par->codec_id == AV_CODEC_ID_THEORA;
    src->dec->thread_count = chained ? 1 : decoder_threads(src->opts.threads);
    src->dec->err_recognition |= AV_EF_CRCCHECK;
    rn_io_capture_begin();
    int ret = avcodec_open2(src->dec, codec, NULL);
    rn_io_capture_end();
    return ret < 0 ? rn_fail(RN_EINPUT, "cannot decode '%s' (%s): %s", src->input, codec->name,
                             rn_io_cause(ret))
                   : 0;
}
