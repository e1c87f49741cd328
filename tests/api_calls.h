/* Random calls of the library with random, partly valid arguments, on the C path; the same for the
 * same bytes. Whatever comes, nothing crashes, and what is closed leaves nothing. */
#ifndef RN_TESTS_API_CALLS_H
#define RN_TESTS_API_CALLS_H

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "filters/runnel.h"

struct api {
    const uint8_t *data; /* what decides; random numbers follow when they end */
    size_t size;
    uint64_t state;
    struct rn_chain *chain[3];
    struct rn_runner *runner[2];
};

static unsigned api_next(struct api *a, unsigned below)
{
    if (a->size) {
        a->state += *a->data++ + 1;
        a->size--;
    }
    a->state = a->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(a->state >> 33) % below;
}

/* Mostly least..most, at times what no range has. */
static int api_number(struct api *a, int least, int most)
{
    static const int odd[] = {0, -1, 7, 65536, INT_MAX, INT_MIN};
    return api_next(a, 12) ? least + (int)api_next(a, (unsigned)(most - least) + 1)
                           : odd[api_next(a, 6)];
}

static struct rn_geom api_geom(struct api *a)
{
    static const char *const names[] = {"gray", "yuv420p", "gbrp16", "grayf32", "gray10"};
    struct rn_geom geom = {RN_SIZED(struct rn_geom), .high = 1};
    rn_format_parse(names[api_next(a, 5)], &geom.fmt);
    geom.w = api_number(a, 1, 12);
    geom.h = api_number(a, 1, 12);
    int *const any[] = {&geom.fmt.depth, &geom.fmt.sub_x, &geom.fmt.sub_y, &geom.turns};
    if (!api_next(a, 8))
        *any[api_next(a, 4)] = api_number(a, -2, 33);
    if (!api_next(a, 16))
        geom.size = api_next(a, 2) * 8;
    if ((int64_t)geom.w * geom.h > 1 << 20) /* right, and too large for here */
        geom.w = geom.h = 1;
    return geom;
}

static struct rn_slot *api_slot(struct api *a, struct rn_runner *r)
{
    static struct rn_slot none;
    return api_next(a, 16) && r ? rn_runner_slot(r, api_number(a, 0, 2)) : &none;
}

static void api_chain_call(struct api *a, struct rn_chain **chain)
{
    static const char *const texts[] = {"invert",
                                        "blur=2,stats",
                                        "median=slices=1",
                                        "levels",
                                        "otsu=,,'",
                                        "threshold=40hu",
                                        "",
                                        "format=gray16,noise",
                                        "stats,stats",
                                        "closing=radius=9"};
    static const char *const names[] = {"p", "radius", "enable", "planes", "none", NULL};
    static const char *const values[] = {"1", "0", "3", "-1", "1e99", "nan", NULL};
    struct rn_chain *other = a->chain[api_next(a, 3)];
    const char *text = texts[api_next(a, 10)];
    int i = api_number(a, 0, 2);
    switch (*chain || !api_next(a, 8) ? (int)api_next(a, 9) : 0) {
    case 0:
        rn_chain_destroy(chain);
        rn_chain_parse(chain, text);
        break;
    case 1:
        rn_chain_set(*chain, i, names[api_next(a, 6)], values[api_next(a, 7)]);
        break;
    case 2:
        rn_chain_insert(*chain, i, text);
        break;
    case 3:
        rn_chain_remove(*chain, i);
        break;
    case 4:
        rn_chain_move(*chain, i, api_number(a, 0, 2));
        break;
    case 5:
        rn_chain_switch(*chain, i, api_next(a, 2));
        break;
    case 6:
        rn_chain_reread(*chain, other);
        break;
    case 7:
        rn_chain_equal(*chain, other);
        break;
    case 8:
        free(rn_chain_format(*chain));
        break;
    }
}

static void api_runner_call(struct api *a, struct rn_runner **r)
{
    struct rn_runner *of = a->runner[api_next(a, 8) ? r - a->runner : 0];
    struct rn_slot *slot = api_slot(a, of);
    struct rn_timings timings;
    struct rn_geom geom = api_geom(a);
    bool taken;
    switch (*r || !api_next(a, 8) ? (int)api_next(a, 24) : 0) {
    case 0:
        rn_runner_close(r);
        rn_runner_open(r, NULL, a->chain[api_next(a, 3)], &geom, api_number(a, 1, 3) & ~65536);
        rn_runner_start(*r);
        break;
    case 1:
        rn_runner_update(*r, a->chain[api_next(a, 3)]);
        break;
    case 2:
        rn_runner_try(*r, a->chain[api_next(a, 3)], true, &taken);
        break;
    case 3:
        rn_runner_drain(*r);
        break;
    case 4:
        rn_runner_reset(*r);
        break;
    case 5:
        if (!api_next(a, 8))
            rn_runner_keep(*r);
        break;
    case 6:
        slot = rn_runner_free(*r);
        break;
    case 7:
        rn_runner_timings(*r, &timings);
        break;
    case 8:
        rn_runner_discard(*r, slot);
        break;
    case 9:
        rn_runner_holds(*r, slot);
        break;
    default:
        if (api_next(a, 3) == 0)
            rn_runner_submit(*r, slot);
        else if (api_next(a, 2))
            rn_runner_wait(*r, api_next(a, 2) && *r ? rn_runner_ready(*r) : slot);
        else
            rn_runner_recycle(*r, slot);
    }
}

static void api_calls(const uint8_t *data, size_t size, uint64_t seed, int calls)
{
    struct api a = {.data = data, .size = size, .state = seed};
    for (int n = 0; n < calls; n++) {
        if (api_next(&a, 3))
            api_runner_call(&a, &a.runner[api_next(&a, 2)]);
        else
            api_chain_call(&a, &a.chain[api_next(&a, 3)]);
    }
    for (int i = 0; i < 2; i++)
        rn_runner_close(&a.runner[i]);
    for (int i = 0; i < 3; i++)
        rn_chain_destroy(&a.chain[i]);
}

#endif
