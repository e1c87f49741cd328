/* SPDX-License-Identifier: MIT */
/* Seeking is exact: what is read after it is what is read in order. WHOLE=1: in every container. */
#include "tests/unit.h"

#include "io/read/audio.h"
#include "io/read/decode/cached_picture.h"
#include "io/common/frame_data.h"
#include "tests/pictures.h"

#define MOST 400

struct picture {
    int64_t index, pts;
    double time;
    uint64_t hash;
};

struct clip {
    const char *name;
    struct rn_read_source *source;
    struct rn_image img;
    struct picture picture[MOST]; /* as read in order */
    int n;
    int passed; /* pictures that seeks have held */
};

static int enter_folder(void **state)
{
    rn_log_set_level(RN_LOG_ERROR);
    rn_io_init();
    return unit_enter_folder(state);
}

static void shell(const char *command)
{
    if (system(command) != 0)
        fail_msg("failed: %s", command);
}

static struct picture picture_of(const struct rn_frame *frame, const struct rn_image *img)
{
    return (struct picture){frame->index, frame->pts, frame->time, hash(img)};
}

/* Reads one picture; returns false at the end. */
static bool read_one(struct clip *c, struct picture *to)
{
    struct rn_frame frame;
    int err = rn_read_read(c->source, &c->img, &frame);
    rn_io_frame_release(&frame);
    assert_true(err == 0 || err == RN_END);
    if (err)
        return false;
    *to = picture_of(&frame, &c->img);
    return true;
}

static void open_clip(struct clip *c, const char *name, const struct rn_io_read_opts *opts)
{
    memset(c, 0, sizeof *c);
    c->name = name;
    assert_int_equal(rn_read_open(&c->source, name, opts), 0);
    assert_int_equal(rn_image_alloc(&c->img, &rn_read_stream_of(c->source)->geom), 0);
    while (c->n < MOST && read_one(c, &c->picture[c->n]))
        c->n++;
    assert_in_range(c->n, 1, MOST - 1);
}

static void close_clip(struct clip *c)
{
    rn_image_free(&c->img);
    rn_read_close(&c->source);
}

static void expect_picture(const struct clip *c, const struct picture *got, int k, double seconds)
{
    const struct picture *want = &c->picture[k];
    if (got->pts != want->pts || got->hash != want->hash)
        fail_msg("%s after %f: not picture %d, time %f, but one of time %f", c->name, seconds, k,
                 want->time, got->time);
    assert_int_equal(got->index, want->index);
}

/* What comes after a seek: pictures from number k of the clip on. */
static void check_from_on(struct clip *c, int k, int count, double seconds)
{
    for (; count > 0; count--, k++) {
        struct picture got;
        bool some = read_one(c, &got);
        if (some != (k < c->n))
            fail_msg("after %f: %s", seconds, some ? "a picture behind the end" : "no picture");
        if (!some)
            return;
        expect_picture(c, &got, k, seconds);
    }
}

/* Those that the last seek passed are the ones in front of number k. */
static void check_passed(struct clip *c, int k, double seconds)
{
    struct rn_read_cached_picture *held[MOST];
    int n = 0;
    while (n < MOST && (held[n] = rn_read_take_passed_picture(c->source)) != NULL)
        n++;
    assert_true(n <= k);
    c->passed += n;
    for (int i = 0; i < n; i++) {
        struct rn_frame frame;
        assert_true(!held[i]->extra);
        assert_int_equal(rn_read_cached_picture_read(c->source, held[i], &c->img, &frame), 0);
        rn_io_frame_release(&frame);
        struct picture got = picture_of(&frame, &c->img);
        expect_picture(c, &got, k - n + i, seconds);
        rn_read_cached_picture_release(&held[i]);
    }
}

static void check_at(struct clip *c, double seconds, int count)
{
    int k = 0;
    while (k < c->n && c->picture[k].time < seconds - 5e-7)
        k++;
    int err = rn_read_seek(c->source, seconds);
    if (err)
        fail_msg("seeking to %f gave %d", seconds, err);
    if (k < c->n)
        check_passed(c, k, seconds);
    check_from_on(c, k, count, seconds);
}

static void check_frame(struct clip *c, int k, int count)
{
    int64_t index = k < c->n ? c->picture[k].index : c->picture[c->n - 1].index + 1 + k - c->n;
    assert_int_equal(rn_read_seek_frame(c->source, index), 0);
    check_passed(c, k, k);
    check_from_on(c, k, count, k);
}

static void check_last(struct clip *c)
{
    assert_int_equal(rn_read_seek_last(c->source), 0);
    check_passed(c, c->n - 1, -1);
    check_from_on(c, c->n - 1, 2, -1);
}

static const struct rn_io_read_opts whole = {.frames = -1};

static void check_clip(const char *name, const struct rn_io_read_opts *opts)
{
    OWNED(close_clip) struct clip c;
    open_clip(&c, name, opts);
    double end = c.picture[c.n - 1].time;
    srand(1);
    check_at(&c, -1, 3); /* the end was reached before */
    check_at(&c, end, 2);
    check_at(&c, end + 100, 1);
    rn_read_cache_passed_pictures(c.source, 200 << 10);
    check_last(&c);
    check_frame(&c, c.n - 1, 2);
    check_frame(&c, c.n, 1);
    check_frame(&c, c.n + 1000, 1);
    check_frame(&c, 0, 3);
    check_last(&c);
    for (int i = 0; i < (is_whole() ? 30 : 12); i++) {
        double t = i % 2 ? c.picture[rand() % c.n].time : end * rand() / RAND_MAX;
        check_at(&c, t, i % 10 ? 2 : 40);
        if (i % 3 == 0)
            check_frame(&c, rand() % c.n, 2);
    }
    struct rn_io_ledger ledger;
    rn_read_ledger(c.source, &ledger);
    if (opts == &whole && !strchr(name, '%') && !c.passed)
        fail_msg("%s: no picture was held on the way", name);
    if (ledger.in.damage.damaged || ledger.in.damage.missing)
        fail_msg("%s is called damaged: %s", name, ledger.in.damage.what);
}

static void make(const char *name, const char *options)
{
    if (access(name, F_OK))
        shell(formatted("ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=30:d=8 -f lavfi "
                        "-i sine=440:d=8 %s %s",
                        options, name));
}

#define X264 "-c:v libx264 -pix_fmt yuv420p -g 50 -preset ultrafast -bf 3 "

/* Every second one, with which others go on, unless all are wanted. */
static void check_made(const char *const clips[][2], int n)
{
    for (int i = 0; i < n; i += is_whole() ? 1 : 2) {
        make(clips[i][0], clips[i][1]);
        check_clip(clips[i][0], &whole);
    }
}

TEST(constant_rate)
{
    static const char *const clips[][2] = {{"b.mp4", X264 "-c:a aac"},
                                           {"b.mkv", X264 "-x264-params open-gop=1 -c:a aac"},
                                           {"b.nut", "-c:v mpeg2video -bf 2 -g 15"},
                                           {"b.ts", X264 "-c:a aac"},
                                           {"b.avi", "-c:v mpeg4 -bf 2 -g 50"},
                                           {"refresh.ts",
                                            "-c:v libx264 -pix_fmt yuv420p -g 250 -x264-params "
                                            "intra-refresh=1:bframes=0 -preset ultrafast"}};
    check_made(clips, COUNT(clips));
}

#define UNEVEN "-vf \"select='not(mod(n,7))+gt(mod(n,19),12)'\" -fps_mode vfr "

/* Pictures that last 1 to 7 frames of a camera: their average says nothing of their numbers. Some
 * packets are no pictures, or half of one. */
TEST(variable_rate)
{
    static const char *const clips[][2] = {
        {"v.mp4", UNEVEN X264 "-c:a aac"},
        {"p.mp4", UNEVEN X264 "-c:a aac -movflags empty_moov+frag_keyframe"},
        {"v.mkv", UNEVEN X264 "-x264-params open-gop=1 -c:a aac"},
        {"v.ts", UNEVEN X264 "-c:a aac"},
        {"v.webm", UNEVEN "-c:v libvpx -auto-alt-ref 1 -lag-in-frames 16 -g 50 -b:v 200k "
                          "-deadline realtime -cpu-used 8 -an"},
        {"v.avi", UNEVEN "-c:v mpeg4 -g 30"},
        {"v.mpg", UNEVEN "-c:v mpeg2video -bf 2 -g 15 -c:a mp2"},
        {"v.nut", UNEVEN "-c:v mpeg2video -bf 2 -g 15 -an"},
        {"v.flv", UNEVEN X264 "-an"},
        {"i.mkv", UNEVEN X264 "-flags +ildct+ilme -x264-params tff=1 -an"},
        {"v9.webm", UNEVEN "-c:v libvpx-vp9 -auto-alt-ref 1 -lag-in-frames 16 -g 50 -b:v 200k "
                           "-deadline good -cpu-used 8 -an"}};
    check_made(clips, COUNT(clips));
    shell("ffmpeg -v error -y -ss 2.3 -i v.mp4 -c copy edit.mp4"); /* what is before is hidden */
    check_clip("edit.mp4", &whole);
}

TEST(joined_recordings)
{
    make("v.ts", UNEVEN X264 "-c:a aac");
    shell("cat v.ts v.ts > joined.ts");
    check_clip("joined.ts", &whole);
    struct clip c, fresh;
    open_clip(&c, "joined.ts", &whole);
    fresh = c;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rn_read_open(&fresh.source, "joined.ts", &whole), 0);
        check_at(&fresh, c.picture[c.n - 9 - 40 * i].time, 2);
        rn_read_close(&fresh.source);
    }
    close_clip(&c);
}

/* --from gives the numbers that a whole run gives. */
static void check_from(const char *name)
{
    struct clip c, part;
    struct picture got;
    open_clip(&c, name, &whole);
    for (int i = 1; i < 5; i++) {
        int k = c.n * i / 5;
        struct rn_io_read_opts opts = {.frames = -1};
        opts.from = (struct rn_io_time){.kind = RN_TIME_SECONDS, .seconds = c.picture[k].time};
        part = c;
        assert_int_equal(rn_read_open(&part.source, name, &opts), 0);
        for (int n = k; n < k + 2; n++) {
            assert_true(read_one(&part, &got));
            if (got.index != c.picture[n].index || got.hash != c.picture[n].hash)
                fail_msg("%s from %f: %d is called %d", name, opts.from.seconds,
                         (int)c.picture[n].index, (int)got.index);
        }
        rn_read_close(&part.source);
    }
    close_clip(&c);
}

/* Who does not need the number at once does not wait for a large file to be read. */
TEST(large_files_tell_later)
{
    struct rn_io_read_opts soon = {.frames = -1, .index_mode = RN_FRAME_INDEX_APPROXIMATE};
    make("p.mp4", UNEVEN X264 "-c:a aac -movflags empty_moov+frag_keyframe");
    shell("cp p.mp4 large.mp4; printf '\\0\\0\\0\\0free' >> large.mp4; truncate -s 300M large.mp4");
    OWNED(close_clip) struct clip c;
    struct rn_frame frame = {.about = true};
    open_clip(&c, "large.mp4", &soon);
    for (int tries = 0; tries < 10000 && frame.about; tries++) {
        assert_int_equal(rn_read_seek(c.source, c.picture[60].time), 0);
        for (int n = 60; n < 70; n++) {
            assert_int_equal(rn_read_read(c.source, &c.img, &frame), 0);
            rn_io_frame_release(&frame);
            if (!frame.about)
                assert_int_equal(frame.index, n);
        }
    }
    assert_false(frame.about);
}

TEST(within_a_range)
{
    make("b.mp4", X264 "-c:a aac");
    struct rn_io_read_opts opts = whole;
    assert_true(rn_read_time_parse("2.2", &opts.from));
    assert_true(rn_read_time_parse("6", &opts.to));
    check_clip("b.mp4", &opts);
    assert_true(rn_read_time_parse("40f", &opts.from));
    assert_true(rn_read_time_parse("190f", &opts.to));
    check_clip("b.mp4", &opts);
    opts.to.kind = RN_TIME_NONE;
    opts.frames = 90;
    check_clip("b.mp4", &opts);
}

/* A field needs the frames beside its own, also where reading begins at a key frame. */
TEST(deinterlaced)
{
    const char *options = "-vf setfield=tff -flags +ildct+ilme -c:v mpeg2video -bf 2 -g 15 -t 6";
    struct rn_io_read_opts opts = whole;
    opts.geometry.deinterlace = RN_DEINTERLACE_FIELD;
    make("fields.mkv", options);
    check_clip("fields.mkv", &opts);
    make("fields.ts", options);
    check_clip("fields.ts", &opts);
    opts.geometry.deinterlace = RN_DEINTERLACE_FRAME;
    assert_true(rn_read_time_parse("2.5", &opts.from));
    check_clip("fields.mkv", &opts);
}

TEST(image_files)
{
    shell("ffmpeg -v error -y -f lavfi -i testsrc2=s=32x24:r=25 -frames:v 20 i%03d.png");
    check_clip("i%03d.png", &whole);
    struct rn_io_read_opts opts = whole;
    assert_true(rn_read_time_parse("5f", &opts.from));
    opts.frames = 9;
    check_clip("i%03d.png", &opts);
}

/* Packets of other streams that came with the next picture: the earliest time, and how many. */
static int packets_with_next(struct clip *c, double *first)
{
    OWNED(rn_io_frame_release) struct rn_frame frame;
    assert_int_equal(rn_read_read(c->source, &c->img, &frame), 0);
    int n = frame.data->n;
    *first = INFINITY;
    for (int i = 0; i < n; i++) {
        const AVPacket *pkt = frame.data->packet[i];
        *first = fmin(*first, (double)pkt->pts / 1000); /* Matroska counts milliseconds */
    }
    return n;
}

TEST(sound_before_is_dropped)
{
    make("b.mkv", X264 "-x264-params open-gop=1 -c:a aac");
    OWNED(close_clip) struct clip c;
    open_clip(&c, "b.mkv", &whole);
    double first;
    assert_int_equal(rn_read_seek(c.source, 4.9), 0);
    assert_in_range(packets_with_next(&c, &first), 1, 200);
    assert_true(first > 4.9 - 0.03 && first < 4.9 + 0.03); /* packets last 23 ms */
}

TEST(from_keeps_numbers)
{
    static const char *const names[] = {"v.mp4",     "p.mp4",    "v.mkv",    "v.ts",
                                        "joined.ts", "b.avi",    "v.webm",   "b.nut",
                                        "v.mpg",     "edit.mp4", "i%03d.png"};
    for (int i = 0; i < COUNT(names); i++)
        check_from(names[i]);
}

TEST(generators_cannot_seek)
{
    struct rn_read_source *source;
    assert_int_equal(rn_read_open(&source, "lavfi:testsrc2=s=32x24:d=1", &whole), 0);
    assert_int_equal(rn_read_seek(source, 0.5), RN_EUSAGE);
    OWNED(close_clip) struct clip c = {.source = source};
    assert_int_equal(rn_image_alloc(&c.img, &rn_read_stream_of(source)->geom), 0);
    assert_true(read_one(&c, &c.picture[0])); /* nothing was lost */
    assert_int_equal(c.picture[0].index, 0);
}

/* At another speed there are as many samples fewer, and the pitch is the same. */
TEST(sound_keeps_its_pitch)
{
    shell("ffmpeg -v error -y -f lavfi -i testsrc2=d=4:s=32x32:r=25 -f lavfi -i sine=440:d=4 "
          "-c:v ffv1 -c:a pcm_s16le tone.mkv");
    for (double speed = 0.5; speed < 2.3; speed += 0.5) {
        OWNED(close_clip) struct clip c = {.name = "tone.mkv"};
        OWNED(rn_read_audio_close) struct rn_read_audio *audio;
        const int16_t *samples;
        struct rn_frame frame;
        int rate, channels, periods = 0, before = 0;
        size_t n, all = 0;
        double time, end = 0;
        assert_int_equal(rn_read_open(&c.source, c.name, &whole), 0);
        assert_int_equal(rn_image_alloc(&c.img, &rn_read_stream_of(c.source)->geom), 0);
        assert_int_equal(rn_read_audio_open(&audio, c.source, &rate, &channels), 0);
        assert_int_equal(rn_read_audio_tempo(audio, speed), 0);
        while (!rn_read_read(c.source, &c.img, &frame)) {
            assert_int_equal(rn_read_audio_decode(audio, &frame, &samples, &n, &time), 0);
            if (n && fabs(time - end) > 1e-3)
                fail_msg("at %f times the speed: %f behind %f", speed, time, end);
            end = n ? time + (double)n * speed / rate : end;
            for (size_t i = 0; i < n; i++) {
                periods += before < 0 && samples[(ptrdiff_t)i * channels] >= 0;
                before = samples[(ptrdiff_t)i * channels];
            }
            all += n;
            rn_io_frame_release(&frame);
        }
        rn_io_frame_release(&frame); /* what comes behind the last picture */
        double seconds = (double)all / rate;
        if (fabs(seconds - 4 / speed) > 0.3 || fabs(periods / seconds - 440) > 4)
            fail_msg("at %f times the speed: %f s of %f Hz", speed, seconds, periods / seconds);
    }
}

GROUP(.before_all = enter_folder, .after_all = unit_leave_folder);
