/* SPDX-License-Identifier: MIT */
/* What is true of pictures: from headers and frames, and what differs. */
#include "tests/unit.h"

#include "io/common/traits.h"

static const struct rn_io_traits plain = {.w = 64, .h = 48, .range = AVCOL_RANGE_MPEG};

TEST(what_is_unknown_cannot_be_lost)
{
    struct rn_io_traits is = plain;
    is.primaries = AVCOL_PRI_BT709;
    is.range = AVCOL_RANGE_UNSPECIFIED;
    is.fields = RN_FIELD_ORDER_NONE;
    is.aspect = (AVRational){1, 1};
    is.alpha = is.captions = true;
    assert_int_equal(rn_io_traits_differ(&plain, &is), 0);
    is.w = is.h = 0; /* a header that does not say it */
    assert_int_equal(rn_io_traits_differ(&plain, &is), 0);
}

TEST(each_difference_has_its_bit)
{
    struct rn_io_traits was = plain;
    was.aspect = (AVRational){4, 3};
    was.rotation = -90;
    was.fields = RN_FIELD_ORDER_BOTTOM;
    was.alpha = was.captions = was.icc = was.dolby_vision = was.hdr10_plus = true;
    was.range = AVCOL_RANGE_JPEG;
    was.transfer = AVCOL_TRC_SMPTE2084;
    was.chroma = AVCHROMA_LOC_CENTER;
    was.mastering.has_luminance = 1;
    was.light.MaxCLL = 1000;
    was.stereo = was.spherical = 1;
    unsigned all = 2 * RN_TRAIT_SPHERICAL - 1;
    assert_int_equal(rn_io_traits_differ(&was, &plain), all & ~(unsigned)RN_TRAIT_SIZE);
    assert_int_equal(rn_io_traits_differ(&was, &was), 0);
    struct rn_io_traits other = was;
    other.h = 50;
    other.fields = RN_FIELD_ORDER_TOP;
    assert_int_equal(rn_io_traits_differ(&was, &other), RN_TRAIT_SIZE | RN_TRAIT_FIELDS);
}

TEST(one_thing_by_two_names)
{
    struct rn_io_traits was = plain, is = plain;
    was.matrix = AVCOL_SPC_BT470BG;
    is.matrix = AVCOL_SPC_SMPTE170M;
    was.rotation = 180;
    is.rotation = -180;
    was.aspect = (AVRational){32, 27};
    is.aspect = (AVRational){1185, 1000};
    was.mastering = (AVMasteringDisplayMetadata){
        .has_luminance = 1, .max_luminance = {1000, 1}, .min_luminance = {1, 10000}};
    is.mastering = (AVMasteringDisplayMetadata){
        .has_luminance = 1, .max_luminance = {10000000, 10000}, .min_luminance = {5, 50000}};
    assert_int_equal(rn_io_traits_differ(&was, &is), 0);
}

TEST(frames_say_what_headers_do_not)
{
    struct rn_io_traits t = {.primaries = AVCOL_PRI_BT2020};
    OWNED(av_frame_free) AVFrame *frame = av_frame_alloc();
    assert_non_null(frame);
    AVContentLightMetadata light = {1000, 400};
    AVFrameSideData *sd =
        av_frame_new_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, sizeof light);
    assert_non_null(sd);
    memcpy(sd->data, &light, sizeof light);
    frame->width = 64;
    frame->height = 48;
    frame->format = AV_PIX_FMT_YUVA420P;
    frame->color_primaries = AVCOL_PRI_BT709;
    frame->color_range = AVCOL_RANGE_JPEG;
    rn_io_traits_add_frame(&t, frame);
    assert_int_equal(t.w, 64);
    assert_true(t.alpha);
    assert_int_equal(t.range, AVCOL_RANGE_JPEG);
    assert_int_equal(t.primaries, AVCOL_PRI_BT2020); /* the container goes first */
    assert_int_equal(t.light.MaxFALL, 400);
}
