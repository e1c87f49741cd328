/* Which packets became pictures: those that give none by right are not called lost, others are. */
#include "tests/unit.h"

#include "io/read/decode/decode_audit.h"

#include <libavutil/avutil.h>

static struct rn_read_decode_audit answers;
static AVCodecParameters par;

static int setup(void **state)
{
    answers = (struct rn_read_decode_audit){.from = INT64_MIN};
    par = (AVCodecParameters){.codec_id = AV_CODEC_ID_MPEG2VIDEO};
    return 0;
}

/* Sends a packet of `size` bytes that begins with these. */
static int64_t send(int64_t pts, int flags, const char *bytes, int size)
{
    uint8_t data[64] = {0};
    memcpy(data, bytes, strlen(bytes));
    AVPacket pkt = {.pts = pts, .dts = AV_NOPTS_VALUE, .flags = flags, .data = data, .size = size};
    return rn_read_decode_audit_packet(&answers, &par, &pkt);
}

static int64_t send_picture(int64_t pts)
{
    return send(pts, 0, "", 64);
}

static int64_t send_key(int64_t pts)
{
    return send(pts, AV_PKT_FLAG_KEY, "", 64);
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
    rn_read_decode_audit_picture(&answers, send_key(0), false);
    for (int i = 1; i < 1000; i++)
        rn_read_decode_audit_picture(&answers, send_picture(i), false);
    expect(0, 0, 0);
}

TEST(one_is_lost)
{
    for (int i = 0; i < 1000; i++) {
        int64_t n = i ? send_picture(i) : send_key(0);
        if (i != 500)
            rn_read_decode_audit_picture(&answers, n, false);
    }
    expect(1, 0, 0);
    assert_int_equal(answers.lost_ts, 500);
}

TEST(first_keyframe_is_lost)
{
    send_key(0);
    for (int i = 1; i < 10; i++)
        rn_read_decode_audit_picture(&answers, send_picture(i), false);
    expect(1, 0, 0);
}

TEST(reordered)
{
    int64_t n[400];
    for (int i = 0; i < 400; i++) { /* as many are held back as threads and reordering can */
        n[i] = i ? send_picture(i) : send_key(0);
        if (i >= 48)
            rn_read_decode_audit_picture(&answers, n[i - 48], false);
    }
    for (int i = 400 - 48; i < 400; i++)
        rn_read_decode_audit_picture(&answers, n[i], false);
    expect(0, 0, 0);
}

TEST(begins_within_a_group)
{
    for (int i = 0; i < 5; i++)
        send_picture(i);
    rn_read_decode_audit_picture(&answers, send_key(8), false);
    send_picture(6); /* shown before the keyframe, decoded behind it */
    send_picture(7);
    rn_read_decode_audit_picture(&answers, send_picture(9), false);
    send_picture(10);
    expect(1, 0, 7);
}

/* As in AVI, whose times are those of decoding. */
TEST(begins_within_a_group_without_times)
{
    int64_t first = send_key(AV_NOPTS_VALUE);
    send_picture(1);
    send_picture(2);
    int64_t next = send_picture(3), lost = send_picture(4), last = send_picture(5);
    (void)lost;
    rn_read_decode_audit_picture(&answers, first, false);
    rn_read_decode_audit_picture(&answers, next, false);
    rn_read_decode_audit_picture(&answers, last, false);
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
    for (int i = 0; i < 300; i++) {
        int64_t n = i ? send_picture(i) : send_key(0);
        if (i != 100)
            rn_read_decode_audit_picture(&answers, n, true);
    }
    expect(1, 0, 0);
}

TEST(what_gives_no_picture)
{
    rn_read_decode_audit_picture(&answers, send_key(0), false);
    send(1, AV_PKT_FLAG_DISCARD, "", 64); /* an edit list hides it */
    send(2, 0, "", 7);                    /* a place where a picture was left out */
    expect(0, 2, 0);
}

TEST(vp8_and_vp9_that_are_not_shown)
{
    par.codec_id = AV_CODEC_ID_VP8;
    rn_read_decode_audit_picture(&answers, send(0, AV_PKT_FLAG_KEY, "\x10", 64), false);
    send(1, 0, "\x01", 64);
    par.codec_id = AV_CODEC_ID_VP9;
    rn_read_decode_audit_picture(&answers, send(2, AV_PKT_FLAG_KEY, "\x82", 64), false);
    send(3, 0, "\x84", 64); /* not shown */
    send(4, 0, "\x88", 64); /* shows another */
    expect(0, 3, 0);
    send(5, 0, "\x86", 64);
    expect(1, 3, 0);
}

TEST(h264_without_a_slice)
{
    par.codec_id = AV_CODEC_ID_H264;
    uint8_t key[64] = {0, 0, 1, 9, 0, 0, 1, 0x65}, end[64] = {0, 0, 1, 9, 0x10, 0, 0, 1, 10},
            slice[64] = {0, 0, 0, 1, 0x41};
    AVPacket pkt = {.pts = 1, .dts = 1, .flags = AV_PKT_FLAG_KEY, .data = key, .size = 64};
    rn_read_decode_audit_picture(&answers, rn_read_decode_audit_packet(&answers, &par, &pkt),
                                 false);
    pkt = (AVPacket){.pts = 2, .dts = 2, .data = end, .size = 64};
    rn_read_decode_audit_packet(&answers, &par, &pkt);
    expect(0, 1, 0);
    pkt = (AVPacket){.pts = 3, .dts = 3, .data = slice, .size = 64};
    rn_read_decode_audit_packet(&answers, &par, &pkt);
    expect(1, 1, 0);
}

TEST(shown_again)
{
    int64_t key = send_key(0);
    rn_read_decode_audit_picture(&answers, key, false);
    send_picture(1); /* shows the first once more, which brings its own number */
    rn_read_decode_audit_picture(&answers, key, false);
    expect(0, 0, 0);
}

TEST(a_range_ends)
{
    for (int i = 0; i < 10; i++) {
        int64_t n = i ? send_picture(i) : send_key(0);
        if (i != 3 && i < 7)
            rn_read_decode_audit_picture(&answers, n, false);
    }
    rn_read_decode_audit_finish(&answers, 7); /* those from there on were not waited for */
    assert_int_equal(rn_read_decode_audit_lost(&answers), 1);
}

GROUP(.before_each = setup);
