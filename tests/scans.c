/* SPDX-License-Identifier: MIT */
/* Signed samples and floats, and levels in the units of a scan, worked by hand on the references.
 * Needs no device.
 *
 *   scans                                            the tests
 *   scans --through FORMAT WxHxN LOW HIGH CHAIN      raw frames from stdin through CHAIN to stdout,
 *                                                    for comparisons with other programs */
#include "tests/samples.h"

#include "filters/core/chain/level.h"

static struct check check;

static struct rn_geom scan_geometry(const char *format, int w, int h)
{
    struct rn_geom geom = geometry(format, w, h);
    geom.scan = true;
    if (geom.fmt.number == RN_NUMBER_FLOAT) {
        geom.low = -100;
        geom.high = 300;
    }
    return geom;
}

/* One row. */
static void expect(const char *text, const char *format, int n, const float *in, const float *want)
{
    struct rn_geom geom = scan_geometry(format, n, 1);
    expect_samples(&check, text, &geom, 1, in, want);
}

/* NaN, infinities and zeros are as in the table of filters/base/floats.h. */
static void order(void)
{
    static const float rising[] = {-INFINITY, -1e30f, -1, -0.0f, 0.0f, 1, 1e30f, INFINITY, NAN};
    for (int i = 0; i < 9; i++) {
        if (i && rn_order_of(rising[i - 1]) >= rn_order_of(rising[i]))
            check_bad(&check, "%g does not come before %g", (double)rising[i - 1],
                      (double)rising[i]);
        if (!same_sample(rn_order_value(rn_order_of(rising[i])), rising[i]))
            check_bad(&check, "%g does not come back", (double)rising[i]);
    }
    if (rn_order_of(-(float)NAN) != rn_order_of(NAN))
        check_bad(&check, "the sign of NaN counts");
    check_end(&check, "the order of floats");
}

static void selections(void)
{
    static const float in[] = {1, NAN, -3, -0.0f, 0.0f, INFINITY, 2};
    expect("erosion", "grayf32", 7, in, ROW(1, -3, -3, -3, -0.0f, 0.0f, 2));
    expect("dilation", "grayf32", 7, in, ROW(NAN, NAN, NAN, 0.0f, INFINITY, INFINITY, INFINITY));
    expect("median", "grayf32", 7, in, ROW(1, 1, -0.0f, -0.0f, 0.0f, 2, 2));
    expect("median=percentile=100", "grayf32", 7, in,
           ROW(NAN, NAN, NAN, 0.0f, INFINITY, INFINITY, INFINITY));
    expect("closing", "grayf32", 5, ROW(1, 1, NAN, 1, 1), ROW(1, 1, NAN, 1, 1));
    expect("opening", "grayf32", 5, ROW(1, 1, NAN, 1, 1), ROW(1, 1, 1, 1, 1));
    expect("erosion", "grayf32", 3, ROW(NAN, NAN, NAN), ROW(NAN, NAN, NAN));
    expect("gradient", "grayf32", 4, ROW(1, 4, 4, NAN), ROW(3, 3, NAN, NAN));
    expect("median=radius=3", "grayf32", 7, ROW(-1, NAN, 5, NAN, 0, -7, 3),
           ROW(-1, 0, 0, 3, 3, 3, 3));
    check_end(&check, "NaN in erosion, dilation, median, opening and closing");
}

static void points(void)
{
    static const float in[] = {NAN, INFINITY, -INFINITY, -500, 0, 1000};
    expect("invert", "grayf32", 6, in, ROW(NAN, -INFINITY, INFINITY, 700, 200, -800));
    expect("threshold=0", "grayf32", 6, in, ROW(0, 255, 0, 0, 0, 255));
    expect("threshold=0:values=range", "grayf32", 6, in, ROW(-100, 300, -100, -100, -100, 300));
    expect("levels", "grayf32", 6, in, ROW(NAN, 300, -100, -100, 0, 300));
    expect("levels=black=0:white=1000:low=0:high=2", "grayf32", 4, ROW(NAN, 250, 500, 5000),
           ROW(NAN, 0.5f, 1, 2));
    expect("noise=sigma=0", "grayf32", 6, in, in);
    expect("noise=type=salt-and-pepper:amount=0", "grayf32", 6, in, in);
    expect("equalize", "grayf32", 3, ROW(NAN, NAN, NAN), ROW(NAN, NAN, NAN));
    expect("equalize", "grayf32", 4, ROW(7, 7, NAN, 7), ROW(7, 7, NAN, 7));
    expect("equalize", "grayf32", 4, ROW(0, NAN, 7, INFINITY), ROW(-100, NAN, 100.003052f, 300));
    expect("threshold=otsu=1", "grayf32", 5, ROW(NAN, 1, 2, 150, INFINITY), ROW(0, 0, 0, 255, 255));
    expect("convolution=matrix='0 0 0 0 1 0 0 0 0'", "grayf32", 6, in, in);
    expect("convolution=size=3x1:matrix='0 1 1':div=1", "grayf32", 4, ROW(NAN, 1, INFINITY, 2),
           ROW(NAN, INFINITY, INFINITY, 4));
    expect("boxblur", "grayf32", 4, ROW(0, 0, INFINITY, -INFINITY), ROW(0, INFINITY, NAN, NAN));
    check_end(&check, "NaN and infinity in filters of points, sums and histograms");
}

static void signed_samples(void)
{
    static const float in[] = {-32768, -1, 0, 1, 32767};
    expect("invert", "grays16", 5, in, ROW(32767, 0, -1, -2, -32768));
    expect("erosion", "grays16", 5, in, ROW(-32768, -32768, -1, 0, 1));
    expect("erosion=border=zero", "grays16", 3, ROW(5, 5, 5), ROW(0, 0, 0));
    expect("dilation=border=zero", "grays16", 3, ROW(-5, -5, -5), ROW(0, 0, 0));
    expect("gradient", "grays16", 2, ROW(-32768, 32767), ROW(32767, 32767));
    expect("threshold=-600", "grays16", 3, ROW(-601, -600, -599), ROW(0, 0, 255));
    expect("threshold=128 8bit:values=range", "grays16", 3, ROW(-1, 0, 1),
           ROW(-32768, -32768, 32767));
    expect("invert,threshold=-600:values=01,dilation,invert", "grays16", 3, ROW(0, 700, 0),
           ROW(254, 254, 254));
    expect("convolution=matrix='1':div=2", "grays16", 5, in, ROW(-16384, 0, 0, 0, 16384));
    expect("convolution=matrix='-1':div=1", "grays16", 5, in, ROW(32767, 1, 0, -1, -32767));
    expect("boxblur", "grays16", 3, ROW(-3, -3, -3), ROW(-3, -3, -3));
    expect("boxblur=border=zero", "grays16", 1, ROW(-9), ROW(-1));
    expect("blur", "grays16", 3, ROW(-30000, -30000, -30000), ROW(-30000, -30000, -30000));
    expect("levels=window=100:level=-50:low=-10:high=10", "grays16", 4, ROW(-500, -75, -50, 9),
           ROW(-10, -5, 0, 10));
    expect("emboss=relief=gray", "grays16", 3, ROW(7, 7, 7), ROW(0, 0, 0));
    expect("equalize", "grays16", 4, ROW(-5, -5, 9, 10), ROW(-32768, -32768, 0, 32767));
    check_end(&check, "signed samples by hand");
}

/* On a plane of zeros an opening is the negative of a closing of the negative. */
static void openings(void)
{
    static const char *const shapes[] = {"cross", "square", "disk"};
    struct rng rng = rng_seed(3);
    for (int round = 0; round < 24; round++) {
        struct rn_geom geom = scan_geometry(round & 1 ? "grayf32" : "grays16",
                                            1 + rng_below(&rng, 9), 1 + rng_below(&rng, 9));
        int frames = 4, n = geom.w * geom.h * frames;
        float in[4 * 81], negative[4 * 81], want[4 * 81];
        for (int i = 0; i < n; i++) {
            in[i] = (float)(rng_below(&rng, 200) - 100);
            in[i] = in[i] == 0 ? 1 : in[i];
            negative[i] = -in[i];
        }
        const char *settings =
            formatted("shape=%s:radius=%d:iterations=%d:slices=%d:border=zero", shapes[round % 3],
                      1 + round % 2, 1 + round / 2 % 2, round / 4 % 3);
        struct samples s = {.in = negative, .out = want};
        run_samples(&check, formatted("closing=%s", settings), &geom, frames, &s);
        for (int i = 0; i < n; i++)
            want[i] = want[i] == 0 ? 0 : -want[i];
        expect_samples(&check, formatted("opening=%s", settings), &geom, frames, in, want);
    }
    check_end(&check, "openings of samples below 0 on a plane of zeros");
}

static void expect_format(const char *text, const char *from, int n, const float *in,
                          const float *want, float low, float high)
{
    struct rn_geom geom = scan_geometry(from, n, 1);
    struct rn_geom out = expect_samples(&check, text, &geom, 1, in, want);
    if (rn_geom_black(&out) != low || rn_geom_white(&out) != high)
        check_bad(&check, "%s of %s: %g..%g, not %g..%g", text, from, (double)rn_geom_black(&out),
                  (double)rn_geom_white(&out), (double)low, (double)high);
}

static void formats(void)
{
    static const float in[] = {0, 1234, 4095};
    expect_format("format=grayf32", "gray12", 3, in, in, 0, 4095);
    expect_format("format=gray16", "gray12", 3, in, in, 0, 65535);
    expect_format("format=grays16", "gray12", 3, in, in, -32768, 32767);
    expect_format("format=grayf32:values=range", "gray12", 3, in,
                  ROW(0, (float)(1234 * (float)(1 / 4095.0)), 1), 0, 1);
    expect_format("format=gray:values=range", "grays16", 3, ROW(-32768, 0, 32767), ROW(0, 128, 255),
                  0, 255);
    expect_format("format=grays16:values=range", "grayf32", 5, ROW(NAN, -100, 200, 300, 1e9f),
                  ROW(-32768, -32768, 16383, 32767, 32767), -32768, 32767);
    expect_format("gray", "grays16", 2, ROW(-5, 5), ROW(-5, 5), -32768, 32767);
    static const struct {
        const char *from, *text;
    } refused[] = {{"grays16", "format=gray16"},         {"grays16", "format=gray"},
                   {"gray16", "format=grays16"},         {"gray16", "format=gray"},
                   {"grayf32", "format=grays16"},        {"grayf32", "format=gray"},
                   {"gbrpf32", "format=yuv420p"},        {"gray", "format=yuvf32"},
                   {"gray16", "format=gray:values=keep"}};
    for (int i = 0; i < COUNT(refused); i++) {
        struct rn_geom geom = scan_geometry(refused[i].from, 3, 1);
        if (!is_refused(refused[i].text, &geom))
            check_bad(&check, "%s of %s is not refused", refused[i].text, refused[i].from);
    }
    check_end(&check, "formats keep values, or are refused");
}

static void expect_level(const char *text, const struct rn_geom *geom, double want)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, text);
    const struct rn_stage *s = rn_chain_stage(chain, 0);
    const struct rn_param *row = rn_param_find(s->table, "level");
    const struct rn_level *level = (const void *)((const char *)s->params + row->off);
    double v = rn_level_position(level, geom);
    if (fabs(v - want) > 1e-9)
        check_bad(&check, "%s is %.9g, not %.9g", text, v, want);
    if (is_refused(text, geom))
        check_bad(&check, "%s is refused", text);
}

static void level_units(void)
{
    struct rn_geom ct = scan_geometry("gray12", 8, 8), video = geometry("gray10", 8, 8);
    struct rn_geom raw = scan_geometry("grays16", 8, 8), mr = scan_geometry("grayf32", 8, 8);
    ct.rescale = (struct rn_rescale){0.5, -1024, "HU"};
    expect_level("threshold=level=600", &ct, 600);
    expect_level("threshold=level=40hu", &ct, 2128);
    expect_level("threshold=level=40 HU", &ct, 2128);
    expect_level("threshold=level=128 8bit", &ct, 2048);
    expect_level("threshold=level=1288bit", &ct, 2048);
    expect_level("threshold", &ct, 2048);
    expect_level("threshold=level=-600", &raw, -600);
    expect_level("threshold", &raw, 0);
    expect_level("threshold", &mr, -100 + 128 / 255.0 * 400);
    expect_level("threshold=level=5000", &mr, 5000);
    expect_level("threshold=level=100", &video, 400);
    expect_level("threshold=level=100native", &video, 100);
    static const char *const of_ct[] = {"4096", "-1",       "-1025hu", "1024hu",
                                        "40mm", "256 8bit", "40xyz"};
    for (int i = 0; i < COUNT(of_ct); i++) {
        const char *text = formatted("threshold=level=%s", of_ct[i]);
        if (!is_refused(text, &ct))
            check_bad(&check, "%s is not refused", text);
    }
    if (!is_refused("threshold=level=256", &video) || !is_refused("threshold=level=40hu", &video) ||
        !is_refused("threshold=level=40hu", &raw) || !is_refused("noise=sigma=-1", &ct))
        check_bad(&check, "levels of another input are not refused");
    check_end(&check, "levels in 8-bit units, stored values and the unit of the scan");
}

static void step(const struct rn_geom *geom, const char *text, const char *name, int n,
                 const char *want, const char *shown)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, text);
    char value[64], seen[64];
    struct rn_stage *s = rn_chain_stage(chain, 0);
    const struct rn_param *row = rn_param_find(s->table, name);
    rn_level_step(row, s->params, geom, n);
    rn_param_format(row, s->params, value, sizeof value);
    rn_level_value(row, s->params, geom, seen, sizeof seen);
    if (strcmp(value, want) != 0 || strcmp(seen, shown) != 0)
        check_bad(&check, "%s after %d steps is '%s', shown '%s', not '%s', '%s'", text, n, value,
                  seen, want, shown);
}

static void steps(void)
{
    struct rn_geom ct = scan_geometry("gray12", 8, 8), video = geometry("gray10", 8, 8);
    struct rn_geom raw = scan_geometry("grays16", 8, 8), mr = scan_geometry("grayf32", 8, 8);
    ct.rescale = (struct rn_rescale){1, -1024, "HU"};
    step(&ct, "threshold=level=40hu", "level", 1, "50HU", "50 HU");
    step(&ct, "threshold=level=43hu", "level", 1, "50HU", "50 HU");
    step(&ct, "threshold=level=43hu", "level", -1, "40HU", "40 HU");
    step(&ct, "levels=window=400hu:level=40hu", "window", 10, "500HU", "500 HU");
    step(&ct, "threshold=level=1024", "level", 1, "10HU", "10 HU");
    step(&ct, "threshold=level=3070hu", "level", 3, "3071HU", "3071 HU");
    step(&ct, "threshold=level=4095", "level", 1, "4095", "3071 HU"); /* at its limit: as it was */
    step(&video, "threshold=level=1023native", "level", 10, "1023native", "255 of 255");
    step(&raw, "threshold=level=-600", "level", 1, "-512", "-512 stored values");
    step(&mr, "threshold=level=0", "level", 1, "1.5625", "1.5625 stored values");
    step(&video, "threshold", "level", 1, "129", "129 of 255");
    step(&video, "threshold=level=400native", "level", 1, "101", "101 of 255");
    step(&video, "threshold", "otsu", 1, "1", "1");
    check_end(&check, "steps of levels fit the input");
}

/* A text that is printed is read as the same level. */
static void round_trips(void)
{
    static const char *const texts[] = {"128", "128 8bit", "600native", "40HU", "-3.5"};
    for (int i = 0; i < COUNT(texts); i++) {
        OWNED(rn_stage_destroy)
        struct rn_stage *stage = rn_stage_create(rn_registry_find("threshold"));
        const struct rn_param *row = rn_param_find(stage->table, "level");
        char text[64];
        if (rn_stage_set(stage, row, texts[i]) ||
            strcmp(rn_param_format(row, stage->params, text, sizeof text), texts[i]) != 0)
            check_bad(&check, "'%s' is printed as '%s'", texts[i], text);
        if (rn_param_is_default(row, stage->params) != !strcmp(texts[i], "128 8bit"))
            check_bad(&check, "'%s' and the default", texts[i]);
    }
    check_end(&check, "levels are printed as they were given");
}

static void statistics(void)
{
    struct rn_geom raw = scan_geometry("grays16", 4, 1), mr = scan_geometry("grayf32", 4, 1);
    struct rn_geom ct = scan_geometry("gray12", 2, 1);
    static const float in[] = {-3, -1, 2, 4, 1, -1, 1, -1};
    static const char whole[] =
        TABLE_HEADER "\n"
                     "0,0.000000,0,0.5,7.25,-3,4,10,5.477225575,4.641588834,4,2,,\n"
                     "1,0.100000,0,0,1,-1,1,4,2,1.587401052,1,1,-4,-0.3651483717\n";
    static const char floats[] =
        TABLE_HEADER ",nan\n"
                     "0,0.000000,0,0.5,7.25,-3,4,10,5.477225575,4.641588834,4,2,,,0\n"
                     "1,0.100000,0,0,1,-1,1,4,2,1.587401052,1,1,-4,-0.3651483717,0\n";
    expect_table(&check, "p=3", &raw, 2, in, whole);
    expect_table(&check, "p=3", &mr, 2, in, floats);
    expect_table(&check, "", &mr, 1, ROW(NAN, 3, NAN, -1),
                 TABLE_HEADER ",nan\n0,0.000000,0,1,4,-1,3,4,3.16227766,3.036588972,3,1,,,2\n");
    expect_table(&check, "format=json", &mr, 1, ROW(NAN, NAN, NAN, NAN),
                 "{\"frame\":0,\"time\":0.000000,\"plane\":0,\"mean\":null,\"variance\":null,"
                 "\"min\":null,\"max\":null,\"l1\":null,\"l2\":null,\"lp\":null,\"linf\":null,"
                 "\"entropy\":0,\"dot_prev\":null,\"ncc_prev\":null,\"nan\":4}\n");
    /* 1000 and 1024 are -24 and 0 HU, then 0 and 16; 40 and 24 with slope -1 */
    ct.rescale = (struct rn_rescale){1, -1024, "HU"};
    expect_table(&check, "p=2", &ct, 2, ROW(1000, 1024, 1024, 1040),
                 TABLE_HEADER ",slope,intercept,unit\n"
                              "0,0.000000,0,-12,144,-24,0,24,24,24,24,1,,,1,-1024,HU\n"
                              "1,0.100000,0,8,64,0,16,16,16,16,16,1,0,0,1,-1024,HU\n");
    ct.rescale = (struct rn_rescale){-1, 1040, "a,\"b"};
    expect_table(
        &check, "p=2", &ct, 1, ROW(1000, 1016),
        TABLE_HEADER
        ",slope,intercept,unit\n"
        "0,0.000000,0,32,64,24,40,64,46.64761516,46.64761516,40,1,,,-1,1040,\"a,\"\"b\"\n");
    mr.rescale = (struct rn_rescale){2, 1, "mm"};
    expect_table(&check, "p=1:format=json", &mr, 1, ROW(0, 1, -1, 0),
                 "{\"frame\":0,\"time\":0.000000,\"plane\":0,\"mean\":1,\"variance\":2,\"min\":-1,"
                 "\"max\":3,\"l1\":6,\"l2\":3.464101615,\"lp\":6,\"linf\":3,\"entropy\":1.5,"
                 "\"dot_prev\":null,\"ncc_prev\":null,\"slope\":2,\"intercept\":1,\"unit\":\"mm\","
                 "\"nan\":0}\n");
    check_end(&check, "stats of signed samples, floats and rescaled values");
}

/* Which filters leave the unit. */
static void units_kept(void)
{
    static const struct {
        const char *text;
        double slope, intercept;
    } cases[] = {{"median,blur,sharpen,closing", 2, -1024},
                 {"convolution=preset=box3,noise", 2, -1024},
                 {"gradient", 2, 0},
                 {"threshold", 0, 0},
                 {"sobel", 0, 0},
                 {"convolution=preset=outline", 0, 0},
                 {"format=grayf32", 2, -1024},
                 {"format=gray:values=range", 2 * 4095 / 255.0, -1024}};
    struct rn_geom ct = scan_geometry("gray12", 8, 8);
    ct.rescale = (struct rn_rescale){2, -1024, "HU"};
    for (int i = 0; i < COUNT(cases); i++) {
        OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, cases[i].text);
        struct rn_analysis a;
        int err = rn_chain_check(chain, &ct, &a);
        if (err || fabs(a.out.rescale.slope - cases[i].slope) > 1e-9 ||
            fabs(a.out.rescale.intercept - cases[i].intercept) > 1e-9)
            check_bad(&check, "%s: slope %g, intercept %g", cases[i].text, a.out.rescale.slope,
                      a.out.rescale.intercept);
    }
    check_end(&check, "which filters keep what samples measure");
}

/* ---- for other programs */

static void pass_rows(struct rn_image *img, bool in)
{
    const struct rn_plane *p = &img->plane[0];
    size_t bytes = (size_t)rn_format_bytes(&img->geom.fmt) * (size_t)p->w;
    for (int y = 0; y < p->h; y++) {
        void *row = p->data + y * p->stride;
        if (!(in ? fread(row, bytes, 1, stdin) : fwrite(row, bytes, 1, stdout)))
            exit(in ? 3 : 4);
    }
}

static void read_frame(struct rn_image *img, int64_t frame, void *arg)
{
    pass_rows(img, true);
}

static void write_frame(struct rn_image *img, int64_t frame, void *arg)
{
    pass_rows(img, false);
}

static int through(char **arg)
{
    int w, h, n;
    if (sscanf(arg[1], "%dx%dx%d", &w, &h, &n) != 3)
        return 2;
    struct rn_geom geom = scan_geometry(arg[0], w, h);
    geom.scan = geom.fmt.number != RN_NUMBER_UNSIGNED;
    if (geom.fmt.number == RN_NUMBER_FLOAT) {
        geom.low = (float)atof(arg[2]);
        geom.high = (float)atof(arg[3]);
    }
    return run_chain(NULL, arg[4], &geom, 0, n, read_frame, write_frame, NULL) ? 1 : 0;
}

int main(int argc, char **argv)
{
    rn_log_set_level(RN_LOG_WARNING);
    if (argc == 7 && !strcmp(argv[1], "--through"))
        return through(argv + 2);
    order();
    selections();
    points();
    signed_samples();
    openings();
    formats();
    level_units();
    steps();
    round_trips();
    statistics();
    units_kept();
    return check.failed ? 1 : 0;
}
