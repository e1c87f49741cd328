/* SPDX-License-Identifier: MIT */
#include "app/play/export/export.h"

#include "app/run/files.h"
#include "app/play/loop/player.h"
#include "app/play/view/compare.h"
#include "app/play/edit/chain_file.h"
#include "filters/base/output/path.h"
#include "filters/base/owned.h"
#include "io/read/images/names.h"

#include <math.h>

static int write_image(struct rn_play *p, const struct rn_image *img, const char *path,
                       const struct rn_pix_orient *turn)
{
    struct rn_write_sink *sink = NULL;
    struct rn_write_opts opts = {.turn = turn};
    struct rn_frame frame = p->shown->frame;
    frame.data = NULL;
    int err = rn_write_open(&sink, path, &opts, rn_read_media(p->session->source), &img->geom);
    err = err ? err : rn_write_write(sink, img, &frame);
    return rn_first_error(err, rn_write_close(&sink, err ? RN_ENDING_ABANDON : RN_ENDING_COMPLETE));
}

static void tell(struct rn_play *p, const char *path, int err)
{
    rn_play_say(p, err ? "could not write %s" : "wrote %s", path);
    if (!err)
        rn_log(RN_LOG_INFO, "wrote %s", path);
}

int rn_play_save_picture(struct rn_play *p)
{
    char name[64];
    if (!p->shown)
        return 0;
    rn_play_free_name("runnel", "png", name);
    tell(p, name, write_image(p, &p->shown->out, name, &p->viewing.orient));
    return 0; /* a full disk does not end the preview */
}

#define MAX_SHEET 8192 /* pixels a side */

static int write_sheet(struct rn_play *p, const struct rn_ui_scene *scene, const char *path)
{
    struct rn_geom geom = {RN_SIZED(struct rn_geom), .fmt = {.model = RN_RGB, .depth = 8},
                           .full_range = true};
    RN_OWNED(rn_image_free) struct rn_image img = {0};
    /* The first picture keeps its size, if that is not too much. */
    const struct rn_screen *first = scene->pane[0].picture;
    bool rows = scene->layout == RN_LAYOUT_ROWS;
    double across = scene->npanes > 1 && scene->layout != RN_LAYOUT_SPLIT && !rows
                        ? 2 * first->w + 2
                        : first->w;
    double down = rows || scene->layout == RN_LAYOUT_GRID ? 2 * first->h + 2 : first->h;
    double by = fmin(1, MAX_SHEET / fmax(across, down));
    geom.w = (int)fmax(1, across * by);
    geom.h = (int)fmax(1, down * by);
    RN_OWNED(rn_free_owned) uint8_t *pixels = malloc((size_t)geom.w * (size_t)geom.h * 4);
    int err = pixels ? rn_image_alloc(&img, &geom) : rn_fail_memory();
    err = err ? err : rn_ui_draw_into(p->window, scene, geom.w, geom.h, pixels);
    static const int from[] = {1, 0, 2}; /* planes are G, B, R */
    for (int k = 0; k < 3 && !err; k++)
        for (int y = 0; y < geom.h; y++)
            for (int x = 0; x < geom.w; x++)
                img.plane[k].data[y * img.plane[k].stride + x] =
                    pixels[4 * ((size_t)y * (size_t)geom.w + (size_t)x) + (size_t)from[k]];
    return err ? err : write_image(p, &img, path, NULL);
}

int rn_play_save_sheet(struct rn_play *p)
{
    struct rn_screen screen[RN_SCENE_PANES];
    struct rn_ui_scene scene = {.npanes = 0};
    char name[64];
    int err = rn_play_finish_filtering(p); /* the parameters may have changed since */
    if (err || !p->shown)
        return err;
    rn_play_redraw_pictures(p);
    err = rn_play_pictures(p, &scene, screen);
    if (err)
        return err;
    rn_play_free_name("runnel-sheet", "png", name);
    tell(p, name, write_sheet(p, &scene, name));
    return 0; /* as above */
}

/* Whatever is there may be replaced, or nothing is there. */
static int may_write(const char *path, bool overwrite)
{
    struct stat st;
    if (!rn_read_name_is_image(path) || rn_read_is_pattern(path))
        return rn_fail(RN_EUSAGE, "'%s' is no name of one image file, such as picture.png", path);
    int there = rn_path_look(path, &st);
    if (there && !overwrite)
        return rn_fail(RN_EOUTPUT, "'%s' exists: add \"overwrite\"", path);
    return there > 0 ? rn_outfile_permit(path) : 0;
}

int rn_play_save_picture_as(struct rn_play *p, const char *path, bool overwrite)
{
    const struct rn_app_session *s = p->session;
    int err = may_write(path, overwrite);
    err = err ? err : rn_app_files_check_output(s->cli, path, s->chain);
    err = err ? err : write_image(p, &p->shown->out, path, &p->viewing.orient);
    tell(p, path, err);
    return err;
}

/* ---- to the clipboard */

/* The text to copy, to be freed; NULL: none, or an error (logged). */
static char *tell_all(struct rn_play *p)
{
    RN_OWNED(rn_free_owned) char *text = NULL;
    char probe[RN_PROBE_TEXT];
    size_t size;
    bool pointed = p->shown && rn_play_describe_samples(p, probe, sizeof probe);
    bool region =
        p->shown && rn_play_region_is_on(p->region) && !rn_play_region_measure(p->region, p->shown);
    const char *figures = p->shown ? rn_play_figures_text(p) : NULL;
    FILE *f = pointed || region || figures ? open_memstream(&text, &size) : NULL;
    if (!f)
        return NULL;
    if (pointed)
        fprintf(f, "%s%s", probe, region || figures ? "\n\n" : "");
    if (figures)
        fprintf(f, "%s%s", figures, region ? "\n\n" : "");
    int err = region ? rn_play_region_write(p->region, f) : 0;
    return fclose(f) || err ? NULL : rn_take_owned(&text);
}

int rn_play_copy(struct rn_play *p)
{
    int err = rn_play_finish_filtering(p); /* the parameters may have changed since */
    RN_OWNED(rn_free_owned) char *text = tell_all(p);
    rn_play_say(p, !text              ? "nothing is pointed at"
                   : rn_ui_copy(text) ? "copied"
                                      : "could not copy: see the message in the terminal");
    return err;
}
