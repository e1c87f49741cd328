/* SPDX-License-Identifier: MIT */
/* Chains are data: any number of runners go by one chain, a change is taken over as a whole or not
 * at all, and it never disturbs a frame. All is compared with a fresh runner. WHOLE=1:
 * optimized kernels.
 *
 *   bound [--device SEL] [--seed N] */
#include "tests/streams.h"

#include "filters/base/clock.h"

#include <pthread.h>
#include <sched.h>

enum { FRAMES = 4, ROUNDS = 1000 };

static struct check check;
static struct rn_device *device;
static uint64_t seed;

/* ---- frames */

static int submit(struct rn_runner *r, int n)
{
    struct rn_slot *slot = rn_runner_slot(r, n % rn_runner_nslots(r));
    paint(&slot->in, n);
    slot->frame = (struct rn_frame){.index = n, .pts = n, .time = n / 25.0};
    return rn_runner_submit(r, slot);
}

/* Frames [first, last) of a stream that begins with the first, from a runner of its own. */
static int fresh(struct rn_device *dev, const struct rn_chain *chain, const struct rn_geom *geom,
                 int first, int last, struct results *results)
{
    struct rn_runner *r = NULL;
    int err = rn_runner_open(&r, dev, chain, geom, 1);
    for (int n = first; n < last && !err; n++) {
        err = submit(r, n);
        err = err ? err : collect(r, results);
    }
    err = err ? err : collect_all(r, results);
    rn_runner_close(&r);
    return err;
}

/* ---- two runners on one chain */

struct bound {
    struct rn_device *dev;
    struct rn_geom geom;
    struct rn_runner *runner;
    struct results got, want;
};

static void compare(const struct bound *b, const char *text)
{
    for (int n = 0; n < FRAMES; n++)
        if (b->got.hash[n] != b->want.hash[n])
            check_bad(&check, "'%s', %dx%d%s: frame %d is another one", text, b->geom.w, b->geom.h,
                      b->dev ? " on the device" : "", n);
}

/* Four runners, of two sizes, on the device and on the reference path, frame by frame in turn. */
static void share(const char *text, bool has_reference)
{
    struct bound b[4] = {{.dev = NULL, .geom = geometry("yuv420p", 64, 48)},
                         {.dev = device, .geom = geometry("gbrp10", 32, 24)},
                         {.dev = device, .geom = geometry("yuv420p", 64, 48)},
                         {.dev = NULL, .geom = geometry("gbrp10", 32, 24)}};
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, text);
    int err = chain ? 0 : RN_EUSAGE;
    for (int i = 0; i < 4 && !err; i++)
        if (b[i].dev || has_reference)
            err = rn_runner_open(&b[i].runner, b[i].dev, chain, &b[i].geom, 2);
    for (int n = 0; n <= FRAMES && !err; n++)
        for (int i = 0; i < 4 && !err; i++) {
            struct rn_runner *r = b[i].runner;
            err = !r ? 0 : n < FRAMES ? submit(r, n) : rn_runner_drain(r);
            err = err || !r ? err : collect(r, &b[i].got);
        }
    for (int i = 0; i < 4; i++) {
        struct rn_device *truth = has_reference ? NULL : device;
        if (!err && b[i].runner)
            err = fresh(truth, chain, &b[i].geom, 0, FRAMES, &b[i].want);
        if (!err && b[i].runner)
            compare(&b[i], text);
        rn_runner_close(&b[i].runner);
    }
    if (err)
        check_bad(&check, "'%s': error %d", text, err);
}

static const char *const chains[] = {
    "convolution=preset=sharpen,closing=shape=disk:radius=2",
    "levels=gamma=0.5,blur=1.5:planes=7,threshold=otsu=1:planes=2",
    "median=radius=3,format=gray12,equalize,noise=sigma=3",
    "closing=shape=disk:radius=2:slices=1,stats,erosion",
    "median=slices=1:planes=7,boxblur=radius=4,gray,format=yuv420p",
    "format=gbrpf32:values=range,boxblur=radius=2,stats,median=radius=3,levels=gamma=2,equalize",
    "format=gray:values=range,format=grays16,opening=slices=1:border=zero,noise,threshold=otsu=1",
    "tophat=slices=1:planes=3:border=zero,gradient=slices=1,sobel=planes=7",
    "convolution=matrix='1 2 3 2 1 2 4 6 4 2 3 6 9 6 3 2 4 6 4 2 1 2 3 2 1',dilation=planes=7"};

static void sharing(void)
{
    for (int i = 0; rn_registry[i]; i++)
        if (!rn_registry[i]->reload)
            share(rn_registry[i]->name, rn_registry[i]->ref != NULL);
    for (int i = 0; i < COUNT(chains); i++)
        share(chains[i], true);
    check_end(&check, "runners of two sizes, on the device and without, share each chain");
}

/* ---- changes */

/* Another value of a row that may change while running. */
static void vary(struct rng *rng, const struct rn_param *row, void *params)
{
    double span = row->max - row->min;
    const char *text;
    if (row->type == RN_CHOICE)
        text = row->choices[rng_below(rng, (int)row->max + 1)];
    else if (row->type == RN_INT) /* mostly small ones: references of large elements are slow */
        text = formatted("%d", (int)(row->min + rng_below(rng, span < 4 ? (int)span + 1 : 4)));
    else
        text = formatted("%.6g", row->min + rng_unit(rng) * span);
    if (rn_param_parse(row, "test", text, params))
        check_bad(&check, "%s=%s is refused", row->name, text);
}

/* A change that every runner refuses: a convolution with a matrix and a preset. */
static void spoil(struct rn_chain *chain)
{
    struct rn_stage *last = rn_chain_stage(chain, rn_chain_count(chain) - 1);
    rn_stage_set(last, rn_param_find(last->table, "preset"), "outline");
}

static int update_quietly(struct rn_runner *r, const struct rn_chain *chain)
{
    enum rn_log_level level = rn_log_level();
    rn_log_set_level(RN_LOG_QUIET);
    int err = rn_runner_update(r, chain);
    rn_log_set_level(level);
    return err;
}

/* The frame after a refused change is that of a runner that never heard of it. */
static void refuse_row(struct rn_device *dev, const struct rn_stage_desc *desc,
                       const struct rn_param *row, struct rng *rng)
{
    struct rn_geom geom = geometry("gbrp", 20, 13);
    OWNED(rn_runner_close) struct rn_runner *r = NULL;
    struct results got = {.frames = 0}, want = {.frames = 0};
    const char *text = formatted("%s,convolution=matrix=1", desc->name);
    OWNED(rn_chain_destroy)
    struct rn_chain *chain = parse_chain(&check, text), *draft = rn_chain_copy(chain);
    vary(rng, row, rn_chain_stage(draft, 0)->params);
    spoil(draft);
    int err = rn_runner_open(&r, dev, chain, &geom, 1);
    for (int n = 0; n < 3 && !err; n++) {
        if (update_quietly(r, draft) != RN_EUSAGE)
            check_bad(&check, "%s.%s: the change is not refused", desc->name, row->name);
        err = submit(r, n);
        err = err ? err : collect(r, &got);
    }
    err = err ? err : fresh(NULL, chain, &geom, 0, 3, &want);
    if (err || differing(&got, &want, 3))
        check_bad(&check, "%s.%s: a refused change is seen in a frame (%d)", desc->name, row->name,
                  err);
}

static void refusing(void)
{
    struct rng rng = rng_seed(seed);
    for (int i = 0; rn_registry[i]; i++)
        for (const struct rn_param *row = rn_registry[i]->params; row->name; row++)
            if (!row->fixed && !rn_registry[i]->reload) {
                refuse_row(NULL, rn_registry[i], row, &rng);
                refuse_row(device, rn_registry[i], row, &rng);
            }
    check_end(&check, "a refused change leaves the next frame as it was: each parameter");
}

/* ---- random changes */

static const char *const tuned[] = {
    "levels,blur=1,threshold=planes=2,median=radius=2,convolution=matrix='1 2 1 2 4 2 1 2 1'",
    "closing=shape=disk:radius=2,noise=sigma=3,equalize,sharpen,convolution=matrix='0 1 0 1 2 1 0 "
    "1 0'",
    "gray,boxblur=radius=2,erosion,format=yuv420p,sobel,convolution=matrix='.1 .2 .3 .4 .5 .6 .7 "
    ".8 .9'",
    "invert,gradient,tophat=radius=2,emboss,convolution=preset=identity:matrix=1"};

/* One to three rows of stages, or a stage on or off. */
static void edit(struct rng *rng, struct rn_chain *chain)
{
    for (int k = rng_below(rng, 3); k >= 0; k--) {
        struct rn_stage *stage = rn_chain_stage(chain, rng_below(rng, rn_chain_count(chain)));
        int rows = 0;
        while (stage->table[rows].name)
            rows++;
        const struct rn_param *row = rows ? &stage->table[rng_below(rng, rows)] : NULL;
        if (row && !row->fixed && strcmp(row->name, "preset") != 0)
            vary(rng, row, stage->params);
        else
            stage->on = !stage->on;
    }
}

/* Frame n of a runner that goes by chain, after another frame or more. */
static uint64_t expected(const struct rn_chain *chain, const struct rn_geom *geom, int n)
{
    struct results results = {.frames = 0};
    int err = fresh(NULL, chain, geom, n, n + 1, &results);
    if (err)
        check_bad(&check, "a fresh runner fails: %d", err);
    return results.hash[n];
}

struct tally {
    int taken, refused;
};

/* One change, one frame. */
static int turn(struct rn_runner *r, struct rn_chain **chain, struct rng *rng, int n,
                struct tally *tally, struct results *results)
{
    struct rn_chain *draft = rn_chain_copy(*chain);
    edit(rng, draft);
    if (n % 3 == 0)
        spoil(draft);
    int err = update_quietly(r, draft);
    if (!err) {
        struct rn_chain *before = *chain;
        *chain = draft;
        draft = before;
        tally->taken++;
    }
    tally->refused += err == RN_EUSAGE;
    rn_chain_destroy(&draft);
    err = err == RN_EUSAGE ? 0 : err;
    err = err ? err : submit(r, n);
    return err ? err : collect(r, results);
}

static void tune(struct rn_device *dev, const char *text, int rounds, struct rng *rng,
                 struct tally *tally)
{
    static struct results results;
    struct rn_geom geom = geometry("yuv420p", 24, 17);
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, text);
    OWNED(rn_runner_close) struct rn_runner *r = NULL;
    int err = chain ? rn_runner_open(&r, dev, chain, &geom, 2) : RN_EUSAGE;
    for (int n = 0; n < rounds && !err; n++) {
        err = turn(r, &chain, rng, n, tally, &results);
        if (!err && results.hash[n] != expected(chain, &geom, n)) {
            OWNED(rn_free_owned) char *now = rn_chain_format(chain);
            check_bad(&check, "frame %d is disturbed%s; chain %s", n, dev ? " on the device" : "",
                      now);
        }
    }
    if (err)
        check_bad(&check, "'%s': error %d", text, err);
}

static void tuning(void)
{
    struct rng rng = rng_seed(seed);
    struct tally tally = {0, 0};
    for (int i = 0; i < COUNT(tuned); i++) {
        tune(NULL, tuned[i], ROUNDS / COUNT(tuned) / 2, &rng, &tally);
        tune(device, tuned[i], ROUNDS / COUNT(tuned) / 2, &rng, &tally);
    }
    if (tally.refused * 3 < ROUNDS)
        check_bad(&check, "only %d of %d were refused", tally.refused, ROUNDS);
    check_end(&check, "%d random changes, %d of them refused: no frame is disturbed",
              tally.taken + tally.refused, tally.refused);
}

/* ---- frames that are filtered again */

/* As who has other things to do meanwhile. */
static int wait_by_asking(struct rn_runner *r, struct rn_slot *slot)
{
    double end = rn_clock() + 60;
    while (!rn_runner_done(r, slot) && rn_clock() < end)
        sched_yield();
    if (!rn_runner_done(r, slot))
        check_bad(&check, "a frame does not become done");
    int err = rn_runner_wait(r, slot);
    if (!err && !rn_runner_done(r, slot))
        check_bad(&check, "a frame that was waited for is not done");
    return err;
}

/* A preview: frames come, one is shown, and changes have it filtered again. */
static void keep(struct rn_device *dev, const char *text, struct rng *rng)
{
    enum { N = 12 };
    struct results want = {.frames = 0};
    struct rn_geom geom = geometry("gray", 24, 17);
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, text);
    OWNED(rn_runner_close) struct rn_runner *r = NULL;
    struct rn_slot *shown = NULL, *slot;
    int err = rn_runner_open(&r, dev, chain, &geom, 2 + 3), free_slots = 0, n = 0;
    struct rn_slot *idle[64];
    if (!err)
        rn_runner_keep(r);
    for (int i = 0; !err && i < rn_runner_nslots(r); i++)
        idle[free_slots++] = rn_runner_slot(r, i);
    while (!err && n <= N) {
        if (n < N && free_slots) {
            slot = idle[--free_slots];
            paint(&slot->in, n);
            slot->frame = (struct rn_frame){.index = n};
            err = rn_runner_submit(r, slot);
        } else if (n < N) {
            check_bad(&check, "'%s': no slot is free", text);
            break;
        } else {
            err = rn_runner_drain(r);
        }
        n++;
        while (!err && (slot = rn_runner_ready(r)) != NULL) {
            err = rn_runner_wait(r, slot);
            err = err || !shown ? err : rn_runner_recycle(r, shown);
            shown = slot;
            struct rn_slot *gone;
            while ((gone = rn_runner_free(r)) != NULL)
                idle[free_slots++] = gone;
            struct rn_chain *draft = rn_chain_copy(chain);
            vary(rng, rn_param_find(rn_chain_stage(draft, 0)->table, "radius"),
                 rn_chain_stage(draft, 0)->params);
            err = err ? err : rn_runner_update(r, draft);
            rn_chain_destroy(&chain);
            chain = draft;
            err = err ? err : rn_runner_again(r);
            err = err ? err : wait_by_asking(r, shown);
            err = err ? err : fresh(NULL, chain, &geom, 0, N, &want);
            int delay = rn_runner_delay(r), index = (int)shown->frame.index;
            bool whole = n > N || index + delay < n;
            if (!err && whole && hash(&shown->out) != want.hash[index])
                check_bad(&check, "'%s'%s: frame %d, filtered again, is another one", text,
                          dev ? " on the device" : "", index);
        }
    }
    if (err)
        check_bad(&check, "'%s': error %d", text, err);
}

/* What a preview shows beside the first picture. */
static void measures_at_once(struct rn_device *dev)
{
    struct rn_geom geom = geometry("gray", 24, 17);
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, "invert,stats");
    OWNED(rn_runner_close) struct rn_runner *r = NULL;
    char text[256] = "";
    const uint64_t *histogram = NULL;
    int nbins = 0;
    int err = rn_runner_open(&r, dev, chain, &geom, 1);
    if (!err) {
        rn_runner_keep(r);
        err = submit(r, 0);
    }
    err = err ? err : rn_runner_wait(r, rn_runner_ready(r));
    if (!err)
        rn_runner_show(r, text, sizeof text, &histogram, &nbins);
    if (err || !*text || !histogram || nbins < 1)
        check_bad(&check, "the first frame of a preview has no measures (error %d)", err);
}

static void keeping(void)
{
    static const char *const late[] = {"closing=slices=1", "median=slices=2", "erosion",
                                       "tophat=slices=1:border=clamp,invert,dilation=slices=1"};
    struct rng rng = rng_seed(seed);
    for (int i = 0; i < COUNT(late); i++) {
        keep(NULL, late[i], &rng);
        keep(device, late[i], &rng);
    }
    measures_at_once(NULL);
    measures_at_once(device);
    check_end(&check, "frames that are kept are filtered again as a fresh runner filters them");
}

/* ---- threads */

struct worker {
    struct rn_geom geom;
    const char *text;
    int err, wrong;
};

/* Many frames through a runner of its own, on the device that all share. */
static void *work(void *arg)
{
    enum { N = 60 };
    struct worker *w = arg;
    struct results got = {.frames = 0}, want = {.frames = 0};
    OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    w->err = rn_chain_parse(&chain, w->text);
    w->err = w->err ? w->err : fresh(device, chain, &w->geom, 0, N, &got);
    w->err = w->err ? w->err : fresh(NULL, chain, &w->geom, 0, N, &want);
    w->wrong = differing(&got, &want, N);
    return NULL;
}

static void threads(void)
{
    struct worker w[] = {
        {geometry("gray", 31, 17), "blur=1.3,dilation=radius=2,invert", 0, 0},
        {geometry("gray", 24, 40), "blur=3,dilation=radius=1,invert", 0, 0},
        {geometry("gray", 50, 9), "blur=0.7,dilation=radius=3,levels=gamma=2", 0, 0}};
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        if (pthread_create(&thread[i], NULL, work, &w[i]))
            abort();
    for (int i = 0; i < 3; i++) {
        pthread_join(thread[i], NULL);
        if (w[i].err || w[i].wrong)
            check_bad(&check, "'%s': error %d, %d frames are others", w[i].text, w[i].err,
                      w[i].wrong);
    }
    check_end(&check, "threads with a runner each share a device");
}

/* ---- what the contracts say */

static int again(struct rn_runner *r, struct rn_slot *slot)
{
    rn_runner_keep(r);
    int err = rn_runner_submit(r, slot);
    err = err || rn_runner_ready(r) != slot ? RN_EDEVICE : rn_runner_wait(r, slot);
    err = err ? err : rn_runner_recycle(r, slot);
    return err ? err : rn_runner_recycle(r, slot);
}

static void misuse(struct rn_device *dev)
{
    struct rn_geom geom = geometry("gray", 20, 10);
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, "invert");
    OWNED(rn_runner_close) struct rn_runner *r = NULL;
    CHECK_EQ(&check, rn_runner_open(&r, dev, chain, &geom, 2), 0);
    struct rn_slot *slot = rn_runner_slot(r, 0);
    rn_log_set_level(RN_LOG_QUIET);
    CHECK_EQ(&check, rn_runner_wait(r, slot), RN_EUSAGE);
    CHECK_EQ(&check, rn_runner_recycle(r, slot), 0);
    CHECK_EQ(&check, rn_runner_submit(r, slot), 0);
    CHECK_EQ(&check, rn_runner_submit(r, slot), RN_EUSAGE);
    CHECK_EQ(&check, rn_runner_wait(r, slot), 0);
    CHECK_EQ(&check, rn_runner_recycle(r, slot), 0);
    CHECK_EQ(&check, again(r, slot), RN_EUSAGE);
    rn_log_set_level(RN_LOG_WARNING);
}

/* A parameter that is fixed does not move; one that says the same again disturbs nothing, not even
 * a chain that starts again after a change. */
static void moves(struct rn_device *dev)
{
    struct results got = {.frames = 0}, want = {.frames = 0};
    struct rn_geom geom = geometry("gray", 20, 10);
    OWNED(rn_chain_destroy)
    struct rn_chain *chain = parse_chain(&check, "median=slices=1"),
                    *other = parse_chain(&check, "median=slices=2");
    OWNED(rn_runner_close) struct rn_runner *r = NULL;
    CHECK_EQ(&check, rn_runner_open(&r, dev, chain, &geom, 2), 0);
    for (int n = 0; n < FRAMES; n++) {
        CHECK_EQ(&check, submit(r, n), 0);
        CHECK_EQ(&check, collect(r, &got), 0);
        CHECK_EQ(&check, update_quietly(r, other), RN_EUSAGE);
        CHECK_EQ(&check, rn_runner_update(r, chain), 0);
    }
    CHECK_EQ(&check, collect_all(r, &got), 0);
    CHECK_EQ(&check, fresh(NULL, chain, &geom, 0, FRAMES, &want), 0);
    CHECK_EQ(&check, differing(&got, &want, FRAMES), 0);
}

/* ---- stage by stage */

/* The chain with no other stage on than this one. */
static struct rn_chain *only(const struct rn_chain *chain, int stage)
{
    struct rn_chain *one = rn_chain_copy(chain);
    for (int i = 0; one && i < rn_chain_count(one); i++)
        rn_chain_stage(one, i)->on = rn_chain_stage(one, i)->on && i == stage;
    return one;
}

/* Passes img through the chain, by a runner of its own. */
static int pass(struct rn_device *dev, const struct rn_chain *chain, struct rn_image *img)
{
    OWNED(rn_runner_close) struct rn_runner *r = NULL;
    int err = rn_runner_open(&r, dev, chain, &img->geom, 1);
    struct rn_slot *slot = err ? NULL : rn_runner_slot(r, 0);
    if (slot) {
        rn_image_copy(img, &slot->in);
        slot->frame = (struct rn_frame){.index = 3};
        err = rn_runner_submit(r, slot);
        err = err ? err : rn_runner_wait(r, slot);
    }
    if (slot && !err) {
        rn_image_copy(&slot->out, img);
        err = rn_runner_recycle(r, slot);
    }
    return err;
}

/* Of stages that write a plane where it is, in every place of a chain. */
static const char *const stepped[] = {
    "levels=black=9:gamma=2,invert",
    "sharpen,levels=black=9,closing=radius=2,invert,threshold=otsu=1:values=range",
    "invert=planes=1,blur=1:planes=6,noise=seed=4,levels=black=20,median,equalize",
    "gradient,stats,invert,noise=type=salt-and-pepper,stats,sobel=planes=2,threshold=90:values="
    "range"};

static void by_stages(struct rn_device *dev, const char *text, const char *format)
{
    struct rn_geom geom = geometry(format, 75, 40);
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, text);
    OWNED(rn_image_free) struct rn_image once = {0}, by_stage = {0};
    int err = rn_image_alloc(&once, &geom);
    err = err ? err : rn_image_alloc(&by_stage, &geom);
    if (!err) {
        paint(&once, 5);
        paint(&by_stage, 5);
        err = pass(dev, chain, &once);
    }
    for (int i = 0; i < rn_chain_count(chain) && !err; i++) {
        OWNED(rn_chain_destroy) struct rn_chain *one = only(chain, i);
        err = one ? pass(NULL, one, &by_stage) : RN_EINTERNAL;
    }
    CHECK_EQ(&check, err, 0);
    if (!err && hash(&once) != hash(&by_stage))
        check_bad(&check, "'%s' on %s%s is not what its stages make of it", text, format,
                  dev ? " on the device" : "");
}

static void stages(void)
{
    for (int i = 0; i < COUNT(stepped); i++) {
        by_stages(NULL, stepped[i], "yuv420p");
        by_stages(device, stepped[i], "yuv420p");
        by_stages(device, stepped[i], "gbrp16");
        by_stages(device, stepped[i], "gbrpf32");
    }
    check_end(&check, "a chain gives what its stages give one after the other");
}

static void contracts(void)
{
    misuse(NULL);
    misuse(device);
    moves(NULL);
    moves(device);
    check_end(&check,
              "slots out of turn and fixed parameters are refused, and nothing is disturbed");
}

int main(int argc, char **argv)
{
    const char *given = option(argc, argv, "--seed");
    seed = given ? strtoull(given, NULL, 10) : 1;
    if (open_device(&device, option(argc, argv, "--device")))
        return 5;
    sharing();
    refusing();
    tuning();
    keeping();
    threads();
    stages();
    contracts();
    return close_device(&device, &check);
}
