/* SPDX-License-Identifier: MIT */
/* The packets kept to decode them again: from a keyframe on, at least three groups, and all that
 * the decoder may still hold. */
#include "tests/unit.h"

#include "io/read/decode/decode_internal.h"

static struct rn_read_packet_history history;

static void add(int64_t number, bool key, bool entry, int delay)
{
    AVPacket *pkt = av_packet_alloc();
    assert_int_equal(av_new_packet(pkt, 10), 0);
    pkt->flags = key ? AV_PKT_FLAG_KEY : 0;
    assert_int_equal(rn_read_packet_history_add(&history, pkt, number, entry, delay), 0);
    av_packet_free(&pkt);
}

static void add_groups(void)
{
    for (int i = 1; i <= 35; i++)
        add(i, i % 10 == 1, i % 20 == 1, 3);
}

static int tear_down(void **state)
{
    rn_read_packet_history_clear(&history);
    return history.n || history.bytes;
}

static void expect_from(int64_t number, int64_t last)
{
    for (; number <= last; number++)
        assert_int_equal(rn_read_packet_history_take(&history)->number, number);
    assert_null(rn_read_packet_history_take(&history));
}

TEST(keeps_three_groups)
{
    add_groups();
    assert_int_equal(history.bytes, 250);
    assert_null(rn_read_packet_history_take(&history));
    rn_read_packet_history_rewind(&history);
    expect_from(11, 35);
    const int before[][2] = {{35, 21}, {22, 21}, {21, 11}, {12, 11}, {9, 11}};
    for (size_t i = 0; i < COUNT(before); i++) {
        rn_read_packet_history_go_before(&history, before[i][0]);
        expect_from(before[i][1], 35);
    }
}

TEST(keeps_what_the_decoder_holds)
{
    for (int i = 1; i <= 20; i++)
        add(i, true, true, 6);
    rn_read_packet_history_rewind(&history);
    expect_from(13, 20);
    for (int i = 21; i <= 24; i++)
        add(i, true, true, 60);
    rn_read_packet_history_rewind(&history);
    expect_from(13, 24);
}

TEST(goes_to_entries_alone)
{
    add_groups();
    assert_false(rn_read_packet_history_go_to(&history, 11));
    assert_false(rn_read_packet_history_go_to(&history, 1));
    assert_true(rn_read_packet_history_has_entry(&history, 21));
    assert_true(rn_read_packet_history_go_to(&history, 21));
    expect_from(21, 35);
}

GROUP(.after_each = tear_down);
