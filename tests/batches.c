/* SPDX-License-Identifier: MIT */
/* Frames that are submitted together come out as they do one by one: every filter, every type of
 * sample, batches that are full, that end early and that begin in the middle, frames by field among
 * them, and settings that change between two batches. WHOLE=1: with optimized kernels.
 *
 *   batches [--device SEL] [--seed N] */
#include "tests/streams.h"

enum { BATCH = 5, FRAMES = 13 };

static struct check check;
static struct rn_device *device;

/* Slots from the first one of a batch on, and how many. */
static const struct {
    int slot, n;
} groups[] = {{0, 5}, {5, 1}, {6, 3}, {9, 1}, {0, 2}, {2, 1}};

static void fill(struct rn_slot *slot, int frame, bool by_field)
{
    paint(&slot->in, frame);
    slot->frame = (struct rn_frame){.index = frame, .by_field = by_field && frame % 3 != 1};
}

static int open_runner(struct rn_runner **r, const struct rn_chain *chain,
                       const struct rn_geom *geom, int nslots, int batch, struct results *results)
{
    int err = rn_runner_open_batches(r, device, chain, geom, nslots, batch);
    for (int i = 0; !err && i < rn_chain_count(chain); i++)
        err = is_stats(chain, i) ? rn_runner_listen(*r, i, take_measure, results) : 0;
    return err ? err : rn_runner_start(*r);
}

/* In batches, or one by one. later: the settings from frame BATCH on. */
static int run(const struct rn_chain *chain, const struct rn_chain *later,
               const struct rn_geom *geom, bool batched, bool by_field, struct results *results)
{
    OWNED(rn_runner_close) struct rn_runner *r = NULL;
    int err = open_runner(&r, chain, geom, batched ? 2 * BATCH : 1, batched ? BATCH : 1, results);
    for (int g = 0, frame = 0; frame < FRAMES && (!batched || g < COUNT(groups)) && !err; g++) {
        int at = batched ? groups[g].slot : frame % rn_runner_nslots(r);
        int n = batched ? groups[g].n : 1;
        struct rn_slot *slot = rn_runner_slot(r, at);
        for (int k = 0; k < n; k++)
            fill(slot + k, frame + k, by_field);
        err = frame == BATCH ? rn_runner_update(r, later) : 0;
        if (!err)
            err = batched ? rn_runner_submit_several(r, slot, n) : rn_runner_submit(r, slot);
        err = err ? err : collect(r, results);
        frame += n;
    }
    return err ? err : collect_all(r, results);
}

static void one(const char *text, const char *later_text, const char *format, bool by_field)
{
    struct rn_geom geom = geometry(format, 67, 41);
    OWNED(rn_chain_destroy) struct rn_chain *chain = NULL, *later = NULL;
    OWNED(rn_free_owned)
    struct results *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
    geom.low = -16;
    geom.high = 16;
    int err = rn_chain_parse(&chain, text);
    err = err ? err : rn_chain_parse(&later, later_text ? later_text : text);
    err = err ? err : run(chain, later, &geom, false, by_field, want);
    err = err ? err : run(chain, later, &geom, true, by_field, got);
    int different = differing(got, want, FRAMES);
    if (err || different)
        check_bad(&check, "'%s', %s: error %d, %d of %d frames are others", text, format, err,
                  different, FRAMES);
}

static const char *const chains[] = {
    "sharpen",
    "convolution=preset=outline:border=mirror",
    "convolution=matrix='1 2 3 4 5 6 7 8 9 1 2 3 4 5 6':size=5x3:border=wrap",
    "prewitt",
    "sobel=border=zero",
    "roberts",
    "laplacian",
    "emboss",
    "invert",
    "blur=0.8",
    "blur=3:border=zero",
    "boxblur=1",
    "boxblur=9:border=mirror",
    "median=1",
    "median=2:border=wrap",
    "median=4:percentile=20",
    "median=7",
    "median=11",
    "erosion=shape=square:radius=3",
    "dilation=shape=disk:radius=6:border=mirror",
    "closing=shape=cross:radius=2",
    "closing=shape=disk:radius=7:border=zero",
    "closing=shape=square:radius=15:iterations=2:border=zero",
    "opening=shape=square:radius=2:iterations=3",
    "gradient=shape=disk:radius=4",
    "tophat=shape=square:radius=1:border=clamp",
    "blackhat=shape=cross:radius=3:border=zero",
    "equalize",
    "noise=seed=5",
    "threshold=otsu=1",
    "stats",
    "sharpen,closing=shape=disk:radius=2,stats,invert,blur=1,median=1",
    "erosion,invert", /* stages that may write where they read, behind one that moves planes */
    "blur=1,levels=black=20:white=200,threshold=90",
    "median=1,equalize,invert,dilation=shape=disk:radius=3,noise=seed=4,invert"};

static const char *const across[] = {
    "dilation=slices=1",
    "erosion=slices=2:shape=square:border=clamp",
    "closing=slices=2:border=zero:radius=2:shape=disk",
    "closing=slices=1:iterations=2:border=mirror",
    "gradient=slices=1",
    "tophat=slices=2:border=zero",
    "blackhat=slices=1:shape=disk:radius=5",
    "median=slices=1",
    "blur=1,opening=slices=1:planes=7,stats,dilation=slices=2,invert"};

/* Every step-th filter. */
static void all_filters(const char *format, size_t first, size_t step)
{
    for (size_t i = first; i < COUNT(chains); i += step)
        one(chains[i], NULL, format, false);
    check_end(&check, "filters, %s", format);
}

int main(int argc, char **argv)
{
    if (open_device(&device, option(argc, argv, "--device")) || !device)
        return 5;
    all_filters("yuv420p", 0, 1);
    all_filters("gray16", 0, 2);
    all_filters("grays16", 0, 3);
    all_filters("grayf32", 1, 3);
    all_filters("gbrp", 2, 3);
    one("levels=black=20:white=200,threshold=90", NULL, "yuv420p", false);
    one("sharpen=planes=7,closing=shape=disk:radius=3:planes=7", NULL, "yuv422p", false);
    one("format=gray,blur=2,format=yuv422p", NULL, "yuv420p", false);
    check_end(&check, "levels, other planes and formats");
    for (int i = 0; i < COUNT(across); i++)
        one(across[i], NULL, i % 2 ? "gray16" : "yuv420p", false);
    check_end(&check, "filters across frames");
    one("sharpen,boxblur=2", NULL, "yuv420p", true);
    one("sharpen,dilation=slices=1,stats", NULL, "gray", true);
    one("closing=radius=2,stats,invert", NULL, "gray", true);
    check_end(&check, "some frames by field");
    one("blur=1,closing=shape=square:radius=2", "blur=4,closing=shape=square:radius=9", "yuv420p",
        false);
    one("closing=radius=1:border=zero,median=1", "closing=radius=12:border=zero,median=3", "gray16",
        false);
    check_end(&check, "settings that change between batches");
    return close_device(&device, &check);
}
