/* SPDX-License-Identifier: MIT */
/* Networks that select a rank, computed here value by value for a row of tiles, against sorting. */
#include "tests/unit.h"

#include "filters/parts/rank/rank.h"

enum { TILES = 40, WIDE = TILES * 8 + 31, HIGH = 31 + 8 };

static int picture[HIGH][WIDE];

static void paint(int levels)
{
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            picture[y][x] = rand() % levels;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int by_sorting(int x, int y, int side, int rank)
{
    int v[31 * 31] = {0}, n = 0;
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++)
            v[n++] = picture[y + j][x + i];
    qsort(v, (size_t)n, sizeof *v, compare);
    return v[rank];
}

/* The values of all tiles; those beyond the last are 0. */
static int (*run(const struct rn_rank_network *net))[TILES]
{
    int(*slot)[TILES] = calloc((size_t)net->slots, sizeof *slot);
    assert_non_null(slot);
    for (int i = 0; i < net->width * (net->side + net->height - 1); i++)
        for (int t = 0; t < TILES; t++)
            slot[i][t] = picture[i / net->width][t * net->width + i % net->width];
    for (int i = 0; i < net->nops; i++) {
        const struct rn_rank_op *op = &net->op[i];
        for (int t = 0; t < TILES; t++) {
            int a = t + op->a.shift < TILES ? slot[op->a.slot][t + op->a.shift] : 0;
            int b = t + op->b.shift < TILES ? slot[op->b.slot][t + op->b.shift] : 0;
            if (op->low >= 0)
                slot[op->low][t] = a < b ? a : b;
            if (op->high >= 0)
                slot[op->high][t] = a < b ? b : a;
        }
    }
    return slot;
}

static void check_network(int side, int width, int height, int rank)
{
    struct rn_rank_network net;
    assert_int_equal(rn_rank_network_make(&net, side, width, height, rank), 0);
    int(*slot)[TILES] = run(&net);
    assert_true(net.reach < TILES - 2);
    for (int i = 0; i < width * height; i++) {
        const struct rn_rank_value *out = &net.output[i];
        for (int t = 0; t < 2; t++)
            assert_int_equal(slot[out->slot][t + out->shift],
                             by_sorting(t * width + i % width, i / width, side, rank));
    }
    free(slot);
    rn_rank_network_free(&net);
    assert_null(net.op);
}

TEST(selects_every_rank)
{
    paint(1000);
    for (int rank = 0; rank < 49; rank++)
        check_network(7, 4, 2, rank);
}

TEST(selects_at_every_radius)
{
    static const int tiles[][2] = {{1, 1}, {2, 2}, {4, 2}, {8, 4}, {2, 8}};
    for (int side = 3; side <= 31; side += 2) {
        paint(side % 4 == 1 ? 2 : 100000); /* zeros and ones find what a network does not sort */
        for (int i = 0; i < COUNT(tiles); i++) {
            int n = side * side, rank = rand() % n;
            if (tiles[i][0] >= side || tiles[i][1] >= side)
                continue;
            check_network(side, tiles[i][0], tiles[i][1], n / 2);
            check_network(side, tiles[i][0], tiles[i][1], rank);
        }
    }
}

TEST(works_for_the_extremes)
{
    paint(1000);
    check_network(31, 8, 4, 0);
    check_network(31, 8, 4, 960);
    check_network(15, 4, 4, 1);
    check_network(15, 4, 4, 223);
}
