/* SPDX-License-Identifier: MIT */
#include "io/read/input.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/text/plural.h"
#include "io/common/read_at.h"
#include "io/containers/file.h"
#include "io/read/images/names.h"

struct member {
    bool given, seen, bad;
    bool gap; /* in the numbers before it, counted */
};

struct images {
    struct rn_read_input base;
    struct rn_read_pattern pattern; /* prefix NULL: not a pattern */
    struct rn_read_names names;
    struct member *member; /* one for each name */
    AVCodecParameters *par;
    atomic_bool *stop;
};

void rn_read_stills_begin(struct rn_read_input *p, const struct rn_read_input_ops *ops,
                          const struct rn_io_read_opts *opts)
{
    static const AVCodecParameters no_codec = {.codec_type = AVMEDIA_TYPE_VIDEO};
    p->ops = ops;
    p->par = &no_codec;
    p->video = -1;
    p->container = rn_container_of_input(NULL);
    p->seekable = true;
    p->data = rn_io_frame_data_create();
    p->rate = opts->fps.den ? rn_io_to_av(opts->fps) : (AVRational){25, 1};
    p->time_base = av_inv_q(p->rate);
}

/* The timestamp of picture i: a gap in the numbers is one in time. */
static int64_t pts_of(const int64_t *number, int i)
{
    return number ? number[i] - number[0] : i;
}

/* The first of n pictures at or after a point, n if there is none; fallback without a point. */
static int picture_at(const struct rn_read_input *p, const struct rn_io_time *at, int n,
                      const int64_t *number, int fallback)
{
    if (at->kind == RN_TIME_FRAME)
        return at->frame < n ? (int)at->frame : n;
    if (at->kind == RN_TIME_NONE)
        return fallback;
    int i = 0;
    double us = at->seconds * 1e6;
    while (i < n &&
           (double)av_rescale_q(pts_of(number, i), p->time_base, AV_TIME_BASE_Q) < us - 0.5)
        i++;
    return i;
}

static bool ends_before(const struct rn_read_input *p, const struct rn_io_read_opts *opts, int n,
                        const int64_t *number)
{
    double last = (double)pts_of(number, n - 1) + 1.5;
    if (opts->to.kind == RN_TIME_FRAME && opts->to.frame > n)
        return true;
    if (opts->to.kind == RN_TIME_SECONDS && opts->to.seconds * av_q2d(p->rate) > last)
        return true;
    return p->end == n && opts->frames > p->end - p->begin;
}

int rn_read_stills_range(struct rn_read_input *p, const struct rn_io_read_opts *opts, int n,
                         const int64_t *number, const char *what)
{
    p->begin = p->next = picture_at(p, &opts->from, n, number, 0);
    p->end = picture_at(p, &opts->to, n, number, n);
    p->short_range = ends_before(p, opts, n, number);
    if (opts->frames >= 0 && opts->frames < p->end - p->begin)
        p->end = p->begin + (int)opts->frames;
    if (p->begin >= p->end)
        return rn_fail(RN_EUSAGE,
                       "--from, --to and --frames leave nothing of the %s, of which there %s %d",
                       what, rn_is_or_are(n), n);
    p->frames = p->end - p->begin;
    p->duration =
        (double)(pts_of(number, p->end - 1) - pts_of(number, p->begin) + 1) / av_q2d(p->rate);
    return 0;
}

/* ---- which inputs these are */

/* Reads up to `max` bytes of a file, with zeros behind them for libav. NULL on failure (errno). */
static uint8_t *read_file(const char *path, size_t max, size_t *size)
{
    RN_OWNED(rn_close_owned) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat st;
    *size = 0;
    if (fd < 0 || fstat(fd, &st))
        return NULL;
    if ((uint64_t)st.st_size < max)
        max = (size_t)st.st_size;
    uint8_t *data = av_mallocz(max + AV_INPUT_BUFFER_PADDING_SIZE);
    ssize_t got = data ? rn_io_read_all(fd, data, max, 0) : 0;
    if (got < 0)
        av_freep(&data);
    else
        *size = (size_t)got;
    return data;
}

/* The codec of an image file: by its contents as libav probes them, else by its name. NONE if the
 * file is something else (an animation, a video). */
static enum AVCodecID codec_of(const char *path)
{
    size_t size;
    RN_OWNED(av_freep) uint8_t *data = read_file(path, 1 << 16, &size);
    if (!data || !size)
        return AV_CODEC_ID_NONE;
    AVProbeData probe = {.filename = rn_io_probe_name(path), .buf = data, .buf_size = (int)size};
    const AVInputFormat *fmt = av_probe_input_format(&probe, 1);
    const char *name = fmt ? fmt->name : rn_read_name_is_image(path) ? RN_CONTAINER_OF_IMAGES : "";
    const char *suffix = av_stristr(name, "_pipe");
    if (suffix && !suffix[5]) {
        static const char *const odd[][2] = {{"jpeg", "mjpeg"}, {"j2k", "jpeg2000"}};
        char codec[32];
        snprintf(codec, sizeof codec, "%.*s", (int)(suffix - name), name);
        for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
            if (!strcmp(codec, odd[i][0]))
                snprintf(codec, sizeof codec, "%s", odd[i][1]);
        const AVCodecDescriptor *desc = avcodec_descriptor_get_by_name(codec);
        if (desc && desc->type == AVMEDIA_TYPE_VIDEO)
            return desc->id;
    }
    if (!strcmp(name, RN_CONTAINER_OF_IMAGES) && rn_read_name_is_image(path))
        return (enum AVCodecID)rn_read_name_codec(path);
    return AV_CODEC_ID_NONE;
}

bool rn_read_images_match(const char *input)
{
    struct stat st;
    int found = rn_path_look(input, &st);
    if (found > 0)
        return S_ISDIR(st.st_mode) || (S_ISREG(st.st_mode) && codec_of(input) != AV_CODEC_ID_NONE);
    if (!strcmp(input, "-") || av_strstart(input, "lavfi:", NULL) || strstr(input, "://"))
        return false;
    return (found < 0 && rn_read_name_is_image(input)) || rn_read_is_pattern(input) ||
           strpbrk(input, "*?[") != NULL;
}

/* ---- opening */

/* Of names that end alike libav need not look for the codec again, which takes long. */
static bool ends_alike(const char *a, const char *b)
{
    const char *end_a = strrchr(a, '.'), *end_b = strrchr(b, '.');
    return end_a && end_b && !strcmp(end_a, end_b);
}

static int list_files(struct images *im, const char *input)
{
    struct stat st;
    int err = rn_read_names_of_input(input, RN_FOLDER_IMAGES, &im->pattern, &im->names);
    if (!err && !im->names.n)
        err = rn_path_look(input, &st) > 0
                  ? rn_fail(RN_EINPUT, "the folder '%s' holds no images; of videos: %s/*.mp4",
                            input, input)
                  : rn_fail(RN_EINPUT, "no image file is named '%s'", input);
    if (err)
        return err;
    im->member = av_calloc((size_t)im->names.n, sizeof *im->member);
    if (!im->member)
        return rn_fail_memory();
    for (int i = 0; i < im->names.n; i++) {
        int found = rn_path_look(im->names.path[i], &st);
        if (found < 0)
            return rn_fail(RN_EINPUT, "cannot look at '%s': %s", im->names.path[i],
                           strerror(errno));
        err = found ? rn_read_note_file(&im->base, im->names.path[i], &st) : 0;
        if (err)
            return err;
    }
    const char *first = im->names.path[0];
    for (int i = 1; i < im->names.n; i++) /* one decoder reads all files */
        if (!ends_alike(im->names.path[i], im->names.path[i - 1]) &&
            rn_read_name_codec(im->names.path[i]) != rn_read_name_codec(first))
            return rn_fail(RN_EINPUT,
                           "'%s' and '%s' are of different types; a glob such as "
                           "'*.png' takes one type",
                           first, im->names.path[i]);
    return 0;
}

static int find_codec(struct images *im)
{
    im->par = avcodec_parameters_alloc();
    if (!im->par)
        return rn_fail_memory();
    im->par->codec_type = AVMEDIA_TYPE_VIDEO;
    for (int i = im->base.begin; i < im->base.end && im->par->codec_id == AV_CODEC_ID_NONE; i++)
        im->par->codec_id = codec_of(im->names.path[i]);
    if (im->par->codec_id == AV_CODEC_ID_NONE)
        return rn_fail(RN_EINPUT, "'%s' is no image", im->names.path[im->base.begin]);
    im->base.par = im->par;
    return 0;
}

/* ---- reading */

static void mark_bad(struct images *im, int i, const char *why)
{
    if (im->member[i].bad)
        return;
    im->member[i].bad = true;
    im->base.corrupt++;
    rn_io_damage_note(&im->base.damage, "'%s' %s", im->names.path[i], why);
}

static void note_gap(struct images *im, int64_t first, int64_t last)
{
    RN_OWNED(av_freep) char *a = rn_read_pattern_name(&im->pattern, first);
    RN_OWNED(av_freep) char *b = rn_read_pattern_name(&im->pattern, last);
    im->base.damage.missing += last - first + 1;
    if (a && b && first == last)
        rn_io_damage_note(&im->base.damage, "'%s' is missing", a);
    else if (a && b)
        rn_io_damage_note(&im->base.damage, "'%s' to '%s' are missing", a, b);
}

static int images_next(struct rn_read_input *p, AVPacket *pkt)
{
    struct images *im = (struct images *)p;
    while (im->base.next < im->base.end && !atomic_load(im->stop)) {
        int i = im->base.next++;
        if (im->pattern.prefix && i > im->base.begin &&
            im->names.number[i] > im->names.number[i - 1] + 1 && !im->member[i].gap) {
            im->member[i].gap = true;
            note_gap(im, im->names.number[i - 1] + 1, im->names.number[i] - 1);
        }
        size_t size;
        RN_OWNED(av_freep) uint8_t *data = read_file(im->names.path[i], INT32_MAX / 2, &size);
        if (!data || !size) {
            mark_bad(im, i, data ? "is empty" : strerror(errno));
            continue;
        }
        if (!rn_container_image_is_complete(im->par->codec_id, data, size))
            mark_bad(im, i, "is cut off at its end");
        if (av_packet_from_data(pkt, data, (int)size) < 0)
            return rn_fail_memory();
        data = NULL; /* the packet has it */
        pkt->pts = pkt->dts = pts_of(im->names.number, i);
        pkt->duration = 1;
        pkt->flags |= AV_PKT_FLAG_KEY;
        im->member[i].given = true;
        return 0;
    }
    return RN_END;
}

static int index_at(const struct images *im, int64_t pts)
{
    int lo = im->base.begin, hi = im->base.end - 1;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (pts_of(im->names.number, mid) < pts)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Every file that went into the decoder gives one picture, in order: those before `end` that were
 * not seen are lost. */
static void mark_lost(struct images *im, int end)
{
    for (int i = end - 1; i >= im->base.begin && !im->member[i].seen; i--) {
        im->member[i].seen = true;
        if (im->member[i].given)
            mark_bad(im, i, "cannot be decoded");
    }
}

static void images_decoded(struct rn_read_input *p, int64_t pts, bool ok)
{
    struct images *im = (struct images *)p;
    int i = index_at(im, pts);
    mark_lost(im, i);
    im->member[i].seen = true;
    if (!ok)
        mark_bad(im, i, "was decoded with errors");
}

static void images_finish(struct rn_read_input *p)
{
    struct images *im = (struct images *)p;
    mark_lost(im, im->base.next);
}

static const char *images_name(const struct rn_read_input *p, int64_t pts, int64_t *number)
{
    const struct images *im = (const struct images *)p;
    int i = index_at(im, pts);
    *number = im->pattern.prefix ? im->names.number[i] : -1;
    return im->names.path[i];
}

static int images_seek(struct rn_read_input *p, int64_t target, bool again)
{
    struct images *im = (struct images *)p;
    if (again)
        return RN_END;
    for (int i = im->base.begin; i < im->base.end; i++)
        im->member[i].given = im->member[i].seen = false;
    im->base.next = index_at(im, target);
    return 0;
}

static int64_t images_index(const struct rn_read_input *p, int64_t pts)
{
    return index_at((const struct images *)p, pts);
}

static void images_close(struct rn_read_input *p)
{
    struct images *im = (struct images *)p;
    rn_read_pattern_free(&im->pattern);
    rn_read_names_free(&im->names);
    av_freep(&im->member);
    avcodec_parameters_free(&im->par);
    rn_read_forget_files(p);
    rn_io_frame_data_destroy(&p->data);
    av_free(im);
}

static const struct rn_read_input_ops images_ops = {
    .next = images_next,
    .decoded = images_decoded,
    .finish = images_finish,
    .name = images_name,
    .seek = images_seek,
    .index = images_index,
    .close = images_close,
};

int rn_read_images_open(struct rn_read_input **in, const char *input,
                        const struct rn_io_read_opts *opts, atomic_bool *stop)
{
    struct images *im = av_mallocz(sizeof *im);
    if (!im)
        return rn_fail_memory();
    im->stop = stop;
    rn_read_stills_begin(&im->base, &images_ops, opts);
    int err = im->base.data ? list_files(im, input) : rn_fail_memory();
    err =
        err ? err : rn_read_stills_range(&im->base, opts, im->names.n, im->names.number, "images");
    err = err ? err : find_codec(im);
    if (err)
        images_close(&im->base);
    else
        *in = &im->base;
    return err;
}
