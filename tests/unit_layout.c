/* SPDX-License-Identifier: MIT */
/* Boxes of the overlay: none over another, none beyond the output, none left out that has room. */
#include "tests/unit.h"

#include "filters/base/text/printable.h"
#include "ui/window_internal.h"

static void check_all(const struct rn_ui_layout *l)
{
    for (int i = 0; i < l->n; i++) {
        const SDL_Rect *a = &l->taken[i];
        assert_true(a->x >= l->margin && a->y >= l->margin);
        assert_true(a->x + a->w <= l->w - l->margin && a->y + a->h <= l->h - l->margin);
        for (int k = 0; k < i; k++)
            assert_false(SDL_HasIntersection(a, &l->taken[k]));
    }
}

/* Also with boxes that stay, which cover at most a part of each picture. */
TEST(no_two_boxes_overlap_at_any_size)
{
    static const int hundredths[] = {0, 50, 25, 0, 25};
    static const int sizes[][2] = {{320, 200},  {320, 240},   {640, 480},  {800, 600},
                                   {1280, 720}, {1920, 1080}, {3840, 2160}};
    struct rng rng = rng_seed(3);
    for (int i = 0; i < 7 * 400; i++) {
        struct rn_ui_layout l;
        SDL_Rect box, both;
        int64_t area[4] = {0};
        int w = sizes[i % 7][0], h = sizes[i % 7][1], n = i % 5;
        rn_ui_layout_begin(&l, w, h, 6, 3);
        l.npictures = n;
        memset(l.covered, 0, sizeof l.covered);
        for (int k = 0; k < n; k++)
            l.picture[k] = (SDL_Rect){k % 2 * w / 2, k / 2 * h / 2, n > 1 ? w / 2 : w, h * 2 / 5};
        for (int k = 0; k < 10; k++) {
            enum rn_ui_corner corner = (enum rn_ui_corner)rng_below(&rng, 4);
            int bw = 1 + rng_below(&rng, w / 2), bh = 1 + rng_below(&rng, h / 2);
            bool stays = rng_below(&rng, 2), over = rng_below(&rng, 2);
            if (!stays)
                rn_ui_layout_place(&l, corner, RN_COVER_ALL, bw, bh, &box);
            else if (rn_ui_layout_place(&l, corner, over, bw, bh, &box))
                for (int j = 0; j < n; j++)
                    if (SDL_IntersectRect(&box, &l.picture[j], &both)) {
                        assert_true(over);
                        area[j] += (int64_t)both.w * both.h;
                    }
        }
        assert_true(l.n > 0);
        check_all(&l);
        for (int k = 0; k < n; k++)
            assert_true(area[k] * 100 <= (int64_t)l.picture[k].w * l.picture[k].h * hundredths[n]);
    }
}

/* Where a box is refused none fits at its corner, and a place taken by the caller counts, too. */
TEST(what_has_room_is_placed)
{
    struct rng rng = rng_seed(4);
    for (int i = 0; i < 500; i++) {
        struct rn_ui_layout l;
        SDL_Rect box, own = {6 + rng_below(&rng, 30), 6 + rng_below(&rng, 20), 10, 10};
        rn_ui_layout_begin(&l, 64, 48, 2, 0);
        rn_ui_layout_take(&l, &own);
        int w = 1 + rng_below(&rng, 60), h = 1 + rng_below(&rng, 44);
        bool placed = rn_ui_layout_place(&l, (enum rn_ui_corner)(i % 4), RN_COVER_ALL, w, h, &box),
             room = false;
        for (int y = 2; y + h <= 46; y++)
            for (int x = 2; x + w <= 62; x++)
                room |= !SDL_HasIntersection(&(SDL_Rect){x, y, w, h}, &own);
        assert_int_equal(placed, room);
        assert_int_equal(l.n, 1 + placed);
    }
}

static void expect(struct rn_ui_layout *l, enum rn_ui_corner corner, int w, int h, int x, int y)
{
    SDL_Rect box = {0};
    assert_true(rn_ui_layout_place(l, corner, RN_COVER_ALL, w, h, &box));
    assert_true(SDL_RectEquals(&box, &(SDL_Rect){x, y, w, h}));
}

TEST(places)
{
    struct rn_ui_layout l;
    SDL_Rect box;
    rn_ui_layout_begin(&l, 320, 200, 6, 3);
    expect(&l, RN_TOP_LEFT, 100, 50, 6, 6);
    expect(&l, RN_TOP_RIGHT, 100, 50, 214, 6);
    expect(&l, RN_TOP_RIGHT, 100, 20, 214, 59);
    expect(&l, RN_BOTTOM_LEFT, 300, 20, 6, 174);
    expect(&l, RN_BOTTOM_RIGHT, 50, 30, 264, 141);
    expect(&l, RN_TOP_RIGHT, 90, 40, 224, 82);
    assert_false(rn_ui_layout_place(&l, RN_TOP_LEFT, RN_COVER_ALL, 309, 10,
                                    &box)); /* wider than the output */
    assert_false(rn_ui_layout_place(&l, RN_TOP_LEFT, RN_COVER_ALL, 308, 60, &box));
}

TEST(too_many)
{
    struct rn_ui_layout l;
    SDL_Rect box;
    int n = 0;
    rn_ui_layout_begin(&l, 3840, 2160, 6, 3);
    while (n < 100 && rn_ui_layout_place(&l, RN_TOP_LEFT, RN_COVER_ALL, 10, 10, &box))
        n++;
    assert_int_equal(n, RN_MAX_BOXES);
    check_all(&l);
}

/* A menu of texts that are too long for it: what of a row and a column is drawn outside of it. */
TEST(texts_end_with_an_ellipsis_and_stay_in_their_box)
{
    const char *longest =
        "gypsy jogging quietly, a text that is wider than any menu; gypsy jogging";
    const struct rn_ui_panel_row row = {.name = longest, .value = "", .note = "", .at = NAN};
    const struct rn_ui_panel menu = {.row = &row, .n = 1, .kind = RN_PANEL_MENU, .title = ""};
    SDL_Surface *to = SDL_CreateRGBSurfaceWithFormat(0, 640, 480, 32, SDL_PIXELFORMAT_XRGB8888);
    SDL_Renderer *renderer = SDL_CreateSoftwareRenderer(to);
    struct rn_ui_osd *osd;
    struct rn_ui_panel_place place = {.all = -1};
    assert_int_equal(rn_ui_osd_open(&osd, renderer), 0);
    if (!osd->font)
        skip();
    rn_ui_osd_begin(osd, 640, 480, 1);
    rn_ui_panel_put(osd, &menu, &(SDL_Point){40, 40}, &place);
    rn_ui_panel_draw(osd, &menu, &place);
    SDL_RenderFlush(renderer);
    SDL_Rect box = place.box;
    for (int i = 0; i < 640 * 480; i++)
        if (!SDL_PointInRect(&(SDL_Point){i % 640, i / 640}, &box))
            assert_int_equal(((uint32_t *)to->pixels)[i] & 0xffffff, 0);
    const struct rn_ui_text *cut = rn_ui_text_get(osd->font, longest, strlen(longest), 15, -200);
    assert_in_range(cut->w, 170, 200);
    cut = rn_ui_text_get(osd->font, "\xc3\xa4 b", 4, 15, -200); /* has the room */
    assert_int_equal(cut->w, rn_ui_text_get(osd->font, "\xc3\xa4 b", 4, 15, 0)->w);
    rn_ui_osd_close(&osd);
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(to);
}

enum { W = 320, H = 240 };

/* Draws a message, and tells whether that looks as `like`. */
static bool draws(struct rn_ui_osd *osd, const SDL_Surface *to, const char *text, const void *like)
{
    SDL_SetRenderDrawColor(osd->renderer, 0, 0, 0, 255);
    SDL_RenderClear(osd->renderer);
    rn_ui_osd_begin(osd, W, H, 1);
    rn_ui_osd_message(osd, text);
    SDL_RenderFlush(osd->renderer);
    return !memcmp(to->pixels, like, 4 * W * H);
}

/* A message without room for its end looks as one that ends with an ellipsis there. */
TEST(a_message_that_is_cut_ends_with_an_ellipsis_and_a_long_line_is_broken)
{
    static uint32_t whole[W * H];
    char text[400], full[] = "grow\xc3\xa4n";
    SDL_Surface *to = SDL_CreateRGBSurfaceWithFormat(0, W, H, 32, SDL_PIXELFORMAT_XRGB8888);
    SDL_Renderer *renderer = SDL_CreateSoftwareRenderer(to);
    struct rn_ui_osd *osd;
    bool found = false;
    assert_int_equal(rn_ui_osd_open(&osd, renderer), 0);
    if (!osd->font)
        skip();
    for (int n = 0; n < 300; n += 10)
        snprintf(text + n, sizeof text - (size_t)n, "%09d ", n);
    draws(osd, to, text, whole);
    memcpy(whole, to->pixels, sizeof whole);
    for (int n = 299; n > 0 && !found; n--) {
        snprintf(text + n, sizeof text - (size_t)n, "%s", RN_CUT);
        found = draws(osd, to, text, whole);
        text[n] = '\0';
        found = found && !draws(osd, to, text, whole);
    }
    assert_true(found);
    rn_ui_osd_begin(osd, W, H, 1);
    rn_ui_osd_text(
        osd, RN_BOTTOM_LEFT,
        "PSNR 17.12 dB  SSIM 0.709950  385844 of 1382400 samples differ, at most by 255");
    assert_in_range(osd->layout.taken[0].h, 2 * 10 * 5 / 4, H / 5); /* two lines, to be read */
    rn_ui_osd_close(&osd);
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(to);
    rn_mark_cut(full, sizeof full + 1); /* its end is there */
    assert_string_equal(full, "grow\xc3\xa4n");
    rn_mark_cut(full, sizeof full);
    assert_string_equal(full, "grow" RN_CUT);
}
