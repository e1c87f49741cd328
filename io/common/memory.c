/* SPDX-License-Identifier: MIT */
#include "io/common/memory.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/sanitized.h"
#include "io/process/confine.h"

#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>

#include <libavformat/avformat.h>

#define FREE_BYTES    (INT64_C(384) << 20) /* for a file of any size */
#define FILE_FACTOR   32768 /* 8,256 samples a byte, each in decoder, input, output */
#define VOLUME_FACTOR 256   /* slices of volumes are small, what is packed to less is huge */
#define DEFLATE       1032  /* bytes that one may be unpacked to */
#define SPARE_MEMORY  (INT64_C(64) << 20) /* of libraries */
#define STACK_MEMORY  (INT64_C(8) << 20)  /* of a thread */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns the number behind key in a file of /proc or /sys; INT64_MAX: there is none. */
static int64_t read_number(const char *path, const char *key)
{
    char line[256];
    int64_t n = INT64_MAX;
    size_t length = strlen(key);
    RN_OWNED(rn_close_file_owned) FILE *f = fopen(path, "r");
    while (f && n == INT64_MAX && fgets(line, sizeof line, f))
        if (!strncmp(line, key, length) && sscanf(line + length, "%" SCNd64, &n) != 1)
            n = INT64_MAX;
    return n;
}

/* The least limit of a control group and those above it. */
static int64_t read_group(const char *root, const char *mount, char *group, const char *file)
{
    int64_t least = INT64_MAX;
    char path[2 * PATH_MAX];
    for (char *slash = group + strlen(group); slash; slash = strrchr(group, '/')) {
        *slash = '\0';
        snprintf(path, sizeof path, "%.1000s%s%s/%s", root, mount, group, file);
        least = smaller(least, read_number(path, ""));
    }
    return least;
}

static int64_t read_groups(const char *root)
{
    int64_t least = INT64_MAX;
    char path[PATH_MAX], line[PATH_MAX];
    snprintf(path, sizeof path, "%.1000s/proc/self/cgroup", root);
    RN_OWNED(rn_close_file_owned) FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        if (!controllers[1])
            least = smaller(least, read_group(root, "/sys/fs/cgroup", group, "memory.max"));
        else if (strstr(controllers, "memory"))
            least = smaller(
                least, read_group(root, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
    return least;
}

int64_t rn_io_memory_share(const char *root)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.1000s/proc/meminfo", root);
    int64_t kib = read_number(path, "MemAvailable:");
    int64_t least = smaller(kib < INT64_MAX / 1024 ? kib * 1024 : INT64_MAX, read_groups(root));
    least = least < INT64_MAX ? least / 4 * 3 : least;
    static const int limits[] = {RLIMIT_AS, RLIMIT_DATA};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        if (!getrlimit(limits[i], &limit) && limit.rlim_cur != RLIM_INFINITY)
            least = smaller(least, (int64_t)(limit.rlim_cur / 2));
    }
    return least;
}

/* What the size of a file justifies; INT64_MAX: it says nothing. */
static int64_t justified(const char *input, int64_t factor)
{
    struct stat st;
    bool file = input && !stat(input, &st) && S_ISREG(st.st_mode) && st.st_size < INT64_C(1) << 40;
    return file ? FREE_BYTES + factor * (int64_t)st.st_size : INT64_MAX;
}

int64_t rn_io_memory_budget(int64_t given, const char *input)
{
    int64_t factor = input && av_match_ext(input, "gz") ? VOLUME_FACTOR : FILE_FACTOR;
    return given > 0 ? given : smaller(justified(input, factor), rn_io_memory_share(""));
}

int64_t rn_io_memory_in_flight(int64_t given, const char *input)
{
    return given > 0 ? given : justified(input, DEFLATE);
}

static const char *describe(char text[24], int64_t bytes)
{
    bool large = bytes >= 1000000000;
    snprintf(text, 24, "%.*f %s", large, (double)bytes / (large ? 1e9 : 1e6), large ? "GB" : "MB");
    return text;
}

int rn_io_memory_refuse(const char *input, int w, int h, int64_t needed, int64_t budget)
{
    char need[24], have[24];
    return rn_fail(RN_EINPUT,
                   "'%s': pictures of %dx%d need up to %s of memory, and %s may be taken: if the "
                   "input is to be trusted, add --memory %" PRId64 "M",
                   input, w, h, describe(need, needed), describe(have, budget),
                   needed / 1000000 + needed / 8000000 + 1);
}

/* RLIMIT_DATA counts private writable memory. RLIMIT_AS would also count what drivers reserve. */
bool rn_io_memory_confine(int64_t budget, int threads, struct rlimit *previous)
{
    int64_t own = rn_io_memory_private();
    if (RN_SANITIZED || !own || budget > INT64_MAX / 2 || getrlimit(RLIMIT_DATA, previous))
        return false;
    rlim_t max = (rlim_t)(own + budget + SPARE_MEMORY + threads * STACK_MEMORY);
    return max < previous->rlim_cur &&
           !setrlimit(RLIMIT_DATA, &(struct rlimit){max, previous->rlim_max});
}
