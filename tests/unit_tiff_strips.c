/* SPDX-License-Identifier: MIT */
/* Strips of TIFF pages: compressed in threads, put in order. */
#include "tests/unit.h"

#include "io/write/sinks/tiff_pages.h"

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
    AVFrame *f = av_frame_alloc();
    f->format = AV_PIX_FMT_GRAY16;
    f->width = W;
    f->height = H;
    f->pts = n;
    assert_int_equal(av_frame_get_buffer(f, 0), 0);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            ((uint16_t *)(void *)(f->data[0] + y * f->linesize[0]))[x] =
                (uint16_t)((x * 7 + y * n) % (50 + n));
    int err = rn_write_tiff_strips_write(s, f);
    av_frame_free(&f);
    return err;
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
