/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "app/process/environment.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/process/kernel_cache.h"
#include "filters/base/threads/thread.h"
#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "filters/base/output/path.h"
#include "filters/base/output/private.h"

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

/* Whether hwloc, through which PoCL finds CPUs and memory, finds them here: it reads these
 * files. */
static bool has_topology(void)
{
    static const char *const folders[] = {"/sys/bus/cpu/devices", "/sys/devices/system/cpu"};
    static const char *const files[] = {"package_cpus", "core_cpus", "core_siblings",
                                        "thread_siblings"};
    char path[96];
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
            snprintf(path, sizeof path, "%s/cpu0/topology/%s", folders[i], files[k]);
            if (!access(path, R_OK))
                return true;
        }
    return false;
}

/* Describes the machine to hwloc if there is no /sys (a bare chroot or container): otherwise PoCL
 * sees no memory and aborts. */
static void ensure_topology(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    bool configured =
        getenv("HWLOC_SYNTHETIC") || getenv("HWLOC_XMLFILE") || getenv("HWLOC_FSROOT");
    char text[96];
    if (configured || pages <= 0 || page <= 0 || has_topology())
        return;
    snprintf(text, sizeof text, "numa:1(memory=%lld) core:%d pu:1", (long long)pages * page,
             rn_cores());
    setenv("HWLOC_SYNTHETIC", text, 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    rn_log(RN_LOG_INFO, "there is no /sys here: CPUs, for PoCL: %d; memory: %.1f GiB", rn_cores(),
           (double)pages * (double)page / (1 << 30));
}

/* Libraries execute what they find there: ALSA's and PulseAudio's settings name libraries and
 * programs, drivers keep what they have compiled. Xlib's cookie is no code, and without it there is
 * no window. */
static void leave_out_homes_of_others(void)
{
    static const char *const names[] = {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
                                        "XDG_DATA_HOME"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char why[RN_PRIVATE_WHY], *cookie;
        const char *path = getenv(names[i]);
        int fd = path && *path ? rn_private_folder(path, RN_PRIVATE_EXISTING, why) : -1;
        if (fd >= 0)
            close(fd);
        if (!path || !*path || fd >= 0 || errno != EPERM)
            continue;
        rn_log(RN_LOG_WARNING, "%s is left out: %s", names[i], why);
        if (i == 0 && asprintf(&cookie, "%s/.Xauthority", path) >= 0) {
            setenv("XAUTHORITY", cookie, 0);
            free(cookie);
        }
        unsetenv(names[i]);
    }
}

void rn_app_environment_prepare(int threads)
{
    const char *slurm = getenv("SLURM_CPUS_PER_TASK");
    bool chosen = threads > 0; /* on the command line, which overrides the environment */
    long long given;
    char text[16];
    if (!chosen && slurm && !rn_number_whole(slurm, 1, RN_CORES_MOST, &given))
        rn_log(RN_LOG_WARNING, "SLURM_CPUS_PER_TASK='%s' is no number of CPUs, 1..%d: left out",
               slurm, RN_CORES_MOST);
    snprintf(text, sizeof text, "%d", chosen ? threads : rn_cores());
    setenv("POCL_MAX_PTHREAD_COUNT", text, chosen);
    /* PoCL sets this variable when it loads. A thread that opens the input may be reading the
     * environment by then, and a new name would move the list. */
    setenv("HWLOC_PLUGINS_PATH", "/dev/null", 1);
    ensure_linker();
    ensure_topology();
    rn_app_kernel_cache_prepare();
    leave_out_homes_of_others();
}
