/* SPDX-License-Identifier: MIT */
/* Samples as a TIFF stores them: exactly, or not at all. */
#include "tests/unit.h"

#include "io/write/sinks/tiff_pages.h"

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
