/* SPDX-License-Identifier: MIT */
/* The C references: chains over small pictures of every kind. The first four bytes choose format,
 * sides and samples, the rest is the chain. */
#include "tests/fuzz.h"

#include "filters/base/err.h"
#include "filters/core/runner/runner.h"

enum { FRAMES = 3, LARGEST = 13 };

static struct rn_geom choose_geom(const uint8_t bytes[4])
{
    static const char *const names[] = {"gray",     "yuv420p",   "yuv422p10", "yuv444p12",
                                        "gbrp",     "gbrap16",   "gray9",     "gray16",
                                        "yuva420p", "yuv420p16", "gbrp14",    "yuva444p10",
                                        "grays16",  "grayf32",   "gbrpf32",   "gbrps16"};
    struct rn_geom geom = {RN_SIZED(struct rn_geom), .w = 1 + bytes[1] % LARGEST,
                           .h = 1 + bytes[2] % LARGEST};
    FUZZ_CHECK(rn_format_parse(names[bytes[0] % (COUNT(names))], &geom.fmt));
    geom.matrix = (enum rn_colour_matrix)(bytes[3] % 3);
    geom.full_range = geom.fmt.model == RN_RGB || bytes[3] & 4;
    geom.scan = bytes[3] & 8;
    geom.low = -1;
    geom.high = 1000;
    if (geom.scan && bytes[3] & 16)
        geom.rescale = (struct rn_rescale){-0.5, 7, "HU"};
    return geom;
}

static void fill(struct rn_slot *slot, const struct rn_geom *geom, int64_t frame, uint32_t seed)
{
    uint32_t state = seed * 2654435761u + (uint32_t)frame;
    const struct rn_format *fmt = &geom->fmt;
    enum rn_sample sample = rn_format_sample(fmt);
    int most = fmt->number == RN_NUMBER_UNSIGNED ? rn_format_max(fmt) : 65535;
    int least = fmt->number == RN_NUMBER_SIGNED ? rn_format_min(fmt) : 0;
    slot->frame = (struct rn_frame){.index = frame};
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
        struct rn_plane *plane = &slot->in.plane[p];
        for (int i = 0; i < plane->w * plane->h; i++) {
            state = state * 1664525u + 1013904223u;
            int v = (int)(state >> 8) % (most + 1);
            v = seed % 4 == 0 ? most : seed % 4 == 1 ? most * (v & 1) : v;
            union rn_float_bits f = {.value = (float)(v + least)};
            if (sample == RN_SAMPLE_F32 && seed % 4 == 2) /* any bits */
                f.bits = (int32_t)state;
            rn_sample_put(plane, sample, i % plane->w, i / plane->w, f.value);
        }
    }
}

/* Samples lie within the format's range. */
static void expect_range(const struct rn_image *img)
{
    if (img->geom.fmt.number != RN_NUMBER_UNSIGNED)
        return;
    int most = rn_format_max(&img->geom.fmt), bytes = rn_format_bytes(&img->geom.fmt);
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++)
        for (int i = 0; i < img->plane[p].w * img->plane[p].h; i++)
            FUZZ_CHECK(rn_plane_get(&img->plane[p], bytes, i % img->plane[p].w,
                                    i / img->plane[p].w) <= most);
}

static int take_ready(struct rn_runner *runner, int *given)
{
    int err = 0;
    for (struct rn_slot *slot; !err && (slot = rn_runner_ready(runner)) != NULL; ++*given) {
        err = rn_runner_wait(runner, slot);
        if (!err)
            expect_range(&slot->out);
        err = err ? err : rn_runner_recycle(runner, slot);
    }
    return err;
}

static void run(const struct rn_chain *chain, const struct rn_geom *geom, uint32_t seed)
{
    OWNED(rn_runner_close) struct rn_runner *runner = NULL;
    int given = 0, err = rn_runner_open(&runner, NULL, chain, geom, FRAMES);
    if (err)
        return; /* refused */
    for (int n = 0; n < FRAMES && !err; n++) {
        struct rn_slot *slot = rn_runner_slot(runner, n);
        fill(slot, geom, n, seed);
        err = rn_runner_submit(runner, slot);
        err = err ? err : take_ready(runner, &given);
    }
    err = err ? err : rn_runner_drain(runner);
    err = err ? err : take_ready(runner, &given);
    FUZZ_CHECK(err || given == FRAMES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4 || memchr(data, '/', size) || memchr(data, '@', size))
        return -1;
    struct rn_geom geom = choose_geom(data);
    struct rn_chain *chain = NULL;
    OWNED(rn_free_owned) char *text = rn_fuzz_text(data + 4, size - 4);
    bool tried = !rn_chain_parse(&chain, text) && rn_chain_count(chain) <= 4;
    if (tried)
        run(chain, &geom, data[3]);
    rn_chain_destroy(&chain);
    rn_intern_reset();
    return tried ? 0 : -1;
}
