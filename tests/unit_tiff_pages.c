/* SPDX-License-Identifier: MIT */
/* Pages of a TIFF: strips, compressed in threads, put in order; samples as it stores them: exactly,
 * or not at all. */
#include "tests/unit.h"

#include "io/write/sinks/tiff_pages.h"

/* ---- strips */

enum { W = 300, H = 50, ROWS = 16, PAGES = 30 };

static pthread_t owner;
static atomic_bool elsewhere, refuses;

struct out {
    int strips, pages, fail_at;
    size_t size;
    uint32_t sum; /* of all bytes in their order */
};

static bool tags(const void *opaque, TIFF *tif, int w, int h)
{
    if (!pthread_equal(pthread_self(), owner))
        atomic_store(&elsewhere, true);
    return !atomic_load(&refuses) && TIFFSetField(tif, TIFFTAG_IMAGEWIDTH, w) &&
           TIFFSetField(tif, TIFFTAG_IMAGELENGTH, h) &&
           TIFFSetField(tif, TIFFTAG_ROWSPERSTRIP, h) &&
           TIFFSetField(tif, TIFFTAG_BITSPERSAMPLE, 16) &&
           TIFFSetField(tif, TIFFTAG_SAMPLESPERPIXEL, 1) &&
           TIFFSetField(tif, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
           TIFFSetField(tif, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
           TIFFSetField(tif, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
}

static int put(void *opaque, const struct rn_write_tiff_strip *strip)
{
    struct out *out = opaque;
    int n = out->strips++ % 4;
    assert_true(pthread_equal(pthread_self(), owner));
    assert_int_equal(strip->y, n * ROWS);
    assert_int_equal(strip->rows, n < 3 ? ROWS : H - 3 * ROWS);
    assert_int_equal(strip->last, n == 3);
    assert_int_equal(strip->page->pts, out->pages);
    out->pages += strip->last;
    if (!strip->data)
        return RN_EINTERNAL;
    for (size_t i = 0; i < strip->size; i++)
        out->sum = out->sum * 31 + ((const uint8_t *)strip->data)[i];
    out->size += strip->size;
    return out->strips == out->fail_at ? RN_EOUTPUT : 0;
}

static struct rn_write_tiff_strips *create(int threads, struct out *out)
{
    owner = pthread_self();
    atomic_store(&elsewhere, false);
    struct rn_write_tiff_strips *s = rn_write_tiff_strips_create(&(
        struct rn_write_tiff_strips_setup){
        .threads = threads, .rows = ROWS, .row = W * 2, .tags = tags, .put = put, .opaque = out});
    assert_non_null(s);
    return s;
}

static int write_page(struct rn_write_tiff_strips *s, int n)
{
    OWNED(av_frame_free) AVFrame *f = av_frame_alloc();
    f->format = AV_PIX_FMT_GRAY16;
    f->width = W;
    f->height = H;
    f->pts = n;
    assert_int_equal(av_frame_get_buffer(f, 0), 0);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            ((uint16_t *)(void *)(f->data[0] + y * f->linesize[0]))[x] =
                (uint16_t)((x * 7 + y * n) % (50 + n));
    return rn_write_tiff_strips_write(s, f);
}

static struct out write_pages(int threads)
{
    struct out out = {0};
    struct rn_write_tiff_strips *s = create(threads, &out);
    for (int i = 0; i < PAGES; i++)
        assert_int_equal(write_page(s, i), 0);
    assert_int_equal(rn_write_tiff_strips_flush(s), 0);
    rn_write_tiff_strips_destroy(&s);
    assert_int_equal(out.pages, PAGES);
    assert_int_equal(atomic_load(&elsewhere), threads > 1);
    return out;
}

TEST(the_same_strips_from_any_number_of_threads)
{
    struct out one = write_pages(1);
    assert_true(one.size > 0 && one.size < (size_t)W * H * PAGES);
    for (int threads = 2; threads <= 16; threads *= 2) {
        struct out more = write_pages(threads);
        assert_int_equal(more.size, one.size);
        assert_int_equal(more.sum, one.sum);
    }
}

TEST(the_first_error_ends_it)
{
    for (int threads = 1; threads <= 4; threads += 3) {
        struct out out = {.fail_at = 7};
        struct rn_write_tiff_strips *s = create(threads, &out);
        int err = 0;
        for (int i = 0; i < PAGES && !err; i++)
            err = write_page(s, i);
        assert_int_equal(err ? err : rn_write_tiff_strips_flush(s), RN_EOUTPUT);
        rn_write_tiff_strips_destroy(&s);
        assert_int_equal(out.strips, 7);
    }
}

TEST(what_cannot_be_compressed_has_no_data)
{
    atomic_store(&refuses, true);
    struct out out = {0};
    struct rn_write_tiff_strips *s = create(2, &out);
    int err = write_page(s, 0);
    assert_int_equal(err ? err : rn_write_tiff_strips_flush(s), RN_EINTERNAL);
    rn_write_tiff_strips_destroy(&s);
    atomic_store(&refuses, false);
}

/* ---- storage */

static const struct rn_format gray8 = {.model = RN_GRAY, .depth = 8},
                              gray12 = {.model = RN_GRAY, .depth = 12},
                              gray16 = {.model = RN_GRAY, .depth = 16},
                              grays16 = {.model = RN_GRAY, .depth = 16, .number = RN_NUMBER_SIGNED},
                              grayf32 = {.model = RN_GRAY, .depth = 32, .number = RN_NUMBER_FLOAT},
                              rgb8 = {.model = RN_RGB, .depth = 8};

static struct rn_write_tiff_storage like(const struct rn_format *fmt, enum rn_number stored,
                                         int bits, bool white)
{
    struct rn_vol v = {.stored_number = stored, .stored_bits = bits, .white_is_zero = white};
    return rn_write_tiff_storage_like(&v, fmt);
}

static void expect_name(struct rn_write_tiff_storage s, const char *name, bool white)
{
    char buf[16];
    assert_string_equal(rn_write_tiff_storage_name(&s, buf), name);
    assert_int_equal(s.white_is_zero, white);
}

TEST(the_type_is_the_inputs)
{
    expect_name(like(&gray8, RN_NUMBER_UNSIGNED, 1, true), "uint1", true);
    expect_name(like(&gray8, RN_NUMBER_UNSIGNED, 8, true), "uint8", true);
    expect_name(like(&gray8, RN_NUMBER_UNSIGNED, 0, false), "uint8", false);
    expect_name(like(&rgb8, RN_NUMBER_UNSIGNED, 4, true), "uint8", false);
    expect_name(like(&gray12, RN_NUMBER_UNSIGNED, 12, true), "uint16", false);
    expect_name(like(&gray16, RN_NUMBER_UNSIGNED, 16, true), "uint16", true);
    expect_name(like(&grays16, RN_NUMBER_SIGNED, 8, false), "int8", false);
    expect_name(like(&grays16, RN_NUMBER_SIGNED, 12, false), "int16", false);
    expect_name(like(&grayf32, RN_NUMBER_FLOAT, 16, false), "float16", false);
    expect_name(like(&grayf32, RN_NUMBER_FLOAT, 64, false), "float32", false);
    expect_name(like(&grayf32, RN_NUMBER_UNSIGNED, 32, false), "uint32", false);
    expect_name(like(&grayf32, RN_NUMBER_SIGNED, 32, false), "int32", false);
    expect_name(like(&grayf32, RN_NUMBER_SIGNED, 64, false), "float32", false);
}

static bool pack(struct rn_write_tiff_storage s, const struct rn_format *fmt, const void *row,
                 size_t n, void *to)
{
    return rn_write_tiff_storage_pack(&s, fmt, row, n, to);
}

TEST(all_half_floats_are_exact)
{
    struct rn_write_tiff_storage s = like(&grayf32, RN_NUMBER_FLOAT, 16, false);
    for (unsigned h = 0; h < 65536; h++) {
        float v = rn_vol_half_to_float((uint16_t)h), beside;
        uint16_t got = 0;
        assert_true(pack(s, &grayf32, &v, 1, &got));
        assert_true(isnan(v) ? isnan(rn_vol_half_to_float(got)) : got == h);
        beside = nextafterf(v, 1e9f);
        if (isfinite(v) && isfinite(beside))
            assert_false(pack(s, &grayf32, &beside, 1, &got));
    }
    float large = 65520;
    uint16_t got;
    assert_false(pack(s, &grayf32, &large, 1, &got));
}

TEST(whole_numbers)
{
    struct rn_write_tiff_storage u = like(&grayf32, RN_NUMBER_UNSIGNED, 32, false),
                                 i = like(&grayf32, RN_NUMBER_SIGNED, 32, false);
    static const float fit[] = {0, 1, 16777216, 4294967040.0f}, below[] = {-1, -2147483648.0f};
    static const float not_one[] = {0.5f, 4294967296.0f, -0.5f, INFINITY, NAN};
    uint32_t got[4];
    assert_true(pack(u, &grayf32, fit, 4, got));
    assert_int_equal(got[2], 16777216);
    assert_int_equal(got[3], 4294967040);
    assert_true(pack(i, &grayf32, below, 2, got));
    assert_int_equal((int32_t)got[0], -1);
    assert_int_equal((int32_t)got[1], INT32_MIN);
    assert_false(pack(i, &grayf32, fit, 4, got));
    assert_false(pack(u, &grayf32, below, 1, got));
    for (int k = 0; k < COUNT(not_one); k++) {
        assert_false(pack(u, &grayf32, &not_one[k], 1, got));
        assert_false(pack(i, &grayf32, &not_one[k], 1, got));
    }
}

TEST(bits_and_bytes)
{
    static const uint8_t two[] = {255, 0, 255, 255, 0, 0, 0, 255, 255, 0}, three[] = {0, 254};
    static const uint8_t fours[] = {0x11, 0xff, 0xa0};
    static const int16_t bytes[] = {-128, 127, 128};
    uint8_t got[8];
    assert_true(pack(like(&gray8, RN_NUMBER_UNSIGNED, 1, false), &gray8, two, 10, got));
    assert_memory_equal(got, ((uint8_t[]){0xb1, 0x80}), 2);
    assert_true(pack(like(&gray8, RN_NUMBER_UNSIGNED, 1, true), &gray8, two, 8, got));
    assert_int_equal(got[0], 0x4e);
    assert_false(pack(like(&gray8, RN_NUMBER_UNSIGNED, 1, false), &gray8, three, 2, got));
    assert_true(pack(like(&gray8, RN_NUMBER_UNSIGNED, 4, false), &gray8, fours, 2, got));
    assert_int_equal(got[0], 0x1f);
    assert_false(pack(like(&gray8, RN_NUMBER_UNSIGNED, 4, false), &gray8, fours, 3, got));
    assert_true(pack(like(&grays16, RN_NUMBER_SIGNED, 8, false), &grays16, bytes, 2, got));
    assert_memory_equal(got, ((int8_t[]){-128, 127}), 2);
    assert_false(pack(like(&grays16, RN_NUMBER_SIGNED, 8, false), &grays16, bytes, 3, got));
    assert_true(pack(like(&gray8, RN_NUMBER_UNSIGNED, 8, true), &gray8, fours, 3, got));
    assert_memory_equal(got, ((uint8_t[]){0xee, 0, 0x5f}), 3);
}
