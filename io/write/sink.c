#include "io/write/sink.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/output/outplace.h"
#include "filters/base/output/path.h"
#include "filters/base/output/textout.h"
#include "io/common/av.h"
#include "io/common/media.h"
#include "io/read/images/names.h"
#include "io/volumes/volume.h"
#include "io/write/sinks/sink_ops.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavutil/avstring.h>
#include <libavutil/error.h>
#include <libavutil/mem.h>

static const struct rn_write_ops *const kinds[] = {
    &rn_write_null_sink,  &rn_write_md5_sink,   &rn_write_tiff_sink,  &rn_write_volume_sink,
    &rn_write_dicom_sink, &rn_write_image_sink, &rn_write_media_sink, /* everything else */
};

static const struct rn_write_ops *kind_of(const char *output, const struct rn_write_opts *opts)
{
    size_t i = 0;
    while (kinds[i]->match && !kinds[i]->match(output))
        i++;
    return opts->container && kinds[i]->holds != RN_HOLDS_NOTHING ? &rn_write_media_sink : kinds[i];
}

/* A numbered TIFF of a scan is written as a stack is; of films libav makes more kinds. */
static const struct rn_write_ops *kind_for(const char *output, const struct rn_write_opts *opts,
                                           const struct rn_geom *geom)
{
    const struct rn_write_ops *ops = kind_of(output, opts);
    bool own = ops == &rn_write_image_sink && rn_write_tiff_takes_files(output, opts, geom);
    return own ? &rn_write_tiff_sink : ops;
}

static int check_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    int len = slash ? (int)(slash - path) : 0;
    char *dir = slash ? av_asprintf("%.*s", len ? len : 1, path) : av_strdup(".");
    if (!dir)
        return rn_fail_memory();
    int err = 0;
    struct stat st;
    if (stat(dir, &st) || (S_ISDIR(st.st_mode) ? access(dir, W_OK | X_OK) : (errno = ENOTDIR)))
        err = rn_fail(RN_EOUTPUT, "cannot write '%s': folder '%s': %s", path, dir, strerror(errno));
    av_free(dir);
    return err;
}

int rn_write_check_target(const char *path, const struct rn_read_source *source)
{
    struct stat st;
    int exists = rn_path_look(path, &st);
    if (exists < 0)
        return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(errno));
    if (exists && S_ISDIR(st.st_mode))
        return rn_fail(RN_EOUTPUT, "'%s' is a folder", path);
    int err = exists ? rn_read_is_file(source, path) : 0;
    if (err > 0)
        return rn_fail(RN_EUSAGE, "'%s' is the input itself; choose another output", path);
    if (!err)
        err = rn_outfile_allowed(path);
    if (!err && (!exists || S_ISREG(st.st_mode)))
        err = check_folder(path);
    return err;
}

/* All files that the pattern could write over: none may be the input's, and one answer is for all.
 */
int rn_write_check_pattern(const struct rn_read_pattern *pattern,
                           const struct rn_read_source *source)
{
    char *sample = rn_read_pattern_name(pattern, 0);
    struct rn_read_names names = {0};
    if (!sample)
        return rn_fail_memory();
    const char *slash = strrchr(sample, '/');
    char *folder = slash ? av_asprintf("%.*s", (int)(slash - sample + 1), sample) : av_strdup("");
    struct stat st;
    int err = folder ? 0 : rn_fail_memory();
    if (!err && *folder && (stat(folder, &st) || !S_ISDIR(st.st_mode)))
        err = rn_fail(RN_EOUTPUT, "cannot write to folder '%s': %s", folder, strerror(errno));
    if (!err)
        err = rn_read_names_of_pattern(pattern, &names);
    for (int i = 0; i < names.n && !err; i++)
        if ((err = rn_read_is_file(source, names.path[i])) > 0)
            err = rn_fail(RN_EUSAGE, "'%s' belongs to the input; choose another output",
                          names.path[i]);
    if (!err)
        err = rn_write_check_target(names.n ? names.path[0] : sample, source);
    for (int i = 1; i < names.n && !err; i++)
        err = rn_outfile_permit(names.path[i]);
    rn_read_names_free(&names);
    av_free(folder);
    av_free(sample);
    return err;
}

/* how: what is known of the number of pictures. */
static int refuse_several(const char *output, const char *how)
{
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    const char *dot = strrchr(base, '.'), *ext = dot && dot != base ? dot : base + strlen(base);
    return rn_fail(RN_EUSAGE,
                   "'%s' holds one picture, and %s come: name the files like %.*s_%%04d%s, or take "
                   "one picture with --frames 1",
                   output, how, (int)(ext - base), base, ext);
}

int rn_write_check_single(const char *output, const struct rn_read_source *source)
{
    const struct rn_read_stream *stream = rn_read_stream_of(source);
    char how[24];
    snprintf(how, sizeof how, "%lld", (long long)stream->frames);
    return stream->exact && stream->frames > 1 ? refuse_several(output, how) : 0;
}

int rn_write_fail_several(const char *output)
{
    return refuse_several(output, "several");
}

int rn_write_file(const struct rn_outfile *file, const void *data, size_t size)
{
    int fd = open(file->temp, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    int cause = fd < 0 ? errno : rn_write_all(fd, data, size);
    if (fd >= 0 && close(fd) && !cause)
        cause = errno;
    return cause ? rn_write_fail(file->path, cause) : 0;
}

int rn_write_av_write_fail(const char *path, int averror)
{
    int cause = AVUNERROR(averror);
    if (cause > 0 && cause < 4096) /* the system's, not libav's own */
        return rn_write_fail(path, cause);
    return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, rn_io_error(averror));
}

int rn_write_checked(const AVFormatContext *out, const char *path, int ret)
{
    if (out->pb->error < 0)
        ret = out->pb->error;
    return ret < 0 ? rn_write_av_write_fail(path, ret) : 0;
}

bool rn_write_is_file(const char *output, const struct rn_write_opts *opts)
{
    struct rn_outplace place;
    if (kind_of(output, opts) != &rn_write_media_sink || !strcmp(output, "-"))
        return false;
    bool special = !rn_outplace_find(&place, output);
    if (special) {
        special = place.special;
        rn_outplace_free(&place);
    }
    return !special;
}

int rn_write_check_options(const char *output, const struct rn_write_opts *opts,
                           const struct rn_read_source *source, const struct rn_geom *geom)
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
    return err ? err : ops->check ? ops->check(output, opts, source, geom) : 0;
}

/* Films and photos have no place for what is known of a scan. */
static void tell_flattened(const char *output, const struct rn_write_opts *opts,
                           const struct rn_read_source *source)
{
    const struct rn_vol *v = rn_read_media(source)->volume;
    char text[200] = "";
    if (v)
        rn_vol_tell(v, text, sizeof text);
    if (*text)
        rn_losses_add(opts->losses, "geometry",
                      "'%s' has no place for %s (.tif, .nii, .nrrd, .mha and .dcm have)", output,
                      text);
}

int rn_write_open(struct rn_write_sink **sink, const char *output, const struct rn_write_opts *opts,
                  const struct rn_read_source *source, const struct rn_geom *geom)
{
    const struct rn_write_ops *ops = kind_for(output, opts, geom);
    int err = ops->open(sink, output, opts, source, geom);
    if (!err && (ops == &rn_write_image_sink || ops == &rn_write_media_sink))
        tell_flattened(output, opts, source);
    if (!err && ops->holds == RN_HOLDS_PICTURES)
        rn_write_left_out_begin(&(*sink)->left, output, opts, source);
    return err;
}

int rn_write_write(struct rn_write_sink *sink, const struct rn_image *img, struct rn_frame *frame)
{
    rn_write_left_out_watch(&sink->left, rn_write_path(sink), frame);
    int err = sink->ops->write(sink, img, frame);
    rn_io_frame_release(frame);
    return err;
}

int rn_write_tail(struct rn_write_sink *sink, struct rn_frame *frame)
{
    int err = frame->data && sink->ops->tail ? sink->ops->tail(sink, frame) : 0;
    rn_io_frame_release(frame);
    return err;
}

int64_t rn_write_damaged(const struct rn_write_sink *sink)
{
    return sink->ops->damaged ? sink->ops->damaged(sink) : 0;
}

int rn_write_close(struct rn_write_sink **sink, enum rn_write_ending ending)
{
    if (!*sink)
        return 0;
    const struct rn_write_ops *ops = (*sink)->ops;
    if (ending == RN_ENDING_COMPLETE)
        rn_write_left_out_end(&(*sink)->left, rn_write_path(*sink),
                              ops->rated && ops->rated(*sink));
    int err = ops->close(*sink, ending);
    *sink = NULL;
    return err;
}

const char *rn_write_path(const struct rn_write_sink *sink)
{
    return sink->ops->path ? sink->ops->path(sink) : NULL;
}

/* ---- null: */

static bool null_match(const char *output)
{
    return !strcmp(output, "null:");
}

static int null_open(struct rn_write_sink **sink, const char *output,
                     const struct rn_write_opts *opts, const struct rn_read_source *source,
                     const struct rn_geom *geom)
{
    (void)output, (void)opts, (void)source, (void)geom;
    *sink = av_mallocz(sizeof **sink);
    if (!*sink)
        return rn_fail_memory();
    (*sink)->ops = &rn_write_null_sink;
    return 0;
}

static int null_write(struct rn_write_sink *sink, const struct rn_image *img,
                      const struct rn_frame *frame)
{
    (void)sink, (void)img, (void)frame;
    return 0;
}

static int null_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    (void)ending;
    av_free(sink);
    return 0;
}

const struct rn_write_ops rn_write_null_sink = {
    .holds = RN_HOLDS_NOTHING,
    .match = null_match,
    .open = null_open,
    .write = null_write,
    .close = null_close,
};
