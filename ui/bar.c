#include "ui/bar.h"

#include <math.h>

struct rn_ui_bar rn_ui_bar_lay_out(int out_w, int out_h, int px)
{
    int margin = px / 2, h = px / 2 > 4 ? px / 2 : 4, near = 3 * px;
    struct rn_ui_bar bar = {.out_w = out_w, .out_h = out_h};
    bar.track = (struct rn_ui_area){margin, out_h - margin - h, out_w - 2 * margin, h};
    bar.track.w = bar.track.w > 1 ? bar.track.w : 1;
    bar.zone = out_h - (near > out_h / 8 ? near : out_h / 8);
    return bar;
}

bool rn_ui_bar_is_near(const struct rn_ui_bar *bar, int x, int y)
{
    return x >= 0 && x < bar->out_w && y >= bar->zone && y < bar->out_h;
}

bool rn_ui_bar_is_hit(const struct rn_ui_bar *bar, int x, int y)
{
    return rn_ui_bar_is_near(bar, x, y) && y >= bar->track.y - bar->track.h;
}

double rn_ui_bar_place(const struct rn_ui_bar *bar, int x)
{
    int last = bar->track.w - 1;
    double place = last > 0 ? (double)(x - bar->track.x) / last : 0;
    return place < 0 ? 0 : place > 1 ? 1 : place;
}

int rn_ui_bar_column(const struct rn_ui_bar *bar, double place)
{
    place = place < 0 ? 0 : place > 1 ? 1 : place;
    return bar->track.x + (int)lround(place * (bar->track.w - 1));
}

struct rn_ui_area rn_ui_bar_box(const struct rn_ui_bar *bar, int w, int h, double place)
{
    double by = fmin(1, fmin(bar->out_w / 3.0 / w, bar->out_h / 2.0 / h));
    struct rn_ui_area box = {.w = (int)(w * by), .h = (int)(h * by)};
    int right = bar->out_w - bar->track.x;
    box.w = box.w > 1 ? box.w : 1;
    box.h = box.h > 1 ? box.h : 1;
    box.x = rn_ui_bar_column(bar, place) - box.w / 2;
    box.x = box.x + box.w > right ? right - box.w : box.x;
    box.x = box.x < bar->track.x ? bar->track.x : box.x;
    box.y = bar->track.y - bar->track.h - box.h;
    return box;
}
