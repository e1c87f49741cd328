/* SPDX-License-Identifier: MIT */
/* Which packets became pictures: those that give none by right are not called lost, others are. */
#include "tests/unit.h"

#include "io/read/decode/decode_watch.h"

#include <libavutil/avutil.h>

static struct rn_read_decode_audit answers;
static AVCodecParameters par;

static int setup(void **state)
{
    answers = (struct rn_read_decode_audit){.from = INT64_MIN};
    par = (AVCodecParameters){.codec_id = AV_CODEC_ID_MPEG2VIDEO};
    return 0;
}

/* Sends a packet of `size` bytes that begins with these nine. */
static int64_t send(int64_t pts, int flags, const char bytes[9], int size)
{
    uint8_t data[64] = {0};
    memcpy(data, bytes, 9);
    AVPacket pkt = {.pts = pts, .dts = AV_NOPTS_VALUE, .flags = flags, .data = data, .size = size};
    return rn_read_decode_audit_packet(&answers, &par, &pkt);
}

static int64_t send_picture(int64_t pts)
{
    return send(pts, 0, (char[9]){0}, 64);
}

static int64_t send_key(int64_t pts)
{
    return send(pts, AV_PKT_FLAG_KEY, (char[9]){0}, 64);
}

static void show(int64_t number)
{
    rn_read_decode_audit_picture(&answers, number, false);
}

/* Sends n pictures, and shows all but one of those before `end`. */
static void play(int n, int lost, int end, bool interlaced)
{
    for (int i = 0; i < n; i++) {
        int64_t number = i ? send_picture(i) : send_key(0);
        if (i != lost && i < end)
            rn_read_decode_audit_picture(&answers, number, interlaced);
    }
}

static void expect(int64_t lost, int64_t hidden, int64_t leading)
{
    rn_read_decode_audit_finish(&answers, INT64_MAX);
    assert_int_equal(rn_read_decode_audit_lost(&answers), lost);
    assert_int_equal(rn_read_decode_audit_hidden(&answers), hidden);
    assert_int_equal(answers.leading, leading);
}

TEST(all_come)
{
    play(1000, -1, 1000, false);
    expect(0, 0, 0);
}

TEST(one_is_lost)
{
    play(1000, 500, 1000, false);
    expect(1, 0, 0);
    assert_int_equal(answers.lost_ts, 500);
}

TEST(first_keyframe_is_lost)
{
    play(10, 0, 10, false);
    expect(1, 0, 0);
}

TEST(reordered)
{
    int64_t n[400];
    for (int i = 0; i < 400; i++) { /* as many are held back as threads and reordering can */
        n[i] = i ? send_picture(i) : send_key(0);
        if (i >= 48)
            show(n[i - 48]);
    }
    for (int i = 400 - 48; i < 400; i++)
        show(n[i]);
    expect(0, 0, 0);
}

TEST(begins_within_a_group)
{
    for (int i = 0; i < 5; i++)
        send_picture(i);
    show(send_key(8));
    send_picture(6); /* shown before the keyframe, decoded behind it */
    send_picture(7);
    show(send_picture(9));
    send_picture(10);
    expect(1, 0, 7);
}

/* As in AVI, whose times are those of decoding. */
TEST(begins_within_a_group_without_times)
{
    int64_t first = send_key(AV_NOPTS_VALUE);
    send_picture(1);
    send_picture(2);
    int64_t next = send_picture(3);
    send_picture(4); /* lost */
    int64_t last = send_picture(5);
    show(first);
    show(next);
    show(last);
    rn_read_decode_audit_finish(&answers, INT64_MAX);
    expect(1, 0, 2);
}

TEST(fields_are_two_packets)
{
    for (int i = 0; i < 300; i++) {
        rn_read_decode_audit_picture(&answers, i ? send_picture(2 * i) : send_key(0), true);
        send_picture(2 * i + 1);
    }
    expect(0, 300, 0);
}

TEST(an_interlaced_picture_is_lost)
{
    play(300, 100, 300, true);
    expect(1, 0, 0);
}

TEST(what_gives_no_picture)
{
    show(send_key(0));
    send(1, AV_PKT_FLAG_DISCARD, (char[9]){0}, 64); /* an edit list hides it */
    send(2, 0, (char[9]){0}, 7);                    /* a place where a picture was left out */
    expect(0, 2, 0);
}

TEST(vp8_and_vp9_that_are_not_shown)
{
    par.codec_id = AV_CODEC_ID_VP8;
    show(send(0, AV_PKT_FLAG_KEY, (char[9]){'\x10'}, 64));
    send(1, 0, (char[9]){'\x01'}, 64);
    par.codec_id = AV_CODEC_ID_VP9;
    show(send(2, AV_PKT_FLAG_KEY, (char[9]){'\x82'}, 64));
    send(3, 0, (char[9]){'\x84'}, 64); /* not shown */
    send(4, 0, (char[9]){'\x88'}, 64); /* shows another */
    expect(0, 3, 0);
    send(5, 0, (char[9]){'\x86'}, 64);
    expect(1, 3, 0);
}

TEST(h264_without_a_slice)
{
    par.codec_id = AV_CODEC_ID_H264;
    show(send(1, AV_PKT_FLAG_KEY, (char[9]){0, 0, 1, 9, 0, 0, 1, 0x65}, 64));
    send(2, 0, (char[9]){0, 0, 1, 9, 0x10, 0, 0, 1, 10}, 64);
    expect(0, 1, 0);
    send(3, 0, (char[9]){0, 0, 0, 1, 0x41}, 64);
    expect(1, 1, 0);
}

TEST(shown_again)
{
    int64_t key = send_key(0);
    show(key);
    send_picture(1); /* shows the first once more, which brings its own number */
    show(key);
    expect(0, 0, 0);
}

TEST(a_range_ends)
{
    play(10, 3, 7, false);
    rn_read_decode_audit_finish(&answers, 7); /* those from there on were not waited for */
    assert_int_equal(rn_read_decode_audit_lost(&answers), 1);
}

/* ---- the packets kept to decode them again: from a keyframe on, at least three groups, and all
 * that the decoder may still hold */

static struct rn_read_packet_history history;

static void add(int64_t number, bool key, bool entry, int delay)
{
    OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    assert_int_equal(av_new_packet(pkt, 10), 0);
    pkt->flags = key ? AV_PKT_FLAG_KEY : 0;
    assert_int_equal(rn_read_packet_history_add(&history, pkt, number, entry, delay), 0);
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

GROUP(.before_each = setup, .after_each = tear_down);
