/* SPDX-License-Identifier: MIT */
#include "io/common/av.h"

#include "filters/base/threads/thread.h"
#include "filters/base/log.h"
#include "filters/base/text/printable.h"
#include "io/containers/table.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>

#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavutil/pixdesc.h>

#define MAX_LINES 8 /* libav errors that are printed as warnings; the rest only at level debug */

static _Thread_local bool capturing;
static _Thread_local char captured[400];
static _Thread_local bool refused;

static atomic_ullong oversized; /* width << 32 | height of a refused picture */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char last_error[512]; /* protected by lock: the last error printed */
static int printed;          /* protected by lock: how many of them */

static struct rn_io_watch *watch_of(void *obj)
{
    const AVClass *cls = obj ? *(const AVClass **)obj : NULL;
    if (!cls)
        return NULL;
    if (cls == avcodec_get_class())
        return ((AVCodecContext *)obj)->opaque;
    if (cls == avformat_get_class()) /* a muxer's is somebody else's */
        return ((AVFormatContext *)obj)->oformat ? NULL : ((AVFormatContext *)obj)->opaque;
    return NULL;
}

static void note(struct rn_io_watch *watch, const char *text)
{
    pthread_mutex_lock(&lock);
    if (!atomic_load(&watch->errors))
        av_strlcpy(watch->first, text, sizeof watch->first);
    atomic_fetch_add(&watch->errors, 1);
    pthread_mutex_unlock(&lock);
}

void rn_io_watch_memory(struct rn_io_watch *watch)
{
    if (errno != ENOMEM)
        return;
    atomic_store(&watch->lacked, true);
    note(watch, "out of memory while reading; something may be missing");
}

AVCodecContext *rn_io_codec_context(const AVCodec *codec, const AVCodecParameters *par)
{
    errno = 0;
    AVCodecContext *ctx = avcodec_alloc_context3(codec);
    if (ctx && (errno == ENOMEM || (par && avcodec_parameters_to_context(ctx, par) < 0)))
        avcodec_free_context(&ctx);
    return ctx;
}

static void warn(const char *text)
{
    pthread_mutex_lock(&lock);
    bool show = strcmp(last_error, text) != 0 && printed <= MAX_LINES;
    if (show) {
        av_strlcpy(last_error, text, sizeof last_error);
        printed++;
    }
    bool over = show && printed > MAX_LINES;
    pthread_mutex_unlock(&lock);
    if (over)
        rn_log(RN_LOG_WARNING, "more messages like these are shown at log level debug");
    else
        rn_log(show ? RN_LOG_WARNING : RN_LOG_DEBUG, "%s", text);
}

/* Returns true for errors of undamaged files: every picture of H.261 refers to the one before, and
 * the first pictures after an open start of H.264 drop references that never existed. Lost pictures
 * have messages of their own. */
static bool is_harmless(const struct rn_io_watch *watch, const char *line)
{
    return (watch && watch->harmless && !strcmp(line, watch->harmless)) ||
           !strcmp(line, "h261: warning: first frame is no keyframe") ||
           !strcmp(line, "h264: mmco: unref short failure");
}

/* Names the object of a message. A parser has a codec context without a codec, which libav names
 * "NULL". */
static const char *name_of(void *obj, const AVClass *cls)
{
    const char *name = (cls->item_name ? cls->item_name : av_default_item_name)(obj);
    if (name && strcmp(name, "NULL") != 0)
        return name;
    enum AVCodecID id =
        cls == avcodec_get_class() ? ((const AVCodecContext *)obj)->codec_id : AV_CODEC_ID_NONE;
    return id != AV_CODEC_ID_NONE ? avcodec_get_name(id) : cls->class_name;
}

static bool is_oversized(const char *line)
{
    unsigned w, h;
    bool found = sscanf(line, "IMGUTILS: Picture size %ux%u", &w, &h) == 2;
    if (found && w && h)
        atomic_store(&oversized, (unsigned long long)w << 32 | h);
    return found;
}

static bool counts_concealed(void *obj)
{
    const struct rn_io_watch *watch = watch_of(obj);
    return watch && watch->concealed;
}

/* libav builds lines out of several calls; a line is complete at its newline. */
static void on_av_log(void *obj, int level, const char *fmt, va_list args)
{
    static _Thread_local char line[512];
    level &= 0xff; /* above it: a colour */
    /* Of H.264, MPEG-1, -2 and -4 and H.263. */
    if (level == AV_LOG_INFO && !strncmp(fmt, "concealing ", 11) && counts_concealed(obj))
        level = AV_LOG_ERROR;
    if (level > AV_LOG_WARNING && rn_log_level() < RN_LOG_DEBUG)
        return;
    if (level > AV_LOG_VERBOSE)
        return;
    const AVClass *cls = obj ? *(const AVClass **)obj : NULL;
    if (!*line && cls)
        snprintf(line, sizeof line, "%s: ", name_of(obj, cls));
    size_t len = strlen(line);
    vsnprintf(line + len, sizeof line - len, fmt, args);
    len = strlen(line);
    if (!strchr(fmt, '\n') && len + 1 < sizeof line)
        return;
    while (len && strchr(" \r\n", line[len - 1]))
        line[--len] = '\0';
    rn_printable(line, false); /* it may become a part of a metrics file */
    struct rn_io_watch *watch = watch_of(obj);
    bool reported = is_oversized(line) && !capturing; /* rn_io_oversized tells it */
    if (level <= AV_LOG_ERROR && !is_harmless(watch, line) && !reported) {
        if (watch)
            note(watch, line);
        refused |= capturing && strstr(line, RN_AV_NOTHING_FURTHER);
        if (capturing && !*captured)
            av_strlcpy(captured, line, sizeof captured);
        if (capturing || (watch && atomic_load(&watch->quiet)))
            rn_log(RN_LOG_DEBUG, "%s", line);
        else
            warn(line);
    } else {
        rn_log(RN_LOG_DEBUG, "%s", line);
    }
    *line = 0;
}

void rn_io_init(void)
{
    av_log_set_callback(on_av_log);
    avformat_network_init();
}

const char *rn_io_error(int code)
{
    static _Thread_local char text[AV_ERROR_MAX_STRING_SIZE];
    if (av_strerror(code, text, sizeof text) < 0)
        snprintf(text, sizeof text, "error %d", code);
    return text;
}

void rn_io_capture_begin(void)
{
    capturing = true;
    refused = false;
    *captured = 0;
}

void rn_io_capture_end(void)
{
    capturing = false;
}

const char *rn_io_cause(int code)
{
    return *captured ? captured : rn_io_error(code);
}

bool rn_io_refused(void)
{
    return refused;
}

bool rn_io_oversized(int *w, int *h)
{
    unsigned long long size = atomic_exchange(&oversized, 0);
    *w = (int)(size >> 32);
    *h = (int)(size & UINT32_MAX);
    return size;
}

int64_t rn_io_max_pixels(const struct AVCodecParameters *par, int64_t memory)
{
    /* Where decoders keep more for each sample than the picture. */
    static const struct {
        enum AVCodecID id;
        int factor;
    } work[] = {{AV_CODEC_ID_JPEG2000, 5}, {AV_CODEC_ID_ZMBV, 3}};
    const AVPixFmtDescriptor *fmt = av_pix_fmt_desc_get(par->format);
    enum AVCodecID id = par->codec_id;
    int bits = fmt                                              ? av_get_padded_bits_per_pixel(fmt)
               : id == AV_CODEC_ID_EXR || id == AV_CODEC_ID_PFM ? 128
                                                                : 32;
    for (size_t i = 0; i < sizeof work / sizeof *work; i++)
        bits *= id == work[i].id ? work[i].factor : 1;
    int64_t most = memory / (bits > 8 ? bits : 8) * 8;
    return most < INT_MAX ? most : INT_MAX;
}

const char *rn_io_probe_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
}

#define DEVICES "libavdevice.so." AV_STRINGIFY(LIBAVDEVICE_VERSION_MAJOR)

/* libavformat keeps pointers into the library, so that it stays. */
static bool load_devices(void)
{
    void (*register_all)(void) = NULL;
    void *library = dlopen(DEVICES, RTLD_NOW | RTLD_LOCAL);
    if (library)
        *(void **)&register_all = dlsym(library, "avdevice_register_all");
    if (register_all)
        register_all();
    return register_all != NULL;
}

const AVInputFormat *rn_io_find_lavfi(const char *input)
{
    if (!load_devices()) {
        rn_fail(RN_EINPUT, "'%s' needs FFmpeg's libavdevice (%s); install libavdevice%d", input,
                dlerror(), LIBAVDEVICE_VERSION_MAJOR);
        return NULL;
    }
    const AVInputFormat *format = av_find_input_format(RN_CONTAINER_OF_GRAPHS);
    if (!format)
        rn_fail(RN_EINPUT, "'%s' needs lavfi, which this libavdevice was built without", input);
    return format;
}

int rn_io_threads(int n)
{
    n = n < 1 ? rn_cores() : n;
    return n > RN_AV_THREADS_MOST ? RN_AV_THREADS_MOST : n;
}
