/* SPDX-License-Identifier: MIT */
/* One deflated stream made by several threads. */
#include "tests/unit.h"

#include <zlib.h>

#include "io/write/sinks/deflater.h"

enum { SIZE = 1500000 }; /* some pieces, the last one not whole */

struct out {
    uint8_t data[SIZE + 10000];
    size_t n;
    int puts, fail_at;
};

static uint8_t in[SIZE], back[SIZE + 1];
static struct out one, more;

static int put(void *opaque, const void *data, size_t n)
{
    struct out *out = opaque;
    assert_true(out->n + n <= sizeof out->data);
    memcpy(out->data + out->n, data, n);
    out->n += n;
    return ++out->puts == out->fail_at ? RN_EOUTPUT : 0;
}

static int make(struct out *out, enum rn_vol_packing packing, int threads, size_t size, int fail_at)
{
    struct rn_write_deflater *d = rn_write_deflater_create(&(struct rn_write_deflater_setup){
        .packing = packing, .level = 1, .threads = threads, .put = put, .opaque = out});
    assert_non_null(d);
    out->n = 0;
    out->puts = 0;
    out->fail_at = fail_at;
    int err = 0;
    for (size_t at = 0, n = 1; at < size && !err; at += n, n = n * 3 + 1) {
        n = size - at < n ? size - at : n;
        err = rn_write_deflater_write(d, in + at, n);
    }
    err = err ? err : rn_write_deflater_finish(d);
    rn_write_deflater_destroy(&d);
    assert_null(d);
    return err;
}

static void expect_unpacked(const struct out *out, size_t size)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)out->data,
                  .avail_in = (uInt)out->n,
                  .next_out = back,
                  .avail_out = sizeof back};
    assert_int_equal(inflateInit2(&z, 15 + 32), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END); /* checks the sum too */
    assert_int_equal(z.avail_in, 0);
    assert_int_equal(z.total_out, size);
    assert_memory_equal(back, in, size);
    inflateEnd(&z);
}

static void fill(void)
{
    for (int i = 0; i < SIZE; i++)
        in[i] = (uint8_t)(i < SIZE / 2 ? i / 100 : rand());
}

TEST(the_same_bytes_from_any_number_of_threads)
{
    static const size_t sizes[] = {0, 1, 1000, 1 << 18, (1 << 18) + 1, SIZE};
    fill();
    for (int i = 0; i < COUNT(sizes); i++) {
        for (int packing = RN_PACKING_GZIP; packing <= RN_PACKING_ZLIB; packing++) {
            assert_int_equal(make(&one, (enum rn_vol_packing)packing, 1, sizes[i], 0), 0);
            assert_int_equal(make(&more, (enum rn_vol_packing)packing, 4, sizes[i], 0), 0);
            assert_int_equal(one.n, more.n);
            assert_memory_equal(one.data, more.data, one.n);
            expect_unpacked(&one, sizes[i]);
        }
    }
}

TEST(the_first_error_ends_it)
{
    fill();
    for (int threads = 1; threads <= 4; threads += 3) {
        for (int fail_at = 1; fail_at <= 8; fail_at++) {
            assert_int_equal(make(&one, RN_PACKING_ZLIB, threads, SIZE, fail_at), RN_EOUTPUT);
            assert_int_equal(one.puts, fail_at);
        }
    }
}
