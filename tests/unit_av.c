/* SPDX-License-Identifier: MIT */
/* What libav says through its log arrives as messages of ours, whoever says it. */
#include "tests/unit.h"

#include <libavcodec/avcodec.h>
#include <libavutil/log.h>

#include "io/common/av.h"
#include "io/read/source.h"

static const char *own_name(void *obj)
{
    (void)obj;
    return "own name";
}

TEST(names)
{
    static const AVClass nameless = {.class_name = "nameless"},
                         named = {.class_name = "named", .item_name = own_name};
    struct object {
        const AVClass *cls;
    } object[] = {{&nameless}, {&named}, {NULL}};
    static const char *const want[] = {"nameless: first", "own name: second", "third"};
    static const char *const text[] = {"first", "second", "third"};
    for (size_t i = 0; i < 3; i++) {
        av_log(&object[i], AV_LOG_ERROR, "%s\n", text[i]);
        assert_string_equal(unit_said(), want[i]);
    }
    av_log(NULL, AV_LOG_ERROR, "of nobody\n");
    assert_string_equal(unit_said(), "of nobody");
}

TEST(lines)
{
    av_log(NULL, AV_LOG_ERROR, "in ");
    av_log(NULL, AV_LOG_ERROR, "pieces\r\n");
    assert_string_equal(unit_said(), "in pieces");
    av_log(NULL, AV_LOG_ERROR, "tag \033[2J\xff of a file\n");
    assert_string_equal(unit_said(), "tag ?[2J? of a file");
    char longer[1200];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    av_log(NULL, AV_LOG_ERROR, "%s\n", longer);
    assert_int_equal(strspn(unit_said(), "x"), 511);
}

TEST(captured)
{
    rn_io_capture_begin();
    av_log(NULL, AV_LOG_ERROR, "the cause\n");
    av_log(NULL, AV_LOG_ERROR, "what followed from it\n");
    rn_io_capture_end();
    assert_string_equal(unit_said(), "");
    assert_string_equal(rn_io_cause(-1), "the cause");
}

static const char *caught(AVCodecContext *ctx, const char *text)
{
    rn_io_capture_begin();
    av_log(ctx, AV_LOG_ERROR, "%s\n", text);
    rn_io_capture_end();
    return rn_io_cause(-1);
}

/* As the contexts of parsers are. */
TEST(a_codec_that_is_not_open)
{
    OWNED(avcodec_free_context) AVCodecContext *ctx = avcodec_alloc_context3(NULL);
    assert_non_null(ctx);
    assert_string_equal(caught(ctx, "of no codec"), "AVCodecContext: of no codec");
    ctx->codec_id = AV_CODEC_ID_H264;
    assert_string_equal(caught(ctx, "of a parser"), "h264: of a parser");
}

static int prepare(void **state)
{
    rn_io_init();
    unit_hear(true);
    return 0;
}

GROUP(.before_all = prepare);
