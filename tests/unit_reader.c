/* SPDX-License-Identifier: MIT */
/* The player's reader: frames by number after seeks, from the input and from those held. */
#include "tests/unit.h"

#include "app/play/loop/reader.h"

#define FRAMES 20
#define RATE   25

struct rig {
    struct rn_read_source *source;
    struct rn_chain *chain;
    struct rn_runner *runner;
    struct rn_play_reader *reader;
};

static int make_clip(void **state)
{
    rn_log_set_level(RN_LOG_ERROR);
    rn_io_init();
    return unit_enter_folder(state) ||
           system("ffmpeg -v error -f lavfi -i testsrc2=s=32x32:r=25:d=0.8 -pix_fmt gray "
                  "-c:v ffv1 clip.mkv");
}

static void open_rig(struct rig *rig, size_t cache)
{
    struct rn_io_read_opts opts = {.frames = -1};
    *rig = (struct rig){.chain = unit_chain("")};
    assert_int_equal(rn_read_open(&rig->source, "clip.mkv", &opts), 0);
    assert_int_equal(
        rn_runner_open(&rig->runner, NULL, rig->chain, &rn_read_stream_of(rig->source)->geom, 1),
        0);
    assert_int_equal(rn_play_reader_start(&rig->reader, rig->source, rig->runner, cache), 0);
}

static void close_rig(struct rig *rig)
{
    rn_play_reader_stop(&rig->reader);
    for (int i = 0; i < rn_runner_nslots(rig->runner); i++)
        rn_io_frame_release(&rn_runner_slot(rig->runner, i)->frame);
    rn_runner_close(&rig->runner);
    rn_chain_destroy(&rig->chain);
    rn_read_close(&rig->source);
}

static void seek(struct rig *rig, const struct rn_play_goal *goal)
{
    rn_play_reader_seek(rig->reader, goal, false);
    while (rn_play_reader_sought(rig->reader) == RN_SEEK_PENDING)
        usleep(200);
    assert_int_equal(rn_play_reader_sought(rig->reader), RN_SEEK_DONE);
}

/* Reads to the end: the frames from number `first` on, each once. */
static void expect_rest(struct rig *rig, int first)
{
    int err = 0;
    for (int n = first; !err; n++) {
        struct rn_slot *slot = NULL;
        while (!(err = rn_play_reader_next(rig->reader, 1, &slot)) && !slot)
            continue;
        assert_int_equal(err, n < FRAMES ? 0 : RN_END);
        if (err)
            return;
        assert_int_equal(slot->frame.index, n);
        rn_play_reader_give(rig->reader, slot);
    }
}

static void each_frame_comes_once(size_t cache)
{
    OWNED(close_rig) struct rig rig;
    open_rig(&rig, cache);
    expect_rest(&rig, 0);
    for (int n = FRAMES - 1; n >= 0; n -= 3) {
        seek(&rig, &(struct rn_play_goal){.kind = RN_GOAL_LAST});
        expect_rest(&rig, FRAMES - 1);
        seek(&rig, &(struct rn_play_goal){.kind = RN_GOAL_TIME, .time = (n - 0.5) / RATE});
        expect_rest(&rig, n);
        seek(&rig, &(struct rn_play_goal){.kind = RN_GOAL_FRAME, .index = n});
        expect_rest(&rig, n);
    }
}

/* The reader is sent elsewhere before it has found the end. */
static void read_last_alone(struct rig *rig)
{
    struct rn_slot *slot = NULL;
    seek(rig, &(struct rn_play_goal){.kind = RN_GOAL_LAST});
    while (!slot)
        assert_int_equal(rn_play_reader_next(rig->reader, 1, &slot), 0);
    assert_int_equal(slot->frame.index, FRAMES - 1);
    rn_play_reader_seek(rig->reader, &(struct rn_play_goal){.kind = RN_GOAL_LAST},
                        false); /* takes no slot yet */
    rn_play_reader_give(rig->reader, slot);
}

/* Frames that are held end before the input does, at whatever number. */
TEST(held_frames_go_on_in_the_input)
{
    for (int n = 0; n < FRAMES; n++) {
        OWNED(close_rig) struct rig rig;
        open_rig(&rig, 1 << 20);
        read_last_alone(&rig);
        seek(&rig, &(struct rn_play_goal){.kind = RN_GOAL_TIME, .time = (n - 0.5) / RATE});
        expect_rest(&rig, n);
    }
}

TEST(frames_come_once_with_any_room)
{
    each_frame_comes_once(0);
    each_frame_comes_once(3000);
    each_frame_comes_once(12000);
    each_frame_comes_once(1 << 20);
}

GROUP(.before_all = make_clip, .after_all = unit_leave_folder);
