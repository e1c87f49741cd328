#include "io/common/avfilter.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#include <libavutil/macros.h>

#include "filters/base/err.h"
#include "filters/base/log.h"

#define LIBRARY "libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR)

static struct rn_io_avfilter functions;
static void *library; /* stays */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool loaded;

static void load(void)
{
    library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    loaded = library != NULL;
#define GET(name)                                                                                  \
    if (loaded)                                                                                    \
        loaded = (*(void **)&functions.name = dlsym(library, #name)) != NULL;
    RN_AVFILTER_FUNCTIONS(GET)
#undef GET
}

const struct rn_io_avfilter *rn_io_avfilter_load(const char *what, const char *input)
{
    pthread_once(&once, load);
    if (loaded)
        return &functions;
    rn_fail(RN_EINPUT, "%s '%s' needs FFmpeg's libavfilter (%s); install libavfilter%d", what,
            input, LIBRARY, LIBAVFILTER_VERSION_MAJOR);
    return NULL;
}
