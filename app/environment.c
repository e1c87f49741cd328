#define _GNU_SOURCE /* asprintf */
#include "app/environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/kernel_cache.h"
#include "filters/base/cores.h"
#include "filters/base/log.h"
#include "filters/base/number.h"
#include "filters/base/path.h"

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
    bool asked = threads > 0; /* what the command line says comes before the environment */
    long long given;
    char text[16];
    if (!asked && slurm && !rn_number_whole(slurm, 1, RN_CORES_MOST, &given))
        rn_log(RN_LOG_WARNING, "SLURM_CPUS_PER_TASK='%s' is no number of CPUs, 1..%d: left out",
               slurm, RN_CORES_MOST);
    snprintf(text, sizeof text, "%d", asked ? threads : rn_cores());
    setenv("POCL_MAX_PTHREAD_COUNT", text, asked);
    /* PoCL sets this as it loads. By then a thread that opens the input may look at the
     * environment, in which new names must not come up: the list moves. */
    setenv("HWLOC_PLUGINS_PATH", "/dev/null", 1);
    ensure_linker();
    rn_kernel_cache_prepare();
}
