/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */

#include <dlfcn.h>
#include <strings.h>
#include <sys/auxv.h>

#include "app/process/environment.h"
#include "app/run/files.h"
#include "filters/base/output/outplace.h"
#include "filters/base/output/path.h"
#include "filters/base/owned.h"
#include "filters/base/sanitized.h"
#include "io/process/child.h"
#include "io/process/confine.h"
#include "io/read/images/names.h"

#define NVIDIA_CACHE  ".nv" /* in HOME */
#define RN_MAY_CHANGE (RN_MAY_READ | RN_MAY_WRITE | RN_MAY_MAKE)

/* What the system, drivers and libraries need, whatever the run is. */
static const struct {
    const char *path;
    unsigned process, reader;
} of_system[] = {
    {"/usr", RN_MAY_READ, RN_MAY_READ},
    {"/lib", RN_MAY_READ, RN_MAY_READ}, /* a folder of its own where /usr is not merged */
    {"/lib64", RN_MAY_READ, RN_MAY_READ},
    {"/opt", RN_MAY_READ, RN_MAY_READ}, /* CUDA, ROCm, oneAPI */
    {"/nix/store", RN_MAY_READ, RN_MAY_READ},
    {"/gnu/store", RN_MAY_READ, RN_MAY_READ},
    {"/run/opengl-driver", RN_MAY_READ, RN_MAY_READ},
    {"/run/systemd/resolve", RN_MAY_READ, RN_MAY_READ}, /* /etc/resolv.conf leads there */
    {"/etc", RN_MAY_READ, RN_MAY_READ},
    {"/proc", RN_MAY_READ | RN_MAY_WRITE, RN_MAY_READ}, /* NVIDIA's driver names its threads */
    {"/sys", RN_MAY_READ, RN_MAY_READ},
    {"/dev", RN_MAY_READ | RN_MAY_WRITE, RN_MAY_READ},
    {"/dev/shm", RN_MAY_CHANGE, 0},
    {"/dev/null", RN_MAY_WRITE, RN_MAY_WRITE},
};

/* Variables that name files and folders, separated by colons, of libraries and drivers. */
static const char *const of_environment[] = {
    "LD_LIBRARY_PATH",    "LD_PRELOAD",    "OCL_ICD_VENDORS",   "OCL_ICD_FILENAMES",
    "OPENCL_VENDOR_PATH", "OPENCL_LAYERS", "OPENCL_LAYER_PATH", "LIBRARY_PATH",
    "SSL_CERT_FILE",      "SSL_CERT_DIR",
};

/* Where other drivers keep what they have compiled: in XDG_CACHE_HOME. */
static const char *const of_caches[] = {"mesa_shader_cache", "mesa_shader_cache_db",
                                        "neo_compiler_cache", "rusticl"};

/* ---- names in texts */

/* Allows each part of `text` that, with the end behind it, is the name of a file. */
static void allow_names(struct rn_io_domain *d, const char *text, const char *separators,
                        const char *end, unsigned process, unsigned reader)
{
    RN_OWNED(rn_free_owned) char *copy = text ? strdup(text) : NULL;
    char path[PATH_MAX], *rest = NULL;
    for (char *name = copy ? strtok_r(copy, separators, &rest) : NULL; name;
         name = strtok_r(NULL, separators, &rest))
        if (snprintf(path, sizeof path, "%s%s", name, end) < PATH_MAX)
            rn_io_domain_allow(d, path, process, reader);
}

static void allow_below(struct rn_io_domain *d, const char *folder, const char *name)
{
    char path[PATH_MAX];
    if (folder && *folder && snprintf(path, sizeof path, "%s/%s", folder, name) < PATH_MAX)
        rn_io_domain_allow(d, path, RN_MAY_CHANGE, 0);
}

/* ---- programs, libraries and drivers */

/* The kernel opens the loader of libraries, too, to execute a program. */
static void allow_programs(struct rn_io_domain *d)
{
    char parts[PATH_MAX];
    Dl_info loader;
    allow_names(d, getenv("PATH"), ":", "/ld", RN_MAY_RUN | RN_MAY_READ, 0);
    if (dladdr((void *)getauxval(AT_BASE), &loader) && loader.dli_fname)
        rn_io_domain_allow(d, loader.dli_fname, RN_MAY_RUN | RN_MAY_READ, RN_MAY_RUN | RN_MAY_READ);
    rn_io_domain_allow(d, rn_io_child_own_program(), RN_MAY_RUN | RN_MAY_READ,
                       RN_MAY_RUN | RN_MAY_READ);
    if (rn_io_child_beside("", parts))
        rn_io_domain_allow(d, parts, RN_MAY_READ, RN_MAY_READ);
}

static void allow_drivers(struct rn_io_domain *d)
{
    const char *home = getenv("HOME"), *caches = getenv("XDG_CACHE_HOME"), *tmp = getenv("TMPDIR");
    const char *kernels = rn_app_kernel_cache_folder().path;
    char usual[PATH_MAX];
    for (size_t i = 0; i < sizeof of_system / sizeof *of_system; i++)
        rn_io_domain_allow(d, of_system[i].path, of_system[i].process, of_system[i].reader);
    for (size_t i = 0; i < sizeof of_environment / sizeof *of_environment; i++)
        allow_names(d, getenv(of_environment[i]), ": ", "", RN_MAY_READ, RN_MAY_READ);
    if (!(caches && *caches) && home && snprintf(usual, sizeof usual, "%s/.cache", home) < PATH_MAX)
        caches = usual;
    allow_below(d, home, NVIDIA_CACHE);
    for (size_t i = 0; i < sizeof of_caches / sizeof *of_caches; i++)
        allow_below(d, caches, of_caches[i]);
    allow_names(d, getenv("CUDA_CACHE_PATH"), "", "", RN_MAY_CHANGE, 0);
    rn_io_domain_allow(d, tmp && *tmp ? tmp : "/tmp", RN_MAY_CHANGE, 0);
    if (kernels)
        rn_io_domain_allow(d, kernels, RN_MAY_CHANGE, 0);
}

/* ---- the files of the run */

/* Detached samples, which any header may name, the other files of an OME-TIFF, series. */
bool rn_app_has_siblings(const char *path)
{
    static const char *const ends[] = {".nhdr", ".nrrd", ".mhd", ".mha", ".hdr", ".img",    ".cfl",
                                       ".tif",  ".tiff", ".tf2", ".tf8", ".btf", "DICOMDIR"};
    bool found = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !found; i++)
        found = strlen(path) >= strlen(ends[i]) &&
                !strcasecmp(path + strlen(path) - strlen(ends[i]), ends[i]);
    return found;
}

static void allow_input(struct rn_io_domain *d, const char *input)
{
    struct stat st;
    bool exists = rn_path_look(input, &st) > 0;
    size_t plain = exists ? strlen(input) : strcspn(input, "*?["); /* up to a glob's wildcard */
    bool device = exists ? S_ISCHR(st.st_mode) : strstr(input, ":/dev/") != NULL; /* a camera */
    unsigned may = RN_MAY_READ | (device ? RN_MAY_WRITE : 0);
    if (exists)
        rn_io_domain_allow(d, input, may, may);
    if (exists ? rn_app_has_siblings(input) : input[plain] || rn_read_is_pattern(input)) {
        RN_OWNED(rn_free_owned) char *name = strndup(input, plain);
        RN_OWNED(rn_free_owned) char *folder = name ? rn_path_beside(name, ".") : NULL;
        if (folder)
            rn_io_domain_allow(d, folder, RN_MAY_READ, RN_MAY_READ);
    }
    if (!exists) /* concat:a.ts|b.ts, lavfi:movie=a.mkv */
        allow_names(d, input, ":|=,;'[]", "", may, may);
}

/* The folder: what is written there gets its name by a rename. */
static void allow_output(struct rn_io_domain *d, const char *path)
{
    RN_OWNED(rn_outplace_free) struct rn_outplace place = RN_NO_PLACE;
    if (rn_outplace_find(&place, path))
        return; /* said when it is opened */
    rn_io_domain_allow_fd(d, place.dir, RN_MAY_CHANGE, 0);
    rn_io_domain_allow_fd(d, place.opened, RN_MAY_READ | RN_MAY_WRITE, 0);
}

int rn_app_confine(const struct rn_app_cli *cli, const char *output, const struct rn_chain *chain)
{
    struct rn_io_domain d;
    int version = cli->unconfined || RN_SANITIZED ? 0 : rn_io_landlock();
    unsigned workers = rn_io_confinement();
    rn_log(RN_LOG_DEBUG, "confinement of this run: %s; of the processes that read scans:%s%s%s",
           version           ? "Landlock"
           : cli->unconfined ? "none (--unconfined)"
                             : "none in this kernel or build",
           workers & RN_CONFINED_FILES ? " Landlock" : "",
           workers & RN_CONFINED_CALLS ? " seccomp" : "", workers ? "" : " none");
    if (!version)
        return 0;
    bool playlists = cli->source.allow_playlists; /* which may name any file and address */
    rn_io_domain_begin(&d, playlists || strstr(cli->operand[0], "://"));
    allow_programs(&d);
    allow_drivers(&d);
    if (cli->source.hwdec) /* its driver runs in the threads that read */
        allow_names(&d, "/dev:/proc", ":", "", RN_MAY_READ | RN_MAY_WRITE,
                    RN_MAY_READ | RN_MAY_WRITE);
    if (playlists)
        rn_io_domain_allow(&d, "/", RN_MAY_READ, RN_MAY_READ);
    RN_OWNED(rn_free_owned) struct rn_app_file *file = NULL;
    int n = rn_app_files_list(cli, output, chain, &file), err = n < 0 ? n : 0;
    for (int i = 0; i < n; i++)
        if (file[i].use == RN_APP_FILE_INPUT)
            allow_input(&d, file[i].path);
        else if (file[i].use == RN_APP_FILE_WRITTEN)
            allow_output(&d, file[i].path);
        else
            rn_io_domain_allow(&d, file[i].path, RN_MAY_READ, 0);
    if (cli->segment)
        rn_io_domain_allow(&d, cli->parts.dir, RN_MAY_CHANGE, 0);
    RN_OWNED(rn_free_owned)
    char *folder = cli->verify && output ? rn_path_beside(output, ".") : NULL;
    if (folder) /* the output is an input at the end */
        rn_io_domain_allow(&d, folder, RN_MAY_READ, RN_MAY_READ);
    int refused = rn_io_domain_enter(&d);
    return err || !refused
               ? err
               : rn_fail(RN_EINTERNAL,
                         "the kernel has Landlock, but refuses it: %s (--unconfined reads without)",
                         strerror(refused));
}
