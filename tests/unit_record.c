/* SPDX-License-Identifier: MIT */
/* Recordings: at every moment the file gives each frame what it was shown with last. */
#include "tests/unit.h"

#include <signal.h>
#include <sys/resource.h>

#include "app/run/recording/record.h"
#include "filters/base/output/outfile.h"

#define FRAMES 40

static const char chain_text[] = "erosion=radius=2,gray,convolution=preset=sharpen:enable=0";

/* What is tuned, as one number. */
static int value_of(const struct rn_chain *chain)
{
    return 4 * (int)unit_value(chain, 0, "radius") + 2 * rn_chain_stage(chain, 0)->on +
           rn_chain_stage(chain, 2)->on;
}

static void tune(struct rng *rng, struct rn_chain *chain)
{
    const char *text = formatted("%d", 1 + rng_below(rng, 3));
    if (rng_below(rng, 2))
        assert_int_equal(rn_chain_set(chain, 0, "radius", text), 0);
    if (!rng_below(rng, 3))
        assert_int_equal(rn_chain_switch(chain, 0, rng_below(rng, 2)), 0);
    if (!rng_below(rng, 3))
        assert_int_equal(rn_chain_switch(chain, 2, rng_below(rng, 2)), 0);
}

static void assert_replayed(const char *path, const int *want)
{
    OWNED(rn_app_replay_close) struct rn_app_replay *replay;
    const char *text;
    assert_int_equal(rn_app_replay_open(&replay, path, &text), 0);
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain(text);
    assert_int_equal(rn_app_replay_bind(replay, chain), 0);
    for (int n = 0; n < FRAMES; n++) {
        bool changed;
        int before = value_of(chain);
        assert_int_equal(rn_app_replay_frame(replay, &chain, n, &changed), 0);
        if (value_of(chain) != want[n])
            fail_msg("frame %d: %d, not %d", n, value_of(chain), want[n]);
        if (!changed)
            assert_int_equal(before, want[n]);
    }
}

/* Somebody who plays, drops frames, goes to other ones and tunes. */
struct viewer {
    struct rn_app_record *record;
    struct rn_chain *chain;
    int frame, end;
    int want[FRAMES];
};

static void watch(struct rng *rng, struct viewer *v)
{
    bool follows = rng_below(rng, 4) && v->frame + 3 < FRAMES;
    int next = follows             ? v->frame + 1 + rng_below(rng, 3)
               : rng_below(rng, 3) ? rng_below(rng, FRAMES)
               : v->frame < 0      ? 0
                                   : v->frame;
    int first = follows ? v->frame + 1 : next, last = next >= v->end ? FRAMES - 1 : next;
    if (!rng_below(rng, 3))
        tune(rng, v->chain);
    rn_app_record_compute(v->record, v->chain, next);
    assert_int_equal(rn_app_record_frame(v->record, next, RN_ALL_FRAMES, follows), 0);
    for (int n = first; n <= last; n++)
        v->want[n] = value_of(v->chain);
    v->frame = next;
    v->end = next > v->end ? next : v->end;
}

TEST(frames_as_shown_last)
{
    struct rng rng = rng_seed(5);
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    for (int round = 0; round < 60; round++) {
        struct viewer v = {.chain = unit_chain(chain_text), .frame = -1, .end = -1};
        assert_int_equal(rn_app_record_create(&v.record, "tape", v.chain), 0);
        for (int n = 0; n < FRAMES; n++)
            v.want[n] = value_of(v.chain);
        for (int i = 0; i < 120; i++) {
            watch(&rng, &v);
            if (i % 8 == round % 8)
                assert_replayed("tape", v.want);
        }
        assert_int_equal(rn_app_record_close(&v.record), 0);
        assert_replayed("tape", v.want);
        rn_chain_destroy(&v.chain);
    }
}

TEST(what_a_frame_was_computed_with)
{
    struct rng rng = rng_seed(7);
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain(chain_text);
    struct rn_app_record *record;
    int want[FRAMES];
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    assert_int_equal(rn_app_record_create(&record, "tape", chain), 0);
    for (int n = 0; n < FRAMES; n++) {
        want[n] = value_of(chain);
        rn_app_record_compute(record, chain, n);
        tune(&rng, chain); /* on its way to the screen */
        assert_int_equal(rn_app_record_frame(record, n, RN_ALL_FRAMES, n > 0), 0);
    }
    assert_int_equal(rn_app_record_close(&record), 0);
    assert_replayed("tape", want);
}

TEST(nothing_shown)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain(chain_text);
    struct rn_app_record *record;
    assert_int_equal(rn_app_record_create(&record, "tape", chain), 0);
    assert_int_not_equal(access("tape", F_OK), 0);
    assert_int_equal(rn_app_record_close(&record), 0);
    assert_null(record);
    assert_int_equal(rn_app_record_close(&record), 0);
    assert_int_equal(unit_entries("."), 0);
}

static int read_back(const char *lines, struct rn_app_replay **replay, struct rn_chain **chain)
{
    const char *text;
    unit_write("tape", formatted("{\"chain\":\"%s\"}\n%s", chain_text, lines));
    assert_int_equal(rn_app_replay_open(replay, "tape", &text), 0);
    *chain = unit_chain(text);
    return rn_app_replay_bind(*replay, *chain);
}

/* A line by which frames have a radius. */
#define RADIUS(frames, radius)                                                                     \
    "{" frames ",\"stage\":0,\"param\":\"radius\",\"value\":\"" radius "\"}\n"

#define RAMP(first, last, from, to, ease)                                                          \
    "{\"frame\":" first ",\"to\":" last ",\"stage\":0,\"param\":\"radius\",\"from\":\"" from       \
    "\",\"value\":\"" to "\",\"ease\":\"" ease "\"}\n"

TEST(lines_mean)
{
    static const struct {
        const char *lines;
        int radius[5];
    } cases[] = {
        {"", {2, 2, 2, 2, 2}},
        {RADIUS("\"frame\":1", "3") RADIUS("\"frame\":3", "4"), {2, 3, 3, 4, 4}},
        {RADIUS("\"frame\":3", "4") RADIUS("\"frame\":1", "3"), {2, 3, 3, 3, 3}},
        {RADIUS("\"frame\":0", "4") RADIUS("\"frame\":1,\"to\":2", "3"), {4, 3, 3, 4, 4}},
        {RADIUS("\"frame\":3,\"to\":4", "4") RADIUS("\"frame\":1,\"to\":3", "3")
             RADIUS("\"frame\":2,\"to\":2", "1"),
         {2, 3, 1, 3, 4}},
        {RADIUS("\"frame\":2,\"to\":2", "4") "{\"frame\":4}\n{\"frame\":0,\"to\":0}\n",
         {4, 2, 4, 2, 4}},
        {RADIUS("\"frame\":1", "3") "{\"frame\":2,\"to\":3,\"chain\":\"erosion=radius=1\"}\n",
         {2, 3, 1, 1, 3}},
        {RAMP("1", "4", "1", "4", "linear"), {2, 1, 2, 3, 4}},
        {RAMP("0", "4", "1", "9", "smooth"), {1, 2, 5, 8, 9}},
        {RAMP("0", "2", "1", "3", "linear") RADIUS("\"frame\":1,\"to\":1", "6"), {1, 6, 3, 2, 2}},
        {RAMP("0", "2", "1", "3", "linear") "{\"frame\":4}\n", {1, 2, 3, 2, 3}},
        {"{\"frame\":1,\"stage\":0,\"on\":false}\n{\"frame\":2,\"stage\":0,\"on\":true}\n"
         "{\"frame\":3,\"stage\":0,\"param\":\"enable\",\"value\":\"0\"}\n",
         {2, -2, 2, -2, -2}}};
    for (int i = 0; i < COUNT(cases); i++) {
        OWNED(rn_app_replay_close) struct rn_app_replay *replay;
        OWNED(rn_chain_destroy) struct rn_chain *chain;
        bool changed;
        assert_int_equal(read_back(cases[i].lines, &replay, &chain), 0);
        for (int n = 0; n < 5; n++) {
            assert_int_equal(rn_app_replay_frame(replay, &chain, n, &changed), 0);
            int on = rn_chain_stage(chain, 0)->on, got = (int)unit_value(chain, 0, "radius");
            if ((on ? got : -got) != cases[i].radius[n])
                fail_msg("case %d, frame %d: %d", i, n, got);
        }
    }
}

TEST(lines_refused)
{
    static const char *const lines[] = {
        "{\"stage\":0,\"param\":\"radius\",\"value\":\"3\"}",
        "{\"frame\":-1}",
        "{\"frame\":\"1\"}",
        "{\"frame\":1.5}",
        "{\"frame\":2,\"to\":1}",
        "{\"frame\":2,\"to\":null}",
        "{\"frame\":1,\"stage\":3,\"param\":\"radius\",\"value\":\"3\"}",
        "{\"frame\":1,\"stage\":-1,\"param\":\"radius\",\"value\":\"3\"}",
        "{\"frame\":1,\"stage\":0,\"param\":\"radius\",\"value\":\"99\"}",
        "{\"frame\":1,\"stage\":0,\"param\":\"radius\",\"value\":3}",
        "{\"frame\":1,\"stage\":0,\"param\":\"radius\"}",
        "{\"frame\":1,\"stage\":0,\"param\":\"slices\",\"value\":\"1\"}",
        "{\"frame\":1,\"stage\":0,\"param\":\"enable\",\"value\":\"2\"}",
        "{\"frame\":1,\"stage\":0,\"on\":1}",
        "{\"frame\":1,\"stage\":0}",
        "{\"frame\":1,\"param\":\"radius\",\"value\":\"3\"}",
        "{\"frame\":1,\"chain\":\"nonsense\"}",
        "{\"frame\":1,\"chain\":\"@file\"}",
        "{\"frame\":1,\"chain\":1}",
        "{\"frame\":1,\"first\":2}",
        "{\"frame\":1,\"to\":1,\"last\":0}",
        RAMP("1", "4", "1", "99", "linear"),
        RAMP("1", "4", "x", "3", "linear"),
        RAMP("1", "4", "1mm", "3", "linear"),
        RAMP("1", "4", "1", "3", "odd"),
        RAMP("1", "9999999999", "1", "3", "linear"),
        "{\"frame\":1,\"stage\":0,\"param\":\"radius\",\"from\":\"1\",\"value\":\"3\"}",
        "{\"frame\":1,\"to\":2,\"from\":\"1\"}"};
    for (int i = 0; i < COUNT(lines); i++) {
        OWNED(rn_app_replay_close) struct rn_app_replay *replay;
        OWNED(rn_chain_destroy) struct rn_chain *chain;
        if (read_back(lines[i], &replay, &chain) != RN_EUSAGE)
            fail_msg("%s is taken", lines[i]);
    }
}

/* The frames that are filtered together, and the neighbours that they are filtered with. */
struct pieces {
    int n;
    bool bound[8];
};

static int note_state(void *arg, const struct rn_chain *chain, const struct rn_analysis *a,
                      bool bound)
{
    struct pieces *pieces = arg;
    (void)a;
    assert_int_equal(rn_chain_count(chain), 1 + (pieces->n == 2));
    pieces->bound[pieces->n++] = bound;
    return 0;
}

TEST(pieces)
{
    static const struct {
        int64_t frame;
        struct rn_app_piece want;
    } cases[] = {
        {0, {{0, 4}, {0, 5}}}, {5, {{5, 5}, {5, 5}}}, {6, {{6, 6}, {5, 6}}}, {8, {{8, 8}, {7, 9}}}};
    const struct rn_geom geom = {RN_SIZED(struct rn_geom), .w = 8, .h = 8,
                                 .fmt = {.model = RN_GRAY, .depth = 8}};
    OWNED(rn_app_replay_close) struct rn_app_replay *replay;
    struct pieces pieces = {.n = 0};
    const char *text;
    unit_write(
        "tape",
        "{\"chain\":\"erosion=slices=1\"}\n"
        "{\"frame\":5,\"to\":5,\"chain\":\"erosion=slices=1,invert\",\"first\":5,\"last\":5}\n"
        "{\"frame\":5,\"to\":5,\"chain\":\"invert\"}\n"
        "{\"frame\":6,\"to\":6,\"chain\":\"erosion=slices=1,invert\",\"last\":6}\n"
        "{\"frame\":7,\"chain\":\"erosion=slices=1\"}\n"
        "{\"frame\":8,\"to\":8,\"stage\":0,\"param\":\"radius\",\"value\":\"2\"}\n");
    assert_int_equal(rn_app_replay_open(&replay, "tape", &text), 0);
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain(text);
    assert_int_equal(rn_app_replay_bind(replay, chain), 0);
    assert_int_equal(rn_app_replay_check(replay, chain, &geom, &geom, true, note_state, &pieces),
                     0);
    static const bool bound[] = {true, false, false, false, true, true};
    assert_int_equal(pieces.n, COUNT(bound));
    assert_memory_equal(pieces.bound, bound, sizeof bound);
    assert_true(rn_app_replay_is_cut(replay));
    assert_int_equal(rn_app_replay_reach(replay), 2);
    for (int i = 0; i < COUNT(cases); i++) {
        struct rn_app_piece piece = rn_app_replay_piece(replay, cases[i].frame, RN_TO_THE_END);
        if (memcmp(&piece, &cases[i].want, sizeof piece))
            fail_msg("from %d: written %d to %d, read %d to %d", (int)cases[i].frame,
                     (int)piece.write.first, (int)piece.write.last, (int)piece.read.first,
                     (int)piece.read.last);
    }
}

/* What the shell opened holds lines of others, which no failure may take. */
TEST(others_keep_their_lines)
{
    struct rn_app_record *record;
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain(chain_text);
    struct stat st;
    struct rlimit before, small;
    int fd = open("tape", O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_int_equal(write(fd, "the lines of others\n", 20), 20);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 30;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int err = rn_app_record_create(&record, formatted("/dev/fd/%d", fd), chain);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(err, RN_EOUTPUT);
    assert_int_equal(fstat(fd, &st), 0);
    assert_in_range(st.st_size, 20, 30);
    close(fd);
}

GROUP(.quiet = true, .before_each = unit_enter_folder, .after_each = unit_leave_folder);
