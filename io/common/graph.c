/* SPDX-License-Identifier: MIT */
#include "io/common/graph.h"

#include <dlfcn.h>
#include <pthread.h>

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/pixdesc.h>

#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/common/av_versions.h"

/* ---- the library: each function under its own name */

#define AVFILTER_FUNCTIONS(X)                                                                      \
    X(avfilter_get_by_name)                                                                        \
    X(avfilter_graph_alloc)                                                                        \
    X(avfilter_graph_config)                                                                       \
    X(avfilter_graph_create_filter)                                                                \
    X(avfilter_graph_free)                                                                         \
    X(avfilter_graph_parse_ptr)                                                                    \
    X(avfilter_graph_set_auto_convert)                                                             \
    X(avfilter_inout_alloc)                                                                        \
    X(avfilter_inout_free)                                                                         \
    X(av_buffersrc_add_frame)                                                                      \
    X(av_buffersink_get_frame)                                                                     \
    X(av_buffersink_get_time_base)

static struct {
#define AVFILTER_MEMBER(name) __typeof__(name) *name;
    AVFILTER_FUNCTIONS(AVFILTER_MEMBER)
#undef AVFILTER_MEMBER
} lib;

#define LIBRARY "libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool loaded;

static void load(void)
{
    void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL); /* stays */
    loaded = library;
#define GET(name) loaded = loaded && (*(void **)&lib.name = dlsym(library, #name));
    AVFILTER_FUNCTIONS(GET)
#undef GET
}

int rn_io_graph_load(const char *task, const char *input)
{
    pthread_once(&once, load);
    return loaded ? 0
                  : rn_fail(RN_EINPUT,
                            "%s '%s' needs FFmpeg's libavfilter (%s); install libavfilter%d", task,
                            input, LIBRARY, LIBAVFILTER_VERSION_MAJOR);
}

/* ---- graphs */

static int make_ends(struct rn_io_graph *g, const AVFrame *like)
{
    char args[256], colours[64];
    bool sound = like->sample_rate > 0;
    if (sound)
        snprintf(args, sizeof args, "sample_rate=%d:sample_fmt=%d:channel_layout=%s:time_base=1/1",
                 like->sample_rate, like->format,
                 like->ch_layout.nb_channels == 1 ? "mono" : "stereo");
    else
        snprintf(args, sizeof args, "video_size=%dx%d:pix_fmt=%d:time_base=1/1%s", like->width,
                 like->height, like->format, rn_io_graph_colours(like, colours, sizeof colours));
    const AVFilter *from = lib.avfilter_get_by_name(sound ? "abuffer" : "buffer"),
                   *to = lib.avfilter_get_by_name(sound ? "abuffersink" : "buffersink");
    int ret = lib.avfilter_graph_create_filter(&g->in, from, "in", args, NULL, g->graph);
    if (ret >= 0)
        ret = lib.avfilter_graph_create_filter(&g->out, to, "out", NULL, NULL, g->graph);
    return ret;
}

static AVFilterInOut *make_end(const char *name, AVFilterContext *filter)
{
    AVFilterInOut *end = lib.avfilter_inout_alloc();
    if (!end)
        return NULL;
    end->name = av_strdup(name);
    end->filter_ctx = filter;
    if (!end->name)
        lib.avfilter_inout_free(&end);
    return end;
}

static int configure(struct rn_io_graph *g, const char *filters, const AVFrame *like)
{
    errno = 0;
    int ret = make_ends(g, like);
    if (ret < 0)
        return ret;
    AVFilterInOut *from = make_end("in", g->in), *to = make_end("out", g->out);
    ret = from && to ? lib.avfilter_graph_parse_ptr(g->graph, filters, &to, &from, NULL)
                     : AVERROR(ENOMEM);
    if (errno == ENOMEM) /* it goes on without the options that it had no memory for */
        ret = AVERROR(ENOMEM);
    lib.avfilter_inout_free(&from);
    lib.avfilter_inout_free(&to);
    return ret < 0 ? ret : lib.avfilter_graph_config(g->graph, NULL);
}

int rn_io_graph_open(struct rn_io_graph *g, const char *filters, const AVFrame *like, int threads)
{
    g->graph = lib.avfilter_graph_alloc();
    int ret = g->graph ? 0 : AVERROR(ENOMEM);
    rn_io_capture_begin();
    if (!ret) {
        g->graph->nb_threads = rn_io_threads(threads);
        lib.avfilter_graph_set_auto_convert(g->graph, AVFILTER_AUTO_CONVERT_NONE);
        ret = configure(g, filters, like);
    }
    rn_io_capture_end();
    if (ret >= 0)
        return 0;
    rn_io_graph_close(g);
    return ret == AVERROR(ENOMEM) ? rn_fail_memory()
           : like->sample_rate > 0
               ? rn_fail(RN_EUSAGE, "libavfilter cannot do %s with sound: %s", filters,
                         rn_io_cause(ret))
               : rn_fail(RN_EUSAGE, "libavfilter cannot do %s with pictures of %dx%d in %s: %s",
                         filters, like->width, like->height, av_get_pix_fmt_name(like->format),
                         rn_io_cause(ret));
}

void rn_io_graph_close(struct rn_io_graph *g)
{
    if (g->graph)
        lib.avfilter_graph_free(&g->graph);
}

static int fail(int ret)
{
    return ret == AVERROR(ENOMEM)
               ? rn_fail_memory()
               : rn_fail(RN_EINTERNAL, "libavfilter failed: %s", rn_io_error(ret));
}

int rn_io_graph_send(struct rn_io_graph *g, AVFrame *frame)
{
    int ret = lib.av_buffersrc_add_frame(g->in, frame);
    return ret < 0 ? fail(ret) : 0;
}

int rn_io_graph_receive(struct rn_io_graph *g, AVFrame *frame)
{
    int ret = lib.av_buffersink_get_frame(g->out, frame);
    if (ret == AVERROR(EAGAIN) || ret == AVERROR_EOF)
        return RN_END;
    if (ret < 0)
        return fail(ret);
    AVRational unit = lib.av_buffersink_get_time_base(g->out);
    frame->pts = av_rescale_q(frame->pts, unit, (AVRational){1, 2});
    return 0;
}
