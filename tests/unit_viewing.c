/* SPDX-License-Identifier: MIT */
/* How pictures are shown, as the overlay tells it, for what files say of themselves. */
#include "tests/unit.h"

#include "io/read/viewing.h"

/* A picture of the size and format, whose file says what these parameters do. FFmpeg 7 heeds only
 * those of frames, but for the range. */
static void expect(const char *size, const char *format, const char *parameters, const char *wanted)
{
    struct rn_io_read_opts opts = {.frames = -1, .geometry = {.rotate = RN_ROTATE_NONE}};
    OWNED(rn_read_close) struct rn_read_source *source;
    struct rn_pix_viewing viewing;
    char text[512];
    const char *set = *parameters ? ",setparams=" : "";
    assert_int_equal(system(formatted("ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=%s "
                                      "-vf format=%s%s%s -frames:v 1 -c:v ffv1 -level 3 clip.mkv",
                                      size, format, set, parameters)),
                     0);
    assert_int_equal(rn_read_open(&source, "clip.mkv", &opts), 0);
    rn_read_viewing(source, &viewing);
    assert_string_equal(rn_read_viewing_tell(source, &viewing, text, sizeof text), wanted);
}

TEST(matrix_range_and_transfer)
{
    expect("1280x720", "yuv420p", "",
           "colours\tBT.709 (assumed), limited range\ntransfer\tnot said, shown as it is\n");
    expect("720x576", "yuv444p", "range=pc -color_range pc",
           "colours\tBT.601 (assumed), full range\ntransfer\tnot said, shown as it is\n");
    expect("64x48", "yuv420p", "colorspace=bt709:color_trc=bt709",
           "colours\tBT.709, limited range\ntransfer\tbt709\n");
    expect("64x48", "yuv420p", "colorspace=bt2020nc:color_trc=bt2020-10:color_primaries=bt2020",
           "colours\tBT.2020, limited range\ntransfer\tbt2020-10\n"
           "primaries\tBT.2020 -> BT.709, clipped by BT.2407\n");
    expect("64x48", "gray", "", "");
    expect("64x48", "gbrp", "", "");
}

TEST(high_dynamic_range)
{
    expect("64x48", "yuv420p10", "colorspace=bt2020nc:color_trc=smpte2084",
           "colours\tBT.2020, limited range\ntransfer\tPQ, 1000 -> 100 cd/m2 by BT.2390\n");
    expect("64x48", "yuv420p10", "colorspace=bt2020nc:color_trc=arib-std-b67",
           "colours\tBT.2020, limited range\n"
           "transfer\tHLG, 1000 -> 100 cd/m2 by BT.2100, BT.2390\n");
    expect("64x48", "gbrp10", "color_trc=smpte2084",
           "transfer\tPQ, 1000 -> 100 cd/m2 by BT.2390\n");
}

/* What stands at a place of the turned picture came from there. */
TEST(places_turned_back)
{
    enum { W = 5, H = 3 };
    static const struct rn_pix_orient all[] = {{1, 0, 0, 1},  {0, 1, -1, 0}, {-1, 0, 0, -1},
                                               {0, -1, 1, 0}, {-1, 0, 0, 1}, {1, 0, 0, -1},
                                               {0, 1, 1, 0},  {0, -1, -1, 0}};
    uint8_t from[W * H], to[W * H];
    for (int i = 0; i < W * H; i++)
        from[i] = (uint8_t)i;
    for (int i = 0; i < COUNT(all); i++) {
        int w = rn_pix_orient_is_quarter(&all[i]) ? H : W;
        rn_pix_turn(&all[i], from, W, W, H, 1, to, w);
        for (int k = 0; k < W * H; k++) {
            int x = k % w, y = k / w;
            rn_pix_turn_back(&all[i], W, H, &x, &y);
            assert_int_equal(from[y * W + x], to[k]);
        }
    }
}

static int prepare(void **state)
{
    rn_io_init();
    return unit_enter_folder(state);
}

GROUP(.before_all = prepare, .after_all = unit_leave_folder);
