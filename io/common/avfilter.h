/* FFmpeg's libavfilter, loaded where pictures are turned, cropped, scaled or deinterlaced, and not
 * linked: it brings a hundred libraries, and every start would wait for them. */
#ifndef RN_IO_COMMON_AVFILTER_H
#define RN_IO_COMMON_AVFILTER_H

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>

#define RN_AVFILTER_FUNCTIONS(X)                                                                   \
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

/* Its functions, each under its own name. */
struct rn_io_avfilter {
#define RN_AVFILTER_MEMBER(name) __typeof__(name) *name;
    RN_AVFILTER_FUNCTIONS(RN_AVFILTER_MEMBER)
#undef RN_AVFILTER_MEMBER
};

/* Loads the library, once for the process; any thread. what: is to be done to which input, for the
 * message. Returns NULL where it is missing (logged). */
const struct rn_io_avfilter *rn_io_avfilter_load(const char *what, const char *input);

#endif
