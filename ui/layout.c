#include "ui/layout.h"

#include <limits.h>

void rn_ui_layout_begin(struct rn_ui_layout *l, int w, int h, int margin, int gap)
{
    l->w = w;
    l->h = h;
    l->margin = margin;
    l->gap = gap;
    l->n = 0;
}

static bool overlap(const struct rn_ui_area *a, const struct rn_ui_area *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

bool rn_ui_layout_is_free(const struct rn_ui_layout *l, const struct rn_ui_area *box)
{
    for (int i = 0; i < l->n; i++)
        if (overlap(&l->taken[i], box))
            return false;
    return true;
}

void rn_ui_layout_take(struct rn_ui_layout *l, const struct rn_ui_area *box)
{
    if (l->n < RN_LAYOUT_MOST)
        l->taken[l->n++] = *box;
}

/* The i-th place along one side for something `length` long, counted from its corner: at the margin
 * (0), or behind box i - 1, which begins at `begin` and ends at `end`. */
static int place_at(int i, int begin, int end, int length, int side, int margin, int gap, bool far)
{
    if (!i)
        return far ? side - margin - length : margin;
    return far ? begin - gap - length : end + gap;
}

bool rn_ui_layout_place(struct rn_ui_layout *l, enum rn_ui_corner corner, int w, int h,
                        struct rn_ui_area *box)
{
    static const struct rn_ui_area none = {0};
    bool right = corner == RN_TOP_RIGHT || corner == RN_BOTTOM_RIGHT;
    bool bottom = corner == RN_BOTTOM_LEFT || corner == RN_BOTTOM_RIGHT;
    int nearest = INT_MAX, n = l->n + 1;
    for (int i = 0; i < n * n && l->n < RN_LAYOUT_MOST; i++) {
        const struct rn_ui_area *a = i % n ? &l->taken[i % n - 1] : &none;
        const struct rn_ui_area *b = i / n ? &l->taken[i / n - 1] : &none;
        struct rn_ui_area at = {.w = w, .h = h};
        at.x = place_at(i % n, a->x, a->x + a->w, w, l->w, l->margin, l->gap, right);
        at.y = place_at(i / n, b->y, b->y + b->h, h, l->h, l->margin, l->gap, bottom);
        int dx = right ? l->w - l->margin - at.w - at.x : at.x - l->margin;
        int dy = bottom ? l->h - l->margin - at.h - at.y : at.y - l->margin;
        int far = dx < 0 || dy < 0 ? INT_MAX : dx + dy;
        if (far < nearest && at.x >= l->margin && at.y >= l->margin &&
            at.x + at.w <= l->w - l->margin && at.y + at.h <= l->h - l->margin &&
            rn_ui_layout_is_free(l, &at)) {
            nearest = far;
            *box = at;
        }
    }
    if (nearest == INT_MAX)
        return false;
    rn_ui_layout_take(l, box);
    return true;
}
