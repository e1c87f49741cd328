#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "app/environment.h"

#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filters/base/log.h"
#include "filters/base/path.h"

static char private_cache[256];
static atomic_bool have_private_cache;

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

void rn_environment_clean(void)
{
    if (atomic_exchange(&have_private_cache, false))
        nftw(private_cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* mkdir -p; true if path is then a folder that can be written. */
static bool make_folder(const char *path)
{
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *p = part + 1; *p; p++) {
        if (*p == '/') {
            *p = '\0';
            mkdir(part, 0777);
            *p = '/';
        }
    }
    mkdir(part, 0777);
    char probe[sizeof part + 16];
    snprintf(probe, sizeof probe, "%s/.probe-XXXXXX", part);
    int fd = mkstemp(probe); /* access() says yes to root on read-only file systems */
    if (fd < 0)
        return false;
    close(fd);
    unlink(probe);
    return true;
}

static void ensure_cache(void)
{
    const char *cache = getenv("POCL_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME"), *tmp = getenv("TMPDIR");
    char path[PATH_MAX - 16] = "";
    if (cache && *cache)
        snprintf(path, sizeof path, "%s", cache);
    else if (xdg && *xdg)
        snprintf(path, sizeof path, "%s/pocl/kcache", xdg);
    else if (home && *home)
        snprintf(path, sizeof path, "%s/.cache/pocl/kcache", home);
    if (*path && make_folder(path))
        return;
    snprintf(private_cache, sizeof private_cache, "%s/runnel-kernels-XXXXXX",
             tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(private_cache)) {
        rn_log(RN_LOG_WARNING, "no folder for compiled kernels can be written; set POCL_CACHE_DIR");
        return;
    }
    atomic_store(&have_private_cache, true);
    atexit(rn_environment_clean);
    setenv("POCL_CACHE_DIR", private_cache, 1);
    if (*path)
        rn_log(RN_LOG_INFO, "'%s' cannot be written: kernels are compiled for this run only", path);
    else
        rn_log(RN_LOG_INFO, "neither HOME nor POCL_CACHE_DIR is set: kernels are compiled for this "
                            "run only");
}

static void ensure_linker(void)
{
    static const char *const usual[] = {"/usr/bin", "/usr/local/bin", "/bin"};
    if (rn_path_has("ld"))
        return;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        char name[64], *longer;
        const char *path = getenv("PATH");
        snprintf(name, sizeof name, "%s/ld", usual[i]);
        if (access(name, X_OK))
            continue;
        if (asprintf(&longer, "%s%s%s", path ? path : "", path && *path ? ":" : "", usual[i]) < 0)
            return;
        setenv("PATH", longer, 1);
        free(longer);
        return;
    }
}

void rn_environment_prepare(int threads)
{
    const char *slurm = getenv("SLURM_CPUS_PER_TASK");
    cpu_set_t set;
    bool asked = threads > 0; /* what the command line says comes before the environment */
    if (!threads && slurm)
        threads = atoi(slurm);
    if (threads <= 0 && !sched_getaffinity(0, sizeof set, &set))
        threads = CPU_COUNT(&set);
    if (threads > 0) {
        char text[16];
        snprintf(text, sizeof text, "%d", threads);
        setenv("POCL_MAX_PTHREAD_COUNT", text, asked);
    }
    ensure_linker();
    ensure_cache();
}
