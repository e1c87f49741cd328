/* SPDX-License-Identifier: MIT */
/* Sinks need the description of an input alone: they copy it, and read nothing that belongs to the
 * reader while frames are written. */
#include "tests/unit.h"

#include <sys/mman.h>

#include "filters/base/output/outfile.h"
#include "io/common/frame_data.h"
#include "io/common/media.h"
#include "io/write/sink.h"

enum { W = 40, H = 24, FRAMES = 3, SOUND = 1 };

static int enter_folder(void **state)
{
    rn_io_init();
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    return unit_enter_folder(state);
}

GROUP(.before_all = enter_folder, .after_all = unit_leave_folder, .quiet = true);

static const struct rn_geom geom = {
    .w = W, .h = H, .fmt = {.model = RN_GRAY, .depth = 8}, .full_range = true};
static const struct rn_io_geometry untouched;

/* An input with pictures and, if it has a container, PCM. */
static struct rn_io_media describe(AVFormatContext *fmt, const AVFrame *first)
{
    struct rn_io_media media = {.name = "input", .fmt = fmt, .first = first, .number = -1};
    media.geometry = &untouched;
    media.end_us = INT64_MAX;
    media.stream = (struct rn_io_stream){.geom = geom,
                                         .time_base = {1, 25},
                                         .rate = {25, 1},
                                         .frames = FRAMES,
                                         .exact = true,
                                         .duration = FRAMES / 25.0};
    for (int i = 0; fmt && i <= SOUND; i++) {
        AVStream *st = avformat_new_stream(fmt, NULL);
        assert_non_null(st);
        st->time_base = (AVRational){1, i == SOUND ? 48000 : 25};
        st->codecpar->codec_type = i == SOUND ? AVMEDIA_TYPE_AUDIO : AVMEDIA_TYPE_VIDEO;
        st->codecpar->codec_id = i == SOUND ? AV_CODEC_ID_PCM_S16LE : AV_CODEC_ID_RAWVIDEO;
        st->codecpar->format = i == SOUND ? (int)AV_SAMPLE_FMT_S16 : (int)AV_PIX_FMT_GRAY8;
        st->codecpar->sample_rate = i == SOUND ? 48000 : 0;
        st->codecpar->bits_per_coded_sample = i == SOUND ? 16 : 0;
        st->codecpar->block_align = i == SOUND ? 2 : 0;
        if (i == SOUND)
            av_channel_layout_default(&st->codecpar->ch_layout, 1);
    }
    return media;
}

static struct rn_frame make_frame(int i, const AVFrame *first, bool sound)
{
    struct rn_frame frame = {.index = i, .pts = i, .duration = 1};
    frame.data = rn_io_frame_data_create();
    assert_non_null(frame.data);
    frame.data->props = av_frame_clone(first);
    OWNED(av_packet_free) AVPacket *pkt = sound ? av_packet_alloc() : NULL;
    if (sound) {
        assert_int_equal(av_new_packet(pkt, 2 * 1920), 0);
        memset(pkt->data, i, (size_t)pkt->size);
        pkt->stream_index = SOUND;
        pkt->pts = pkt->dts = i * 1920;
        pkt->duration = 1920;
        assert_int_equal(rn_io_frame_data_push(frame.data, pkt), 0);
    }
    return frame;
}

static void write_to(const char *output, bool sound)
{
    static AVStream *no_streams[1];
    AVFormatContext *fmt = sound ? avformat_alloc_context() : NULL;
    OWNED(av_frame_free) AVFrame *first = av_frame_alloc();
    first->color_range = AVCOL_RANGE_JPEG;
    struct rn_io_media *media =
        mmap(NULL, sizeof *media, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(media != MAP_FAILED);
    *media = describe(fmt, first);
    OWNED(rn_losses_destroy) struct rn_losses *losses = rn_losses_create();
    struct rn_write_opts opts = {.threads = 2, .losses = losses};
    struct rn_write_sink *sink;
    OWNED(rn_image_free) struct rn_image img = unit_image(&geom);
    assert_int_equal(rn_write_open(&sink, output, &opts, media, &geom), 0);
    assert_int_equal(mprotect(media, sizeof *media, PROT_NONE), 0); /* who keeps it dies */
    AVStream **streams = fmt ? fmt->streams : NULL;
    if (fmt) { /* the reader may add streams now, which moves the list */
        fmt->streams = no_streams;
        fmt->nb_streams = 0;
    }
    for (int i = 0; i < FRAMES; i++) {
        for (int y = 0; y < H; y++)
            memset(img.plane[0].data + y * img.plane[0].stride, 10 * y + i, W);
        struct rn_frame frame = make_frame(i, first, sound);
        assert_int_equal(rn_write_write(sink, &img, &frame), 0);
        assert_null(frame.data);
    }
    if (fmt) {
        fmt->streams = streams;
        fmt->nb_streams = SOUND + 1;
    }
    assert_int_equal(rn_write_close(&sink, RN_ENDING_COMPLETE), 0);
    assert_null(sink);
    munmap(media, sizeof *media);
    avformat_free_context(fmt);
}

TEST(sinks_need_no_source)
{
    static const char *const outputs[][2] = {
        {"null:", NULL},         {"stack.tif", "stack.tif"}, {"page_%d.tif", "page_2.tif"},
        {"v.nii", "v.nii"},      {"v.nrrd", "v.nrrd"},       {"i_%d.png", "i_2.png"},
        {"s_%d.dcm", "s_2.dcm"}, {"film.mkv", "film.mkv"},
    };
    struct stat st;
    for (int i = 0; i < COUNT(outputs); i++) {
        for (int sound = 0; sound < 2; sound++) {
            write_to(outputs[i][0], sound);
            if (!outputs[i][1])
                continue;
            assert_int_equal(stat(outputs[i][1], &st), 0);
            assert_int_equal(unlink(outputs[i][1]), 0);
        }
    }
}

TEST(other_streams_come_with_the_frames)
{
    OWNED(avformat_close_input) AVFormatContext *is = NULL;
    OWNED(av_packet_free) AVPacket *pkt = av_packet_alloc();
    int packets[2] = {0};
    write_to("both.mkv", true);
    assert_int_equal(avformat_open_input(&is, "both.mkv", NULL, NULL), 0);
    assert_int_equal(is->nb_streams, 2);
    for (; av_read_frame(is, pkt) >= 0; av_packet_unref(pkt))
        packets[pkt->stream_index]++;
    assert_int_equal(packets[0], FRAMES);
    assert_int_equal(packets[SOUND], FRAMES);
}
