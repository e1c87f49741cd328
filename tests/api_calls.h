/* SPDX-License-Identifier: MIT */
/* Random calls of every function that the installed headers declare, with random, partly valid
 * arguments; the same for the same bytes. Whatever comes, nothing crashes or hangs, misuse gives
 * RN_EUSAGE or nothing and one line, and what is closed leaves nothing.
 *
 * Not called with: what no function can see (filters/runnel.h), and geometries that rn_geom_check
 * refuses where image.h says that a function does not look. api_rows.h has the functions. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>

#include "filters/runnel.h"
#include "tests/api_rows.h"
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
    if (x && !api_next(a, 3))
        err = rn_exchange_lock(x, api_need(a, in.plane[0].data),
                               (size_t)(in.plane[0].stride * api_number(a, 0, in.plane[0].h)));
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
