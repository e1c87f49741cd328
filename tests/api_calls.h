/* SPDX-License-Identifier: MIT */
/* Random calls of every function that the installed headers declare, with random, partly valid
 * arguments; the same for the same bytes. Whatever comes, nothing crashes or hangs, misuse gives
 * RN_EUSAGE or nothing and one line, and what is closed leaves nothing.
 *
 * Not called with: what no function can see (filters/runnel.h), and geometries that rn_geom_check
 * refuses where image.h says that a function does not look. A function without a row here fails
 * tests/e2e_library.sh. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "filters/runnel.h"
#include "tests/check.h"

#define API_LONG ((1 << 20) + 3) /* bytes of a text that is too long */

struct api {
    const uint8_t *data; /* what decides; random numbers follow when they end */
    size_t size;
    uint64_t state;
    struct rn_device *device;      /* NULL: the C path */
    const struct rn_chain *shared; /* with other threads, which run; NULL: there are none */
    struct rn_chain *chain[3];
    struct rn_runner *runner[2];
    struct rn_rebuild *rebuild;
    struct rn_pool *pool;
    struct rn_stage *stage[2]; /* of one filter */
    struct rn_image image[2];
    struct rn_outfile file[2];
    struct rn_outset *set;
    char folder[64], path[128], chain_text[160];
    char *long_text;
    /* Made anew for each call: */
    struct rn_geom geom, good;
    struct rn_pool_opts opts;
    struct rn_level level;
    const struct rn_param *row;
    void *values[2];
    bool misused, flag;
    char buf[64];
    double number;
    int i;
    uint64_t sum;
    const uint64_t *histogram;
    const struct rn_param *table;
    const struct rn_stage *at_stage;
    struct rn_device *no_device;
    struct rn_analysis analysis;
    struct rn_timings timings;
    struct rn_pool_meter meter;
    /* Of the call: */
    int errors, lines;
};

static _Thread_local struct api *api_now; /* of this thread, while it calls */

static unsigned api_next(struct api *a, unsigned below)
{
    if (a->size) {
        a->size--;
        return *a->data++ % below;
    }
    a->state = a->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(a->state >> 33) % below;
}
#define API_ONE_OF(a, array) (array)[api_next(a, sizeof(array) / sizeof *(array))]

/* Mostly least..most, at times what no range has. */
static int api_number(struct api *a, int least, int most)
{
    static const int odd[] = {0, -1, 7, 65537, INT_MAX, INT_MIN};
    return api_next(a, 12) ? least + (int)api_next(a, (unsigned)(most - least) + 1)
                           : API_ONE_OF(a, odd);
}

static double api_real(struct api *a)
{
    static const double odd[] = {0, 1, -1, 128, 0.5, 1e30, -1e300, NAN, INFINITY};
    return API_ONE_OF(a, odd);
}

/* The pointer, or, at times, NULL where that is misuse. */
static void *api_need(struct api *a, const void *pointer)
{
    pointer = api_next(a, 24) ? pointer : NULL;
    a->misused |= !pointer;
    return (void *)(uintptr_t)pointer;
}

static const char *api_text(struct api *a)
{
    static const char *const texts[] = {
        "p",   "radius", "enable", "planes", "none",      "file",     "level", "1",
        "0",   "-1",     "1e99",   "nan",    "3",         "40hu",     "gray",  "yuv420p10le",
        "cpu", "0:0",    "error",  "invert", "\xff\xfe[", "zero\x01", "",      "stats"};
    return api_next(a, 64) ? API_ONE_OF(a, texts) : a->long_text;
}

static const char *api_chain_text(struct api *a)
{
    static const char *const texts[] = {"invert",
                                        "blur=2,stats",
                                        "median=slices=1",
                                        "levels",
                                        "otsu=,,",
                                        "threshold=40hu",
                                        "",
                                        "format=gray16,noise",
                                        "@/none",
                                        "stats,stats",
                                        "closing=radius=9",
                                        "erosion=radius=1:slices=1,stats",
                                        "@",
                                        "invert,equalize",
                                        "invert=enable=0,invert",
                                        "\xc3(",
                                        "@/",
                                        "convolution=file=/",
                                        "noise=gauss=1,sobel",
                                        "format=grayf32,stats=p=3"};
    unsigned i = api_next(a, 40);
    if (!i)
        return a->long_text;
    if (i > 2 || !a->device)
        return API_ONE_OF(a, texts);
    snprintf(a->chain_text, sizeof a->chain_text, "custom=file=%s/k.cl", a->folder);
    return a->chain_text;
}

static const char *api_path(struct api *a)
{
    static const char *const names[] = {"a.txt", "b_1.tif", "b_2.tif", "\xff.txt", ".", "none/a"};
    static const char *const odd[] = {"", "/dev/null", "/", "/dev/fd/999", "/proc/self/fd"};
    if (!api_next(a, 12))
        return api_next(a, 5) ? API_ONE_OF(a, odd) : a->long_text;
    snprintf(a->path, sizeof a->path, "%s/%s", a->folder, API_ONE_OF(a, names));
    return a->path;
}

static void api_geom(struct api *a, struct rn_geom *geom, bool odd)
{
    static const char *const names[] = {"gray", "yuv420p", "gbrp16", "grayf32", "gray10"};
    *geom = (struct rn_geom){RN_SIZED(struct rn_geom), .high = 1, .w = 1 + (int)api_next(a, 12),
                             .h = 1 + (int)api_next(a, 12), .scan = !api_next(a, 4)};
    rn_format_parse(API_ONE_OF(a, names), &geom->fmt);
    if (geom->scan && api_next(a, 2))
        geom->rescale = (struct rn_rescale){api_next(a, 2) ? 1 : -0.5, 10, "HU"};
    if (!odd || api_next(a, 4))
        return;
    int *const any[] = {&geom->fmt.depth, &geom->fmt.sub_x, &geom->fmt.sub_y,
                        &geom->turns,     &geom->w,         &geom->h};
    *API_ONE_OF(a, any) = api_number(a, -2, 33);
    if (!api_next(a, 4))
        geom->fmt.model = (enum rn_model)api_number(a, 0, 3);
    if (!api_next(a, 4))
        geom->size = api_next(a, 40) * 8;
    double *const real[] = {&geom->spacing[2], &geom->rescale.slope, &geom->rescale.intercept};
    if (!api_next(a, 4))
        *API_ONE_OF(a, real) = api_real(a);
    if (!api_next(a, 8))
        memset(geom->rescale.unit, 'x', sizeof geom->rescale.unit);
    if ((int64_t)geom->w * geom->h > 1 << 20) /* right, and too large for here */
        geom->w = geom->h = 1;
}

static struct rn_slot *api_slot(struct api *a, struct rn_slot *slot)
{
    static struct rn_slot none;
    unsigned i = api_next(a, 24);
    if (i > 1 && slot)
        return slot;
    a->misused = true;
    return i ? &none : NULL;
}

static int api_measured(void *arg, const struct rn_measure *m)
{
    uint64_t sum = strlen(m->unit);
    for (int i = 0; i < m->bins; i++)
        sum += m->histogram[i];
    *(uint64_t *)arg = sum;
    return 0;
}

static bool api_ask(const char *path)
{
    return strlen(path) % 2;
}

static void api_hears(void *user, enum rn_log_level level, const char *text)
{
    (void)user;
    if (api_now && level == RN_LOG_ERROR) {
        api_now->errors++;
        api_now->lines += 1 + (strchr(text, '\n') != NULL);
    }
}

/* Closes and destroys everything. */
static void api_end(struct api *a)
{
    for (int i = 0; i < 2; i++) {
        rn_stage_destroy(&a->stage[i]);
        rn_image_free(&a->image[i]);
        rn_outfile_free(&a->file[i]);
        rn_runner_close(&a->runner[i]);
    }
    for (int i = 0; i < 3; i++)
        rn_chain_destroy(&a->chain[i]);
    rn_rebuild_drop(&a->rebuild);
    rn_pool_close(&a->pool);
    rn_outset_destroy(&a->set);
}

#define N(pointer)  api_need(a, pointer)
#define O(pointer)  (api_next(a, 8) ? (pointer) : NULL)
#define CHAIN       N(API_ONE_OF(a, a->chain))
#define CONST_CHAIN N(a->shared &&api_next(a, 2) ? a->shared : API_ONE_OF(a, a->chain))
#define STAGE       N(API_ONE_OF(a, a->stage))
#define RUNNER      N(API_ONE_OF(a, a->runner))
#define SLOT_AT     api_number(a, 0, 3)
#define SLOT        api_slot(a, a->runner[0] ? rn_runner_slot(a->runner[0], SLOT_AT) : NULL)
#define POOL        N(a->pool)
#define PSLOT       api_slot(a, a->pool ? rn_pool_slot(a->pool, api_number(a, 0, 5)) : NULL)
#define TEXT        N(api_text(a))
#define PATH        N(api_path(a))
#define AT          api_number(a, 0, 2)
#define BOOL        api_next(a, 2)
#define FMT         (&a->good.fmt)
#define WHOLE       (FMT->depth <= 16 ? FMT : &(struct rn_format){.depth = 8})
#define GOOD        N(&a->good)
#define ROW         N(a->row)
#define VALUES      N(a->values[0])
#define BUF         N(a->buf), sizeof a->buf

/* ---- calls that are more than an expression */

static int api_chain_parse(struct api *a)
{
    struct rn_chain **chain = &API_ONE_OF(a, a->chain);
    rn_chain_destroy(chain);
    return rn_chain_parse(api_need(a, chain), api_chain_text(a));
}

static int api_runner_open(struct api *a, int batch)
{
    struct rn_runner **r = &API_ONE_OF(a, a->runner);
    const struct rn_chain *chain =
        api_next(a, 2) && a->shared ? a->shared : API_ONE_OF(a, a->chain);
    int nslots = api_number(a, 1, 3);
    rn_runner_close(&a->runner[0]); /* one may measure into the other */
    rn_runner_close(&a->runner[1]);
    int err = batch ? rn_runner_open_batches(api_need(a, r), a->device, api_need(a, chain),
                                             api_need(a, &a->geom), nslots, batch)
                    : rn_runner_open(api_need(a, r), a->device, api_need(a, chain),
                                     api_need(a, &a->geom), nslots);
    if (*r && api_next(a, 4))
        rn_runner_start(*r);
    return err;
}

static int api_pool_bytes(struct api *a)
{
    const struct rn_chain *chain = API_ONE_OF(a, a->chain);
    if (!chain || rn_chain_check(chain, &a->good, &a->analysis))
        return 0;
    return rn_pool_bytes(api_need(a, &a->analysis), api_number(a, 0, 3)) < 0;
}

/* Nobody else uses the pool meanwhile. */
static int api_exchange(struct api *a)
{
    struct rn_exchange *x = NULL;
    struct rn_image in = {.geom = {0}}, out = in;
    int64_t number = -1;
    int err = rn_exchange_open(api_need(a, &x), api_need(a, a->pool), api_number(a, 0, 4));
    if (x && (rn_image_alloc(&in, &rn_pool_slot(a->pool, 0)->in.geom) ||
              rn_image_alloc(&out, rn_pool_output(a->pool))))
        abort();
    for (unsigned n = api_next(a, 6); n && x; n--) {
        const struct rn_image *from = api_next(a, 8) ? &in : &a->image[0];
        const struct rn_image *to = !api_next(a, 8) ? &a->image[1] : api_next(a, 4) ? &out : NULL;
        err = rn_exchange_submit(x, api_need(a, from), to, NULL, &number);
        if (!api_next(a, 3))
            rn_exchange_drain(x);
        if (!api_next(a, 3)) {
            rn_exchange_drain(x);
            err = rn_exchange_wait(x, api_next(a, 8) ? number : api_number(a, -1, 9));
        }
    }
    int closed = rn_exchange_close(&x);
    rn_image_free(&in);
    rn_image_free(&out);
    return err ? err : closed;
}

static int api_pool_open(struct api *a)
{
    int ndevs = a->device ? api_number(a, 0, 1) : 0;
    rn_pool_close(&a->pool);
    return rn_pool_open(api_need(a, &a->pool), &a->device, ndevs,
                        api_need(a, API_ONE_OF(a, a->chain)), api_need(a, &a->geom),
                        api_need(a, &a->opts));
}

static int api_image_alloc(struct api *a)
{
    struct rn_image *img = &API_ONE_OF(a, a->image);
    rn_image_free(img);
    return rn_image_alloc(api_need(a, img), api_need(a, &a->geom));
}

static int api_file_begin(struct api *a, bool in_set)
{
    struct rn_outfile *file = &API_ONE_OF(a, a->file);
    const char *path = api_path(a);
    rn_outfile_free(file);
    int err = in_set ? rn_outset_begin(api_need(a, a->set), api_need(a, file), path)
                     : rn_outfile_begin(api_need(a, file), api_need(a, path));
    int fd = err ? -1 : open(file->temp, O_WRONLY | O_CLOEXEC);
    if (fd >= 0)
        err = write(fd, "text", 4) != 4, close(fd);
    return err;
}

static void api_set_create(struct api *a)
{
    rn_outfile_free(&a->file[0]);
    rn_outfile_free(&a->file[1]);
    rn_outset_destroy(&a->set);
    a->set = rn_outset_create(api_need(a, a->folder));
}

static void api_stage_create(struct api *a)
{
    rn_stage_destroy(&a->stage[0]);
    rn_stage_destroy(&a->stage[1]);
    const struct rn_stage_desc *desc = rn_registry_at(api_number(a, 0, 24));
    a->stage[0] = rn_stage_create(api_need(a, desc));
    a->stage[1] = a->stage[0] ? rn_stage_copy(a->stage[0]) : NULL;
}

/* One step of proper use, which random calls alone seldom make. */
static int api_proper(struct api *a)
{
    struct rn_runner *r = a->runner[0];
    struct rn_slot *slot = NULL;
    bool pool = a->pool && api_next(a, 2);
    if (!a->chain[0])
        return rn_chain_parse(&a->chain[0], "median=slices=1,stats");
    if (!r && !pool)
        return rn_runner_open(&a->runner[0], a->device, a->chain[0], &a->good, 3);
    if (api_next(a, 2))
        return pool ? rn_pool_submit(a->pool, rn_pool_slot(a->pool, (int)api_next(a, 3)))
                    : rn_runner_submit(r, rn_runner_slot(r, (int)api_next(a, 3)));
    if (!(slot = pool ? rn_pool_ready(a->pool) : rn_runner_ready(r)))
        return 0;
    int err = pool ? rn_pool_wait(a->pool, slot) : rn_runner_wait(r, slot);
    int done = pool ? rn_pool_recycle(a->pool, slot) : rn_runner_recycle(r, slot);
    return err ? err : done;
}

static int api_chain_copy(struct api *a)
{
    const struct rn_chain *from = api_need(a, a->chain[1]);
    struct rn_chain *copy = rn_chain_copy(from);
    rn_chain_destroy(&copy);
    return from ? 0 : RN_EUSAGE;
}

static int api_chain_warn(struct api *a)
{
    const struct rn_chain *chain = api_need(a, a->chain[1]);
    if (!chain || !rn_chain_check(chain, &a->good, &a->analysis))
        rn_chain_warn(chain, api_need(a, &a->analysis));
    return a->misused ? RN_EUSAGE : 0;
}

static int api_device_list(struct api *a)
{
    struct rn_device_info *list = NULL;
    const char *why = NULL;
    if (a->device)
        rn_device_list(api_need(a, &list), api_need(a, &why));
    free(list);
    return a->misused ? RN_EUSAGE : 0;
}

static int api_device_open(struct api *a)
{
    struct rn_device *part[3] = {NULL};
    int n = 0, err = 0;
    if (!a->device)
        return rn_device_open(api_need(a, part), "none");
    switch (api_next(a, 3)) {
    case 0:
        err = rn_device_open(api_need(a, part), api_text(a));
        break;
    case 1:
        err = rn_device_beside(api_need(a, a->device), api_need(a, part));
        break;
    case 2:
        err = rn_device_divide(api_need(a, a->device), AT, api_number(a, 0, 3) % 4,
                               api_need(a, part), &n);
        break;
    }
    for (int i = 2; i >= 0; i--)
        rn_device_close(&part[i]);
    return err;
}

static int api_look(struct api *a)
{
    rn_rebuild_drop(&a->rebuild);
    return rn_runner_look(RUNNER, N(&a->rebuild), N(&a->flag));
}

static void api_k_cl(struct api *a)
{
    char path[96];
    snprintf(path, sizeof path, "%s/k.cl", a->folder);
    FILE *f = fopen(path, "w");
    if (f) {
        fprintf(f, "//@param gain 0 %u 0.1 1 how much\nfloat filter(IN) { return gain%s; }\n",
                2 + api_next(a, 3), api_next(a, 8) ? "" : "gain");
        fclose(f);
    }
}

/* CODE returns an enum rn_err, CALL anything, FREE what free() takes; BODY is a code. */
#define API_ROWS(CODE, CALL, FREE, BODY)                                                           \
    CALL(rn_version)                                                                               \
    CALL(rn_version_number)                                                                        \
    CODE(rn_geom_check, N(&a->geom))                                                               \
    CALL(rn_format_planes, FMT)                                                                    \
    CALL(rn_format_bytes, FMT)                                                                     \
    CALL(rn_format_sample, FMT)                                                                    \
    CALL(rn_sample_bytes, (enum rn_sample)api_next(a, RN_SAMPLES))                                 \
    CALL(rn_format_min, WHOLE)                                                                     \
    CALL(rn_format_max, WHOLE)                                                                     \
    CALL(rn_geom_black, &a->good)                                                                  \
    CALL(rn_geom_white, &a->good)                                                                  \
    CALL(rn_geom_middle, &a->good)                                                                 \
    CALL(rn_format_from_8bit, WHOLE, api_real(a))                                                  \
    CALL(rn_format_equal, N(&a->geom.fmt), N(FMT))                                                 \
    CALL(rn_format_name, N(FMT), N(a->buf))                                                        \
    CALL(rn_format_parse, TEXT, N(&a->geom.fmt))                                                   \
    CALL(rn_plane_name, N(FMT), AT)                                                                \
    CALL(rn_geom_plane_size, &a->good, (int)api_next(a, 2), &a->i, &a->i)                          \
    CALL(rn_geom_samples, GOOD)                                                                    \
    CALL(rn_geom_planes, &a->good, api_number(a, 0, 15))                                           \
    CALL(rn_geom_equal, N(&a->geom), GOOD)                                                         \
    CALL(rn_geom_all_planes, &a->good)                                                             \
    BODY(rn_image_alloc, api_image_alloc(a))                                                       \
    CALL(rn_image_free, N(&API_ONE_OF(a, a->image)))                                               \
    CALL(rn_plane_copy, N(&a->image[0].plane[0]), N(&a->image[1].plane[0]), 1)                     \
    CALL(rn_image_copy, N(&a->image[0]), N(&a->image[1]))                                          \
    BODY(rn_log_set_sink, (rn_log_set_sink(api_hears, NULL), 0))                                   \
    BODY(rn_log_set_level,                                                                         \
         a->shared ? 0 : (rn_log_set_level((enum rn_log_level)api_number(a, 0, 4)), 0))            \
    CALL(rn_log_level)                                                                             \
    CALL(rn_log_level_parse, TEXT, N(&(enum rn_log_level){0}))                                     \
    BODY(rn_log, (rn_log((enum rn_log_level)api_number(a, 0, 4), "%s", api_text(a)), 0))           \
    BODY(rn_fail, rn_fail(RN_EINPUT, "%s", api_text(a)))                                           \
    BODY(rn_fail_lines, rn_fail_lines(RN_EINPUT, N(api_text(a)), "%s", api_text(a)))               \
    CALL(rn_log_last)                                                                              \
    CALL(rn_log_set_last, TEXT)                                                                    \
    BODY(rn_log_about, (rn_log_about("%s", api_next(a, 2) ? "" : api_text(a)), 0))                 \
    BODY(rn_log_mute, (rn_log_mute(!api_next(a, 4)), 0))                                           \
    BODY(rn_outfile_set_policy, a->shared ? 0 : (rn_outfile_set_policy((enum rn_overwrite)AT), 0)) \
    BODY(rn_outfile_set_ask, a->shared ? 0 : (rn_outfile_set_ask(O(api_ask)), 0))                  \
    CODE(rn_outfile_keep, api_next(a, 16) ? "/dev/null" : PATH)                                    \
    CODE(rn_outfile_allowed, PATH)                                                                 \
    CODE(rn_outfile_permit, PATH)                                                                  \
    BODY(rn_outfile_begin, api_file_begin(a, false))                                               \
    CALL(rn_outfile_push, N(&a->file[0]), BOOL ? INT64_MAX : api_number(a, 0, 4096))               \
    CALL(rn_outfile_reserve, N(&a->file[0]), BOOL ? INT64_MAX : api_number(a, 0, 4096))            \
    CODE(rn_outfile_commit, N(&a->file[0]), BOOL)                                                  \
    CODE(rn_outfile_commit_new, N(&a->file[0]), BOOL)                                              \
    FREE(rn_outfile_partial, PATH)                                                                 \
    CALL(rn_outfile_free, N(&API_ONE_OF(a, a->file)))                                              \
    BODY(rn_outset_create, (api_set_create(a), 0))                                                 \
    BODY(rn_outset_begin, api_file_begin(a, true))                                                 \
    CODE(rn_outset_remove, N(a->set), PATH)                                                        \
    CALL(rn_outset_has, N(a->set), PATH)                                                           \
    CALL(rn_outset_lock, N(a->set))                                                                \
    CODE(rn_outset_commit, N(a->set), BOOL)                                                        \
    BODY(rn_outset_destroy, (api_set_create(a), rn_outset_destroy(N(&a->set)), 0))                 \
    BODY(rn_outfile_remove_all, a->shared || api_next(a, 8) ? 0 : (rn_outfile_remove_all(), 0))    \
    BODY(rn_chain_parse, api_chain_parse(a))                                                       \
    BODY(rn_chain_copy, api_chain_copy(a))                                                         \
    CODE(rn_chain_assign, N(&API_ONE_OF(a, a->chain)), CONST_CHAIN)                                \
    CALL(rn_chain_destroy, O(&API_ONE_OF(a, a->chain)))                                            \
    CODE(rn_chain_set, CHAIN, AT, TEXT, TEXT)                                                      \
    CODE(rn_chain_switch, CHAIN, AT, BOOL)                                                         \
    FREE(rn_chain_format, CONST_CHAIN)                                                             \
    CALL(rn_chain_count, CONST_CHAIN)                                                              \
    CALL(rn_chain_stage, CONST_CHAIN, AT)                                                          \
    CALL(rn_chain_append, CHAIN, TEXT)                                                             \
    CALL(rn_chain_measure_nothing, O(API_ONE_OF(a, a->chain)))                                     \
    CALL(rn_chain_prune, CHAIN)                                                                    \
    CODE(rn_chain_insert, CHAIN, AT, N(api_chain_text(a)))                                         \
    CODE(rn_chain_remove, CHAIN, AT)                                                               \
    CODE(rn_chain_move, CHAIN, AT, AT)                                                             \
    CODE(rn_chain_duplicate, CHAIN, AT)                                                            \
    CALL(rn_chain_equal, CONST_CHAIN, CONST_CHAIN)                                                 \
    CALL(rn_chain_binds_alike, CONST_CHAIN, CONST_CHAIN)                                           \
    CODE(rn_chain_reread, CHAIN, CONST_CHAIN)                                                      \
    CODE(rn_chain_check, CONST_CHAIN, N(&a->geom), N(&a->analysis))                                \
    CODE(rn_chain_check_code, CONST_CHAIN)                                                         \
    CALL(rn_chain_allow_code, CHAIN)                                                               \
    CALL(rn_chain_code, CONST_CHAIN, BOOL, N(&a->at_stage))                                        \
    CALL(rn_stage_origin, O("origin"))                                                             \
    BODY(rn_stage_allow_all_code,                                                                  \
         a->shared || api_next(a, 16) ? 0 : (rn_stage_allow_all_code(), 0))                        \
    CODE(rn_stage_check_code, N(a->stage[0]))                                                      \
    CALL(rn_chain_written, CONST_CHAIN, N(&a->at_stage))                                           \
    BODY(rn_chain_warn, api_chain_warn(a))                                                         \
    CALL(rn_registry_at, api_number(a, 0, 40))                                                     \
    CALL(rn_registry_find, TEXT)                                                                   \
    CALL(rn_registry_alias, TEXT)                                                                  \
    BODY(rn_stage_create, (api_stage_create(a), 0))                                                \
    BODY(rn_stage_copy, (api_stage_create(a), 0))                                                  \
    CALL(rn_stage_destroy, O(&API_ONE_OF(a, a->stage)))                                            \
    CALL(rn_stage_name, STAGE)                                                                     \
    CALL(rn_stage_row, STAGE, AT)                                                                  \
    CALL(rn_stage_find, STAGE, TEXT)                                                               \
    CALL(rn_stage_values, N(a->stage[0]), ROW)                                                     \
    CODE(rn_stage_set, N(a->stage[0]), ROW, TEXT)                                                  \
    CALL(rn_params_defaults, N(a->table), VALUES)                                                  \
    CALL(rn_param_reset, ROW, VALUES)                                                              \
    CALL(rn_param_int, ROW, VALUES)                                                                \
    CALL(rn_param_number, ROW, VALUES)                                                             \
    CALL(rn_param_in_mm, ROW, VALUES)                                                              \
    CALL(rn_param_text, ROW, VALUES)                                                               \
    CALL(rn_param_at, N(a->table), AT)                                                             \
    CALL(rn_param_find, N(a->table), TEXT)                                                         \
    CODE(rn_param_parse, ROW, TEXT, TEXT, VALUES)                                                  \
    CALL(rn_param_format, ROW, VALUES, BUF)                                                        \
    CALL(rn_param_unit, ROW, VALUES)                                                               \
    CALL(rn_param_is_default, ROW, VALUES)                                                         \
    CALL(rn_param_equal, ROW, VALUES, N(a->values[1]))                                             \
    CALL(rn_param_take_contents, ROW, VALUES, N(a->values[1]))                                     \
    CALL(rn_params_fixed_apart, N(a->table), VALUES, N(a->values[1]))                              \
    CALL(rn_param_step, ROW, VALUES, AT)                                                           \
    CALL(rn_param_range, ROW, BUF)                                                                 \
    CALL(rn_params_intern, N(rn_registry_at((int)api_next(a, 20))->params))                        \
    CALL(rn_intern, TEXT)                                                                          \
    BODY(rn_intern_reset, a->shared || api_next(a, 16) ? 0 : (api_end(a), rn_intern_reset(), 0))   \
    CALL(rn_level_position, N(&a->level), N(&a->geom))                                             \
    CALL(rn_level_distance, N(&a->level), N(&a->geom))                                             \
    CALL(rn_level_8bit, N(&a->level), N(&a->geom), N(&a->number))                                  \
    CODE(rn_level_check, ROW, TEXT, VALUES, N(&a->geom))                                           \
    CODE(rn_level_check_side, N(&a->level), TEXT, N(&a->geom))                                     \
    CALL(rn_level_step, ROW, VALUES, N(&a->geom), AT)                                              \
    CALL(rn_level_place, ROW, VALUES, N(&a->geom))                                                 \
    CALL(rn_level_slide, ROW, VALUES, N(&a->geom), api_real(a))                                    \
    CALL(rn_level_value, ROW, VALUES, N(&a->geom), BUF)                                            \
    CALL(rn_level_range, ROW, N(&a->geom), BUF)                                                    \
    BODY(rn_device_list, api_device_list(a))                                                       \
    BODY(rn_devices_load, a->device ? (rn_devices_load(), 0) : 0)                                  \
    BODY(rn_device_open, api_device_open(a))                                                       \
    BODY(rn_device_divide, api_device_open(a))                                                     \
    BODY(rn_device_beside, api_device_open(a))                                                     \
    CODE(rn_device_close, N(&a->no_device))                                                        \
    CALL(rn_device_info, N(a->device))                                                             \
    CALL(rn_device_live, N(a->device))                                                             \
    BODY(rn_programs_keep_in, a->device || a->shared ? 0 : (rn_programs_keep_in(NULL), 0))         \
    CALL(rn_timings_add, N(&a->timings), N(&a->timings))                                           \
    BODY(rn_runner_open, api_runner_open(a, 0))                                                    \
    BODY(rn_runner_open_batches, api_runner_open(a, api_number(a, 1, 4)))                          \
    CALL(rn_runner_batch, RUNNER)                                                                  \
    CODE(rn_runner_expect_fields, RUNNER, BOOL)                                                    \
    BODY(rn_runner_close, (rn_runner_close(&a->runner[0]), rn_runner_close(N(&a->runner[1])), 0))  \
    CALL(rn_runner_nslots, RUNNER)                                                                 \
    CALL(rn_runner_slot, RUNNER, AT)                                                               \
    CALL(rn_runner_output, RUNNER)                                                                 \
    CALL(rn_runner_delay, RUNNER)                                                                  \
    CODE(rn_runner_start, RUNNER)                                                                  \
    CODE(rn_runner_stop, RUNNER, BOOL)                                                             \
    CODE(rn_runner_submit, RUNNER, SLOT)                                                           \
    CODE(rn_runner_submit_several, RUNNER, SLOT, api_number(a, 1, 4))                              \
    CODE(rn_runner_drain, RUNNER)                                                                  \
    CALL(rn_runner_ready, RUNNER)                                                                  \
    CODE(rn_runner_reset, RUNNER)                                                                  \
    CODE(rn_runner_wait, RUNNER, SLOT)                                                             \
    CALL(rn_runner_done, RUNNER, SLOT)                                                             \
    CALL(rn_runner_measure_into, N(a->runner[0]), RUNNER)                                          \
    CODE(rn_runner_discard, RUNNER, SLOT)                                                          \
    CODE(rn_runner_recycle, RUNNER, SLOT)                                                          \
    CODE(rn_runner_update, RUNNER, CONST_CHAIN)                                                    \
    CODE(rn_runner_try, RUNNER, CONST_CHAIN, true, N(&a->flag))                                    \
    CODE(rn_runner_fits, RUNNER, CONST_CHAIN)                                                      \
    CODE(rn_runner_poll, RUNNER, CHAIN, N(&a->flag))                                               \
    BODY(rn_runner_look, api_look(a))                                                              \
    CODE(rn_rebuild_run, N(a->rebuild), N(a->device))                                              \
    CODE(rn_runner_rebuilt, RUNNER, CHAIN, N(&a->rebuild), N(&a->flag))                            \
    CALL(rn_rebuild_drop, N(&a->rebuild))                                                          \
    CALL(rn_rebuild_file, N(a->rebuild))                                                           \
    CALL(rn_runner_alert, RUNNER)                                                                  \
    CALL(rn_runner_by_field, RUNNER, SLOT)                                                         \
    CALL(rn_runner_show, RUNNER, BUF, N(&a->histogram), N(&a->i))                                  \
    CODE(rn_runner_listen, RUNNER, AT, O(api_measured), &a->sum)                                   \
    CALL(rn_runner_time_each, RUNNER)                                                              \
    CALL(rn_runner_timings, RUNNER, N(&a->timings))                                                \
    BODY(rn_runner_keep, api_next(a, 8) ? 0 : (rn_runner_keep(RUNNER), 0))                         \
    CALL(rn_runner_free, RUNNER)                                                                   \
    CODE(rn_runner_again, RUNNER)                                                                  \
    CALL(rn_runner_holds, RUNNER, N(rn_runner_slot(a->runner[0], 0)))                              \
    BODY(rn_pool_open, api_pool_open(a))                                                           \
    BODY(rn_pool_bytes, api_pool_bytes(a))                                                         \
    CODE(rn_pool_close, N(&a->pool))                                                               \
    CALL(rn_pool_nslots, POOL)                                                                     \
    CALL(rn_pool_slot, POOL, AT)                                                                   \
    CALL(rn_pool_some, POOL)                                                                       \
    CODE(rn_pool_submit, POOL, PSLOT)                                                              \
    CODE(rn_pool_drain, POOL)                                                                      \
    CALL(rn_pool_ready, POOL)                                                                      \
    CODE(rn_pool_wait, POOL, PSLOT)                                                                \
    CODE(rn_pool_recycle, POOL, PSLOT)                                                             \
    CODE(rn_pool_start, POOL)                                                                      \
    CODE(rn_pool_stop, POOL, BOOL)                                                                 \
    CODE(rn_pool_update, POOL, CONST_CHAIN)                                                        \
    CODE(rn_pool_fits, POOL, CONST_CHAIN)                                                          \
    CALL(rn_pool_timings, POOL, N(&a->timings))                                                    \
    CODE(rn_pool_listen, POOL, AT, O(api_measured), &a->sum)                                       \
    CALL(rn_pool_begin, POOL)                                                                      \
    CALL(rn_pool_meter, POOL, N(&a->meter))                                                        \
    BODY(rn_exchange_open, api_exchange(a))                                                        \
    BODY(rn_exchange_submit, api_exchange(a))                                                      \
    BODY(rn_exchange_wait, api_exchange(a))                                                        \
    BODY(rn_exchange_drain, (rn_exchange_drain(NULL), 0))                                          \
    CODE(rn_exchange_close, NULL)                                                                  \
    CALL(rn_pool_output, POOL)

/* What a call returned, and logged, is what its arguments deserve. */
static void api_judge(struct api *a, const char *name, int code, bool is_code)
{
    bool heard = *rn_log_last(), right = !a->misused || heard;
    if (is_code)
        right &= code >= RN_EDAMAGED && code <= RN_UNBUILT && (!a->misused || code == RN_EUSAGE) &&
                 (code >= 0 || heard);
    if (is_code && code == RN_EUSAGE && a->errors)
        right &= a->errors == 1 && a->lines == 1;
    if (!right) {
        fprintf(stderr, "%s: %d, %s, %d errors, last: %s\n", name, code,
                a->misused ? "misused" : "used", a->errors, rn_log_last());
        abort();
    }
}

#define API_CODE(f, ...)                                                                           \
    static void api_##f(struct api *a)                                                             \
    {                                                                                              \
        int code = f(__VA_ARGS__);                                                                 \
        api_judge(a, #f, code, true);                                                              \
    }
#define API_CALL(f, ...)                                                                           \
    static void api_##f(struct api *a)                                                             \
    {                                                                                              \
        (void)f(__VA_ARGS__);                                                                      \
        api_judge(a, #f, 0, false);                                                                \
    }
#define API_FREE(f, ...)                                                                           \
    static void api_##f(struct api *a)                                                             \
    {                                                                                              \
        free(f(__VA_ARGS__));                                                                      \
        api_judge(a, #f, 0, false);                                                                \
    }
#define API_BODY(f, code)                                                                          \
    static void api_##f(struct api *a)                                                             \
    {                                                                                              \
        a->i = code;                                                                               \
        api_judge(a, #f, 0, false);                                                                \
    }
API_ROWS(API_CODE, API_CALL, API_FREE, API_BODY)

#define API_NAME(f, ...) api_##f,
static void (*const api_all[])(struct api *a) = {API_ROWS(API_NAME, API_NAME, API_NAME, API_NAME)};

/* What the arguments of the next call are taken from. */
static void api_arguments(struct api *a)
{
    static const size_t sizes[] = {0, 4, sizeof a->opts - 1, sizeof a->opts + 1, SIZE_MAX};
    const struct rn_stage *stage = a->stage[0];
    api_geom(a, &a->geom, true);
    api_geom(a, &a->good, false);
    a->opts = (struct rn_pool_opts){RN_SIZED(struct rn_pool_opts), api_number(a, 0, 3),
                                    api_number(a, 0, 2), api_number(a, 0, 3)};
    if (!api_next(a, 16))
        a->opts.size = API_ONE_OF(a, sizes);
    a->level = (struct rn_level){(float)api_real(a), (int)api_next(a, 4), "HU"};
    a->table = stage ? stage->table : NULL;
    a->row = a->table ? rn_param_at(a->table, (int)api_next(a, 4)) : NULL;
    for (int i = 0; i < 2; i++)
        a->values[i] = a->row && a->stage[i] ? a->stage[i]->params : NULL;
    a->misused = false;
    a->errors = a->lines = 0;
    rn_log_set_last("");
}

static void api_calls(struct api *a, int calls)
{
    rn_log_set_sink(api_hears, NULL);
    snprintf(a->folder, sizeof a->folder, "/tmp/runnel-api-XXXXXX");
    a->long_text = malloc(API_LONG + 1);
    if (!a->long_text || !mkdtemp(a->folder))
        abort();
    memset(a->long_text, 'x', API_LONG);
    a->long_text[API_LONG] = '\0';
    for (api_now = a; calls > 0; calls--) {
        if (a->device && !api_next(a, 64))
            api_k_cl(a);
        api_arguments(a);
        if (api_next(a, 3))
            API_ONE_OF(a, api_all)(a);
        else
            api_proper(a);
    }
    rn_stage_origin(NULL);
    rn_log_mute(false);
    rn_log_about("%s", "");
    api_end(a);
    api_now = NULL;
    char command[96];
    snprintf(command, sizeof command, "rm -r '%s'", a->folder);
    if (system(command))
        abort();
    free(a->long_text);
}
