/* SPDX-License-Identifier: MIT */
/* Undo and redo: the settings that were left, against a list of all that ever were; and what
 * snapshots hold, and where flipping leads. */
#include "tests/unit.h"

#include "app/play/edit/settings.h"
#include "app/play/loop/player.h"

static struct rn_chain *of_radius(int radius)
{
    return unit_chain(formatted("erosion=radius=%d", radius));
}

static void expect_radius(const struct rn_chain *chain, int radius)
{
    OWNED(rn_chain_destroy) struct rn_chain *want = of_radius(radius);
    OWNED(rn_free_owned) char *text = rn_chain_format(want);
    unit_expect_chain(chain, text);
}

static void expect_left(const struct rn_play_history_entry *left, int place, int radius)
{
    assert_non_null(left);
    assert_int_equal(left->place, place);
    if (radius)
        expect_radius(left->chain, radius);
    else
        assert_null(left->chain);
}

#define AT RN_HISTORY_CHAIN

TEST(back_and_forth)
{
    struct rn_play_history h = {.n = 0};
    OWNED(rn_chain_destroy) struct rn_chain *now = of_radius(1);
    int radius[600] = {1}, at = 0, last = 0; /* all settings, and which are the present ones */
    struct rng rng = rng_seed(3);
    for (int i = 0; i < 20000; i++) {
        int direction = rng_below(&rng, 3) - 1;
        if (direction == 0 && at < 598) {
            rn_play_history_push(&h, AT, now);
            radius[++at] = 1 + rng_below(&rng, 31);
            now = of_radius(radius[at]);
            last = at;
        } else if (direction && rn_play_history_peek(&h, direction)) {
            struct rn_chain *there = of_radius(radius[at + direction]);
            expect_left(rn_play_history_peek(&h, direction), AT, radius[at + direction]);
            rn_play_history_move(&h, direction, now);
            now = there;
            at += direction;
        }
        assert_int_equal(rn_play_history_count(&h, -1), at);
        assert_int_equal(rn_play_history_count(&h, 1), last - at);
    }
    rn_play_history_cut(&h, 0);
    assert_null(rn_play_history_peek(&h, -1));
    assert_null(rn_play_history_peek(&h, 1));
}

TEST(the_oldest_are_forgotten)
{
    struct rn_play_history h = {.n = 0};
    for (int i = 0; i < RN_HISTORY_MOST + 5; i++)
        rn_play_history_push(&h, AT, of_radius(1 + i % 31));
    assert_int_equal(rn_play_history_count(&h, -1), RN_HISTORY_MOST);
    expect_left(rn_play_history_peek(&h, -1), AT, 1 + (RN_HISTORY_MOST + 4) % 31);
    expect_left(&h.entry[0], AT, 1 + 5 % 31);
    rn_play_history_cut(&h, 0);
}

/* What a snapshot held, or that it was empty, comes back in its turn. */
TEST(snapshots_are_left_too)
{
    struct rn_play_history h = {.n = 0};
    rn_play_history_push(&h, AT, of_radius(1));
    rn_play_history_push(&h, 2, NULL);
    rn_play_history_push(&h, 2, of_radius(2));
    expect_left(rn_play_history_peek(&h, -1), 2, 2);
    rn_play_history_move(&h, -1, of_radius(3));
    expect_left(rn_play_history_peek(&h, 1), 2, 3);
    expect_left(rn_play_history_peek(&h, -1), 2, 0);
    rn_play_history_move(&h, -1, of_radius(2));
    expect_left(rn_play_history_peek(&h, -1), AT, 1);
    expect_left(rn_play_history_peek(&h, 1), 2, 2);
    rn_play_history_move(&h, 1, NULL);
    expect_left(rn_play_history_peek(&h, -1), 2, 0);
    rn_play_history_cut(&h, 0);
}

TEST(what_is_cut_is_gone)
{
    struct rn_play_history h = {.n = 0};
    for (int i = 1; i <= 5; i++)
        rn_play_history_push(&h, AT, of_radius(i));
    rn_play_history_move(&h, -1, of_radius(6));
    rn_play_history_cut(&h, 7);
    assert_int_equal(rn_play_history_count(&h, -1), 4);
    assert_int_equal(rn_play_history_count(&h, 1), 0);
    rn_play_history_cut(&h, 2);
    assert_int_equal(rn_play_history_count(&h, -1), 2);
    expect_left(rn_play_history_peek(&h, -1), AT, 2);
    rn_play_history_cut(&h, 0);
}

static int take(struct rn_chain *chain, const struct rn_chain *from, int *first)
{
    struct rn_app_session session = {.chain = chain};
    struct rn_play p = {.session = &session};
    p.cursor = calloc(1, rn_play_cursor_part.size);
    assert_non_null(p.cursor);
    int differed = rn_play_take_values(&p, chain, from, first);
    free(p.cursor);
    return differed;
}

/* What is taken of other settings, and where the first difference is in the list of parameters. */
TEST(values_are_taken)
{
    OWNED(rn_chain_destroy)
    struct rn_chain *a = unit_chain("erosion=radius=2,levels=black=3:gamma=1.5:enable=0");
    OWNED(rn_chain_destroy)
    struct rn_chain *b = unit_chain("erosion=radius=2:iterations=3,levels=white=200");
    int first = -1;
    assert_int_equal(take(a, b, &first), 5);
    assert_int_equal(first, 2); /* shape, radius, iterations */
    unit_expect_chain(a, "erosion=radius=2:iterations=3,levels=white=200");
    first = -1;
    assert_int_equal(take(a, b, &first), 0);
    assert_int_equal(first, -1);
    rn_chain_destroy(&a);
    rn_chain_destroy(&b);
    a = unit_chain("median=slices=1:radius=2");
    b = unit_chain("median=slices=2:radius=3");
    assert_int_equal(take(a, b, &first), 1); /* what is fixed stays */
    unit_expect_chain(a, "median=radius=3:slices=1");
}

GROUP(.quiet = true);

/* ---- snapshots */

static void expect_flip(struct rn_play_snapshots *s, const struct rn_chain *now, int radius,
                        bool back)
{
    bool found;
    const struct rn_chain *there = rn_play_snapshots_flip(s, now, &found);
    assert_int_equal(found, back);
    assert_int_equal(there ? (int)unit_value(there, 0, "radius") : 0, radius);
}

TEST(flipping)
{
    struct rn_play_snapshots s = {.recent = 0};
    OWNED(rn_chain_destroy)
    struct rn_chain *two = of_radius(2), *three = of_radius(3), *four = of_radius(4);
    expect_flip(&s, three, 0, false); /* no snapshot */
    assert_null(rn_play_snapshots_store(&s, 1, of_radius(2)));
    expect_flip(&s, two, 0, true);    /* nothing to go back to */
    expect_flip(&s, three, 2, false); /* to it... */
    assert_int_equal(rn_play_snapshots_leave(&s, 1, three), 0);
    expect_flip(&s, two, 3, true);   /* ...and back */
    expect_flip(&s, four, 2, false); /* tuned on: to it again */
    assert_int_equal(rn_play_snapshots_leave(&s, 1, four), 0);
    expect_flip(&s, two, 4, true);
    assert_int_equal(rn_play_snapshots_leave(&s, 1, two), 0); /* gone to where one is: back stays */
    expect_flip(&s, two, 4, true);
    OWNED(rn_chain_destroy)
    struct rn_chain *before = rn_play_snapshots_store(&s, 1, of_radius(7));
    assert_int_equal((int)unit_value(before, 0, "radius"), 2);
    expect_flip(&s, four, 7, false);
    rn_play_snapshots_clear(&s);
    assert_null(s.chain[1]);
}
