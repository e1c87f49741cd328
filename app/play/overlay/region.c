/* SPDX-License-Identifier: MIT */
#include "app/play/edit/settings.h"
#include "app/play/loop/player.h"
#include "app/play/stacks/stacks.h"
#include "filters/base/text/number.h"
#include "filters/base/owned.h"

#include <inttypes.h>
#include <math.h>

#define MAX_BINS 64

/* One plane, before or after. */
struct measured_plane {
    struct rn_measure measure; /* its histogram is this: */
    uint64_t *fine;            /* a bin for each integer; owned */
    uint64_t bins[MAX_BINS];   /* groups of those, and what is in them */
    int n, first, step;        /* bin i: `step` fine ones from first + i * step */
};

struct rn_play_region {
    bool limits;  /* drags set that of a stage */
    bool dragged; /* the drag has changed it */
    bool on;
    bool measured;  /* what follows is of the frame on the screen */
    int x[2], y[2]; /* the corner begun at and the other one, pixels of the first plane */
    int planes[2];  /* before, after */
    struct measured_plane plane[2][RN_MAX_PLANES];
    char *table; /* for people; owned */
};

bool rn_play_region_is_on(const struct rn_play_region *region)
{
    return region->on;
}

bool rn_play_region_needs_samples(const struct rn_play_region *region)
{
    return region->on && !region->measured;
}

void rn_play_region_outdate(struct rn_play_region *region)
{
    region->measured = false;
}

void rn_play_region_clear(struct rn_play_region *region)
{
    region->on = region->measured = region->limits = false;
}

/* The pixel of the picture as it is stored. */
static void pointed_at(const struct rn_play *p, const struct rn_ui_event *e, int *x, int *y)
{
    const struct rn_geom *geom = rn_runner_output(p->session->runner);
    *x = e->x;
    *y = e->y;
    rn_pix_turn_back(&p->viewing.orient, geom->w, geom->h, x, y);
}

void rn_play_region_act(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_region *r = p->region;
    int x, y;
    pointed_at(p, e, &x, &y);
    if (e->count < 0) {
        rn_play_region_clear(r);
    } else if (rn_play_three_is_on(p->three) && e->pane) {
        rn_play_say(p, "a region is measured in the first view");
    } else {
        bool begins = e->count > 0;
        r->measured &= !begins && r->x[1] == x && r->y[1] == y;
        r->on |= begins;
        r->x[0] = begins ? x : r->x[0];
        r->y[0] = begins ? y : r->y[0];
        r->x[1] = x;
        r->y[1] = y;
    }
}

/* ---- the region of a stage */

bool rn_play_region_limits(const struct rn_play_region *region)
{
    return region->limits;
}

void rn_play_region_toggle_limit(struct rn_play *p)
{
    const struct rn_stage *stage = rn_play_cursor_selected(p).of;
    bool limits = stage && !p->region->limits;
    char key[RN_KEY_NAME];
    rn_play_region_clear(p->region);
    p->region->limits = limits;
    if (limits)
        rn_play_say(p, "a drag sets the region of %s; %s ends that", rn_stage_name(stage),
                    rn_play_key(p, "limit", key));
    else if (!stage)
        rn_play_say_parameter(p); /* that there is none */
}

int rn_play_region_limit(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_region *r = p->region;
    const struct rn_stage *stage = rn_play_cursor_selected(p).of;
    const struct rn_geom *geom = rn_runner_output(p->session->runner);
    int x, y;
    pointed_at(p, e, &x, &y);
    if (e->count || !stage || e->pane) { /* a button went down, or the view has another plane */
        r->x[0] = x;
        r->y[0] = y;
        r->dragged = false;
        return 0;
    }
    struct rn_region to = stage->region; /* with both corners */
    to.kind = to.kind == RN_REGION_ELLIPSE ? to.kind : RN_REGION_RECTANGLE;
    to.x = (float)(100.0 * (x < r->x[0] ? x : r->x[0]) / geom->w);
    to.y = (float)(100.0 * (y < r->y[0] ? y : r->y[0]) / geom->h);
    to.w = (float)(100.0 * (abs(x - r->x[0]) + 1) / geom->w);
    to.h = (float)(100.0 * (abs(y - r->y[0]) + 1) / geom->h);
    struct rn_play_change change = {RN_CHANGE_REGION, .region = &to, .again = r->dragged};
    r->dragged = true;
    return rn_play_edit(p, &change);
}

static int pixel_at(double place, int n) /* place: per cent of n pixels */
{
    return (int)fmin(fmax(rint(place * n / 100), 0), n - 1);
}

static void turn(const struct rn_play *p, int x[2], int y[2], struct rn_ui_scene_region *to)
{
    const struct rn_geom *geom = &p->shown->out.geom;
    for (int i = 0; i < 2; i++)
        rn_pix_turn_forth(&p->viewing.orient, geom->w, geom->h, &x[i], &y[i]);
    to->x0 = x[x[1] < x[0]];
    to->y0 = y[y[1] < y[0]];
    to->x1 = x[x[1] >= x[0]];
    to->y1 = y[y[1] >= y[0]];
}

void rn_play_region_outline(struct rn_play *p, struct rn_ui_scene *scene,
                            struct rn_ui_scene_region *to)
{
    const struct rn_stage *s = rn_play_cursor_selected(p).of;
    const struct rn_region *r = s ? &s->region : NULL;
    scene->limits = p->region->limits;
    if (!r || !(scene->panel || scene->limits) || !r->kind || r->kind == RN_REGION_MASK)
        return;
    int w = p->shown->out.geom.w, h = p->shown->out.geom.h;
    int x[] = {pixel_at((double)r->x, w), pixel_at((double)r->x + (double)r->w - 100.0 / w, w)};
    int y[] = {pixel_at((double)r->y, h), pixel_at((double)r->y + (double)r->h - 100.0 / h, h)};
    turn(p, x, y, to);
    scene->outline = to;
}

/* ---- measuring */

/* The samples of a plane in the region: from, and up to, all included. */
struct part {
    int x0, y0, x1, y1;
};

static int clipped(int v, int n)
{
    return v < n ? v : n - 1;
}

static int count_floats(struct measured_plane *to, const struct rn_image *img, int p,
                        const struct part *part)
{
    size_t w = (size_t)(part->x1 - part->x0 + 1), n = w * (size_t)(part->y1 - part->y0 + 1);
    RN_OWNED(rn_free_owned) float *all = malloc(n * sizeof *all);
    if (!all)
        return rn_fail_memory();
    float *at = all;
    for (int y = part->y0; y <= part->y1; y++)
        for (int x = part->x0; x <= part->x1; x++)
            *at++ = rn_sample_get(&img->plane[p], RN_SAMPLE_F32, x, y);
    struct rn_measured none = {0};
    int err = rn_measure_floats(&to->measure, &none, &img->geom, all, n, to->fine);
    free(none.samples);
    return err;
}

static int measure_plane(struct measured_plane *to, const struct rn_image *img, int p,
                         const struct part *part)
{
    free(rn_take_owned(&to->fine));
    to->measure = (struct rn_measure){.fmt = &img->geom.fmt, .plane = p, .order = 1};
    rn_measure_bins(&to->measure, &img->geom);
    to->fine = calloc((size_t)to->measure.bins, sizeof *to->fine);
    if (!to->fine)
        return rn_fail_memory();
    to->measure.histogram = to->fine;
    if (img->geom.fmt.number == RN_NUMBER_FLOAT)
        return count_floats(to, img, p, part);
    enum rn_sample sample = rn_format_sample(&img->geom.fmt);
    int least = rn_format_min(&img->geom.fmt), last = to->measure.bins - 1;
    for (int y = part->y0; y <= part->y1; y++)
        for (int x = part->x0; x <= part->x1; x++) {
            int bin = (int)rn_sample_get(&img->plane[p], sample, x, y) - least;
            to->fine[bin < last ? bin : last]++;
        }
    struct rn_measured none = {0};
    rn_measure_integers(&to->measure, &none, &img->geom);
    return 0;
}

int rn_play_region_measure_whole(struct rn_measure *to, const struct rn_image *img, int p)
{
    struct measured_plane plane = {.fine = NULL};
    const struct part all = {0, 0, img->plane[p].w - 1, img->plane[p].h - 1};
    int err = measure_plane(&plane, img, p, &all);
    *to = plane.measure;
    to->histogram = NULL;
    free(plane.fine);
    return err;
}

/* ---- histograms */

/* Widens first..last to the fine bins that are not empty. */
static void find_range(const struct measured_plane *plane, int *first, int *last)
{
    for (int i = 0; i < plane->measure.bins; i++)
        if (plane->fine[i]) {
            *first = i < *first ? i : *first;
            *last = i > *last ? i : *last;
        }
}

static void group(struct measured_plane *plane, int first, int last)
{
    first = first <= last ? first : 0; /* nothing but NaN */
    last = last > first ? last : first;
    plane->first = first;
    plane->step = (last - first) / MAX_BINS + 1;
    plane->n = (last - first) / plane->step + 1;
    for (int i = 0; i < plane->n; i++) {
        plane->bins[i] = 0;
        for (int k = first + i * plane->step; k < first + (i + 1) * plane->step && k <= last; k++)
            plane->bins[i] += plane->fine[k];
    }
}

/* Before and after have the same bins where their samples are of one kind. */
static void group_both(struct rn_play_region *r, int p)
{
    const struct rn_measure *before = &r->plane[0][p].measure, *after = &r->plane[1][p].measure;
    bool both = p < r->planes[0] && p < r->planes[1];
    bool alike = both && before->bins == after->bins && before->bin_first == after->bin_first &&
                 before->bin_step == after->bin_step;
    for (int side = 0; side < 2; side++) {
        int first = RN_FLOAT_BINS, last = -1;
        for (int k = 0; k < 2; k++)
            if (p < r->planes[k] && (k == side || alike))
                find_range(&r->plane[k][p], &first, &last);
        if (p < r->planes[side])
            group(&r->plane[side][p], first, last);
    }
}

/* ---- telling */

static const char *const sides[] = {"original", "filtered"};

static void write_name(FILE *f, const struct rn_measure *m, int side)
{
    fprintf(f, "%s %s%s%s", rn_plane_name(m->fmt, m->plane), sides[side], *m->unit ? ", " : "",
            m->unit);
}

static void write_table(const struct rn_play_region *r, FILE *f)
{
    fprintf(f, "%d x %d at %d, %d\tsamples\tmean\tstd dev\tmin\tmax", abs(r->x[1] - r->x[0]) + 1,
            abs(r->y[1] - r->y[0]) + 1, r->x[r->x[1] < r->x[0]], r->y[r->y[1] < r->y[0]]);
    for (int p = 0; p < r->planes[0] || p < r->planes[1]; p++)
        for (int side = 0; side < 2; side++) {
            const struct rn_measure *m = &r->plane[side][p].measure;
            if (p >= r->planes[side])
                continue;
            fprintf(f, "\n");
            write_name(f, m, side);
            rn_number_write(f, "\t%" PRIu64 "\t%.9g\t%.9g\t%.9g\t%.9g", m->samples, m->mean,
                            sqrt(m->variance), m->min, m->max);
        }
}

static void write_histogram(const struct measured_plane *plane, int side, FILE *f)
{
    const struct rn_measure *m = &plane->measure;
    /* bin_first is the middle of a bin, which for integers is the only value in it. */
    double edge = m->fmt->number == RN_NUMBER_FLOAT ? 0.5 : 0;
    fprintf(f, "\n\n");
    write_name(f, m, side);
    fprintf(f, "\tsamples");
    for (int i = 0; i < plane->n; i++)
        rn_number_write(f, "\n%.9g\t%" PRIu64,
                        m->bin_first + (plane->first + i * plane->step - edge) * m->bin_step,
                        plane->bins[i]);
}

int rn_play_region_write(const struct rn_play_region *region, FILE *f)
{
    write_table(region, f);
    for (int p = 0; p < RN_MAX_PLANES; p++)
        for (int side = 0; side < 2; side++)
            if (p < region->planes[side])
                write_histogram(&region->plane[side][p], side, f);
    return ferror(f) ? rn_fail_memory() : 0;
}

int rn_play_region_measure(struct rn_play_region *region, const struct rn_slot *slot)
{
    const struct rn_image *img[] = {&slot->in, &slot->out};
    size_t size;
    int err = 0;
    if (!region->on || region->measured)
        return 0;
    for (int side = 0; side < 2; side++) {
        region->planes[side] = rn_format_planes(&img[side]->geom.fmt);
        for (int p = 0; p < region->planes[side] && !err; p++) {
            const struct rn_plane *plane = &img[side]->plane[p];
            int sub_x = plane->w < img[side]->geom.w ? img[side]->geom.fmt.sub_x : 0;
            int sub_y = plane->h < img[side]->geom.h ? img[side]->geom.fmt.sub_y : 0;
            bool back = region->x[1] < region->x[0], up = region->y[1] < region->y[0];
            struct part part = (struct part){clipped(region->x[back] >> sub_x, plane->w),
                                             clipped(region->y[up] >> sub_y, plane->h),
                                             clipped(region->x[!back] >> sub_x, plane->w),
                                             clipped(region->y[!up] >> sub_y, plane->h)};
            err = measure_plane(&region->plane[side][p], img[side], p, &part);
        }
    }
    for (int p = 0; p < RN_MAX_PLANES && !err; p++)
        group_both(region, p);
    free(rn_take_owned(&region->table));
    FILE *f = err ? NULL : open_memstream(&region->table, &size);
    if (f)
        write_table(region, f);
    if (!err && (!f || fclose(f)))
        err = rn_fail_memory();
    region->measured = !err;
    return err;
}

int rn_play_region_show(struct rn_play *p, struct rn_ui_scene *scene, struct rn_ui_scene_region *to)
{
    struct rn_play_region *r = p->region;
    int err = rn_play_region_measure(r, p->shown);
    if (err || !r->on)
        return err;
    int x[] = {r->x[0], r->x[1]}, y[] = {r->y[0], r->y[1]};
    *to = (struct rn_ui_scene_region){.table = r->table};
    turn(p, x, y, to);
    to->planes = r->planes[0] > r->planes[1] ? r->planes[0] : r->planes[1];
    for (int k = 0; k < to->planes; k++) {
        const struct measured_plane *both[] = {&r->plane[0][k], &r->plane[1][k]};
        int named = k < r->planes[1];
        to->plane[k].name = rn_plane_name(both[named]->measure.fmt, k);
        for (int i = 0; i < 2; i++) {
            to->plane[k].bins[i] = both[i]->bins;
            to->plane[k].n[i] = k < r->planes[i] ? both[i]->n : 0;
        }
    }
    scene->region = to;
    return 0;
}

static void release(void *part)
{
    struct rn_play_region *r = part;
    for (int i = 0; i < 2 * RN_MAX_PLANES; i++)
        free(r->plane[i / RN_MAX_PLANES][i % RN_MAX_PLANES].fine);
    free(r->table);
}

const struct rn_play_part_type rn_play_region_part = {.size = sizeof(struct rn_play_region),
                                                      .release = release};
