/* SPDX-License-Identifier: MIT */
/* The border of the library: what public functions refuse, in one line that says what and why. */
#include "tests/unit.h"

#include "filters/base/arguments.h"
#include "tests/api_calls.h"

GROUP(.hears = true);

static const struct rn_geom gray = {RN_SIZED(struct rn_geom), .fmt = {.model = RN_GRAY, .depth = 8},
                                    .w = 16, .h = 9};

/* Expects the result, and one line that has this text. */
static void expect(long long got, long long want, const char *said)
{
    const char *line = unit_said();
    if (got != want || !strstr(line, said) || !*line || strchr(line, '\n'))
        fail_msg("%lld instead of %lld, and '%s' was said, not '%s'", got, want, line, said);
}
#define REFUSED(call, said) expect(call, RN_EUSAGE, said)

TEST(geometries)
{
    static const struct {
        struct rn_geom geom;
        const char *said;
    } bad[] = {
        {{.fmt = {.depth = 8}, .w = 0, .h = 9}, "w is 0, which is not 1..65535"},
        {{.fmt = {.depth = 8}, .w = -5, .h = 9}, "w is -5"},
        {{.fmt = {.depth = 8}, .w = 70000, .h = 9}, "w is 70000"},
        {{.fmt = {.depth = 8}, .w = 16, .h = INT_MIN}, "h is -2147483648"},
        {{.fmt = {.depth = 0}, .w = 16, .h = 9}, "fmt.depth is 0, which is not 8..16"},
        {{.fmt = {.depth = 7}, .w = 16, .h = 9}, "fmt.depth is 7"},
        {{.fmt = {.depth = 17}, .w = 16, .h = 9}, "fmt.depth is 17"},
        {{.fmt = {.model = 9, .depth = 8}, .w = 16, .h = 9}, "fmt.model is 9, which is not 0..2"},
        {{.fmt = {.number = 3, .depth = 8}, .w = 16, .h = 9}, "fmt.number is 3"},
        {{.fmt = {.number = RN_NUMBER_FLOAT, .depth = 16}, .w = 16, .h = 9}, "fmt.depth is 16"},
        {{.fmt = {.number = RN_NUMBER_SIGNED, .depth = 8}, .w = 16, .h = 9}, "fmt.depth is 8"},
        {{.fmt = {.depth = 8, .sub_x = 1}, .w = 16, .h = 9}, "fmt.sub_x is 1, which is not 0..0"},
        {{.fmt = {.model = RN_YUV, .depth = 8, .sub_x = 31}, .w = 16, .h = 9}, "fmt.sub_x is 31"},
        {{.fmt = {.model = RN_YUV, .depth = 8, .sub_y = 1}, .w = 16, .h = 9}, "fmt.sub_y is 1"},
        {{.fmt = {.model = RN_YUV, .depth = 32, .number = RN_NUMBER_FLOAT}, .w = 16, .h = 9},
         "RN_YUV"},
        {{.fmt = {.depth = 8, .complex = true}, .w = 16, .h = 9}, "fmt.complex"},
        {{.fmt = {.depth = 8}, .w = 16, .h = 9, .matrix = 3}, "matrix is 3"},
        {{.fmt = {.depth = 8}, .w = 16, .h = 9, .turns = -1}, "turns is -1"},
        {{.fmt = {.depth = 32, .number = RN_NUMBER_FLOAT}, .w = 16, .h = 9}, "low..high"},
        {{.fmt = {.depth = 32, .number = RN_NUMBER_FLOAT}, .w = 16, .h = 9, .high = NAN}, "low.."},
        {{.fmt = {.depth = 8}, .w = 16, .h = 9, .rescale = {NAN, 0, ""}}, "rescale"},
        {{.fmt = {.depth = 8}, .w = 16, .h = 9, .rescale = {1, 0, "a unit of 16 by."}}, "15 bytes"},
        {{.fmt = {.depth = 8}, .w = 16, .h = 9, .spacing = {1, -1, 1}}, "spacing[1] is -1"},
    };
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain("invert");
    for (int i = 0; i < COUNT(bad); i++) {
        struct rn_geom geom = bad[i].geom;
        geom.size = sizeof geom;
        struct rn_runner *runner = (void *)chain;
        struct rn_pool *pool = (void *)chain;
        struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts), .inflight = 1};
        struct rn_image img;
        char first[64];
        REFUSED(rn_runner_open(&runner, NULL, chain, &geom, 1), bad[i].said);
        REFUSED(rn_pool_open(&pool, NULL, 0, chain, &geom, &opts), bad[i].said);
        if (strstr("w is h is fmt", strtok(strcpy(first, bad[i].said), " ."))) /* a picture's */
            REFUSED(rn_image_alloc(&img, &geom), bad[i].said);
        REFUSED(rn_geom_check(&geom), bad[i].said);
        assert_null(runner);
        assert_null(pool);
    }
    assert_int_equal(rn_geom_check(&gray), 0);
}

TEST(sizes)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain("invert,stats");
    OWNED(rn_runner_close) struct rn_runner *runner = NULL;
    struct rn_pool *pool = NULL;
    struct rn_geom geom = gray;
    struct rn_pool_opts opts = {.inflight = 1};
    geom.size = 0;
    REFUSED(rn_runner_open(&runner, NULL, chain, &geom, 1),
            "begin it with RN_SIZED(struct rn_geom)");
    geom.size = sizeof geom + 8;
    REFUSED(rn_runner_open(&runner, NULL, chain, &geom, 1), "built for a newer librunnel");
    geom.size = 8;
    REFUSED(rn_runner_open(&runner, NULL, chain, &geom, 1), "struct rn_geom has size 8, which is");
    REFUSED(rn_pool_open(&pool, NULL, 0, chain, &gray, &opts), "begin it with RN_SIZED");
    assert_int_equal(rn_runner_open(&runner, NULL, chain, &gray, 1), 0);
    REFUSED(rn_runner_listen(runner, 0, NULL, NULL), "stage 0, invert, does not measure");
    REFUSED(rn_runner_listen(runner, 2, NULL, NULL), "i is 2, which is not 0..1");
    assert_int_equal(rn_runner_listen(runner, 1, NULL, NULL), 0);
    struct grown {
        size_t size;
        int old, new;
    } from = {offsetof(struct grown, new), 3, 4}, to = {0, 9, 9};
    assert_int_equal(rn_argument_sized("f", "grown", &from, from.size, &to, sizeof to), 0);
    assert_int_equal(to.old, 3);
    assert_int_equal(to.new, 0);
    from.size--;
    REFUSED(rn_argument_sized("f", "grown", &from, from.size + 1, &to, sizeof to), "f: struct gro");
    assert_string_equal(rn_version(), RN_VERSION);
    assert_null(rn_registry_at(-1));
    assert_null(rn_registry_at(1000));
    assert_null(rn_param_at(rn_registry_at(0)->params, -1));
    assert_null(rn_param_at(rn_registry_at(0)->params, 1000));
}

TEST(opening)
{
    struct rn_chain *chain = unit_chain("invert");
    struct rn_runner *runner = NULL;
    struct rn_pool *pool = NULL;
    struct rn_device *twice[] = {NULL, NULL};
    struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts), .inflight = 1};
    REFUSED(rn_runner_open(NULL, NULL, chain, &gray, 1), "runner is NULL");
    REFUSED(rn_runner_open(&runner, NULL, NULL, &gray, 1), "chain is NULL");
    REFUSED(rn_runner_open(&runner, NULL, chain, NULL, 1), "geom is NULL");
    REFUSED(rn_runner_open(&runner, NULL, chain, &gray, 0), "nslots is 0, which is not 1..65536");
    REFUSED(rn_runner_open(&runner, NULL, chain, &gray, -1), "nslots is -1");
    REFUSED(rn_runner_open(&runner, NULL, chain, &gray, INT_MAX), "nslots is 2147483647");
    REFUSED(rn_runner_open_batches(&runner, NULL, chain, &gray, 1, 0), "batch is 0");
    REFUSED(rn_runner_open_batches(&runner, NULL, chain, &gray, 1, 65), "batch is 65");
    REFUSED(rn_pool_open(NULL, NULL, 0, chain, &gray, &opts), "pool is NULL");
    REFUSED(rn_pool_open(&pool, NULL, 0, NULL, &gray, &opts), "chain is NULL");
    REFUSED(rn_pool_open(&pool, NULL, 0, chain, NULL, &opts), "geom is NULL");
    REFUSED(rn_pool_open(&pool, NULL, 0, chain, &gray, NULL), "opts is NULL");
    REFUSED(rn_pool_open(&pool, NULL, -1, chain, &gray, &opts), "ndevs is -1");
    REFUSED(rn_pool_open(&pool, NULL, 1, chain, &gray, &opts), "devs is NULL");
    REFUSED(rn_pool_open(&pool, twice, 2, chain, &gray, &opts), "devs[0] is NULL");
    REFUSED(rn_pool_open(&pool, twice, 99, chain, &gray, &opts), "ndevs is 99");
    opts = (struct rn_pool_opts){RN_SIZED(struct rn_pool_opts), .inflight = -1};
    REFUSED(rn_pool_open(&pool, NULL, 0, chain, &gray, &opts), "inflight is -1");
    opts = (struct rn_pool_opts){RN_SIZED(struct rn_pool_opts), .batch = 65};
    REFUSED(rn_pool_open(&pool, NULL, 0, chain, &gray, &opts), "batch is 65");
    opts = (struct rn_pool_opts){RN_SIZED(struct rn_pool_opts), .threads = -1};
    REFUSED(rn_pool_open(&pool, NULL, 0, chain, &gray, &opts), "threads is -1");
    struct rn_analysis analysis;
    assert_int_equal(rn_chain_check(chain, &gray, &analysis), 0);
    expect(rn_pool_bytes(&analysis, INT_MAX), 0, "slots is 2147483647, which is not 0..65536");
    REFUSED(rn_device_open(NULL, "none"), "dev is NULL");
    REFUSED(rn_device_divide(NULL, 1, 2, twice, &(int){0}), "dev is NULL");
    rn_runner_close(&runner); /* never opened, and closed twice: both are legal */
    rn_runner_close(&runner);
    assert_int_equal(rn_pool_close(&pool), 0);
    rn_chain_destroy(&chain);
    rn_chain_destroy(&chain);
}

/* A slot is filled, submitted, waited for and recycled: nothing else, and in this order. */
TEST(slots_of_a_runner)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain("median=slices=1");
    OWNED(rn_runner_close) struct rn_runner *runner = NULL, *other = NULL;
    struct rn_geom wide = gray;
    wide.w = 17;
    assert_int_equal(rn_runner_open(&runner, NULL, chain, &gray, 2), 0);
    assert_int_equal(rn_runner_open(&other, NULL, chain, &gray, 1), 0);
    struct rn_slot *slot = rn_runner_slot(runner, 0), *second = rn_runner_slot(runner, 1);
    struct rn_slot copy = *slot;
    assert_null(rn_runner_slot(runner, -1));
    assert_null(rn_runner_slot(runner, 3));
    REFUSED(rn_runner_submit(NULL, slot), "runner is NULL");
    REFUSED(rn_runner_submit(runner, NULL), "slot is NULL");
    REFUSED(rn_runner_submit(runner, &copy), "slot is none of the runner's 3");
    REFUSED(rn_runner_submit(runner, rn_runner_slot(other, 0)), "slot is none");
    REFUSED(rn_runner_submit(runner, (void *)((char *)slot + 8)), "slot is none");
    REFUSED(rn_runner_submit_several(runner, slot, 0), "n is 0");
    REFUSED(rn_runner_submit_several(runner, slot, 2), "n is 2, which is not 1..1");
    REFUSED(rn_runner_wait(runner, slot), "slot 0 has no frame to wait for");
    REFUSED(rn_runner_discard(runner, slot), "slot 0 has no frame");
    slot->in.geom = wide;
    REFUSED(rn_runner_submit(runner, slot), "slot->in is 17x9 gray, which is not 16x9 gray");
    slot->in.geom = gray;
    slot->in.plane[0].stride = 15;
    REFUSED(rn_runner_submit(runner, slot), "stride 15, which is not 16x9 and at least 16");
    slot->in.plane[0].stride = copy.in.plane[0].stride;
    slot->in.plane[0].data = NULL;
    REFUSED(rn_runner_submit(runner, slot), "its data NULL");
    slot->in.plane[0].data = copy.in.plane[0].data;
    assert_int_equal(rn_runner_submit(runner, slot), 0);
    REFUSED(rn_runner_submit(runner, slot), "slot 0 was submitted and not waited for yet");
    REFUSED(rn_runner_recycle(runner, slot), "slot 0 was submitted and not waited for yet");
    REFUSED(rn_runner_wait(runner, slot), "submit it, and 1 more or a drain");
    assert_int_equal(rn_runner_submit(runner, second), 0);
    assert_int_equal(rn_runner_wait(runner, slot), 0);
    assert_int_equal(rn_runner_recycle(runner, slot), 0);
    REFUSED(rn_runner_wait(runner, slot), "slot 0 has no frame");
    assert_int_equal(rn_runner_drain(runner), 0);
    assert_int_equal(rn_runner_wait(runner, second), 0);
    assert_int_equal(rn_runner_recycle(runner, second), 0);
}

TEST(slots_of_a_pool)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain("invert");
    struct rn_pool *pool = NULL;
    const struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts), .inflight = 2, .threads = 2};
    assert_int_equal(rn_pool_open(&pool, NULL, 0, chain, &gray, &opts), 0);
    struct rn_slot *slot = rn_pool_slot(pool, 0), copy = *slot;
    REFUSED(rn_pool_submit(pool, NULL), "slot is NULL");
    REFUSED(rn_pool_submit(pool, &copy), "slot is none of the pool's to be filled");
    REFUSED(rn_pool_wait(pool, slot), "slot is none of the pool's that rn_pool_ready returned");
    REFUSED(rn_pool_recycle(pool, slot), "slot is none of the pool's");
    if (rn_pool_nslots(pool) > 1)
        REFUSED(rn_pool_submit(pool, rn_pool_slot(pool, 1)), "slot is not the one whose turn");
    assert_int_equal(rn_pool_submit(pool, slot), 0);
    REFUSED(rn_pool_submit(pool, slot), "slot is none of the pool's to be filled");
    assert_ptr_equal(rn_pool_ready(pool), slot);
    assert_int_equal(rn_pool_wait(pool, slot), 0);
    assert_int_equal(rn_pool_recycle(pool, slot), 0);
    REFUSED(rn_pool_recycle(pool, slot), "slot is none of the pool's");
    assert_int_equal(rn_pool_close(&pool), 0);
}

TEST(chains)
{
    struct rn_chain *chain = NULL;
    char *text = malloc((2 << 20) + 1);
    memset(text, 'x', 2 << 20);
    text[2 << 20] = '\0';
    REFUSED(rn_chain_parse(NULL, "invert"), "chain is NULL");
    REFUSED(rn_chain_parse(&chain, text), "text is longer than 1048576 bytes");
    text[1 << 20] = '\0';
    assert_int_equal(rn_chain_parse(&chain, text), RN_EUSAGE);
    unit_said();
    assert_null(chain);
    free(text);
    chain = unit_chain("stats,blur");
    REFUSED(rn_chain_set(chain, 0, "p", "0"), "p=0 is out of range 1..1000");
    REFUSED(rn_chain_set(chain, 0, "p", "1001"), "p=1001 is out of range 1..1000");
    REFUSED(rn_chain_set(chain, 0, "p", "1e9"), "1..1000");
    REFUSED(rn_chain_set(chain, 0, "p", NULL), "text is NULL");
    REFUSED(rn_chain_set(chain, 0, NULL, "1"), "name is NULL");
    REFUSED(rn_chain_set(chain, 2, "p", "1"), "no stage at 2");
    REFUSED(rn_chain_set(chain, -1, "p", "1"), "no stage at -1");
    REFUSED(rn_chain_switch(chain, 2, true), "no stage at 2");
    REFUSED(rn_chain_insert(chain, 5, "invert"), "no stage");
    REFUSED(rn_chain_move(chain, 0, 2), "no stage");
    REFUSED(rn_chain_remove(NULL, 0), "chain is NULL");
    REFUSED(rn_chain_reread(chain, NULL), "from is NULL");
    assert_null(rn_chain_stage(chain, 2));
    expect(rn_chain_count(NULL), 0, "chain is NULL");
    expect(rn_chain_append(chain, "none") != NULL, 0, "no filter is named 'none'");
    expect(rn_chain_format(NULL) != NULL, 0, "chain is NULL");
    rn_chain_destroy(&chain);
    rn_chain_destroy(NULL);
    expect(0, 0, "chain is NULL");
}

TEST(rows)
{
    const struct rn_stage_desc *stats = rn_registry_find("stats");
    OWNED(rn_stage_destroy) struct rn_stage *stage = rn_stage_create(stats);
    char buf[64];
    expect(rn_param_int(&stats->params[0], stage->params), 0, "row 'file' is of another type");
    expect(*rn_param_text(&stats->params[1], stage->params), 0, "row 'p' is of another type");
    expect(isnan(rn_param_number(&stats->params[0], stage->params)), 1, "row 'file'");
    REFUSED(rn_param_parse(NULL, "me", "1", stage->params), "row is NULL");
    REFUSED(rn_stage_set(stage, &stats->params[1], NULL), "text is NULL");
    expect(rn_param_find(stats->params, NULL) != NULL, 0, "name is NULL");
    expect(rn_param_format(&stats->params[1], NULL, buf, sizeof buf) != buf, 0, "values is NULL");
    expect(rn_stage_create(NULL) != NULL, 0, "desc is NULL");
    expect(*rn_plane_name(&gray.fmt, 1), 0, "p is 1, which is not 0..0");
}

TEST(pictures)
{
    struct rn_geom wide = gray;
    wide.w = 17;
    OWNED(rn_image_free) struct rn_image a = unit_image(&gray), b = unit_image(&wide);
    rn_image_copy(&a, &b);
    expect(0, 0, "dst is 17x9 gray, which is not 16x9 gray");
    rn_plane_copy(&a.plane[0], &b.plane[0], 1);
    expect(0, 0, "dst is 17x9, which is not 16x9");
}

/* RUNS in the environment: more of them; DEVICE: on one; THREADS: side by side, with a chain that
 * they share. */
static struct rn_device *device;
static const struct rn_chain *shared;

static void *calls(void *arg)
{
    const char *runs = getenv("RUNS");
    for (int i = 0; i < (runs ? atoi(runs) : 20); i++) {
        struct api a = {
            .state = (uint64_t)(1000000 * (intptr_t)arg + i), .device = device, .shared = shared};
        api_calls(&a, 500);
    }
    return NULL;
}

TEST(random_calls)
{
    const char *threads = getenv("THREADS"), *select = getenv("DEVICE");
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain("blur=2,stats");
    pthread_t thread[16];
    int n = threads ? atoi(threads) : 0;
    assert_int_equal(rn_device_open(&device, select ? select : "none"), 0);
    calls(NULL);
    shared = chain;
    for (int i = 0; i < n; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, calls, (void *)(intptr_t)(i + 1)), 0);
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(rn_device_close(&device), 0);
}
