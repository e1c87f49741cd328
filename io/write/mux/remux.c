/* SPDX-License-Identifier: MIT */
#include "io/write/mux/remux.h"

#include "filters/base/log.h"
#include "io/common/av_versions.h"
#include "io/read/input.h"
#include "io/read/demux/select.h"
#include "io/write/encode/convert_stream.h"
#include "io/write/encode/encoder.h"
#include "io/write/mux/container.h"

#define NOTED      8
#define DELAY_RATE 48000 /* Opus counts so, whatever the sound's rate */

struct track {
    struct rn_write_remux *remux;
    AVStream *st; /* in the output; NULL: the stream is not copied */
    struct rn_write_subtitle subtitle;
    bool judged; /* its conversion is reported at the end */
    struct rn_write_audio_encoder audio;
    AVRational time_base; /* of the source's packets */
    int64_t delay;        /* added to its timestamps, in samples of DELAY_RATE */
    int64_t last_dts;
    int64_t time_us[NOTED]; /* of the first packets for it */
    int noted;
    struct rn_write_span span;
};

struct rn_write_remux {
    AVFormatContext *out;
    const struct rn_container *container; /* of out */
    const struct rn_io_media *media;
    const char *name;
    struct rn_write_remux_opts opts; /* their texts are valid only while streams are made */
    struct track *track;             /* one for each stream of the source */
    const AVStream *video;           /* in out */
    char recoded[200];               /* which streams become what, not reported yet */
    int n;
};

/* ---- writing packets */

void rn_write_remux_raise_dts(const AVFormatContext *out, AVPacket *pkt, int64_t *last)
{
    int64_t least = *last + !(out->oformat->flags & AVFMT_TS_NONSTRICT);
    if (pkt->dts == AV_NOPTS_VALUE || out->oformat->flags & AVFMT_NOTIMESTAMPS)
        return;
    if (*last != AV_NOPTS_VALUE && pkt->dts < least) {
        rn_log(RN_LOG_DEBUG, "stream %d: time stamps do not rise; moved by %lld", pkt->stream_index,
               (long long)(least - pkt->dts));
        pkt->dts = least;
        if (pkt->pts != AV_NOPTS_VALUE && pkt->pts < least)
            pkt->pts = least;
    }
    *last = pkt->dts;
}

/* Writes a packet of a track, which opaque is. */
static int put(void *opaque, AVPacket *pkt, AVRational time_base)
{
    struct track *t = opaque;
    pkt->stream_index = t->st->index;
    pkt->pos = -1;
    /* before timestamps are rounded: the reader subtracts it again */
    rn_io_packet_shift(pkt, av_rescale_q(t->delay, (AVRational){1, DELAY_RATE}, time_base));
    av_packet_rescale_ts(pkt, time_base, t->st->time_base);
    rn_write_remux_raise_dts(t->remux->out, pkt, &t->last_dts);
    return rn_write_reserved_write(t->remux->out, t->remux->name, pkt);
}

/* ---- what the container holds */

static bool is_cover(const AVStream *st)
{
    return st->disposition & AV_DISPOSITION_ATTACHED_PIC;
}

/* Handles a stream that the container cannot hold. Refuses audio and requested streams, so that a
 * long run does not end with a mute film; reports others as left out. */
static int refuse(const struct rn_write_remux *c, const AVStream *in, bool requested)
{
    char works[64] = "", stream[RN_STREAM_NAME];
    bool attached = in->codecpar->codec_type == AVMEDIA_TYPE_ATTACHMENT || is_cover(in);
    const struct rn_container *other;
    for (size_t i = 0; (other = rn_container_row(i)) && !*works; i++) {
        const AVOutputFormat *of = other->extension ? rn_container_muxer(other) : NULL;
        enum AVCodecID id = in->codecpar->codec_id;
        if (of && (attached ? other->attachments
                            : rn_write_container_holds(of, in->codecpar) ||
                                  rn_write_subtitle_target(id, of) != AV_CODEC_ID_NONE))
            snprintf(works, sizeof works, "; .%s holds it", other->extension);
    }
    if (requested || in->codecpar->codec_type == AVMEDIA_TYPE_AUDIO)
        return rn_fail(RN_EOUTPUT, "'%s': %s cannot hold %s%s", c->name, c->out->oformat->name,
                       rn_write_stream_name(in, stream), works);
    rn_losses_add(c->opts.losses, "missing", "'%s': %s is left out: %s cannot hold it%s", c->name,
                  rn_write_stream_name(in, stream), c->out->oformat->name, works);
    return 0;
}

/* ---- conversions */

/* How a stream other than the pictures is converted; all zero: it is copied. */
struct conversion {
    bool none;       /* it is left out */
    bool impossible; /* the container can hold neither it nor a conversion */
    bool wanted;     /* the user requested it */
    bool lossless;
    const AVCodec *codec;    /* the encoder of the sound */
    const char *options;     /* of the user for it, in wanted's text; NULL = none */
    enum AVCodecID subtitle; /* the new coding of the text; 0: none */
};

static int choose_wanted(const struct rn_write_remux *c, struct conversion *to, const AVStream *in,
                         const char *text)
{
    const AVOutputFormat *of = c->out->oformat;
    bool sound = in->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    enum AVMediaType type = in->codecpar->codec_type;
    char encoder[64], advice[300];
    av_strlcpy(encoder, text, sizeof encoder);
    encoder[strcspn(encoder, ":")] = '\0';
    const AVCodec *codec = rn_write_encoder_named(encoder, type);
    if (!codec)
        return rn_fail(RN_EUSAGE, "--%s takes copy, none or an encoder, not '%.64s'%s",
                       sound ? "audio" : "subs", encoder,
                       rn_write_encoder_advice(encoder, type, advice, sizeof advice));
    const char *colon = strchr(text, ':');
    if (colon && !sound)
        return rn_fail(RN_EUSAGE, "--subs takes no options: %s", text);
    if (!sound && !rn_write_subtitle_is_text(in->codecpar->codec_id))
        return rn_fail(RN_EUSAGE,
                       "--subs %s: stream %d of the input (%s) is no text; add --drop %d", text,
                       in->index, avcodec_get_name(in->codecpar->codec_id), in->index);
    if (!rn_write_container_holds_coding(of, in->codecpar, codec->id))
        return rn_fail(RN_EUSAGE, "'%s': %s cannot hold %s", c->name, of->name,
                       avcodec_get_name(codec->id));
    to->wanted = true;
    to->codec = sound ? codec : NULL;
    to->options = colon ? colon + 1 : NULL;
    to->subtitle = sound || codec->id == in->codecpar->codec_id ? AV_CODEC_ID_NONE : codec->id;
    return 0;
}

static bool stays(const struct rn_write_remux *c, const AVStream *in)
{
    return c->opts.stays && in->codecpar->codec_type == AVMEDIA_TYPE_AUDIO &&
           av_match_name(avcodec_get_name(in->codecpar->codec_id), c->opts.stays);
}

/* wanted: copy, none, CODEC[:OPTIONS], or NULL. fits: the container holds the stream as it is.
 * Returns 0 or RN_EUSAGE (logged). */
static int choose_conversion(const struct rn_write_remux *c, struct conversion *to,
                             const AVStream *in, const char *wanted, bool fits)
{
    const AVOutputFormat *of = c->out->oformat;
    *to = (struct conversion){.none = wanted && !strcmp(wanted, "none")};
    bool copy = wanted && !strcmp(wanted, "copy");
    if (to->none)
        return 0;
    if (fits && (!wanted || copy || stays(c, in)))
        return 0;
    if (wanted && !copy)
        return choose_wanted(c, to, in, wanted);
    if (!copy && in->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE)
        to->subtitle = rn_write_subtitle_target(in->codecpar->codec_id, of);
    if (!copy && in->codecpar->codec_type == AVMEDIA_TYPE_AUDIO)
        to->codec = rn_write_audio_target(of, in->codecpar, &to->lossless);
    to->impossible = !to->subtitle && !to->codec;
    return 0;
}

/* ---- making streams */

/* A cover in Matroska is an attached file. */
static int attach(AVStream *st, const AVStream *in)
{
    AVCodecParameters *par = st->codecpar;
    bool png = par->codec_id == AV_CODEC_ID_PNG;
    par->codec_type = AVMEDIA_TYPE_ATTACHMENT;
    par->extradata = av_mallocz((size_t)in->attached_pic.size + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!par->extradata)
        return rn_fail_memory();
    memcpy(par->extradata, in->attached_pic.data, (size_t)in->attached_pic.size);
    par->extradata_size = in->attached_pic.size;
    st->disposition = 0;
    if (av_dict_set(&st->metadata, "filename", png ? "cover.png" : "cover.jpg",
                    AV_DICT_DONT_OVERWRITE) < 0 ||
        av_dict_set(&st->metadata, "mimetype", png ? "image/png" : "image/jpeg",
                    AV_DICT_DONT_OVERWRITE) < 0)
        return rn_fail_memory();
    return 0;
}

static int copy_track(struct rn_write_remux *c, struct track *t, const AVStream *in)
{
    const AVOutputFormat *of = c->out->oformat;
    AVCodecParameters *par = t->st->codecpar;
    if (avcodec_parameters_copy(par, in->codecpar) < 0)
        return rn_fail_memory();
    rn_write_container_choose_tag(of, par);
    rn_write_container_choose_layout(of, par);
    if (par->codec_id == AV_CODEC_ID_MP3 || par->codec_id == AV_CODEC_ID_AC3 ||
        par->codec_id == AV_CODEC_ID_AAC)
        par->block_align = 0; /* demuxers set values that are wrong for muxers */
    if (c->container->sound_bit_rate_harms)
        par->bit_rate = 0; /* from some rates libavformat makes a frame table that it cannot read */
    return 0;
}

/* Notes a stream in another coding: a loss unless all samples, or text and style, are the same. */
static void add_recoded(struct rn_write_remux *c, const AVStream *in, enum AVCodecID id,
                        bool lossless)
{
    const char *from = avcodec_get_name(in->codecpar->codec_id), *to = avcodec_get_name(id);
    char container[60];
    snprintf(container, sizeof container, "%s cannot hold %s%s", c->out->oformat->name,
             c->container->starts_at_zero ? "the times of " : "", from);
    if (lossless && !c->opts.quiet)
        rn_log(RN_LOG_WARNING, "'%s': %s; stream %d of the input becomes %s, losslessly", c->name,
               container, in->index, to);
    else if (!lossless && !*c->recoded)
        snprintf(c->recoded, sizeof c->recoded, "%s; stream %d of the input becomes %s", container,
                 in->index, to);
    else if (!lossless)
        av_strlcatf(c->recoded, sizeof c->recoded, ", stream %d (%s) %s", in->index, from, to);
}

static void report_recoded(struct rn_write_remux *c)
{
    if (*c->recoded)
        rn_losses_add(c->opts.losses, "codec", "'%s': %s", c->name, c->recoded);
    *c->recoded = '\0';
}

static int convert_audio(struct rn_write_remux *c, struct track *t, const AVStream *in,
                         const struct conversion *to)
{
    int err = rn_write_audio_encoder_open(&t->audio, in, to->codec, to->options, c->out, c->name,
                                          t->st, put, t);
    if (err || to->wanted)
        return err;
    AVCodecParameters *par = t->st->codecpar;
    if (par->codec_id != in->codecpar->codec_id)
        add_recoded(c, in, par->codec_id, to->lossless);
    else if (av_channel_layout_copy(&par->ch_layout, &in->codecpar->ch_layout) < 0)
        return rn_fail_memory(); /* the encoder guesses unknown layouts */
    rn_write_container_choose_layout(c->out->oformat, par);
    return 0;
}

static const char *wanted_for(const struct rn_write_remux *c, const AVStream *in)
{
    enum AVMediaType type = in->codecpar->codec_type;
    return type == AVMEDIA_TYPE_AUDIO      ? c->opts.audio
           : type == AVMEDIA_TYPE_SUBTITLE ? c->opts.subs
                                           : NULL;
}

static bool holds_as_is(const struct rn_write_remux *c, const AVStream *in)
{
    const AVCodecParameters *par = in->codecpar;
    if (par->codec_type == AVMEDIA_TYPE_ATTACHMENT)
        return c->container->attachments;
    if (is_cover(in) && c->container->cover != RN_CONTAINER_COVER_STREAM)
        return c->container->cover == RN_CONTAINER_COVER_FILE;
    bool mp4_syntax = par->codec_id == AV_CODEC_ID_H264 || par->codec_id == AV_CODEC_ID_HEVC;
    if (mp4_syntax && c->container->needs_start_codes && par->extradata_size > 0 &&
        par->extradata[0] == 1)
        return false; /* its muxer would fail at the first packet */
    return rn_write_container_holds(c->out->oformat, par);
}

/* True if the sound is heard at its time in the container. */
static bool is_in_time(const struct rn_write_remux *c, const AVStream *in)
{
    const char *wanted = wanted_for(c, in);
    int64_t error;
    if (rn_write_audio_needs_silence(c->out->oformat, in->codecpar))
        return rn_container_of_input(c->media->fmt)->sound_abuts ||
               (wanted && !strcmp(wanted, "copy"));
    if (in->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || !c->container->starts_at_zero ||
        rn_write_avi_fits(c->media, in, c->opts.origin_us, &error))
        return true;
    if (!wanted || strcmp(wanted, "copy") != 0)
        return false;
    rn_losses_add(c->opts.losses, "sync",
                  "'%s': the sound of stream %d (%s) is heard up to %.1f ms too %s, since avi has "
                  "no times; without --audio copy it becomes PCM",
                  c->name, in->index, avcodec_get_name(in->codecpar->codec_id),
                  (double)llabs(error) / 1000, error < 0 ? "early" : "late");
    return true;
}

static int add_track(struct rn_write_remux *c, const AVStream *in)
{
    struct track *t = &c->track[in->index];
    struct conversion to = {.codec = NULL};
    bool cover_file = is_cover(in) && c->container->cover == RN_CONTAINER_COVER_FILE;
    if (in->codecpar->codec_type == AVMEDIA_TYPE_AUDIO && in->codecpar->sample_rate <= 0)
        return rn_fail(RN_EUSAGE,
                       "'%s': stream %d (audio, %s) begins too late for its sample rate to be "
                       "known: try --analyzeduration 60 and --probesize 100M, or --drop %d",
                       c->media->name, in->index, avcodec_get_name(in->codecpar->codec_id),
                       in->index);
    int err =
        choose_conversion(c, &to, in, wanted_for(c, in), holds_as_is(c, in) && is_in_time(c, in));
    if (err || to.none)
        return err;
    if (to.impossible)
        return refuse(c, in, wanted_for(c, in) != NULL);
    t->st = avformat_new_stream(c->out, NULL);
    if (!t->st)
        return rn_fail_memory();
    t->st->time_base = in->time_base;
    if (to.subtitle)
        err = rn_write_subtitle_open(&t->subtitle, in->codecpar, in->time_base, to.subtitle,
                                     t->st->codecpar);
    else
        err = to.codec ? convert_audio(c, t, in, &to) : copy_track(c, t, in);
    if (err)
        return err;
    t->judged = to.subtitle && !to.wanted;
    if (to.codec)
        t->st->time_base = (AVRational){1, t->st->codecpar->sample_rate};
    else if (!c->media->cut && in->duration > 0)
        t->st->duration = in->duration;
    /* The muxer compares the end of a text with other streams' times in ticks, and would move the
     * next text after that end. Ticks finer than those of all other streams prevent it. */
    if (t->st->codecpar->codec_id == AV_CODEC_ID_MOV_TEXT)
        t->st->time_base = AV_TIME_BASE_Q;
    t->st->disposition = in->disposition;
    t->st->sample_aspect_ratio = in->sample_aspect_ratio;
    t->st->avg_frame_rate = in->avg_frame_rate;
    t->st->r_frame_rate = in->r_frame_rate;
    if (!rn_container_has_fixed_ids(c->container, c->name))
        t->st->id = in->id;
    if (av_dict_copy(&t->st->metadata, in->metadata, 0) < 0)
        return rn_fail_memory();
    err = rn_write_timecode_shift(c->media, &t->st->metadata);
    err = err ? err : rn_write_copy_side_data(t->st, in, to.codec ? c->media : NULL);
    return !err && cover_file ? attach(t->st, in) : err;
}

static bool is_member(const AVProgram *program, const AVStream *st)
{
    for (unsigned i = 0; i < program->nb_stream_indexes; i++)
        if (program->stream_index[i] == (unsigned)st->index)
            return true;
    return false;
}

static int add_programs(struct rn_write_remux *c, const AVStream *video)
{
    const AVFormatContext *in = c->media->fmt;
    for (unsigned i = 0; i < in->nb_programs; i++) {
        const AVProgram *from = in->programs[i];
        AVProgram *to = av_new_program(c->out, from->id);
        if (!to || av_dict_copy(&to->metadata, from->metadata, 0) < 0)
            return rn_fail_memory();
        to->program_num = from->program_num;
        to->pmt_pid = from->pmt_pid;
        for (unsigned k = 0; k < from->nb_stream_indexes; k++) {
            unsigned s = from->stream_index[k];
            const AVStream *st = (int)s == c->media->video ? video
                                 : (int)s < c->n           ? c->track[s].st
                                                           : NULL;
            if (st)
                av_program_add_stream_index(c->out, from->id, (unsigned)st->index);
            if (st && !is_member(to, st)) /* libav returns no error */
                return rn_fail_memory();
        }
    }
    return 0;
}

static int add_or_leave(struct rn_write_remux *c, const AVStream *in)
{
    bool drops = is_cover(in) && c->container->cover == RN_CONTAINER_COVER_DROPPED;
    bool file = in->codecpar->codec_type == AVMEDIA_TYPE_ATTACHMENT && c->container->attachments;
    const char *wanted = wanted_for(c, in);
    const char *why =
        rn_write_container_is_pictures_only(c->out->oformat)  ? "this container holds pictures only"
        : in->codecpar->codec_id == AV_CODEC_ID_NONE && !file ? "its coding is unknown"
        : drops ? "mov has no place for it; .mp4 and .mkv do"
                : NULL;
    bool menu = in->codecpar->codec_id == AV_CODEC_ID_DVD_NAV;
    char stream[RN_STREAM_NAME];
    if (!why && !menu)
        return add_track(c, in);
    if (!why && !c->opts.quiet) /* no loss */
        rn_log(RN_LOG_WARNING, "'%s': %s is not copied: only the menus of a DVD can use it",
               c->name, rn_write_stream_name(in, stream));
    else if (why && (!wanted || strcmp(wanted, "none") != 0))
        rn_write_lose_stream(c->opts.losses, c->name, in, why);
    return 0;
}

int rn_write_remux_open(struct rn_write_remux **remux, AVFormatContext *out,
                        const struct rn_io_media *media, const char *name,
                        const struct rn_write_remux_opts *opts, AVStream **video)
{
    const AVFormatContext *in = media->fmt;
    struct rn_write_remux *c = av_mallocz(sizeof *c);
    int err = 0;
    if (!c)
        return rn_fail_memory();
    *remux = c;
    c->out = out;
    c->container = rn_container_of_output(out->oformat);
    c->media = media;
    c->name = name;
    c->opts = *opts;
    c->n = in ? (int)in->nb_streams : 0;
    c->track = av_calloc((size_t)c->n + 1, sizeof *c->track);
    if (!c->track)
        return rn_fail_memory();
    *video = in ? NULL : avformat_new_stream(out, NULL);
    for (int i = 0; i < c->n && !err; i++) {
        const AVStream *st = in->streams[i];
        c->track[i].remux = c;
        c->track[i].last_dts = AV_NOPTS_VALUE;
        c->track[i].time_base = st->time_base;
        if (i == media->video) {
            *video = avformat_new_stream(out, NULL);
        } else if (rn_read_stream_is_copied(in, media->video, i)) {
            err = add_or_leave(c, st);
        } else if (st->codecpar->codec_type == AVMEDIA_TYPE_UNKNOWN && rn_read_select_has(st)) {
            rn_write_lose_stream(opts->losses, name, st, "what it holds is unknown");
        }
    }
    if (!err && !*video)
        err = rn_fail_memory();
    c->video = *video;
    report_recoded(c);
    if (!err && in && !media->open_end)
        err = rn_write_add_chapters(c->media, c->out);
    if (!err && in)
        err = add_programs(c, *video);
    if (!err && in && av_dict_copy(&out->metadata, in->metadata, 0) < 0)
        err = rn_fail_memory();
    if (!err && in)
        err = rn_write_timecode_shift(media, &out->metadata);
    /* MP4's brands describe the old file; the muxer writes its own. */
    static const char *const brands[] = {"major_brand", "minor_version", "compatible_brands"};
    for (size_t i = 0; i < sizeof brands / sizeof brands[0] && !err; i++)
        if (av_dict_set(&out->metadata, brands[i], NULL, 0) < 0)
            err = rn_fail_memory();
    return err;
}

void rn_write_remux_close(struct rn_write_remux **remux)
{
    if (!*remux)
        return;
    for (int i = 0; (*remux)->track && i < (*remux)->n; i++) {
        rn_write_subtitle_close(&(*remux)->track[i].subtitle);
        rn_write_audio_encoder_close(&(*remux)->track[i].audio);
    }
    av_freep(&(*remux)->track);
    av_freep(remux);
}

/* ---- packets */

static bool is_dropped(const struct rn_write_remux *c, const struct track *t, const AVPacket *pkt)
{
    if (pkt->pts == AV_NOPTS_VALUE)
        return false;
    /* AVI stores no times of sound: packets before 0 would be heard at 0, and delay others. */
    if (c->container->starts_at_zero && t->st && !t->audio.enc &&
        t->st->codecpar->codec_type == AVMEDIA_TYPE_AUDIO && pkt->pts + pkt->duration / 2 < 0)
        return true;
    /* Packets that an edit list hides would be heard from a container without edit lists. The last
     * tenth of a second stays, as sound codecs need it as a lead-in. */
    return pkt->flags & AV_PKT_FLAG_DISCARD && !c->container->edit_lists &&
           rn_io_to_us(pkt->pts, t->time_base) < -AV_TIME_BASE / 10;
}

static void note_time(struct track *t, const AVPacket *pkt)
{
    if (pkt->pts != AV_NOPTS_VALUE && !(pkt->flags & AV_PKT_FLAG_DISCARD))
        rn_write_span_add(&t->span, rn_io_to_us(pkt->pts, t->time_base),
                          rn_io_to_us(pkt->duration, t->time_base));
    if (t->noted == NOTED)
        return;
    t->time_us[t->noted++] = rn_io_to_us(pkt->pts, t->time_base);
}

int rn_write_remux_packet(struct rn_write_remux *c, AVPacket *pkt)
{
    struct track *t = pkt->stream_index < c->n ? &c->track[pkt->stream_index] : NULL;
    if (t)
        rn_io_packet_shift(pkt, -rn_io_from_us(c->opts.origin_us, t->time_base));
    if (!t || !t->st || is_dropped(c, t, pkt) ||
        t->st->codecpar->codec_type == AVMEDIA_TYPE_ATTACHMENT) {
        av_packet_unref(pkt);
        return 0;
    }
    if (t->audio.enc) {
        int err = rn_write_audio_encoder_write(&t->audio, pkt, &t->span);
        av_packet_unref(pkt);
        return err;
    }
    note_time(t, pkt);
    if (t->subtitle.enc) {
        int err = rn_write_subtitle_convert(&t->subtitle, pkt);
        if (err) {
            av_packet_unref(pkt);
            return err == RN_END ? 0 : err;
        }
    }
    return put(t, pkt, t->time_base);
}

int rn_write_remux_finish(struct rn_write_remux *c)
{
    int err = 0;
    for (int i = 0; i < c->n && !err; i++)
        if (c->track[i].audio.enc)
            err = rn_write_audio_encoder_write(&c->track[i].audio, NULL, &c->track[i].span);
    for (int i = 0; i < c->n && !err; i++) {
        const struct track *t = &c->track[i];
        if (t->judged)
            add_recoded(c, c->media->fmt->streams[i], t->st->codecpar->codec_id, t->subtitle.same);
    }
    report_recoded(c);
    /* Most muxers that write chapters also write them with the trailer. */
    if (!err && c->media->fmt && c->media->open_end)
        err = rn_write_add_chapters(c->media, c->out);
    return err;
}

struct rn_write_remuxed rn_write_remux_find(const struct rn_write_remux *c, const AVStream *st)
{
    bool pictures = st == c->video;
    int i = 0;
    while (i < c->n && c->track[i].st != st)
        i++;
    if (i == c->n && !(pictures && c->media->fmt))
        return (struct rn_write_remuxed){.pictures = pictures};
    i = i < c->n ? i : c->media->video;
    const struct track *t = &c->track[i];
    return (struct rn_write_remuxed){.origin = c->media->fmt->streams[i],
                                     .pictures = pictures,
                                     .copied = !t->audio.enc && !t->subtitle.enc,
                                     .time_us = t->time_us,
                                     .ntimes = t->noted,
                                     .span = pictures ? NULL : &t->span};
}

int64_t rn_write_remux_damaged(const struct rn_write_remux *c)
{
    int64_t n = 0;
    for (int i = 0; i < c->n; i++)
        n += c->track[i].audio.damaged;
    return n;
}

int rn_write_remux_begin(struct rn_write_remux *c)
{
    int err = 0;
    /* The muxer stores the delay but does not add it to timestamps. */
    bool lacks_delay = c->container->subtracts_delay && !rn_io_matroska_adds_delay();
    for (int i = 0; i < c->n && lacks_delay; i++)
        if (c->track[i].st && c->track[i].st->codecpar->codec_id == AV_CODEC_ID_OPUS)
            c->track[i].delay = c->track[i].st->codecpar->initial_padding;
    for (int i = 0; i < c->n && !err; i++) {
        const AVStream *in = c->media->fmt->streams[i];
        if (!c->track[i].st || !is_cover(in) || c->container->cover == RN_CONTAINER_COVER_FILE)
            continue;
        AVPacket *pkt = av_packet_clone(&in->attached_pic);
        if (!pkt)
            return rn_fail_memory();
        pkt->stream_index = i;
        pkt->pts = pkt->dts = 0;
        err = rn_write_remux_packet(c, pkt);
        av_packet_free(&pkt);
    }
    return err;
}
