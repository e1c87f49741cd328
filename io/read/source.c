/* SPDX-License-Identifier: MIT */
#include "io/read/source.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "io/process/confine.h"
#include "io/read/demux/other_streams.h"
#include "io/read/source_internal.h"
#include "io/common/memory.h"

#include <limits.h>

#define LEAST_FRAMES 3 /* in the decoder, read, and filtered; of 4 bytes a pixel */

/* ---- opening */

int rn_read_refuse_size(const struct rn_read_source *src, int w, int h)
{
    int64_t needed = LEAST_FRAMES * 4 * (int64_t)w * h;
    return (int64_t)w * h < INT_MAX / 8
               ? rn_io_memory_refuse(src->name, w, h, needed, src->opts.memory)
               : rn_fail(RN_EINPUT, "'%s': pictures of %dx%d are more than FFmpeg decodes",
                         src->name, w, h);
}

AVRational rn_read_rate(const struct rn_read_source *src)
{
    AVRational rate = src->in->rate;
    return rate.num > 0 ? av_mul_q(rate, (AVRational){src->prepare.factor, 1}) : (AVRational){0, 1};
}

/* Before 0 lies the lead-in of the sound, which stays there; or a start that a counter of 33 bits
 * did not reach before it went round. */
static bool has_lead_in(const struct rn_read_input *p)
{
    return p->start_us < 0 && p->fmt->streams[p->video]->pts_wrap_bits >= 63;
}

/* What is subtracted from all timestamps of a whole input, in microseconds: its start. */
static int64_t start_of(const struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    int64_t begin = src->numbering.begin;
    if (src->opts.keep_start || has_lead_in(p))
        return 0;
    int64_t first = begin == AV_NOPTS_VALUE ? p->start_us : rn_io_to_us(begin, p->time_base);
    return first < p->start_us ? first : p->start_us;
}

/* Where --from and --to count from, in microseconds of the input: times are shown as whole ticks
 * since the start. */
static int64_t zero_of(const struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    int64_t start = has_lead_in(p) ? 0 : p->start_us;
    start = rn_io_from_us(start, src->time_base);
    return rn_io_to_us(start, src->time_base);
}

/* What becomes of the stream's properties as its pictures are prepared. */
static void describe_geometry(struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    const AVStream *st = rn_read_stream_in(p);
    int factor = src->prepare.factor;
    if (st && st->r_frame_rate.num > 0)
        src->media.nominal = av_mul_q(st->r_frame_rate, (AVRational){factor, 1});
    src->media.field_order = rn_read_prepare_fields(&src->prepare, p->par->field_order);
    const struct rn_read_prepare *done = &src->prepare; /* a matrix that was not obeyed remains */
    src->media.matrix = done->has_matrix && !done->turned ? done->matrix : NULL;
    src->media.moved = rn_read_prepare_moves(&src->prepare);
    if (st && src->media.moved &&
        (rn_io_find_side_data(st, AV_PKT_DATA_STEREO3D) ||
         rn_io_find_side_data(st, AV_PKT_DATA_SPHERICAL)))
        rn_losses_add(src->opts.losses, "projection",
                      "'%s' is stereoscopic or spherical, which its pictures are not any more as "
                      "they are cropped or turned: the tag is left out",
                      src->name);
}

static void describe(struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    const AVFrame *f = src->frame;
    AVRational rate = rn_read_rate(src);
    src->media.stream.coded = p->ops->next && p->par->codec_id != AV_CODEC_ID_RAWVIDEO;
    src->media.stream.time_base = rn_io_from_av(src->time_base);
    src->media.stream.rate = rn_io_from_av(rate);
    src->media.stream.frames = rn_read_range_frames(src);
    src->media.stream.exact = rn_read_range_is_exact(src);
    src->media.stream.duration = rn_read_range_duration(src);
    int64_t start = rn_io_from_us(start_of(src), src->time_base);
    if (src->opts.from.kind != RN_TIME_NONE) {
        src->offset = f->pts;
        src->start = src->opts.renumber ? 0 : (double)(f->pts - start) * av_q2d(src->time_base);
        src->media.cut = true;
        src->media.offset_us = rn_io_to_us(f->pts, src->time_base);
    } else {
        src->media.offset_us = start_of(src);
        src->offset = start;
    }
    rn_read_range_set_end(src);
    src->media.end_us = src->range.end_us;
    src->media.open_end = src->opts.on_change == RN_CHANGE_SPLIT;
    src->media.name = src->name;
    src->media.fmt = p->fmt;
    src->media.video = p->video;
    describe_geometry(src);
    src->media.loop_count = p->loop_count;
}

/* Returns true if pictures first..first + n - 1 belong to several channels or times, unless it is a
 * film (one slice, one channel). n <= 0: all from first on. */
static bool mixes(const struct rn_vol *v, int64_t first, int64_t n)
{
    int64_t all = rn_vol_pictures(v), each = v->n[RN_AXIS_SLICE];
    bool film = each == 1 && v->n[RN_AXIS_CHANNEL] == 1;
    if (all == each || film)
        return false;
    int64_t last = (n > 0 && first + n < all ? first + n : all) - 1;
    bool in_turn = false; /* something else is counted faster than slices */
    for (int i = 0; v->axis_order[i] != RN_AXIS_SLICE; i++)
        in_turn |= v->n[v->axis_order[i]] > 1;
    return last > first && (in_turn || first / each != last / each);
}

bool rn_read_mixes(const struct rn_read_source *src, int64_t *channels, int64_t *times)
{
    const struct rn_vol *v = src->media.volume;
    int64_t n = src->media.stream.exact ? src->media.stream.frames : 0;
    if (!v || !mixes(v, src->media.first_index, n))
        return false;
    *channels = v->n[RN_AXIS_CHANNEL];
    *times = v->n[RN_AXIS_TIME];
    return true;
}

/* Image files have BT.601 by convention; of all else the size in which it was coded tells, where
 * nothing else does. */
static void describe_matrix(struct rn_read_source *src)
{
    struct rn_io_stream *s = &src->media.stream;
    const struct rn_read_input *p = src->in;
    bool prescribed =
        rn_read_is_stills(p) || rn_io_traits_prescribes_bt601(p->par->codec_id, false);
    s->matrix_assumed = false;
    if (s->geom.fmt.model != RN_YUV)
        return;
    s->geom.matrix =
        rn_pix_matrix_of(src->frame->colorspace, src->origin.w, src->origin.h, &s->matrix_assumed);
    if (s->matrix_assumed && prescribed) {
        s->geom.matrix = RN_BT601;
        s->matrix_assumed = false;
    }
}

int rn_read_describe_pictures(struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    const AVFrame *f = src->frame;
    AVRational aspect = rn_read_change_aspect(p, &src->prepare, f);
    int err = rn_pix_geom_of_frame(f, &src->media.stream.geom);
    if (!err && p->volume) {
        src->volume = *p->volume;
        rn_read_prepare_place(&src->prepare, &src->volume);
        rn_vol_geom(&src->volume, &src->media.stream.geom);
    }
    describe_matrix(src);
    av_frame_unref(src->first);
    if (!err && av_frame_copy_props(src->first, f) < 0)
        err = rn_fail_memory();
    err = err ? err : rn_container_png_describe(src->first, &src->png);
    src->first->format = f->format;
    src->media.stream.decoder_bytes = rn_read_decoder_bytes(src);
    src->media.stream.memory = src->opts.memory;
    src->changes.w = src->origin.w;
    src->changes.h = src->origin.h;
    src->media.stream.aspect =
        aspect.num > 0 ? rn_io_from_av(aspect) : (struct rn_io_rational){0, 0};
    enum AVFieldOrder order = rn_read_prepare_fields(&src->prepare, p->par->field_order);
    bool declared = p->par->field_order != AV_FIELD_UNKNOWN && order != AV_FIELD_PROGRESSIVE;
    src->media.stream.by_field =
        rn_read_is_by_field(src) || (src->opts.fields == RN_FIELDS_AUTO && declared);
    src->media.first = src->first;
    src->media.transparent = src->media.stream.geom.fmt.alpha &&
                             (p->par->codec_id != AV_CODEC_ID_GIF || !rn_pix_frame_is_opaque(f));
    src->media.number = -1;
    if (p->ops->name)
        p->ops->name(p, f->pts, &src->media.number);
    return err;
}

/* Decodes the first picture of the range. */
static int begin(struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    rn_read_frame_numbering_restart(src);
    if (src->opts.from.kind == RN_TIME_SECONDS && !rn_read_is_stills(p) && p->seekable &&
        src->opts.index_mode != RN_FRAME_INDEX_ANY)
        return rn_read_go_to_from(src);
    return rn_read_decode_advance(src);
}

/* Decodes the first picture, which alone tells for certain what will come. */
static int open_first(struct rn_read_source *src)
{
    /* On the way to --from a decoder misses what lies before the keyframe; and where nothing can be
     * decoded, one message is enough. */
    atomic_store(&src->in->watch.quiet, true);
    int err = begin(src);
    atomic_store(&src->in->watch.quiet, false);
    if (err == RN_END && src->range.ended_by_option)
        return rn_fail(RN_EUSAGE, "--from, --to and --frames leave nothing of '%s'", src->name);
    if (err == RN_END && src->decoded > 0)
        return rn_fail(RN_EUSAGE, "--from is behind the end of '%s'%s%.1f s", src->name,
                       src->in->duration >= 0 ? ", which lasts " : "; read up to ",
                       src->in->duration >= 0 ? src->in->duration
                                              : (double)src->last_pts * av_q2d(src->in->time_base));
    rn_read_decode_publish(src);
    int w, h;
    if (err == RN_END && rn_io_oversized(&w, &h))
        return rn_read_refuse_size(src, w, h);
    if (err == RN_END)
        return rn_fail(RN_EINPUT, "no picture could be decoded from '%s'%s%s", src->name,
                       *src->intake.damage.what ? ": " : "", src->intake.damage.what);
    if (err)
        return err;
    const struct rn_read_input *p = src->in;
    if (rn_read_is_stills(p) && p->frames == 1 && src->intake.damage.damaged)
        return rn_fail(RN_EINPUT, "damaged image: %s", src->intake.damage.what);
    err = rn_read_describe_pictures(src);
    if (err)
        return err;
    src->media.first_index = p->ops->index ? p->ops->index(p, src->origin.pts) : src->decoded - 1;
    src->media.volume = p->volume ? &src->volume : NULL;
    src->media.geometry = &src->opts.geometry;
    src->media.in = p;
    src->media.first_number = src->opts.renumber ? 0 : src->media.first_index;
    if (src->opts.from.kind != RN_TIME_NONE)
        src->audit.from = src->origin.pts;
    describe(src);
    return rn_read_other_streams_preroll(src);
}

unsigned rn_read_limited(const char *option)
{
    static const struct {
        const char *options;
        unsigned limited;
    } table[] = {{"fps", RN_LIMITED_FPS},
                 {"map,drop", RN_LIMITED_STREAMS},
                 {"deinterlace", RN_LIMITED_DEINTERLACE},
                 {"series,channel,time,complex", RN_LIMITED_CHOICE}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (av_match_name(option, table[i].options))
            return table[i].limited;
    return 0;
}

unsigned rn_read_lacks(const struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    bool packets = p->ops->next; /* volumes give pictures */
    /* H.264 may tell a rate of its own all the same. */
    bool paced = p->paced && !av_cmp_q(p->rate, rn_io_to_av(src->opts.fps));
    return (rn_read_is_stills(p) ? RN_LIMITED_STREAMS | RN_LIMITED_DEINTERLACE
            : paced              ? 0
                                 : RN_LIMITED_FPS) |
           (packets ? RN_LIMITED_CHOICE : 0);
}

/* Refuses or leaves out what the input has nothing for. */
static int check_limited(struct rn_read_source *src)
{
    struct rn_io_read_opts *opts = &src->opts;
    unsigned lacks = rn_read_lacks(src), refused = lacks & ~opts->standing;
    const char *choice = opts->series    ? "series"
                         : opts->time    ? "time"
                         : opts->channel ? "channel"
                         : opts->complex ? "complex"
                                         : NULL;
    if (refused & RN_LIMITED_FPS && opts->fps.den)
        return rn_fail(RN_EUSAGE, "--fps is for image input: '%s' keeps its own rate", src->name);
    if (refused & RN_LIMITED_STREAMS && (opts->map.n || opts->drop.n))
        return rn_fail(RN_EUSAGE, "'%s' is pictures alone: there are no streams to map or drop",
                       src->name);
    if (refused & RN_LIMITED_CHOICE && choice)
        return rn_fail(RN_EUSAGE, "'%s' is no volume: there is nothing to choose with --%s",
                       src->name, choice);
    if (refused & RN_LIMITED_DEINTERLACE && opts->geometry.deinterlace != RN_DEINTERLACE_NONE)
        return rn_fail(RN_EUSAGE, "--deinterlace is for video: '%s' is single pictures", src->name);
    if (lacks & RN_LIMITED_DEINTERLACE)
        opts->geometry.deinterlace = RN_DEINTERLACE_NONE;
    return 0;
}

static int open_packets(struct rn_read_source *src)
{
    static const struct {
        bool (*match)(const char *input);
        int (*open)(struct rn_read_input **in, const char *input,
                    const struct rn_io_read_opts *opts, atomic_bool *stop);
        bool coded; /* the size of the file tells how large its pictures may be */
    } kinds[] = {
        {rn_vol_array_match, rn_vol_array_open, false},
        {rn_dicom_match, rn_dicom_open, false},
        {rn_vol_tiff_match, rn_vol_tiff_open_stack, false},
        {rn_read_images_match, rn_read_images_open, true},
        {NULL, rn_read_demux_open, true}, /* everything else */
    };
    size_t i = 0; /* --raw: an array, whatever the name */
    while (!src->opts.raw && kinds[i].match && !kinds[i].match(src->name))
        i++;
    src->media.stream.in_flight = rn_io_memory_in_flight(src->opts.memory, src->name);
    src->opts.memory = rn_io_memory_budget(
        src->opts.memory, kinds[i].coded || av_match_ext(src->name, "gz") ? src->name : NULL);
    if (src->opts.alone && !src->opts.hwdec)
        src->confined = rn_io_memory_confine(src->opts.memory, 2 * rn_io_threads(0), &src->limit);
    int err = kinds[i].open(&src->in, src->name, &src->opts, &src->stop);
    return err ? err : check_limited(src);
}

static int open_prepare(struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    const AVStream *st = rn_read_stream_in(p);
    const AVPacketSideData *matrix =
        st ? rn_io_find_side_data(st, AV_PKT_DATA_DISPLAYMATRIX) : NULL;
    src->prepare.setup = (struct rn_read_prepare_setup){
        .input = src->name,
        .geometry = &src->opts.geometry,
        .matrix = matrix && matrix->size >= 9 * sizeof(int32_t) ? (const void *)matrix->data : NULL,
        .threads = src->opts.threads,
        .losses = src->opts.losses,
        .photos = rn_read_is_stills(p),
        .is_signed = p->volume && p->volume->fmt.number == RN_NUMBER_SIGNED,
    };
    bool fields = src->opts.geometry.deinterlace == RN_DEINTERLACE_FIELD;
    src->time_base = fields ? av_mul_q(p->time_base, (AVRational){1, 2}) : p->time_base;
    return rn_read_prepare_open(&src->prepare);
}

/* Files are there at once; of all else nobody knows when it comes. */
static enum rn_stall stall_of(const char *input, const struct rn_io_read_opts *opts)
{
    struct stat st;
    int found = rn_path_look(input, &st);
    bool file = found > 0 ? S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)
                          : strcmp(input, "-") != 0 && !strchr(input, ':');
    return file && !opts->allow_playlists ? RN_STALL_INPUT : RN_STALL_LIVE;
}

static int open_source(struct rn_read_source **source, const char *input,
                       const struct rn_io_read_opts *opts)
{
    struct rn_read_source *src = calloc(1, sizeof *src);
    if (!src)
        return rn_fail_memory();
    pthread_mutex_init(&src->lock, NULL);
    pthread_mutex_init(&src->retry.unwritten.lock, NULL);
    atomic_init(&src->stop, false);
    src->opts = *opts;
    if (opts->from.kind == RN_TIME_SECONDS && opts->to.kind == RN_TIME_FRAME)
        src->opts.index_mode = RN_FRAME_INDEX_EXACT; /* or the end would not be found */
    src->last_pts = src->newest_pts = src->newest_dts = src->end_pts = AV_NOPTS_VALUE;
    src->audit.from = INT64_MIN;
    src->name = av_strdup(input);
    src->frame = av_frame_alloc();
    src->first = av_frame_alloc();
    int err = src->name && src->frame && src->first ? open_packets(src) : rn_fail_memory();
    err = err ? err : open_prepare(src);
    if (!err)
        rn_read_range_begin(src, zero_of(src));
    if (!err && src->in->ops->next)
        err = rn_read_decoder_open(src);
    err = err ? err : rn_read_frame_numbering_open(src);
    err = err ? err : open_first(src);
    if (src->confined) /* no longer: encoders need memory that nobody can foresee */
        setrlimit(RLIMIT_DATA, &src->limit);
    src->confined = false;
    if (err)
        rn_read_close(&src);
    else
        *source = src;
    return err == RN_END ? RN_EINPUT : err;
}

struct opening {
    struct rn_read_source **source;
    const char *input;
    const struct rn_io_read_opts *opts;
};

static int open_watched(void *arg)
{
    const struct opening *o = arg;
    enum rn_stall kind = stall_of(o->input, o->opts), outer = rn_stall_enter(kind);
    int err = open_source(o->source, o->input, o->opts);
    rn_stall_leave(outer);
    if (!err)
        (*o->source)->stall = kind;
    return err;
}

/* The decoder's threads start here, and keep the rights of this one. */
int rn_read_open(struct rn_read_source **source, const char *input,
                 const struct rn_io_read_opts *opts)
{
    struct opening o = {source, input, opts};
    return rn_io_domain_call(open_watched, &o);
}

void rn_read_close(struct rn_read_source **source)
{
    struct rn_read_source *src = rn_take_owned(source);
    if (!src)
        return;
    rn_read_frame_numbering_close(src);
    rn_read_passed_pictures_clear(src);
    rn_pix_import_destroy(&src->import);
    rn_io_frame_data_destroy(&src->packets_ahead);
    rn_read_prepare_close(&src->prepare);
    rn_read_decoder_close(src);
    av_packet_free(&src->pkt);
    av_frame_free(&src->frame);
    av_frame_free(&src->first);
    if (src->in)
        src->in->ops->close(src->in);
    av_free(src->name);
    pthread_mutex_destroy(&src->lock);
    rn_read_unwritten_clear(&src->retry.unwritten);
    pthread_mutex_destroy(&src->retry.unwritten.lock);
    free(src);
}

/* ---- answers */

const struct rn_io_stream *rn_read_stream_of(const struct rn_read_source *source)
{
    return &source->media.stream;
}

bool rn_read_window(const struct rn_read_source *source, double window[2])
{
    const struct rn_vol *v = source->media.volume;
    bool named = v && v->windowed && v->window[0] != v->window[1];
    for (int i = 0; i < 2 && named; i++)
        window[i] = rn_vol_rescale_undo(&v->rescale, v->window[i]);
    return named;
}

const struct rn_io_media *rn_read_media(const struct rn_read_source *source)
{
    return &source->media;
}

int rn_read_conclude(const struct rn_read_source *source)
{
    if (source->changed) /* it has not */
        return 0;
    rn_read_other_streams_report_late(source);
    if (source->given && !(source->opts.standing & RN_LIMITED_DEINTERLACE))
        rn_read_prepare_conclude(&source->prepare);
    rn_read_change_report(source);
    return *source->changes.stopped ? rn_fail(RN_EINPUT, "%s", source->changes.stopped) : 0;
}

bool rn_read_has_ended(const struct rn_read_source *source)
{
    return source->ended && !source->has_picture;
}

void rn_read_interrupt(struct rn_read_source *source)
{
    atomic_store(&source->stop, true);
}

void rn_read_ledger(const struct rn_read_source *source, struct rn_io_ledger *ledger)
{
    struct rn_read_source *src = (struct rn_read_source *)source; /* the lock alone changes */
    RN_LOCKED(&src->lock);
    ledger->in = src->intake;
    ledger->in.copied = src->copied; /* also since the end was read */
}

int rn_io_media_is_file(const struct rn_io_media *media, const char *path)
{
    struct stat st;
    int found = rn_path_look(path, &st);
    if (found < 0)
        return rn_fail(RN_EOUTPUT, "cannot look at '%s': %s", path, strerror(errno));
    return found && rn_read_has_file(media->in, &st);
}
