#include "io/write/sink.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/outfile.h"
#include "io/read/av.h"
#include "io/write/sink_ops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavutil/avstring.h>
#include <libavutil/error.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>

static const struct rn_sink_ops *const kinds[] = {
    &rn_null_sink,  &rn_md5_sink,   &rn_tiff_sink,
    &rn_image_sink, &rn_media_sink, /* everything else */
};

static const struct rn_sink_ops *kind_of(const char *output, const struct rn_sink_opts *opts)
{
    size_t i = 0;
    while (kinds[i]->match && !kinds[i]->match(output))
        i++;
    bool keeps_nothing = kinds[i] == &rn_null_sink || kinds[i] == &rn_md5_sink;
    return opts->container && !keeps_nothing ? &rn_media_sink : kinds[i];
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

int rn_check_target(const char *path, const struct rn_source *source)
{
    struct stat st;
    bool exists = !stat(path, &st);
    if (exists && S_ISDIR(st.st_mode))
        return rn_fail(RN_EOUTPUT, "'%s' is a folder", path);
    if (exists && rn_source_is_file(source, path))
        return rn_fail(RN_EUSAGE, "'%s' is the input itself; choose another output", path);
    int err = rn_outfile_allowed(path);
    if (!err && (!exists || S_ISREG(st.st_mode)))
        err = check_folder(path);
    return err;
}

int rn_write_failed(const char *path, int averror)
{
    bool is_stdout = !strcmp(path, "-");
    if (is_stdout && averror == AVERROR(EPIPE)) {
        rn_log(RN_LOG_DEBUG, "the reader of stdout went away");
        return RN_EOUTPUT;
    }
    return rn_fail(RN_EOUTPUT, "cannot write %s%s%s: %s", is_stdout ? "" : "'",
                   is_stdout ? "to stdout" : path, is_stdout ? "" : "'", rn_av_error(averror));
}

int rn_write_check(const AVFormatContext *out, const char *path, int ret)
{
    if (out->pb->error < 0)
        ret = out->pb->error;
    return ret < 0 ? rn_write_failed(path, ret) : 0;
}

int rn_codec_options_parse(const char *text, AVDictionary **options)
{
    if (text && av_dict_parse_string(options, text, "=", ":", 0) < 0)
        return rn_fail(RN_EUSAGE, "--codec-opts '%s' is not key=value:key=value", text);
    return 0;
}

static const char *kind_of_value(enum AVOptionType type)
{
    switch (type) {
    case AV_OPT_TYPE_INT:
    case AV_OPT_TYPE_INT64:
    case AV_OPT_TYPE_UINT64:
        return "a whole number";
    case AV_OPT_TYPE_FLOAT:
    case AV_OPT_TYPE_DOUBLE:
        return "a number";
    case AV_OPT_TYPE_RATIONAL:
        return "a fraction";
    case AV_OPT_TYPE_BOOL:
        return "0, 1 or auto";
    case AV_OPT_TYPE_FLAGS:
        return "names joined by +";
    case AV_OPT_TYPE_DURATION:
        return "a time";
    default:
        return "another kind of value";
    }
}

/* What an option of owner takes, in words: type, range where that bounds anything, names. */
static void describe_value(const void *owner, const AVOption *o, char *text, size_t size)
{
    bool number = o->type == AV_OPT_TYPE_INT || o->type == AV_OPT_TYPE_INT64 ||
                  o->type == AV_OPT_TYPE_FLOAT || o->type == AV_OPT_TYPE_DOUBLE;
    av_strlcpy(text, kind_of_value(o->type), size);
    if (number && o->min > INT32_MIN)
        av_strlcatf(text, size, " from %g", o->min);
    if (number && o->max < INT32_MAX)
        av_strlcatf(text, size, " up to %g", o->max);
    const char *lead = ", or one of ";
    for (const AVOption *c = NULL; o->unit && (c = av_opt_next(owner, c));) {
        if (c->type != AV_OPT_TYPE_CONST || !c->unit || strcmp(c->unit, o->unit) != 0)
            continue;
        av_strlcatf(text, size, "%s%s", lead, c->name);
        lead = " ";
    }
}

int rn_codec_options_try(const AVDictionary *options, void *object, const char *name)
{
    const AVDictionaryEntry *e = NULL;
    int ret = 0;
    while (ret >= 0 && (e = av_dict_get(options, "", e, AV_DICT_IGNORE_SUFFIX))) {
        rn_av_capture_begin();
        ret = av_opt_set(object, e->key, e->value, AV_OPT_SEARCH_CHILDREN);
        rn_av_capture_end();
        if (ret == AVERROR_OPTION_NOT_FOUND)
            ret = 0;
    }
    if (ret >= 0)
        return 0;
    if (ret == AVERROR(ENOMEM))
        return rn_fail_memory();
    char takes[300] = "";
    void *owner;
    const AVOption *o = av_opt_find2(object, e->key, NULL, 0, AV_OPT_SEARCH_CHILDREN, &owner);
    if (o)
        describe_value(owner, o, takes, sizeof takes);
    const char *comma = strchr(e->value, ',');
    bool joined = comma && strchr(comma, '=');
    return rn_fail(RN_EUSAGE, "--codec-opts: %s cannot take %s=%.100s: %s is %s%s", name, e->key,
                   e->value, e->key, takes, joined ? "; options are joined by ':', not ','" : "");
}

int rn_codec_options_check(const AVDictionary *options, const char *codec, const char *container)
{
    const AVDictionaryEntry *left = av_dict_get(options, "", NULL, AV_DICT_IGNORE_SUFFIX);
    if (left && container)
        return rn_fail(RN_EUSAGE, "--codec-opts: neither %s nor %s knows '%s'", codec, container,
                       left->key);
    if (left)
        return rn_fail(RN_EUSAGE, "--codec-opts: %s does not know '%s'", codec, left->key);
    return 0;
}

int rn_sink_check(const char *output, const struct rn_sink_opts *opts,
                  const struct rn_source *source, const struct rn_geom *geom)
{
    const struct rn_sink_ops *ops = kind_of(output, opts);
    if (opts->container && (ops == &rn_null_sink || ops == &rn_md5_sink))
        return rn_fail(RN_EUSAGE, "--container does not go with the output %s", output);
    return ops->check ? ops->check(output, opts, source, geom) : 0;
}

int rn_sink_open(struct rn_sink **sink, const char *output, const struct rn_sink_opts *opts,
                 const struct rn_source *source, const struct rn_geom *geom)
{
    return kind_of(output, opts)->open(sink, output, opts, source, geom);
}

int rn_sink_write(struct rn_sink *sink, const struct rn_image *img, struct rn_frame *frame)
{
    int err = sink->ops->write(sink, img, frame);
    rn_frame_release(frame);
    return err;
}

int rn_sink_tail(struct rn_sink *sink, struct rn_frame *frame)
{
    int err = frame->data && sink->ops->tail ? sink->ops->tail(sink, frame) : 0;
    rn_frame_release(frame);
    return err;
}

int64_t rn_sink_damaged(const struct rn_sink *sink)
{
    return sink->ops->damaged ? sink->ops->damaged(sink) : 0;
}

int rn_sink_close(struct rn_sink **sink, enum rn_ending ending)
{
    if (!*sink)
        return 0;
    int err = (*sink)->ops->close(*sink, ending);
    *sink = NULL;
    return err;
}

const char *rn_sink_path(const struct rn_sink *sink)
{
    return sink->ops->path ? sink->ops->path(sink) : NULL;
}

/* ---- null: */

static bool null_match(const char *output)
{
    return !strcmp(output, "null:");
}

static int null_open(struct rn_sink **sink, const char *output, const struct rn_sink_opts *opts,
                     const struct rn_source *source, const struct rn_geom *geom)
{
    (void)output, (void)opts, (void)source, (void)geom;
    *sink = av_mallocz(sizeof **sink);
    if (!*sink)
        return rn_fail_memory();
    (*sink)->ops = &rn_null_sink;
    return 0;
}

static int null_write(struct rn_sink *sink, const struct rn_image *img,
                      const struct rn_frame *frame)
{
    (void)sink, (void)img, (void)frame;
    return 0;
}

static int null_close(struct rn_sink *sink, enum rn_ending ending)
{
    (void)ending;
    av_free(sink);
    return 0;
}

const struct rn_sink_ops rn_null_sink = {
    .match = null_match,
    .open = null_open,
    .write = null_write,
    .close = null_close,
};
