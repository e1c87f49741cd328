/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf, ST_NOEXEC */
#include "app/process/environment.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/statvfs.h>

#include "filters/base/threads/thread.h"
#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "filters/base/output/path.h"
#include "filters/base/output/private.h"
#include "filters/base/owned.h"
#include "filters/core/device/device.h"

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

/* Whether hwloc, through which PoCL finds CPUs and memory, finds them: it reads these files. */
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

/* Libraries execute what they find there: the settings of ALSA and PulseAudio name libraries and
 * programs, drivers keep compiled code. Xlib's cookie is no code, and a window needs it. */
static void leave_out_homes_of_others(void)
{
    static const char *const names[] = {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
                                        "XDG_DATA_HOME"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char why[RN_PRIVATE_WHY], *cookie;
        const char *path = getenv(names[i]);
        int fd = path && *path ? rn_private_folder(path, RN_PRIVATE_EXISTING, why) : -1;
        rn_close_owned(&fd);
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

/* ---- the folder of compiled kernels */

#define MARK      "runnel-damaged"
#define NO_FOLDER "/dev/null/none" /* PoCL would take one by itself, whoever owns it */

static char folder[PATH_MAX - 32]; /* "": none */
static char mark[PATH_MAX];
static bool fresh;

/* ---- kernels that crashed a run */

/* PoCL writes a hash in the letters A to P. It keeps each program in a folder XX/XXXX...; the
 * engine's files are runnel-H (program.c). What else is in the folder of POCL_CACHE_DIR is the
 * user's, and stays. depth: of the folder that has the name, below the one of all kernels. */
static bool is_kernel(const char *name, int depth)
{
    size_t n = strlen(name), hash = strspn(name, "ABCDEFGHIJKLMNOP");
    if (depth > 1)
        return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    if (hash == n)
        return depth ? n > 30 : n == 2;
    return !depth && !strncmp(name, "runnel-", 7) && strspn(name + 7, "0123456789abcdef") == 16;
}

/* Looks for kernels in a folder, following no link. removes: also removes them. Returns whether
 * there were any. */
static bool find_kernels(int at, const char *name, int depth, bool removes)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    bool found = false;
    for (struct dirent *e; dir && (removes || !found) && (e = readdir(dir));) {
        if (!is_kernel(e->d_name, depth))
            continue;
        found = true;
        if (removes && unlinkat(fd, e->d_name, 0)) {
            find_kernels(fd, e->d_name, depth + 1, true);
            unlinkat(fd, e->d_name, AT_REMOVEDIR);
        }
    }
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return found;
}

static bool is_marked(int at)
{
    return !faccessat(at, MARK, F_OK, AT_SYMLINK_NOFOLLOW);
}

/* Runs that start together wait for the one that removes the kernels: they must neither load those
 * nor lose what it compiles then. */
static bool remove_if_marked(int at)
{
    if (!is_marked(at) || (flock(at, LOCK_EX), !is_marked(at)))
        return false;
    rn_log(RN_LOG_INFO, "a run crashed with the kernels kept in '%s': they are compiled anew",
           folder);
    find_kernels(at, ".", 0, true);
    unlinkat(at, MARK, 0);
    return true;
}

/* ---- choosing the folder */

/* Returns NULL, or why no kernels can be kept there. */
static const char *try_folder(int at)
{
    char probe[sizeof folder + 16];
    struct statvfs fs;
    if (!fstatvfs(at, &fs) && (fs.f_flag & ST_NOEXEC)) {
        errno = EACCES;
        return "nothing there can be executed (noexec)";
    }
    snprintf(probe, sizeof probe, "%s/.probe-XXXXXX", folder);
    int fd = mkstemp(probe); /* access() says yes to root on read-only file systems */
    if (fd < 0)
        return strerror(errno);
    close(fd);
    unlink(probe);
    return NULL;
}

/* Makes the folder and takes it into use, if it can be used: PoCL opens it by its path, which leads
 * nowhere else then. Otherwise errno and why tell the reason. */
static bool take_folder(char why[RN_PRIVATE_WHY])
{
    RN_OWNED(rn_close_owned)
    int at = *folder ? rn_private_folder(folder, RN_PRIVATE_CREATE, why) : -1;
    if (at < 0)
        return false;
    const char *reason = try_folder(at);
    if (reason) {
        int code = errno;
        snprintf(why, RN_PRIVATE_WHY, "'%.200s' cannot be used: %s", folder, reason);
        errno = code;
        return false;
    }
    fresh = remove_if_marked(at) || !find_kernels(at, ".", 0, false);
    snprintf(mark, sizeof mark, "%s/" MARK, folder);
    setenv("POCL_CACHE_DIR", folder, 1);
    rn_programs_keep_in(folder);
    return true;
}

/* base: must exist; it may be a sticky folder for all. */
static bool take_folder_in(const char *base)
{
    char why[RN_PRIVATE_WHY];
    int at = base && *base ? rn_private_folder(base, RN_PRIVATE_SHARED, why) : -1;
    if (at < 0)
        return false;
    close(at);
    snprintf(folder, sizeof folder, "%s/runnel-kernels-%u", base, (unsigned)geteuid());
    return take_folder(why);
}

static void prepare_kernel_folder(void)
{
    const char *tmp = getenv("TMPDIR"), *cache = getenv("POCL_CACHE_DIR"),
               *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char why[RN_PRIVATE_WHY] = "neither HOME nor POCL_CACHE_DIR is set";
    if (cache && *cache) /* where PoCL keeps kernels */
        snprintf(folder, sizeof folder, "%s", cache);
    else if (xdg && *xdg)
        snprintf(folder, sizeof folder, "%s/pocl/kcache", xdg);
    else if (home && *home)
        snprintf(folder, sizeof folder, "%s/.cache/pocl/kcache", home);
    errno = 0;
    if (take_folder(why))
        return;
    enum rn_log_level level = errno == EPERM ? RN_LOG_WARNING : RN_LOG_INFO;
    if (take_folder_in(getenv("XDG_RUNTIME_DIR")) || take_folder_in(tmp && *tmp ? tmp : "/tmp")) {
        rn_log(level, "%s: compiled kernels are kept in '%s'", why, folder);
        return;
    }
    *folder = '\0';
    setenv("POCL_CACHE_DIR", NO_FOLDER, 1);
    rn_log(RN_LOG_WARNING, "%s: no folder for compiled kernels can be written; set POCL_CACHE_DIR",
           why);
}

/* ---- all of it */

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
    prepare_kernel_folder();
    leave_out_homes_of_others();
}

struct rn_app_kernel_folder rn_app_kernel_cache_folder(void)
{
    return (struct rn_app_kernel_folder){*folder ? folder : NULL, mark, fresh};
}
