/* SPDX-License-Identifier: MIT */
/* Held pictures: which are found, and which go. */
#include "tests/unit.h"

#include "app/play/loop/reader.h"

static int64_t released[256];
static int nreleased;

static void release(void *item)
{
    released[nreleased++] = *(int64_t *)item;
    free(item);
}

static struct rn_play_cache *open_cache(size_t most)
{
    struct rn_play_cache *cache;
    nreleased = 0;
    assert_int_equal(rn_play_cache_create(&cache, most, release), 0);
    rn_play_cache_begins(cache, 0);
    return cache;
}

/* A picture of 10 bytes each tenth of a second. */
static void put_as(struct rn_play_cache *cache, int64_t index, double time, size_t bytes, bool bare)
{
    int64_t *item = malloc(sizeof *item);
    assert_non_null(item);
    *item = index;
    rn_play_cache_put(
        cache, &(struct rn_play_cached){
                   .index = index, .time = time, .bytes = bytes, .bare = bare, .item = item});
}

static void put(struct rn_play_cache *cache, int64_t index)
{
    put_as(cache, index, 0.1 * (double)index, 10, false);
}

static void expect(const struct rn_play_cached *found, int64_t index)
{
    if (index < 0)
        assert_null(found);
    else
        assert_non_null(found);
    if (found)
        assert_int_equal(found->index, index);
}

TEST(by_number_and_time)
{
    struct rn_play_cache *c = open_cache(1000);
    static const int64_t in[] = {0, 1, 2, 8, 7, 5};
    expect(rn_play_cache_at(c, 0), -1);
    for (int i = 0; i < COUNT(in); i++)
        put(c, in[i]);
    for (int64_t i = 0; i < 10; i++)
        expect(rn_play_cache_frame(c, i), i <= 2 || i == 5 || i == 7 || i == 8 ? i : -1);
    expect(rn_play_cache_at(c, -3), 0);  /* the first there is */
    expect(rn_play_cache_at(c, 0.1), 1); /* itself */
    expect(rn_play_cache_at(c, 0.1 + 1e-8), 1);
    expect(rn_play_cache_at(c, 0.11), 2);  /* that follows another one */
    expect(rn_play_cache_at(c, 0.21), -1); /* may be 3 */
    expect(rn_play_cache_at(c, 0.5), 5);
    expect(rn_play_cache_at(c, 0.45), -1);
    expect(rn_play_cache_at(c, 0.75), 8);
    expect(rn_play_cache_at(c, 0.81), -1);
    rn_play_cache_destroy(&c);
    assert_int_equal(nreleased, 6);
}

TEST(least_used_goes)
{
    struct rn_play_cache *c = open_cache(50);
    for (int64_t i = 0; i < 5; i++)
        put(c, i);
    assert_int_equal(rn_play_cache_bytes(c), 50);
    expect(rn_play_cache_frame(c, 0), 0);
    put(c, 5);
    assert_int_equal(nreleased, 1);
    assert_int_equal(released[0], 1);
    put_as(c, 6, 0.6, 25, false); /* in the place of three */
    assert_int_equal(nreleased, 4);
    assert_int_equal(rn_play_cache_bytes(c), 45);
    expect(rn_play_cache_frame(c, 0), 0);
    put_as(c, 7, 0.7, 51, false); /* never fits */
    assert_int_equal(released[4], 7);
    assert_int_equal(rn_play_cache_count(c), 3);
    rn_play_cache_destroy(&c);
    assert_int_equal(nreleased, 8);
}

TEST(complete_ones_stay)
{
    OWNED(rn_play_cache_destroy) struct rn_play_cache *c = open_cache(100);
    put_as(c, 3, 0.3, 10, true);
    assert_true(rn_play_cache_frame(c, 3)->bare);
    put_as(c, 3, 0.3, 12, false);
    assert_false(rn_play_cache_frame(c, 3)->bare);
    put_as(c, 3, 0.3, 10, true);
    assert_false(rn_play_cache_frame(c, 3)->bare);
    assert_int_equal(rn_play_cache_count(c), 1);
    assert_int_equal(rn_play_cache_bytes(c), 12);
}

TEST(the_last_one)
{
    OWNED(rn_play_cache_destroy) struct rn_play_cache *c = open_cache(100);
    put(c, 0);
    put(c, 9);
    expect(rn_play_cache_last(c), -1);
    rn_play_cache_ends(c, 9);
    expect(rn_play_cache_last(c), 9);
}

TEST(contradictions_clear)
{
    OWNED(rn_play_cache_destroy) struct rn_play_cache *c = open_cache(100);
    for (int64_t i = 0; i < 5; i++)
        put(c, i);
    put_as(c, 3, 0.4, 10, false); /* the same picture by another number */
    assert_int_equal(rn_play_cache_count(c), 1);
    expect(rn_play_cache_frame(c, 3), 3);
    put_as(c, 4, 0.35, 10, false);
    assert_int_equal(rn_play_cache_count(c), 1);
}

/* Against a table. */
TEST(at_random)
{
    OWNED(rn_play_cache_destroy) struct rn_play_cache *c = open_cache(10000);
    bool there[100] = {false};
    srand(5);
    for (int i = 0; i < 300; i++) {
        int k = rand() % 100;
        nreleased = 0;
        put(c, k);
        there[k] = true;
        for (int n = 0; n < 100; n++)
            expect(rn_play_cache_frame(c, n), there[n] ? n : -1);
        double at = 0.1 * (rand() % 100) - 0.05;
        int next = (int)(at * 10 + 1);
        bool known = there[next] && next && there[next - 1];
        if (known)
            expect(rn_play_cache_at(c, at), next);
    }
}
