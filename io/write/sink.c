/* SPDX-License-Identifier: MIT */
#include "io/write/sink.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/output/textout.h"
#include "filters/base/text/plural.h"
#include "io/common/av_versions.h"
#include "io/write/cells.h"
#include "io/write/encode/encoder.h"
#include "io/read/input.h"
#include "io/write/encode/two_pass.h"
#include "io/write/sinks/sink_ops.h"

#include <assert.h>
#include <fcntl.h>

#include <libavutil/pixdesc.h>

static const struct rn_write_ops *const kinds[] = {
    &rn_write_null_sink,  &rn_write_md5_sink,   &rn_write_tiff_sink,  &rn_write_volume_sink,
    &rn_write_dicom_sink, &rn_write_image_sink, &rn_write_media_sink, /* everything else */
};

static const struct rn_write_ops *kind_of(const char *output, const struct rn_write_opts *opts)
{
    size_t i = 0;
    while (kinds[i]->name ? strcmp(kinds[i]->name, output) != 0
                          : kinds[i]->match && !kinds[i]->match(output))
        i++;
    return opts->container && kinds[i]->holds != RN_HOLDS_NOTHING ? &rn_write_media_sink : kinds[i];
}

/* Numbered TIFFs of scans are written like stacks; for films libav's encoder has more formats. */
static const struct rn_write_ops *kind_for(const char *output, const struct rn_write_opts *opts,
                                           const struct rn_geom *geom)
{
    const struct rn_write_ops *ops = kind_of(output, opts);
    bool own = ops == &rn_write_image_sink && rn_write_tiff_takes_files(output, opts, geom);
    return own ? &rn_write_tiff_sink : ops;
}

/* ---- checks */

static int check_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    int len = slash ? (int)(slash - path) : 0;
    RN_OWNED(av_freep)
    char *dir = slash ? av_asprintf("%.*s", len ? len : 1, path) : av_strdup(".");
    struct stat st;
    if (!dir)
        return rn_fail_memory();
    if (stat(dir, &st) || (S_ISDIR(st.st_mode) ? access(dir, W_OK | X_OK) : (errno = ENOTDIR)))
        return rn_fail(RN_EOUTPUT, "cannot write '%s': folder '%s': %s", path, dir,
                       strerror(errno));
    return 0;
}

/* Refuses the input itself, a file that exists and may not be overwritten, and a folder that cannot
 * be written. Returns 0, RN_EUSAGE or RN_EOUTPUT (logged in one line). */
static int check_target(const char *path, const struct rn_io_media *media)
{
    struct stat st;
    int exists = rn_path_look(path, &st);
    if (exists < 0)
        return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(errno));
    if (exists && S_ISDIR(st.st_mode))
        return rn_fail(RN_EOUTPUT, "'%s' is a folder", path);
    int err = exists ? rn_io_media_is_file(media, path) : 0;
    if (err > 0)
        return rn_fail(RN_EUSAGE, "'%s' is the input itself; choose another output", path);
    err = err ? err : rn_outfile_allowed(path);
    if (!err && (!exists || S_ISREG(st.st_mode)))
        err = check_folder(path);
    return err;
}

/* Checks all files that a numbered name could overwrite. The user is asked once for all. */
static int check_pattern(const struct rn_read_pattern *pattern, const struct rn_io_media *media)
{
    RN_OWNED(av_freep) char *sample = rn_read_pattern_name(pattern, 0);
    RN_OWNED(rn_read_names_free) struct rn_read_names names = {0};
    if (!sample)
        return rn_fail_memory();
    int err = check_folder(sample);
    err = err ? err : rn_read_names_of_pattern(pattern, &names);
    for (int i = 0; i < names.n && !err; i++)
        if ((err = rn_io_media_is_file(media, names.path[i])) > 0)
            err = rn_fail(RN_EUSAGE, "'%s' belongs to the input; choose another output",
                          names.path[i]);
    err = err ? err : check_target(names.n ? names.path[0] : sample, media);
    for (int i = 1; i < names.n && !err; i++)
        err = rn_outfile_permit(names.path[i]);
    return err;
}

/* how: how many pictures come. */
static int refuse_several(const char *output, const char *how)
{
    const char *base = av_basename(output), *dot = strrchr(base, '.');
    const char *ext = dot && dot != base ? dot : base + strlen(base);
    return rn_fail(RN_EUSAGE,
                   "'%s' holds one picture, and %s come: name the files like %.*s_%%04d%s, or take "
                   "one picture with --frames 1",
                   output, how, (int)(ext - base), base, ext);
}

static int check_targets(const struct rn_write_sink *s)
{
    const struct rn_io_stream *stream = &s->media.stream;
    if (s->pattern.prefix)
        return check_pattern(&s->pattern, &s->media);
    if (s->ops->file_per_picture && stream->exact && stream->frames > 1) {
        char count[24];
        snprintf(count, sizeof count, "%lld", (long long)stream->frames);
        return refuse_several(s->name, count);
    }
    return strcmp(s->name, "-") != 0 ? check_target(s->name, &s->media) : 0;
}

/* ---- writing files */

int rn_write_begin_file(struct rn_write_sink *s, int64_t number)
{
    assert(!s->file.temp && s->purpose != RN_WRITE_REHEARSAL);
    RN_OWNED(av_freep)
    char *path = s->pattern.prefix ? rn_read_pattern_name(&s->pattern, number) : av_strdup(s->name);
    return !path    ? rn_fail_memory()
           : s->set ? rn_outset_begin(s->set, &s->file, path)
                    : rn_outfile_begin(&s->file, path);
}

int rn_write_picture_file(struct rn_write_sink *s, int64_t number, const void *data, size_t size)
{
    int err = rn_write_begin_file(s, number);
    int fd = err ? -1 : open(s->file.temp, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    int cause = err ? 0 : fd < 0 ? errno : rn_write_all(fd, data, size);
    if (fd >= 0 && close(fd) && !cause)
        cause = errno;
    if (cause)
        err = rn_write_fail(s->file.path, cause);
    if (!err && s->pattern.prefix)
        err = rn_outfile_commit(&s->file, false);
    s->files += !err;
    if (!err && s->pattern.prefix && !s->first_path)
        s->first_path = av_strdup(s->file.path);
    if (err || s->pattern.prefix)
        rn_outfile_free(&s->file);
    return err;
}

char *rn_write_samples_name(const char *output, const struct rn_write_opts *opts)
{
    bool packed = opts->compression.kind == RN_COMPRESSION_DEFLATE;
    RN_OWNED(av_freep)
    char *found = kind_of(output, opts) == &rn_write_volume_sink
                      ? rn_write_volume_samples(output, packed)
                      : NULL;
    return found ? strdup(found) : NULL;
}

bool rn_write_is_file(const char *output, const struct rn_write_opts *opts)
{
    struct rn_outplace place;
    if (kind_of(output, opts) != &rn_write_media_sink || !strcmp(output, "-"))
        return false;
    if (rn_outplace_find(&place, output))
        return true;
    bool special = place.special;
    rn_outplace_free(&place);
    return !special;
}

bool rn_write_is_kept(const char *output)
{
    const struct rn_write_opts none = {.threads = 0};
    return kind_of(output, &none)->holds != RN_HOLDS_NOTHING;
}

bool rn_write_is_named(const char *output)
{
    const struct rn_write_opts none = {.threads = 0};
    return kind_of(output, &none) != &rn_write_media_sink || av_guess_format(NULL, output, NULL);
}

/* ---- sinks */

static void destroy(struct rn_write_sink *s)
{
    if (s->ops->release)
        s->ops->release(s);
    rn_outfile_free(&s->file);
    rn_outset_destroy(&s->set);
    rn_image_free(&s->kept);
    rn_read_pattern_free(&s->pattern);
    av_free(s->first_path);
    av_free(s->name);
    av_free(s);
}

/* Whether pictures go to cells as they are, and what writes them stays closed. */
static bool keeps_pictures(const struct rn_write_sink *s)
{
    return s->purpose == RN_WRITE_SEGMENT && s->ops->holds == RN_HOLDS_PICTURES;
}

static int create(struct rn_write_sink **sink, enum rn_write_purpose purpose, const char *output,
                  const struct rn_write_opts *opts, const struct rn_io_media *media,
                  const struct rn_geom *geom)
{
    const struct rn_write_ops *ops = kind_for(output, opts, geom);
    bool rehearsal = purpose == RN_WRITE_REHEARSAL;
    bool quiet =
        purpose == RN_WRITE_FIRST_PASS || purpose == RN_WRITE_SEGMENT || (rehearsal && !opts->plan);
    struct rn_write_sink *s = av_mallocz(ops->size);
    char *name = av_strdup(output);
    struct rn_read_pattern pattern = {0};
    bool numbered = ops->numbered && rn_read_is_pattern(output);
    if (!s || !name || (numbered && !rn_read_pattern_parse(output, &pattern))) {
        av_free(name);
        av_free(s);
        return rn_fail_memory();
    }
    *s = (struct rn_write_sink){.ops = ops,
                                .name = name,
                                .pattern = pattern,
                                .media = *media,
                                .geom = *geom,
                                .cells = rehearsal ? NULL : opts->cells,
                                .losses = quiet ? NULL : opts->losses, /* added only once */
                                .ledger = rehearsal ? NULL : opts->ledger,
                                .purpose = purpose,
                                .quiet = quiet};
    *sink = s;
    return 0;
}

/* Adds what the kind of output cannot hold to the losses. */
static void report_limits(struct rn_write_sink *s, const struct rn_write_opts *opts)
{
    bool flattens = s->ops == &rn_write_image_sink || s->ops == &rn_write_media_sink;
    const struct rn_io_media *media = &s->media;
    char text[200] = "";
    if (media->volume && flattens)
        rn_vol_describe(media->volume, text, sizeof text);
    if (*text)
        rn_losses_add(opts->losses, "geometry",
                      "'%s' has no place for %s (.tif, .nii, .nrrd, .mha and .dcm have)", s->name,
                      text);
    if (media->volume && flattens)
        rn_write_volume_out_fields(media->volume, s, NULL);
    if (s->ops->holds == RN_HOLDS_PICTURES)
        rn_write_omitted_begin(&s->omitted, s->name, media, opts->audio, opts->subs, opts->losses);
}

static void describe(const struct rn_write_sink *s, const struct rn_write_opts *opts)
{
    char format[24];
    const char *container = NULL, *given = opts->codec_opts;
    const AVCodecContext *ctx = s->ops->encoder ? s->ops->encoder(s, &container) : NULL;
    snprintf(opts->plan, RN_WRITE_PLAN, "%dx%d %s%s%s%s%s%s%s", s->geom.w, s->geom.h,
             ctx ? av_get_pix_fmt_name(ctx->pix_fmt) : rn_format_name(&s->geom.fmt, format),
             ctx ? ", encoder " : "", ctx ? ctx->codec->name : "", ctx && given ? " with " : "",
             ctx && given ? given : "", container ? ", container " : "",
             container ? container : "");
    size_t n = strlen(opts->plan);
    if (opts->passes && ctx)
        snprintf(opts->plan + n, RN_WRITE_PLAN - n, ", two passes for %lld bytes",
                 (long long)opts->size);
}

int rn_write_check_options(const char *output, const struct rn_write_opts *opts,
                           const struct rn_io_media *media, const struct rn_geom *geom)
{
    const struct rn_write_ops *ops = kind_for(output, opts, geom);
    if (opts->container && ops->holds == RN_HOLDS_NOTHING)
        return rn_fail(RN_EUSAGE, "--container does not go with the output %s", output);
    int err = ops->compresses ? 0 : rn_write_compression_check(&opts->compression, "", output);
    if (!err && geom->fmt.complex && ops->holds != RN_HOLDS_NOTHING && ops != &rn_write_volume_sink)
        err = rn_fail(RN_EUSAGE,
                      "'%s' cannot hold complex samples: .nii, .npy and .nrrd do, and "
                      "--complex magnitude makes gray of them",
                      output);
    if (err || ops->holds == RN_HOLDS_NOTHING)
        return err;
    struct rn_write_sink *s;
    err = create(&s, RN_WRITE_REHEARSAL, output, opts, media, geom);
    if (err)
        return err;
    /* Of two mistakes that of the options is told first, but of media files. */
    bool streams = ops->holds == RN_HOLDS_STREAMS;
    bool untouched = opts->cells && opts->cells->writes;
    err = streams && !untouched ? check_targets(s) : ops->open(s, opts);
    if (!err && !untouched)
        err = streams ? ops->open(s, opts) : check_targets(s);
    if (!err && opts->cell)
        *opts->cell = ops->cell ? ops->cell(s) : RN_GRID_LEAST;
    if (!err && opts->replace_set && !s->pattern.prefix)
        err = rn_fail(RN_EUSAGE, "--replace-set is for a numbered output such as out_%%03d.png");
    if (!err && opts->plan) {
        report_limits(s, opts);
        describe(s, opts);
    }
    destroy(s);
    return err;
}

const char *rn_write_idle(const char *output, const struct rn_write_opts *opts,
                          const struct rn_io_media *media, const char *option)
{
    enum rn_write_holds holds = kind_of(output, opts)->holds;
    bool sound = !strcmp(option, "audio"), words = !strcmp(option, "subs");
    const char *how = sound ? opts->audio : words ? opts->subs : NULL;
    if (how && av_match_name(how, "none,copy"))
        return NULL;
    if (holds != RN_HOLDS_STREAMS && (how || !strcmp(option, "keep-start")))
        return "the output holds pictures alone";
    enum AVMediaType type = sound ? AVMEDIA_TYPE_AUDIO : AVMEDIA_TYPE_SUBTITLE;
    if (how && (!media->fmt || rn_read_first_copied(media->fmt, media->video, type) < 0))
        return sound ? "no sound comes" : "no subtitles come";
    return holds == RN_HOLDS_NOTHING && !how ? "no file is written" : NULL;
}

int rn_write_open(struct rn_write_sink **sink, const char *output, const struct rn_write_opts *opts,
                  const struct rn_io_media *media, const struct rn_geom *geom)
{
    struct rn_write_sink *s;
    bool first = opts->passes && opts->passes->number == 1;
    bool cells = opts->cells && opts->cells->writes;
    enum rn_write_purpose purpose = first   ? RN_WRITE_FIRST_PASS
                                    : cells ? RN_WRITE_SEGMENT
                                            : RN_WRITE_OUTPUT;
    int err = create(&s, purpose, output, opts, media, geom);
    if (err)
        return err;
    if (s->pattern.prefix && purpose == RN_WRITE_OUTPUT && !(s->set = rn_outset_create(s->name)))
        err = rn_fail_memory();
    s->replace_set = opts->replace_set;
    if (!err && s->cells && s->ops->holds == RN_HOLDS_PICTURES && !keeps_pictures(s))
        err = rn_image_alloc(&s->kept, geom);
    if (!err && s->ops->open && !keeps_pictures(s))
        err = s->ops->open(s, opts);
    if (err) {
        destroy(s);
        return err;
    }
    if (s->purpose == RN_WRITE_OUTPUT)
        report_limits(s, opts);
    *sink = s;
    return 0;
}

/* Reports properties that change in mid-stream, if the output can specify them only once.
 * Progressive frames among interlaced ones lose nothing: they are two fields of one moment. */
static void report_changes(struct rn_write_sink *s, const struct rn_frame *frame)
{
    const AVFrame *first = s->media.first, *props = frame->data ? frame->data->props : NULL;
    if (!props)
        return;
    const struct {
        bool is, *reported;
        const char *kind, *what, *then;
    } change[] = {
        {rn_io_is_interlaced(props) &&
             (!rn_io_is_interlaced(first) ||
              rn_io_top_field_first(first) != rn_io_top_field_first(props)),
         &s->fields_reported, "fields", "the order of the fields changes at",
         ", and is written as that of the first"},
        {first->color_range != AVCOL_RANGE_UNSPECIFIED &&
             props->color_range != AVCOL_RANGE_UNSPECIFIED &&
             first->color_range != props->color_range,
         &s->range_reported, "range", "the range of the colours changes at",
         ", and is converted to that of the first"},
        {!av_frame_get_side_data(first, AV_FRAME_DATA_A53_CC) &&
             av_frame_get_side_data(props, AV_FRAME_DATA_A53_CC),
         &s->captions_reported, "captions", "the closed captions in the pictures, from",
         " on, are gone"},
    };
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        if (change[i].is && !*change[i].reported)
            rn_losses_add(s->losses, change[i].kind, "'%s': %s frame %" PRId64 "%s", s->name,
                          change[i].what, frame->index, change[i].then);
        *change[i].reported |= change[i].is;
    }
}

/* Puts the picture, the sink's frame number s->frames from 1 on, into its cell. */
static int keep_picture(struct rn_write_sink *s, const struct rn_image *img)
{
    int64_t n = s->cells->parts->cell_frames;
    int err =
        s->frames > 1 && (s->frames - 1) % n == 0 ? rn_write_cells_end_cell(s->cells, false) : 0;
    return err ? err : rn_write_cells_put_picture(s->cells, img);
}

int rn_write_write(struct rn_write_sink *s, const struct rn_image *img, struct rn_frame *frame)
{
    const struct rn_geom *g = &s->geom;
    assert(!s->failed && s->purpose != RN_WRITE_REHEARSAL);
    s->frames++;
    int err = 0;
    if (s->kept.plane[0].data) { /* its cell has it, in place of what was given */
        int64_t n = s->cells->parts->cell_frames;
        err = rn_write_cells_get_picture(s->cells, (s->frames - 1) / n, &s->kept);
        img = &s->kept;
    }
    assert(
        err || s->cells || s->ops->holds == RN_HOLDS_NOTHING ||
        (img->geom.w == g->w && img->geom.h == g->h && rn_format_equal(&img->geom.fmt, &g->fmt)));
    if (s->omitted.media)
        rn_write_omitted_watch(&s->omitted, frame);
    if (s->omitted.media || s->ops->holds == RN_HOLDS_STREAMS)
        report_changes(s, frame);
    bool several = s->ops->file_per_picture && !s->pattern.prefix && s->frames > 1;
    err = err                 ? err
          : several           ? refuse_several(s->name, "several")
          : keeps_pictures(s) ? keep_picture(s, img)
          : s->ops->write     ? s->ops->write(s, img, frame)
                              : 0;
    s->failed |= err != 0;
    rn_io_frame_release(frame);
    return err;
}

int rn_write_tail(struct rn_write_sink *s, struct rn_frame *frame)
{
    int err = frame->data && s->ops->tail ? s->ops->tail(s, frame) : 0;
    s->failed |= err != 0;
    rn_io_frame_release(frame);
    return err;
}

int64_t rn_write_damaged(const struct rn_write_sink *s)
{
    return s->ops->damaged ? s->ops->damaged(s) : 0;
}

/* Names the files of the set, and counts those of an older set of the same name that it has not
 * replaced; with replace_set these are removed. */
static int end_set(struct rn_write_sink *s, enum rn_write_ending ending)
{
    bool whole = ending == RN_ENDING_COMPLETE;
    RN_OWNED(rn_read_names_free) struct rn_read_names names = {0};
    int64_t older = 0;
    rn_outset_lock(s->set);
    int err = whole ? rn_read_names_of_pattern(&s->pattern, &names) : 0;
    for (int i = 0; i < names.n && !err; i++) {
        if (rn_outset_has(s->set, names.path[i]))
            continue;
        older += !s->replace_set;
        err = s->replace_set ? rn_outset_remove(s->set, names.path[i]) : 0;
    }
    int named = rn_outset_commit(s->set, !whole || err);
    err = err ? err : named;
    if (!err && older)
        rn_log(RN_LOG_WARNING,
               "'%s': %" PRId64 " file%s of an older set stay%s; --replace-set removes them",
               s->name, older, rn_plural(older), older == 1 ? "s" : "");
    if (s->ledger)
        s->ledger->out.older_files = older;
    return err;
}

int rn_write_close(struct rn_write_sink **sink, enum rn_write_ending ending)
{
    struct rn_write_sink *s = rn_take_owned(sink);
    if (!s)
        return 0;
    if (ending == RN_ENDING_COMPLETE)
        rn_write_omitted_end(&s->omitted, s->name, s->ops->rated && !s->pattern.prefix);
    int err = 0;
    if (s->kept.plane[0].data && ending == RN_ENDING_COMPLETE) {
        int64_t n = s->cells->parts->cell_frames;
        err = rn_write_cells_conclude(s->cells, (s->frames - 1) / n);
        ending = err ? RN_ENDING_ABANDON : ending;
    }
    /* An encoder without pictures has nothing to end. */
    bool kept = keeps_pictures(s) || (s->purpose == RN_WRITE_SEGMENT && !s->frames);
    if (kept)
        err = ending == RN_ENDING_COMPLETE ? rn_write_cells_end_cell(s->cells, true) : 0;
    int closed = s->ops->close && !kept ? s->ops->close(s, ending) : 0;
    err = err ? err : closed;
    if (s->set && ending != RN_ENDING_ABANDON) {
        int named = end_set(s, err ? RN_ENDING_PARTIAL : ending);
        err = err ? err : named;
    }
    destroy(s);
    return err;
}

const char *rn_write_path(const struct rn_write_sink *s)
{
    bool file = s->ops->holds != RN_HOLDS_NOTHING && s->purpose == RN_WRITE_OUTPUT &&
                strcmp(s->name, "-") != 0;
    return file ? s->name : NULL;
}

struct rn_write_written rn_write_written_of(const struct rn_write_sink *s, int w, int h,
                                            enum AVPixelFormat coded)
{
    return (struct rn_write_written){.name = s->name,
                                     .media = &s->media,
                                     .geom = s->geom,
                                     .w = w,
                                     .h = h,
                                     .coded = coded,
                                     .first_us = AV_NOPTS_VALUE,
                                     .losses = s->losses};
}

const struct rn_write_ops rn_write_null_sink = {
    .size = sizeof(struct rn_write_sink),
    .holds = RN_HOLDS_NOTHING,
    .name = "null:",
};
