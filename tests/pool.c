/* SPDX-License-Identifier: MIT */
/* A pool gives the pixels and measures of one runner that takes frame after frame, however the
 * frames are dealt out: to the cores of a CPU, to a device and the reference path together, with
 * few or many in flight, with filters that depend on other frames, frame counts that end within a
 * run, and one input after the other.
 *
 *   pool [--device SEL] [--seed N] */
#include "tests/streams.h"

#include "filters/core/device/opencl.h"
#include "filters/core/pool/exchange.h"

enum { MOST = 150 };

static struct check check;
static struct rn_device *device;
static int turns; /* stacks that take turns */

static bool comes_by_field(int n, bool by_field)
{
    return by_field && n % 3 != 1;
}

/* ---- a device that fails */

static atomic_int launches; /* until the queue fails; < 0: never */
static _Atomic(cl_command_queue) failing;
static atomic_bool choose; /* the queue of the last of these launches is the one that fails */

/* Linked in place of OpenCL's own (--wrap). */
cl_int __real_clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                     const size_t *, const size_t *, cl_uint, const cl_event *,
                                     cl_event *);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *local, cl_uint n, const cl_event *after,
                                     cl_event *event);

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *local, cl_uint n, const cl_event *after,
                                     cl_event *event)
{
    if (atomic_load(&choose) && atomic_fetch_sub(&launches, 1) == 0) {
        failing = queue;
        atomic_store(&choose, false);
    }
    if (queue == failing && atomic_fetch_sub(&launches, 1) <= 0)
        return CL_OUT_OF_RESOURCES;
    return __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, n, after,
                                         event);
}

/* ---- settings that change while frames are under way */

static const struct {
    int before; /* this frame */
    const char *chain;
} tunings[] = {{0, "erosion,stats"},           {11, "erosion,stats=enable=0"},
               {20, "erosion,stats"},          {21, "erosion,stats=planes=3"},
               {28, "erosion,stats=planes=2"}, {41, "erosion=enable=0,stats"}};
static bool tuned;

/* The chain as it is from frame n on; NULL: as before. To be destroyed. */
static struct rn_chain *tuning(int n)
{
    struct rn_chain *chain = NULL;
    for (int i = 0; i < COUNT(tunings) && tuned; i++)
        if (tunings[i].before == n && rn_chain_parse(&chain, tunings[i].chain))
            check_bad(&check, "'%s' does not parse", tunings[i].chain);
    return chain;
}

/* ---- one runner */

static int expect(const struct rn_chain *chain, const struct rn_geom *geom, int frames,
                  bool by_field, struct results *results)
{
    struct rn_runner *r = NULL;
    int err = rn_runner_open(&r, device, chain, geom, 1);
    err = err || !by_field ? err : rn_runner_expect_fields(r, true);
    int last = rn_chain_count(chain) - 1;
    if (!err && is_stats(chain, last))
        err = rn_runner_listen(r, last, take_measure, results);
    err = err ? err : rn_runner_start(r);
    for (int n = 0; n <= frames && !err; n++) {
        struct rn_slot *slot = rn_runner_slot(r, n % rn_runner_nslots(r));
        struct rn_chain *next = tuning(n);
        if (n < frames)
            paint(&slot->in, n);
        slot->frame = (struct rn_frame){.index = n, .by_field = comes_by_field(n, by_field)};
        err = next ? rn_runner_update(r, next) : 0;
        rn_chain_destroy(&next);
        err = err ? err : n < frames ? rn_runner_submit(r, slot) : rn_runner_drain(r);
        err = err ? err : collect(r, results);
    }
    rn_runner_close(&r);
    return err;
}

/* ---- the pool: one thread submits, this one waits */

struct stream {
    struct rn_pool *pool;
    int frames;
    bool by_field;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* -- protected by lock: */
    struct rn_slot *ready[MOST];
    int nready, taken, given_back;
    bool ended;
    int err;
};

static void pass_on(struct stream *s, int err, bool ended)
{
    struct rn_slot *slot;
    pthread_mutex_lock(&s->lock);
    while (!err && (slot = rn_pool_ready(s->pool)) != NULL)
        s->ready[s->nready++] = slot;
    s->err = s->err ? s->err : err;
    s->ended |= ended || err;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/* False: an error has come; the slot is not the submitter's. */
static bool wait_for_slot(struct stream *s, int n)
{
    pthread_mutex_lock(&s->lock);
    while (s->given_back + rn_pool_nslots(s->pool) <= n && !s->err)
        pthread_cond_wait(&s->changed, &s->lock);
    bool good = !s->err;
    pthread_mutex_unlock(&s->lock);
    return good;
}

static void *submit_all(void *arg)
{
    struct stream *s = arg;
    for (int n = 0; n < s->frames && !s->ended && wait_for_slot(s, n); n++) {
        struct rn_slot *slot = rn_pool_slot(s->pool, n % rn_pool_nslots(s->pool));
        paint(&slot->in, n);
        slot->frame = (struct rn_frame){.index = n, .by_field = comes_by_field(n, s->by_field)};
        struct rn_chain *next = tuning(n);
        int err = next ? rn_pool_update(s->pool, next) : 0;
        rn_chain_destroy(&next);
        pass_on(s, err ? err : rn_pool_submit(s->pool, slot), false);
    }
    pthread_mutex_lock(&s->lock);
    int err = s->err;
    pthread_mutex_unlock(&s->lock);
    pass_on(s, err ? err : rn_pool_drain(s->pool), true);
    return NULL;
}

static struct rn_slot *next_ready(struct stream *s)
{
    pthread_mutex_lock(&s->lock);
    while (s->taken == s->nready && !s->ended)
        pthread_cond_wait(&s->changed, &s->lock);
    struct rn_slot *slot = s->taken < s->nready ? s->ready[s->taken++] : NULL;
    pthread_mutex_unlock(&s->lock);
    return slot;
}

static void give_back(struct stream *s, int err)
{
    pthread_mutex_lock(&s->lock);
    s->given_back++;
    s->err = s->err ? s->err : err;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static int run_pool(struct rn_pool *pool, int frames, bool by_field, struct results *results)
{
    struct stream s = {.pool = pool, .frames = frames, .by_field = by_field};
    struct rn_slot *slot;
    pthread_t thread;
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.changed, NULL);
    pthread_create(&thread, NULL, submit_all, &s);
    while ((slot = next_ready(&s)) != NULL) {
        int err = rn_pool_wait(pool, slot);
        results->hash[results->frames++] = err ? 0 : hash(&slot->out);
        err = err ? err : rn_pool_recycle(pool, slot);
        give_back(&s, err);
    }
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&s.lock);
    pthread_cond_destroy(&s.changed);
    return s.err;
}

/* ---- the same from memory of the caller's, and back into it */

/* A picture in memory whose rows lie apart; NULL: only *bytes, which it needs, is set. */
static struct rn_image lay_image(const struct rn_geom *geom, uint8_t *memory, size_t *bytes)
{
    struct rn_image img = {.geom = *geom};
    *bytes = 4; /* not at a boundary of 16 */
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
        struct rn_plane *pl = &img.plane[p];
        rn_geom_plane_size(geom, p, &pl->w, &pl->h);
        pl->stride = pl->w * rn_format_bytes(&geom->fmt) + 4 * p + 4;
        pl->data = memory ? memory + *bytes : NULL;
        *bytes += (size_t)pl->stride * (size_t)pl->h;
    }
    return img;
}

static struct rn_image make_image(const struct rn_geom *geom, uint8_t **memory)
{
    size_t bytes;
    lay_image(geom, NULL, &bytes);
    *memory = malloc(bytes);
    return lay_image(geom, *memory, &bytes);
}

enum { HELD = 24 };

/* Pictures in one array, whose first planes a device can copy together. *bytes: of each. */
static uint8_t *make_array(const struct rn_geom *geom, struct rn_image images[HELD], size_t *bytes)
{
    size_t row = (size_t)lay_image(geom, NULL, bytes).plane[0].stride, need;
    *bytes = (*bytes + row - 1) / row * row;
    uint8_t *memory = malloc(HELD * *bytes);
    for (size_t i = 0; i < HELD && memory; i++)
        images[i] = lay_image(geom, memory + i * *bytes, &need);
    return memory;
}

static atomic_int lent[2]; /* pictures that went in, and that came out, without a copy */

/* Linked in place of the runner's own. */
bool __real_rn_runner_lend(struct rn_slot *, const struct rn_image *, const struct rn_image *);
bool __wrap_rn_runner_lend(struct rn_slot *, const struct rn_image *, const struct rn_image *);

bool __wrap_rn_runner_lend(struct rn_slot *slot, const struct rn_image *in,
                           const struct rn_image *out)
{
    lent[0] += in != NULL;
    lent[1] += out != NULL;
    return __real_rn_runner_lend(slot, in, out);
}

/* One thread submits and waits for some of the pictures, which one after the other have their
 * memory. locks: of most of it the device copies them itself, if it copies. */
static int run_exchange(struct rn_pool *pool, int frames, bool by_field, int threads, bool locks,
                        struct results *results)
{
    struct rn_exchange *x = NULL;
    struct rn_image in[HELD], out[HELD];
    size_t bytes[2];
    uint8_t *memory[2] = {make_array(&rn_pool_slot(pool, 0)->in.geom, in, &bytes[0]),
                          make_array(rn_pool_output(pool), out, &bytes[1])};
    int64_t number[HELD], first = 0;
    int err = rn_exchange_open(&x, pool, threads);
    for (int i = 0; i < 2 && locks && !err; i++)
        err = rn_exchange_lock(x, memory[i], (HELD - 5) * bytes[i]);
    for (int n = 0; n < frames + HELD && !err; n++) {
        if (n == frames)
            rn_exchange_drain(x);
        if (n >= HELD && n - HELD < frames) {
            err = rn_exchange_wait(x, number[n % HELD]);
            results->hash[results->frames++] = err ? 0 : hash(&out[n % HELD]);
        }
        if (err || n >= frames)
            continue;
        const struct rn_frame frame = {.index = n, .by_field = comes_by_field(n, by_field)};
        paint(&in[n % HELD], n);
        err = rn_exchange_submit(x, &in[n % HELD], &out[n % HELD], &frame, &number[n % HELD]);
        first = n ? first : number[0];
        if (!err && number[n % HELD] != first + n)
            check_bad(&check, "picture %d has the number %d", n, (int)number[n % HELD]);
    }
    int closed = rn_exchange_close(&x);
    for (int i = 0; i < 2; i++)
        free(memory[i]);
    return err ? err : closed;
}

/* ---- comparison */

static void compare(const struct results *got, const struct results *want, const char *text,
                    const char *how)
{
    int different = differing(got, want, want->frames);
    if (got->frames != want->frames || got->measured != want->measured)
        check_bad(&check, "'%s' %s: %d frames and %d measures, not %d and %d", text, how,
                  got->frames, got->measured, want->frames, want->measured);
    if (different)
        check_bad(&check, "'%s' %s: %d of %d frames are others", text, how, different,
                  want->frames);
}

struct setup {
    struct rn_device *devs[2];
    int ndevs, inflight, batch;
    const char *name;
};

/* Four times with one pool: what the first input leaves must not show in the second. */
static void one_setup(const char *text, const struct rn_chain *chain, const struct rn_geom *geom,
                      const struct setup *setup, int frames, bool by_field,
                      const struct results *want)
{
    struct rn_pool *pool = NULL;
    const struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts), .inflight = setup->inflight,
                                      .batch = setup->batch, .by_field = by_field,
                                      .mixed = by_field};
    int err = rn_pool_open(&pool, setup->devs, setup->ndevs, chain, geom, &opts);
    err = err ? err : rn_pool_start(pool);
    lent[0] = lent[1] = 0;
    for (int i = 0; i < (tuned ? 2 : 4) && !err; i++) {
        OWNED(rn_free_owned) struct results *got = calloc(1, sizeof *got);
        int last = rn_chain_count(chain) - 1;
        err = is_stats(chain, last) ? rn_pool_listen(pool, last, take_measure, got) : 0;
        err = err     ? err
              : i < 2 ? run_pool(pool, frames, by_field, got)
                      : run_exchange(pool, frames, by_field, i == 2 ? 0 : 1, i == 3, got);
        compare(got, want, text, setup->name);
    }
    int closed = rn_pool_close(&pool);
    if (err || closed)
        check_bad(&check, "'%s' %s fails: %d, %d", text, setup->name, err, closed);
    if (setup->batch && !tuned && (!lent[0] || !lent[1] != (setup->ndevs > 1)))
        check_bad(&check, "'%s' %s: %d pictures go in and %d out without a copy", text, setup->name,
                  (int)lent[0], (int)lent[1]);
}

static void all_setups(const char *text, const char *format, int frames, bool by_field,
                       const struct setup *setups, int n)
{
    struct rn_geom geom = geometry(format, 67, 41);
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, text);
    OWNED(rn_free_owned) struct results *want = calloc(1, sizeof *want);
    geom.turns = turns;
    int err = chain ? expect(chain, &geom, frames, by_field, want) : RN_EUSAGE;
    if (err)
        check_bad(&check, "'%s' fails by itself: %d", text, err);
    for (int i = 0; i < n && !err; i += is_whole() ? 1 : 2)
        one_setup(text, chain, &geom, &setups[i], frames, by_field, want);
}

static void one_chain(const char *text, const char *format, int frames, bool by_field)
{
    const struct setup setups[] = {
        {{device}, 1, 0, 0, "on the device"},      {{device}, 1, 1, 0, "one in flight"},
        {{device}, 1, 5, 0, "five in flight"},     {{device}, 1, 64, 0, "64 in flight"},
        {{device}, 1, 0, 4, "in batches of 4"},    {{device}, 1, 20, 7, "in batches of 7"},
        {{NULL}, 0, 0, 0, "on the reference path"}};
    all_setups(text, format, frames, by_field, setups, COUNT(setups));
    check_end(&check, "%s, %s, %d frames%s", text, format, frames,
              by_field ? ", some by field"
              : turns  ? ", of stacks in turn"
                       : "");
}

/* Another device beside it: the same one opened once more. */
static void two_devices(const char *text, const char *select)
{
    struct rn_device *other = NULL;
    int err = rn_device_open(&other, select);
    const struct setup setups[] = {{{device, other}, 2, 0, 0, "on two devices"},
                                   {{device, other}, 2, 64, 0, "on two, 64 in flight"},
                                   {{device, other}, 2, 0, 3, "on two, in batches"}};
    if (!err)
        all_setups(text, "yuv420p", 70, false, setups, COUNT(setups));
    if (rn_device_close(&other) || err)
        check_bad(&check, "'%s' on two devices fails: %d", text, err);
    check_end(&check, "%s on two devices", text);
}

/* The one of two devices fails after so many launches, the trial and the warm-up among them. */
static void one_fails(const char *select, bool first, int after)
{
    struct rn_geom geom = geometry("yuv420p", 67, 41);
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, "sharpen,invert");
    OWNED(rn_device_close) struct rn_device *other = NULL;
    OWNED(rn_pool_close) struct rn_pool *pool = NULL;
    OWNED(rn_free_owned)
    struct results *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
    const struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts), .inflight = 4,
                                      .batch = 2}; /* devices are not divided */
    int err = chain ? rn_device_open(&other, select) : RN_EUSAGE;
    err = err ? err : expect(chain, &geom, 70, false, want);
    struct rn_device *devs[] = {device, other};
    rn_log_set_level(RN_LOG_QUIET);
    err = err ? err : rn_pool_open(&pool, devs, 2, chain, &geom, &opts);
    err = err ? err : rn_pool_start(pool);
    atomic_store(&launches, after);
    failing = devs[!first]->run;
    err = err ? err : run_pool(pool, 70, false, got);
    failing = NULL;
    compare(got, want, "sharpen,invert", "with a device that fails");
    *got = (struct results){.frames = 0};
    const uint8_t *own[RN_MAX_INFLIGHT];
    for (int i = 0; i < rn_pool_nslots(pool); i++)
        own[i] = rn_pool_slot(pool, i)->in.plane[0].data;
    err = err ? err : run_exchange(pool, 70, false, 3, true, got);
    for (int i = 0; i < rn_pool_nslots(pool); i++)
        if (rn_pool_slot(pool, i)->in.plane[0].data != own[i])
            check_bad(&check, "slot %d is left with memory of the caller's", i);
    rn_log_set_level(RN_LOG_WARNING);
    compare(got, want, "sharpen,invert", "from other memory, with a device that failed");
    if (err || atomic_load(&launches) >= 0)
        check_bad(&check, "error %d, %d launches left", err, atomic_load(&launches));
    check_end(&check, "the %s of two devices fails after %d launches", first ? "first" : "second",
              after);
}

/* What one lane hands on to the next is no more than what one runner remembers. */
static void tuned_chain(void)
{
    tuned = true;
    one_chain("erosion,stats", "yuv420p", 50, false);
    tuned = false;
}

/* The frame before, in its stack, is some frames back: it may be this lane's, or any other's. */
static void stacks_in_turn(const char *select)
{
    for (turns = 2; turns <= 5; turns += 3) {
        one_chain("erosion,stats", "yuv420p", 50, false);
        one_chain("stats,invert,stats", "gray16", 30, false);
        one_chain("sobel,stats", "grayf32", 20, false);
    }
    tuned_chain();
    two_devices("sharpen,stats", select);
    turns = 0;
}

/* A lane fails after so many launches: those that wait for its frame end, too. */
static void lane_fails(int after, bool exchanges)
{
    struct rn_geom geom = geometry("yuv420p", 67, 41);
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, "invert,stats");
    struct rn_pool *pool = NULL;
    OWNED(rn_free_owned) struct results *got = calloc(1, sizeof *got);
    const struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts), .inflight = 6};
    rn_log_set_level(RN_LOG_QUIET);
    int err = chain ? rn_pool_open(&pool, &device, 1, chain, &geom, &opts) : RN_EUSAGE;
    err = err ? err : rn_pool_start(pool);
    if (err)
        check_bad(&check, "opening: %d", err);
    atomic_store(&launches, after);
    atomic_store(&choose, true);
    err = err         ? err
          : exchanges ? run_exchange(pool, 70, false, 0, true, got)
                      : run_pool(pool, 70, false, got);
    atomic_store(&choose, false);
    failing = NULL;
    rn_log_set_level(RN_LOG_WARNING);
    if (err != RN_EDEVICE)
        check_bad(&check, "error %d", err);
    if (rn_pool_close(&pool))
        check_bad(&check, "OpenCL objects were left alive");
    check_end(&check, "a lane fails after %d launches%s", after, exchanges ? ", from memory" : "");
}

/* What a failed launch takes with it is waited for all the same, and nothing is good that has no
 * result. */
static void waits_behind(int after)
{
    enum { SOME = 6 };
    const struct rn_geom geom = geometry("gray", 67, 41);
    const struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts)};
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, "invert,stats");
    OWNED(rn_pool_close) struct rn_pool *pool = NULL;
    struct rn_exchange *x = NULL;
    uint8_t *memory[SOME];
    struct rn_image image[SOME];
    int failed = 0, err = chain ? rn_pool_open(&pool, &device, 1, chain, &geom, &opts) : RN_EUSAGE;
    err = err ? err : rn_exchange_open(&x, pool, 0);
    rn_log_set_level(RN_LOG_QUIET);
    atomic_store(&launches, after);
    atomic_store(&choose, true);
    for (int i = 0; i < SOME; i++) {
        image[i] = make_image(&geom, &memory[i]);
        memset(image[i].plane[0].data, 5, 67);
        if (!err)
            rn_exchange_submit(x, &image[i], &image[i], NULL, NULL);
    }
    for (int i = 0; i < SOME && !err; i++) {
        bool good = !rn_exchange_wait(x, i);
        failed += !good;
        if (good && image[i].plane[0].data[0] != 250)
            check_bad(&check, "picture %d is good, without a result", i);
    }
    rn_exchange_close(&x);
    atomic_store(&choose, false);
    failing = NULL;
    rn_log_set_level(RN_LOG_WARNING);
    for (int i = 0; i < SOME; i++)
        free(memory[i]);
    if (err || (!failed && atomic_load(&launches) < 0)) /* a device may launch fewer */
        check_bad(&check, "error %d, %d pictures failed", err, failed);
    check_end(&check, "pictures are waited for behind a launch that fails after %d", after);
}

static atomic_bool drains;

static void *drain_often(void *arg)
{
    while (atomic_load(&drains))
        rn_exchange_drain(arg);
    return NULL;
}

/* Inputs end while pictures are submitted, which wait for slots: each of them arrives. */
static void ends_beside(const char *text)
{
    const struct rn_geom geom = geometry("gray", 67, 41);
    const struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts), .inflight = 2};
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, text);
    OWNED(rn_pool_close) struct rn_pool *pool = NULL;
    struct rn_exchange *x = NULL;
    enum { MORE = 16 }; /* than are under way at once */
    uint8_t *memory[MORE];
    struct rn_image image[MORE];
    pthread_t thread;
    for (int i = 0; i < MORE; i++)
        image[i] = make_image(&geom, &memory[i]);
    int err = chain ? rn_pool_open(&pool, NULL, 0, chain, &geom, &opts) : RN_EUSAGE;
    err = err ? err : rn_exchange_open(&x, pool, 2);
    atomic_store(&drains, true);
    if (!err)
        pthread_create(&thread, NULL, drain_often, x);
    for (int i = 0; i < 300 && !err; i++)
        err = rn_exchange_submit(x, &image[i % MORE], i % 3 ? &image[i % MORE] : NULL, NULL, NULL);
    atomic_store(&drains, false);
    if (x)
        pthread_join(thread, NULL);
    int closed = rn_exchange_close(&x);
    if (err || closed)
        check_bad(&check, "%d, %d", err, closed);
    for (int i = 0; i < MORE; i++)
        free(memory[i]);
    check_end(&check, "%s: inputs end while pictures are submitted", text);
}

/* What an exchange refuses changes nothing; the error of a picture comes to who waits for it. */
static void refusals(void)
{
    const struct rn_geom geom = geometry("gray", 67, 41), other = geometry("gray", 66, 41);
    const struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts), .inflight = 2};
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, "invert");
    OWNED(rn_pool_close) struct rn_pool *pool = NULL;
    struct rn_exchange *x = NULL;
    uint8_t *memory[2];
    struct rn_image image = make_image(&geom, &memory[0]), wrong = make_image(&other, &memory[1]);
    int64_t number = -1;
    int err = chain ? rn_pool_open(&pool, &device, 1, chain, &geom, &opts) : RN_EUSAGE;
    rn_log_set_level(RN_LOG_QUIET);
    if (err || rn_exchange_open(&x, pool, 65) != RN_EUSAGE || x || rn_exchange_open(&x, pool, 2))
        check_bad(&check, "65 threads, or 2 (%d)", err);
    paint(&image, 1);
    uint64_t before = hash(&image);
    if (rn_exchange_wait(x, 0) != RN_EUSAGE || rn_exchange_lock(x, memory[0], 0) != RN_EUSAGE ||
        rn_exchange_submit(x, &wrong, NULL, NULL, NULL) != RN_EUSAGE ||
        rn_exchange_submit(x, &image, &wrong, NULL, NULL) != RN_EUSAGE)
        check_bad(&check, "it takes a number or a picture that is none of its own");
    for (int i = 0; i < 6; i++) /* in place */
        if (rn_exchange_submit(x, &image, &image, NULL, &number) || number != i ||
            rn_exchange_wait(x, i) || (hash(&image) == before) == (i % 2 == 0))
            check_bad(&check, "in place, %d", i);
    if (rn_exchange_submit(x, &image, NULL, NULL, NULL) || rn_exchange_wait(x, 6))
        check_bad(&check, "nobody wants the result");
    rn_exchange_drain(x); /* behind which another input begins */
    if (rn_exchange_submit(x, &image, NULL, NULL, NULL) || rn_exchange_wait(x, 7) ||
        rn_exchange_wait(x, 3) || rn_exchange_close(&x) || x || rn_exchange_close(&x))
        check_bad(&check, "another input behind a result that nobody wants; or it is closed twice");
    rn_log_set_level(RN_LOG_WARNING);
    free(memory[0]);
    free(memory[1]);
    check_end(&check, "an exchange refuses what it cannot take, and works in place");
}

int main(int argc, char **argv)
{
    const char *select = option(argc, argv, "--device");
    if (open_device(&device, select) || !device)
        return 5;
    one_chain("sharpen,invert", "yuv420p", 33, false);
    one_chain("noise=seed=3,blur=1", "yuv422p10", 20, false);
    one_chain("erosion,stats", "yuv420p", 70, false);
    one_chain("stats", "gray", 1, false);
    one_chain("closing=slices=2", "gray", 90, false);
    one_chain("closing=slices=2:border=mirror,median=slices=1,stats", "gray16",
              is_whole() ? 149 : 71, false);
    one_chain("dilation=slices=1", "gray", 3, false);
    one_chain("boxblur=2,sobel", "yuv420p", 40, true);
    one_chain("opening=slices=1,stats", "yuv420p", 70, true);
    one_chain("invert,stats=planes=0", "gray", 40, false);
    one_chain("sobel,stats", "grayf32", 40, false);
    one_chain("stats,invert,stats", "gray", 30, false);
    one_chain("boxblur=2,stats", "yuv420p", 40, true);
    tuned_chain();
    stacks_in_turn(select);
    for (int after = 20; after < 28; after += is_whole() ? 1 : 3)
        for (int exchanges = 0; exchanges < 2; exchanges++)
            lane_fails(after, exchanges);
    for (int after = 0; after < 4; after++)
        waits_behind(after);
    two_devices("sharpen,stats", select);
    two_devices("dilation=slices=1,stats", select);
    one_fails(select, true, 0);
    one_fails(select, false, 7);
    one_fails(select, false, 20); /* of the fewest that a device needs for its half, 34 */
    refusals();
    ends_beside("invert");
    ends_beside("median=slices=1");
    return close_device(&device, &check);
}
