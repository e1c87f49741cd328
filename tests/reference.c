/* SPDX-License-Identifier: MIT */
/* The C references themselves, against small cases worked by hand and against definitions written a
 * second time, in another way. Needs no device. */
#include "tests/samples.h"

static struct check check;

static void expect_depth(const char *text, const char *format, int w, int h, const float *in,
                         const float *want)
{
    struct rn_geom geom = geometry(format, w, h);
    expect_samples(&check, text, &geom, 1, in, want);
}

static void expect(const char *text, int w, int h, const float *in, const float *want)
{
    expect_depth(text, "gray", w, h, in, want);
}

/* Fills all with value. */
static float *flat(float *a, int n, float value)
{
    for (int i = 0; i < n; i++)
        a[i] = value;
    return a;
}

/* ---- morphology */

static void impulses(void)
{
    static const float impulse[49] = {[24] = 200};
    static const float cross1[49] = {[17] = 200, [23] = 200, [24] = 200, [25] = 200, [31] = 200};
    static const float cross2[49] = {[10] = 200, [17] = 200, [22] = 200, [23] = 200, [24] = 200,
                                     [25] = 200, [26] = 200, [31] = 200, [38] = 200};
    static const float disk2[49] = {
        [10] = 200, [16] = 200, [17] = 200, [18] = 200, [22] = 200, [23] = 200, [24] = 200,
        [25] = 200, [26] = 200, [30] = 200, [31] = 200, [32] = 200, [38] = 200};
    float square1[49] = {0}, square2[49] = {0};
    for (int i = 0; i < 49; i++) {
        int dx = abs(i % 7 - 3), dy = abs(i / 7 - 3);
        square1[i] = dx <= 1 && dy <= 1 ? 200 : 0;
        square2[i] = dx <= 2 && dy <= 2 ? 200 : 0;
    }
    expect("dilation=shape=cross:radius=1", 7, 7, impulse, cross1);
    expect("dilation=shape=cross:radius=2", 7, 7, impulse, cross2);
    expect("dilation=shape=disk:radius=1", 7, 7, impulse, cross1);
    expect("dilation=shape=disk:radius=2", 7, 7, impulse, disk2);
    expect("dilation=shape=square:radius=1", 7, 7, impulse, square1);
    expect("dilation=shape=square:radius=2", 7, 7, impulse, square2);
    expect("dilation=shape=square:radius=1:iterations=2", 7, 7, impulse, square2);
    float inverted[49], want[49];
    for (int i = 0; i < 49; i++) {
        inverted[i] = 255 - impulse[i];
        want[i] = 255 - disk2[i];
    }
    expect("erosion=shape=disk:radius=2", 7, 7, inverted, want);
    check_end(&check, "the shapes of the elements");
}

static void morphology_borders(void)
{
    static const float row[] = {9, 5, 7, 3, 8};
    expect("erosion=border=ignore", 5, 1, row, ROW(5, 5, 3, 3, 3));
    expect("erosion=border=clamp", 5, 1, row, ROW(5, 5, 3, 3, 3));
    expect("erosion=border=mirror", 5, 1, row, ROW(5, 5, 3, 3, 3));
    expect("erosion=border=wrap", 5, 1, row, ROW(5, 5, 3, 3, 3));
    /* above and below a row lie zeros as well */
    expect("erosion=border=zero", 5, 1, row, ROW(0, 0, 0, 0, 0));
    expect("erosion=border=zero", 1, 5, row, ROW(0, 0, 0, 0, 0));
    expect("dilation=border=ignore", 5, 1, row, ROW(9, 9, 7, 8, 8));
    expect("dilation=border=zero", 5, 1, row, ROW(9, 9, 7, 8, 8));
    expect("dilation=border=clamp", 5, 1, row, ROW(9, 9, 7, 8, 8));
    expect("dilation=border=wrap", 5, 1, row, ROW(9, 9, 7, 8, 9));
    expect("dilation=border=mirror", 5, 1, row, ROW(9, 9, 7, 8, 8));
    static const float slope[] = {1, 2, 3, 4, 5};
    expect("dilation=shape=cross:radius=2:border=wrap", 5, 1, slope, ROW(5, 5, 5, 5, 5));
    expect("dilation=shape=cross:radius=3:border=mirror", 1, 5, slope, ROW(4, 5, 5, 5, 5));
    expect("erosion=shape=cross:radius=2:border=mirror", 5, 1, slope, ROW(1, 1, 1, 2, 3));
    expect("erosion=shape=cross:radius=31:border=clamp", 5, 1, slope, ROW(1, 1, 1, 1, 1));
    check_end(&check, "the borders of morphology");
}

static void closings(void)
{
    /* A hole of one pixel is closed, the shape stays. */
    float in[49] = {0}, want[49];
    for (int i = 0; i < 49; i++)
        in[i] = want[i] = i % 7 >= 1 && i % 7 <= 5 && i / 7 >= 1 && i / 7 <= 5 ? 90 : 0;
    in[24] = 10;
    expect("closing=shape=square:radius=1:border=zero", 7, 7, in, want);
    expect("closing=shape=cross:radius=1:border=zero", 7, 7, in, want);
    /* An opening takes a speck away and keeps the shape. */
    in[24] = 90;
    in[6] = 250;
    expect("opening=shape=square:radius=1", 7, 7, in, want);
    /* On the infinite plane of zeros, a gap at the very edge is not closed: nothing stands beyond
     * it. With ignore it is. */
    static const float gap[] = {0, 0, 7, 7, 7};
    expect("closing=shape=cross:radius=2:border=zero", 5, 1, gap, gap);
    expect("closing=shape=cross:radius=2:border=ignore", 5, 1, gap, ROW(7, 7, 7, 7, 7));
    static const float corner[9] = {200};
    expect("closing=border=zero", 3, 3, corner, corner);
    float one = 77;
    expect("closing=border=zero:radius=31", 1, 1, &one, &one);
    expect("closing=border=ignore:radius=31", 1, 1, &one, &one);
    check_end(&check, "closings and openings by hand");
}

static bool in_element(int shape, int r, int dx, int dy)
{
    if (shape == 0)
        return (dx == 0 && abs(dy) <= r) || (dy == 0 && abs(dx) <= r);
    if (shape == 1)
        return abs(dx) <= r && abs(dy) <= r;
    return dx * dx + dy * dy <= r * r;
}

enum { PAD = 24, SIDE = 64 };

/* One operation on a plane so large that its own edge does not matter. */
static void plain_operation(int (*a)[SIDE], int shape, int r, bool dilate)
{
    static int b[SIDE][SIDE];
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            int best = dilate ? 0 : 1 << 20;
            for (int dy = -r; dy <= r; dy++) {
                for (int dx = -r; dx <= r; dx++) {
                    if (!in_element(shape, r, dx, dy))
                        continue;
                    int yy = y + dy, xx = x + dx;
                    bool inside = yy >= 0 && yy < SIDE && xx >= 0 && xx < SIDE;
                    int v = inside ? a[yy][xx] : 0;
                    best = dilate ? (v > best ? v : best) : (v < best ? v : best);
                }
            }
            b[y][x] = best;
        }
    }
    memcpy(a, b, sizeof b);
}

/* opening and closing with border=zero = the same on a plane of zeros around the picture */
static void infinite_plane(void)
{
    static const char *const shapes[] = {"cross", "square", "disk"};
    struct rng rng = rng_seed(5);
    int cases = 0;
    for (int round = 0; round < 40; round++) {
        int shape = round % 3, r = 1 + rng_below(&rng, 4), n = 1 + rng_below(&rng, 2);
        int w = 1 + rng_below(&rng, 16), h = 1 + rng_below(&rng, 16);
        float in[256], want[256];
        bool closing = round & 1, binary = round & 2;
        static int plane[SIDE][SIDE];
        memset(plane, 0, sizeof plane);
        for (int i = 0; i < w * h; i++) {
            in[i] = (float)(binary ? 255 * rng_below(&rng, 2) : rng_below(&rng, 256));
            plane[PAD + i / w][PAD + i % w] = (int)in[i];
        }
        for (int k = 0; k < 2 * n; k++)
            plain_operation(plane, shape, r, (k < n) == closing);
        for (int i = 0; i < w * h; i++)
            want[i] = plane[PAD + i / w][PAD + i % w];
        const char *text = formatted("%s=shape=%s:radius=%d:iterations=%d:border=zero",
                                     closing ? "closing" : "opening", shapes[shape], r, n);
        expect(text, w, h, in, want);
        cases++;
    }
    check_end(&check, "openings and closings on the infinite plane: %d cases", cases);
}

/* ---- convolution */

static void correlation_order(void)
{
    /* The matrix is laid over the image: an impulse gives it back rotated by half a turn. */
    static const float impulse[25] = {[12] = 1};
    static const float want[25] = {[6] = 9, 8, 7, [11] = 6, 5, 4, [16] = 3, 2, 1};
    expect("convolution=matrix='1 2 3 4 5 6 7 8 9':div=1", 5, 5, impulse, want);
    static const float row[] = {10, 20, 30, 40};
    expect("convolution=size=3x1:matrix='1 0 0':div=1", 4, 1, row, ROW(10, 10, 20, 30));
    expect("convolution=size=3x1:matrix='0 0 1':div=1", 4, 1, row, ROW(20, 30, 40, 40));
    expect("convolution=size=1x3:matrix='1 0 0':div=1", 1, 4, row, ROW(10, 10, 20, 30));
    check_end(&check, "convolution: correlation order");
}

static void rounding(void)
{
    static const float in[] = {0, 1, 2, 3, 5, 7, 253, 255};
    expect("convolution=matrix='1':div=2", 8, 1, in, ROW(0, 0, 1, 2, 2, 4, 126, 128));
    expect("convolution=matrix='0.5'", 8, 1, in, in); /* div = the sum */
    expect("convolution=matrix='0.5':div=1", 8, 1, in, ROW(0, 0, 1, 2, 2, 4, 126, 128));
    expect("convolution=matrix='3':div=1", 8, 1, in, ROW(0, 3, 6, 9, 15, 21, 255, 255));
    expect("convolution=matrix='-1':div=1", 8, 1, in, ROW(0, 0, 0, 0, 0, 0, 0, 0));
    expect("convolution=matrix='-1':div=1:bias=255", 8, 1, in,
           ROW(255, 254, 253, 252, 250, 248, 2, 0));
    expect("convolution=matrix='1':div=-1:bias=10", 8, 1, in, ROW(10, 9, 8, 7, 5, 3, 0, 0));
    expect("convolution=matrix='0':bias=0.5", 8, 1, in, ROW(0, 0, 0, 0, 0, 0, 0, 0));
    expect("convolution=matrix='0':bias=1.5", 8, 1, in, ROW(2, 2, 2, 2, 2, 2, 2, 2));
    check_end(&check, "convolution: half to even, saturation, divisor");
}

static void convolution_borders(void)
{
    static const float row[] = {10, 20, 30};
    expect("convolution=size=3x1:matrix='1 2 4':div=1:border=clamp", 3, 1, row, ROW(110, 170, 200));
    expect("convolution=size=3x1:matrix='1 2 4':div=1:border=zero", 3, 1, row, ROW(100, 170, 80));
    expect("convolution=size=3x1:matrix='1 2 4':div=1:border=mirror", 3, 1, row,
           ROW(120, 170, 160));
    expect("convolution=size=3x1:matrix='1 2 4':div=1:border=wrap", 3, 1, row, ROW(130, 170, 120));
    /* decimals that add up to 0, but for their rounding: div is 1, not what is left */
    expect("convolution=size=3x1:matrix='-0.1 -0.2 0.3'", 3, 1, row, ROW(3, 4, 1));
    static const float corner[25] = {200};
    float zero[25] = {0}, clamp[25] = {0};
    zero[0] = zero[1] = zero[5] = zero[6] = 22;
    clamp[0] = 89, clamp[1] = clamp[5] = 44, clamp[6] = 22;
    expect("convolution=preset=box3:border=zero", 5, 5, corner, zero);
    expect("convolution=preset=box3", 5, 5, corner, clamp);
    check_end(&check, "convolution: borders");
}

static void whole_nine_by_nine(void)
{
    char text[400] = "convolution=matrix='1";
    for (int i = 1; i < 81; i++)
        strcat(text, " 1");
    strcat(text, "'");
    float in[15 * 15] = {0}, want[15 * 15] = {0};
    in[7 * 15 + 7] = 162;
    for (int i = 0; i < 225; i++)
        want[i] = abs(i % 15 - 7) <= 4 && abs(i / 15 - 7) <= 4 ? 2 : 0;
    expect(text, 15, 15, in, want);
    flat(in, 225, 7);
    expect(text, 15, 15, in, in);
    strcat(text, ":div=1");
    flat(in, 225, 1);
    expect(text, 15, 15, in, flat(want, 225, 81));
    /* 129 x 1 ones over a single sample, clamped: 129 times itself */
    strcpy(text, "convolution=size=129x1:matrix='1");
    for (int i = 1; i < 129; i++)
        strcat(text, " 1");
    strcat(text, "':div=1");
    float one = 1, all = 129;
    expect(text, 1, 1, &one, &all);
    check_end(&check, "convolution: 9x9 and 129x1 are computed whole");
}

static void presets(void)
{
    static const float in[25] = {[12] = 100};
    static const float box[25] = {[6] = 11, 11, 11, [11] = 11, 11, 11, [16] = 11, 11, 11};
    static const float gauss[25] = {[6] = 6, 12, 6, [11] = 12, 25, 12, [16] = 6, 12, 6};
    expect("convolution=preset=identity", 5, 5, in, in);
    expect("convolution", 5, 5, in, in);
    expect("convolution=preset=box3", 5, 5, in, box);
    expect("convolution=preset=gauss3", 5, 5, in, gauss); /* 6.25 and 12.5, half to even */
    static const float sharp_in[9] = {10, 10, 10, 10, 30, 10, 10, 10, 10};
    expect("convolution=preset=sharpen", 3, 3, sharp_in, ROW(10, 0, 10, 0, 110, 0, 10, 0, 10));
    expect("convolution=preset=outline", 3, 3, sharp_in, ROW(0, 0, 0, 0, 160, 0, 0, 0, 0));
    float flat7[9];
    flat(flat7, 9, 7);
    expect("convolution=preset=emboss", 3, 3, flat7, flat7);
    expect("convolution=preset=laplacian", 3, 3, flat7, ROW(0, 0, 0, 0, 0, 0, 0, 0, 0));
    check_end(&check, "convolution: presets");
}

static void depths(void)
{
    static const float in[] = {0, 1, 3, 1000};
    expect_depth("convolution=matrix='0':bias=128", "gray16", 4, 1, in,
                 ROW(32768, 32768, 32768, 32768));
    expect_depth("convolution=matrix='0':bias=128", "gray10", 4, 1, in, ROW(512, 512, 512, 512));
    expect_depth("convolution=matrix='2':div=1", "gray10", 4, 1, in, ROW(0, 2, 6, 1023));
    expect_depth("convolution=matrix='100':div=1", "gray16", 4, 1, in, ROW(0, 100, 300, 65535));
    expect_depth("convolution=matrix='65537 -65536 -1':size=3x1:div=1", "gray16", 4, 1,
                 ROW(60000, 60000, 60001, 60001), ROW(0, 0, 0, 0));
    expect_depth("dilation=radius=1", "gray12", 4, 1, ROW(4095, 0, 0, 1), ROW(4095, 4095, 1, 1));
    check_end(&check, "8-bit units and saturation at every depth");
}

/* A matrix that is a product is computed in two passes on devices; its reference may not notice. */
static void brute_force_convolution(void)
{
    struct rng rng = rng_seed(9);
    int cases = 0;
    for (int round = 0; round < 20; round++) {
        int mw = 1 + 2 * rng_below(&rng, 5), mh = 1 + 2 * rng_below(&rng, 5), m[81], n = mw * mh;
        int w = 1 + rng_below(&rng, 16), h = 1 + rng_below(&rng, 16);
        float in[256], want[256];
        char text[1024];
        int used = snprintf(text, sizeof text, "convolution=size=%dx%d:div=%d:bias=10:matrix='", mw,
                            mh, 1 << (round % 5));
        for (int i = 0; i < n; i++) {
            m[i] = rng_below(&rng, 21) - 10;
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%d", i ? " " : "", m[i]);
        }
        snprintf(text + used, sizeof text - (size_t)used, "':border=zero");
        for (int i = 0; i < w * h; i++)
            in[i] = (float)rng_below(&rng, 256);
        for (int i = 0; i < w * h; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                int x = i % w + k % mw - mw / 2, y = i / w + k / mw - mh / 2;
                if (x >= 0 && x < w && y >= 0 && y < h)
                    sum += m[k] * in[y * w + x];
            }
            /* dividing by powers of two is exact: nearbyint is the only rounding */
            double v = nearbyint(sum / (1 << (round % 5)) + 10);
            want[i] = (float)fmin(fmax(v, 0), 255);
        }
        expect(text, w, h, in, want);
        cases++;
    }
    check_end(&check, "convolution against its definition: %d cases", cases);
}

/* ---- stats */

static void measured(const char *options, const char *format, int w, int h, const float *in,
                     int frames, const char *want)
{
    struct rn_geom geom = geometry(format, w, h);
    expect_table(&check, options, &geom, frames, in, want);
}

#define HEADER TABLE_HEADER "\n"

static void statistics(void)
{
    /* 1 2 3 4: squares 30, cubes 100; with 4 3 2 1 before: products 20, both norms sqrt(30) */
    static const float in[] = {1, 2, 3, 4, 4, 3, 2, 1};
    measured("p=3", "gray", 2, 2, in, 2,
             HEADER "0,0.000000,0,2.5,1.25,1,4,10,5.477225575,4.641588834,4,2,,\n"
                    "1,0.100000,0,2.5,1.25,1,4,10,5.477225575,4.641588834,4,2,20,0.6666666667\n");
    static const float black[] = {0, 0, 0, 0};
    measured("", "gray16", 4, 1, black, 1, HEADER "0,0.000000,0,0,0,0,0,0,0,0,0,0,,\n");
    static const float white[] = {65535, 65535, 0, 0};
    measured("p=1", "gray16", 4, 1, white, 1,
             HEADER
             "0,0.000000,0,32767.5,1073709056,0,65535,131070,92680.48581,131070,65535,1,,\n");
    static const float ones[] = {1, 1, 1};
    measured("p=2", "gray", 3, 1, ones, 1,
             HEADER "0,0.000000,0,1,0,1,1,3,1.732050808,1.732050808,1,0,,\n");
    /* a power far beyond what a double holds */
    static const float two[] = {200, 100};
    measured("p=1000", "gray", 2, 1, two, 1,
             HEADER "0,0.000000,0,150,2500,100,200,300,223.6067977,200,200,1,,\n");
    check_end(&check, "stats by hand");
}

/* ---- no reference writes outside its planes, or its source */

enum { GUARD = 64, GUARD_BYTE = 0xc3 };

struct guarded {
    uint8_t *memory;
    size_t bytes;
    struct rn_plane plane;
};

/* Gives the image planes of its geometry that are guarded. */
static void guard_planes(struct guarded g[RN_MAX_PLANES], struct rn_image *img)
{
    int w, h, bytes = rn_format_bytes(&img->geom.fmt);
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++, g++) {
        rn_geom_plane_size(&img->geom, p, &w, &h);
        g->plane = (struct rn_plane){.w = w, .h = h, .stride = w * bytes + GUARD};
        g->bytes = (size_t)(g->plane.stride * (h + 2));
        g->memory = malloc(g->bytes);
        if (!g->memory)
            abort();
        memset(g->memory, GUARD_BYTE, g->bytes);
        g->plane.data = g->memory + g->plane.stride;
        img->plane[p] = g->plane;
    }
}

/* The bytes that belong to no sample. */
static int guard_damage(const struct guarded *g, int bytes)
{
    int bad = 0;
    for (size_t i = 0; i < g->bytes; i++) {
        ptrdiff_t at = g->memory + i - g->plane.data;
        bool sample = at >= 0 && at / g->plane.stride < g->plane.h &&
                      at % g->plane.stride < g->plane.w * bytes;
        bad += !sample && g->memory[i] != GUARD_BYTE;
    }
    return bad;
}

static void guard_stage(const struct rn_stage_desc *desc, const struct rn_geom *geom)
{
    OWNED(rn_stage_destroy) struct rn_stage *stage = rn_stage_create(desc);
    struct guarded src[RN_MAX_PLANES] = {{0}}, dst[RN_MAX_PLANES] = {{0}},
                   copy[RN_MAX_PLANES] = {{0}};
    struct rn_image a = {.geom = *geom}, kept = {.geom = *geom}, b;
    uint64_t *result = NULL;
    struct rn_bound bound = {.desc = desc};
    struct rn_snapshot now = {.desc = desc, .on = true, .params = stage->params, .in = *geom};
    if (rn_stage_check(stage, geom, &now.traits))
        return;
    bound.priv = calloc(1, desc->priv_size ? desc->priv_size : 1);
    if (desc->prepare && desc->prepare(&bound, &now))
        check_bad(&check, "%s cannot be prepared", desc->name);
    b.geom = now.traits.out;
    guard_planes(src, &a);
    guard_planes(copy, &kept);
    guard_planes(dst, &b);
    paint(&a, 1);
    rn_image_copy(&a, &kept);
    int out_bytes = rn_format_bytes(&b.geom.fmt);
    if (desc->measuring)
        result = calloc(1, desc->measuring->bytes(&bound, &now));
    for (int p = 0; p < RN_MAX_PLANES; p++)
        if (now.traits.planes >> p & 1 &&
            desc->ref(&bound, &now, &(struct rn_call){.result = result}, &a, &b, p))
            check_bad(&check, "%s fails", desc->name);
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        if (src[p].memory && memcmp(src[p].memory, copy[p].memory, src[p].bytes) != 0)
            check_bad(&check, "%s changed plane %d of its source, %dx%d", desc->name, p, geom->w,
                      geom->h);
        if (dst[p].memory && guard_damage(&dst[p], out_bytes))
            check_bad(&check, "%s wrote %d bytes outside plane %d, %dx%d", desc->name,
                      guard_damage(&dst[p], out_bytes), p, geom->w, geom->h);
        free(src[p].memory);
        free(copy[p].memory);
        free(dst[p].memory);
    }
    free(result);
    if (desc->release)
        desc->release(&bound);
    free(bound.priv);
}

static void guards(void)
{
    static const char *const formats[] = {"gray", "yuv420p10", "gbrp16", "yuva444p"};
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 5}, {17, 5}, {33, 17}};
    for (int i = 0; rn_registry[i]; i++) {
        for (int k = 0; k < 20 && rn_registry[i]->ref; k++) {
            struct rn_geom geom = geometry(formats[k % 4], sizes[k % 5][0], sizes[k % 5][1]);
            guard_stage(rn_registry[i], &geom);
        }
    }
    check_end(&check, "references write nothing but their planes");
}

int main(void)
{
    rn_log_set_level(RN_LOG_WARNING);
    impulses();
    morphology_borders();
    closings();
    infinite_plane();
    correlation_order();
    rounding();
    convolution_borders();
    whole_nine_by_nine();
    presets();
    depths();
    brute_force_convolution();
    statistics();
    guards();
    return check.failed ? 1 : 0;
}
