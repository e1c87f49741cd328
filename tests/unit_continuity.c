/* SPDX-License-Identifier: MIT */
/* The counters of packets of MPEG-TS: what is a loss, and what only looks like one. */
#include "tests/unit.h"

#include "io/containers/mpegts/packet_filter.h"

enum { PAT = 0, WORDS = 0x102, PICTURES = 0x100 };

static struct rn_container_continuity *counters;
static int64_t pos;
static uint8_t packet[RN_TRANSPORT_PACKET];

static int set_up(void **state)
{
    counters = rn_container_continuity_create();
    pos = 0;
    return !counters;
}

static int tear_down(void **state)
{
    free(counters);
    return 0;
}

static void make(int pid, int counter, int body)
{
    memset(packet, body, sizeof packet);
    memcpy(packet + 4, pid == PAT ? "\0\0\xb0" : "\0\0\1", 3);
    packet[0] = RN_TRANSPORT_SYNC;
    packet[1] = (uint8_t)(0x40 | pid >> 8);
    packet[2] = (uint8_t)pid;
    packet[3] = (uint8_t)(0x10 | (counter & 0xf));
}

/* Returns the counter with which it is passed on. */
static int pass(void)
{
    int pid = rn_container_transport_pid(packet);
    rn_container_continuity_pass(counters, packet, pid, pid, pos);
    pos += sizeof packet;
    return packet[3] & 0xf;
}

static int send(int pid, int counter)
{
    make(pid, counter, (int)(pos / RN_TRANSPORT_PACKET));
    return pass();
}

static void expect(int pid, enum rn_container_break wanted)
{
    assert_int_equal(rn_container_continuity_take(counters, pid, pos), wanted);
    assert_int_equal(rn_container_continuity_take(counters, pid, pos), RN_BREAK_NONE);
}

TEST(goes_round)
{
    for (int i = 5; i < 40; i++)
        assert_int_equal(send(WORDS, i), i & 0xf);
    expect(WORDS, RN_BREAK_NONE);
}

TEST(is_lost)
{
    send(WORDS, 0);
    send(PICTURES, 0);
    send(WORDS, 2);
    int64_t before = pos - 2 * RN_TRANSPORT_PACKET;
    assert_int_equal(rn_container_continuity_take(counters, WORDS, before), RN_BREAK_NONE);
    expect(WORDS, RN_BREAK_LOST);
    expect(PICTURES, RN_BREAK_NONE);
}

/* The second becomes a null packet; a third is one too many, another with its number a loss. */
TEST(comes_twice)
{
    make(WORDS, 3, 1);
    pass();
    make(WORDS, 3, 1);
    pass();
    assert_int_equal(rn_container_transport_pid(packet), RN_TRANSPORT_NULL);
    send(WORDS, 4);
    expect(WORDS, RN_BREAK_NONE);
    make(WORDS, 4, 99);
    pass();
    assert_int_equal(rn_container_transport_pid(packet), WORDS);
    expect(WORDS, RN_BREAK_LOST);
}

TEST(is_said)
{
    send(WORDS, 0);
    make(WORDS, 9, 0);
    packet[3] |= 0x20;
    packet[4] = 1;
    packet[5] = 0x80;
    packet[6] = 0;
    packet[8] = 1;
    pass();
    expect(WORDS, RN_BREAK_SAID);
}

TEST(has_lost_its_beginning)
{
    send(WORDS, 0);
    send(PICTURES, 0);
    make(PICTURES, 1, 0);
    memset(packet + 4, 0, 3);
    pass();
    expect(PICTURES, RN_BREAK_LOST);
    expect(WORDS, RN_BREAK_NONE);
}

/* Without a payload they count nothing. */
TEST(only_clock)
{
    send(WORDS, 7);
    make(WORDS, 7, 0xff);
    packet[3] = 0x27;
    packet[4] = 183;
    packet[5] = 0;
    pass();
    assert_int_equal(rn_container_transport_pid(packet), WORDS);
    send(WORDS, 8);
    expect(WORDS, RN_BREAK_NONE);
}

TEST(is_joined)
{
    send(PAT, 4);
    send(WORDS, 4);
    send(PICTURES, 4);
    send(PAT, 0);
    assert_int_equal(send(WORDS, 0), 5);
    assert_int_equal(send(WORDS, 1), 6);
    assert_int_equal(send(PICTURES, 0), 5);
    expect(WORDS, RN_BREAK_SAID);
    expect(PICTURES, RN_BREAK_SAID);
    send(WORDS, 3);
    expect(WORDS, RN_BREAK_LOST);
}

/* As libav opens a file: it looks at the end, and reads on where it was. */
TEST(reads_on)
{
    send(WORDS, 0);
    int64_t here = pos;
    pos = 100000;
    rn_container_continuity_seek(counters);
    send(WORDS, 8);
    expect(WORDS, RN_BREAK_NONE);
    rn_container_continuity_seek(counters);
    pos = here;
    send(WORDS, 2);
    expect(WORDS, RN_BREAK_LOST);
}

TEST(hostile)
{
    uint32_t random = 1;
    for (int i = 0; i < 50000; i++) {
        for (size_t k = 0; k < 8; k++)
            packet[k] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
        packet[1] &= 0x43;
        pass();
    }
    rn_container_continuity_take(counters, 0x33, INT64_MAX / 2);
}

GROUP(.before_each = set_up, .after_each = tear_down);
