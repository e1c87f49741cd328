#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT, asprintf */
#include "app/environment.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/kernel_cache.h"
#include "filters/base/log.h"
#include "filters/base/number.h"
#include "filters/base/path.h"

#define MOST_THREADS 1024

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

int rn_environment_cpus(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 0 : CPU_COUNT(&set);
}

void rn_environment_prepare(int threads)
{
    const char *slurm = getenv("SLURM_CPUS_PER_TASK");
    bool asked = threads > 0; /* what the command line says comes before the environment */
    long long given;
    if (!threads && slurm && rn_number_whole(slurm, 1, MOST_THREADS, &given))
        threads = (int)given;
    else if (!threads && slurm)
        rn_log(RN_LOG_WARNING, "SLURM_CPUS_PER_TASK='%s' is no number of CPUs, 1..%d: left out",
               slurm, MOST_THREADS);
    if (threads <= 0)
        threads = rn_environment_cpus();
    if (threads > 0) {
        char text[16];
        snprintf(text, sizeof text, "%d", threads);
        setenv("POCL_MAX_PTHREAD_COUNT", text, asked);
    }
    ensure_linker();
    rn_kernel_cache_prepare();
}
