/* SPDX-License-Identifier: MIT */
#include "io/read/demux/demux_internal.h"

#include "filters/base/log.h"
#include "filters/base/threads/stall.h"
#include "filters/base/output/path.h"
#include "io/containers/file.h"

#include <poll.h>

/* Protocols that a playlist in a file may use. libav's own list has no addresses. */
#define PLAYLIST_PROTOCOLS "file,crypto,data,http,https,httpproxy,tls,tcp,udp,rtp"

static const char *const lavfi_prefix = "lavfi:";
/* Names in a playlist on stdin are relative to this. */
static const char *const here = "file:";

#define GONE_BY AVERROR(ESPIPE)

struct opening {
    const char *name;            /* as given */
    char *url;                   /* as libav is to have it; NULL: stdin */
    bool local;                  /* exists in the file system */
    const AVInputFormat *format; /* NULL: to be probed */
    const struct rn_io_read_opts *opts;
    struct rn_io_watch *watch;
    const atomic_bool *stop;
};

/* ---- the first resource */

static int is_stopped(void *opaque)
{
    rn_stall_beat(); /* libav asks with every read */
    return atomic_load((const atomic_bool *)opaque);
}

/* libav's pipe protocol blocks in read(2), where nothing but a signal to the very same thread could
 * wake it. */
static int read_stdin(void *opaque, uint8_t *buf, int size)
{
    for (;;) {
        struct pollfd pfd = {.fd = STDIN_FILENO, .events = POLLIN};
        int ready = poll(&pfd, 1, 100);
        if (is_stopped(opaque))
            return AVERROR_EXIT;
        if (ready < 0 && errno != EINTR)
            return AVERROR(errno);
        if (ready < 1)
            continue;
        ssize_t n = read(STDIN_FILENO, buf, (size_t)size);
        int got = n < 0 ? AVERROR(errno) : n == 0 ? AVERROR_EOF : (int)n;
        if (got != AVERROR(EINTR) && got != AVERROR(EAGAIN))
            return got;
    }
}

static int open_stdin(struct rn_read_av_input *in, const atomic_bool *stop)
{
    int size = 1 << 16;
    uint8_t *buf = av_malloc((size_t)size);
    in->io = buf ? avio_alloc_context(buf, size, 0, (void *)stop, read_stdin, NULL, NULL) : NULL;
    in->is_stdin = true;
    if (in->io)
        return 0;
    av_free(buf);
    return AVERROR(ENOMEM);
}

/* Addresses such as rtsp:// are demuxers by name. Of a file its name decides nothing. */
static bool connects_itself(const struct opening *o)
{
    AVProbeData name = {.filename = o->url};
    int score = 0;
    const AVInputFormat *format = o->local    ? NULL
                                  : o->format ? o->format
                                              : av_probe_input_format2(&name, 0, &score);
    return format && format->flags & AVFMT_NOFILE;
}

/* Demuxers that connect by themselves keep libav's lists of protocols: the user named them. */
static int open_first(struct rn_read_av_input *in, const struct opening *o)
{
    int ret = 0;
    if (!o->url)
        ret = open_stdin(in, o->stop);
    else if (connects_itself(o))
        return 0;
    else
        ret = avio_open2(&in->io, o->url, AVIO_FLAG_READ, &in->fmt->interrupt_callback, NULL);
    if (ret < 0)
        return ret;
    in->fmt->pb = in->io;
    in->fmt->flags |= AVFMT_FLAG_CUSTOM_IO; /* or it would be closed twice */
    const char *list = !o->opts->allow_playlists ? RN_AV_NOTHING_FURTHER
                       : o->local                ? PLAYLIST_PROTOCOLS
                                                 : NULL;
    in->fmt->protocol_whitelist = list ? av_strdup(list) : NULL;
    return !list || in->fmt->protocol_whitelist ? 0 : AVERROR(ENOMEM);
}

/* ---- opening */

static int locate(struct rn_read_av_input *in, struct opening *o)
{
    struct stat st;
    int found;
    if (!strcmp(o->name, "-")) {
        in->is_pipe = true;
        return 0;
    }
    if (av_strstart(o->name, lavfi_prefix, NULL)) {
        o->format = rn_io_find_lavfi(o->name);
        if (!o->format)
            return RN_EINPUT;
        o->url = av_strdup(o->name + strlen(lavfi_prefix));
    } else if ((found = rn_path_look(o->name, &st)) < 0) {
        return rn_fail(RN_EINPUT, "cannot open '%s': %s", o->name, strerror(errno));
    } else if (found) {
        o->local = true;
        o->url = rn_io_file_url(o->name);
        in->is_file = S_ISREG(st.st_mode);
        in->is_pipe = !in->is_file;
        in->st = st;
    } else {
        o->url = av_strdup(o->name);
    }
    return o->url ? 0 : rn_fail_memory();
}

static int fail_open(const struct rn_read_av_input *in, const struct opening *o, int ret)
{
    const char *name = o->name, *cause = rn_container_of_demuxer(o->format)->no_pictures;
    struct stat st;
    if (rn_io_refused())
        return rn_fail(RN_EINPUT,
                       "'%s' is a playlist, which names other files or addresses; if these are to "
                       "be opened, add --allow-playlists",
                       name);
    if (ret == GONE_BY)
        return rn_fail(RN_EINPUT,
                       "'%s': the index of this MP4 (moov) stands behind its pictures, and a pipe "
                       "cannot be read twice: name the file, or write it with -movflags +faststart",
                       name);
    if (in->io && in->io->error < 0 && in->io->error != AVERROR_EOF)
        ret = in->io->error; /* what probing makes of it is no answer */
    cause = cause ? cause : rn_io_cause(ret);
    if ((in->fmt && in->fmt->iformat) || ret == AVERROR(EIO))
        return rn_fail(RN_EINPUT, "cannot read '%s': %s", name, cause);
    if (!strcmp(name, "-"))
        return rn_fail(RN_EINPUT, "stdin holds no video or image that FFmpeg can open (%s)", cause);
    if (in->is_file && !stat(name, &st) && !st.st_size)
        return rn_fail(RN_EINPUT, "'%s' is empty", name);
    if (ret == AVERROR(ENOENT))
        return rn_fail(RN_EINPUT, "cannot open '%s': %s", name, rn_io_error(ret));
    return rn_fail(RN_EINPUT, "'%s' is no video or image that FFmpeg can open (%s)", name, cause);
}

/* True for a MOV or MP4 on a pipe whose samples have gone by before its index came. */
static bool has_gone_by(const AVFormatContext *fmt)
{
    const AVIOContext *pb = fmt->pb;
    if (!pb || pb->seekable & AVIO_SEEKABLE_NORMAL ||
        rn_container_of_input(fmt)->index != RN_INDEX_SAMPLES)
        return false;
    int64_t begin = pb->pos - (pb->buf_end - pb->buffer); /* of what can still be read */
    for (unsigned i = 0; i < fmt->nb_streams; i++) {
        const AVIndexEntry *first = avformat_index_get_entry(fmt->streams[i], 0);
        if (first && first->pos < begin)
            return true;
    }
    return false;
}

/* Newer versions detect an HLS playlist by its name's extension alone. Here contents decide. */
static const char *probe_name(AVIOContext *pb, const struct opening *o)
{
    static const unsigned char first_line[] = "#EXTM3U";
    unsigned char start[sizeof(first_line) - 1];
    int n = avio_read(pb, start, sizeof(start));
    avio_seek(pb, 0, SEEK_SET); /* within what is buffered, of a pipe too */
    bool is_playlist = n == (int)sizeof(start) && !memcmp(start, first_line, sizeof(start));
    if (is_playlist || !o->url)
        return is_playlist ? ".m3u8" : "";
    return o->local ? rn_io_probe_name(o->url) : o->url;
}

/* libav decodes pictures to find the streams' parameters: within the memory. */
static int find_stream_info(struct rn_read_av_input *in, const struct rn_io_read_opts *opts)
{
    unsigned n = in->fmt->nb_streams; /* a demuxer may add more */
    AVDictionary **options = av_calloc(n + 1, sizeof(AVDictionary *));
    int ret = options ? 0 : AVERROR(ENOMEM);
    for (unsigned i = 0; i < n && ret >= 0; i++) {
        AVCodecParameters *par = in->fmt->streams[i]->codecpar;
        rn_container_png_limit_texts(par->codec_id, par->extradata, &par->extradata_size);
        ret = av_dict_set_int(&options[i], "max_pixels", rn_io_max_pixels(par, opts->memory), 0);
    }
    if (ret >= 0)
        ret = avformat_find_stream_info(in->fmt, options);
    for (unsigned i = 0; i < n && options; i++)
        av_dict_free(&options[i]);
    av_free(options);
    return ret;
}

/* Segments of broadcasts announce streams that come in others: nothing of them can be lost. */
static void leave_out_announced(struct rn_read_av_input *in, const char *name)
{
    for (unsigned i = 0; in->transport && in->is_file && i < in->fmt->nb_streams; i++) {
        AVStream *st = in->fmt->streams[i];
        if (st->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || st->codecpar->sample_rate > 0 ||
            rn_container_transport_holds(in->transport, st->id))
            continue;
        st->discard = AVDISCARD_ALL;
        rn_log(RN_LOG_WARNING, "'%s': stream %u (audio, %s) is announced, but the file holds none",
               name, i, avcodec_get_name(st->codecpar->codec_id));
    }
}

static int open_format(struct rn_read_av_input *in, struct opening *o)
{
    AVDictionary *options = NULL;
    const struct rn_io_rational *fps = &o->opts->fps;
    char rate[32];
    snprintf(rate, sizeof rate, "%d/%d", fps->num, fps->den);
    int ret =
        av_dict_set(&options, "safe", "0", 0); /* concat's own rule; ours leaves no room for it */
    if (ret >= 0 && fps->den) /* taken by pictures and coded video that know no rate */
        ret = av_dict_set(&options, "framerate", rate, 0);
    if (ret >= 0)
        ret = open_first(in, o);
    rn_stall_header(true);
    if (ret >= 0 && in->io && !o->format)
        ret = av_probe_input_buffer2(in->io, &o->format, probe_name(in->io, o), in->fmt, 0, 0);
    const struct rn_container *container = rn_container_of_demuxer(o->format);
    if (ret >= 0 && in->io && container->transport_packets)
        in->transport = rn_container_transport_open(in->io);
    if (container->no_pictures)
        ret = AVERROR_STREAM_NOT_FOUND;
    if (in->transport)
        in->fmt->pb = in->transport;
    errno = 0;
    if (ret >= 0)
        ret = avformat_open_input(&in->fmt, o->url ? o->url : here, o->format, &options);
    rn_stall_header(false);
    rn_io_watch_memory(o->watch);
    in->paced = fps->den && !av_dict_get(options, "framerate", NULL, 0);
    av_dict_free(&options);
    if (ret < 0)
        return ret;
    if (has_gone_by(in->fmt))
        return GONE_BY;
    container = rn_container_of_input(in->fmt);
    in->loop_count = rn_container_loop_count(in->fmt);
    bool whole =
        container->harmless && in->is_file && rn_container_file_is_complete(container, o->name);
    o->watch->harmless = whole ? container->harmless : NULL;
    in->fmt->opaque = o->watch; /* what is read ahead now is not read again: of small files, all */
    errno = 0;
    ret = find_stream_info(in, o->opts);
    rn_io_watch_memory(o->watch);
    if (ret >= 0)
        leave_out_announced(in, o->name);
    return ret;
}

int rn_read_av_input_open(struct rn_read_av_input *in, const char *name,
                          const struct rn_io_read_opts *opts, struct rn_io_watch *watch,
                          const atomic_bool *stop)
{
    struct opening o = {.name = name, .opts = opts, .watch = watch, .stop = stop};
    *in = (struct rn_read_av_input){.fmt = avformat_alloc_context()};
    if (!in->fmt)
        return rn_fail_memory();
    if (opts->probe_bytes > 0)
        in->fmt->probesize = opts->probe_bytes;
    if (opts->probe_seconds > 0)
        in->fmt->max_analyze_duration = (int64_t)(opts->probe_seconds * AV_TIME_BASE);
    in->fmt->interrupt_callback = (AVIOInterruptCB){is_stopped, (void *)stop};
    rn_io_capture_begin();
    int err = locate(in, &o), ret = err ? 0 : open_format(in, &o);
    rn_io_capture_end();
    if (ret < 0)
        err = fail_open(in, &o, ret);
    av_free(o.url);
    return err;
}

void rn_read_av_input_close(struct rn_read_av_input *in)
{
    avformat_close_input(&in->fmt);
    rn_container_transport_close(&in->transport);
    if (in->io && in->is_stdin) {
        av_freep(&in->io->buffer);
        avio_context_free(&in->io);
    }
    avio_closep(&in->io);
}
