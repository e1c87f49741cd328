/* SPDX-License-Identifier: MIT */
#include "app/play/loop/player.h"
#include "app/play/runners/runners.h"
#include "app/play/view/compare.h"
#include "filters/base/output/textout.h"
#include "filters/base/owned.h"
#include "filters/base/text/number.h"

#include <inttypes.h>
#include <math.h>

enum { READ_FORWARD = 32, CACHE = 64 << 20 }; /* frames; bytes of decoded ones, without --cache */

struct row {
    int64_t frame;
    double time, psnr, ssim;
};

struct rn_play_reference {
    struct rn_app_cli cli; /* the input's, with the file for its operand */
    struct rn_read_source *source;
    struct rn_play_reader *reader;
    int64_t next, sought; /* the frame that the reader gives next, or one before; its latest goal */
    struct rn_image image;
    int64_t held; /* the frame in image */

    struct rn_chain *settings; /* that the figures are of */
    struct row *row;           /* by rising frames */
    size_t nrows, room;
    float curve[RN_UI_BAR_CURVE];
};

int rn_play_reference_open(struct rn_play *p)
{
    struct rn_play_reference *r = p->reference;
    struct rn_app_session of = {.cli = &r->cli};
    r->cli = *p->session->cli;
    const char *name = r->cli.operand[0] = r->cli.play.reference;
    int err = name ? rn_app_session_open_source(&of) : 0;
    if (err || !name)
        return err;
    r->source = of.source;
    r->held = r->sought = -1;
    const struct rn_io_stream *a = p->session->stream, *b = rn_read_stream_of(r->source);
    if (a->geom.w != b->geom.w || a->geom.h != b->geom.h)
        return rn_fail(RN_EUSAGE, "--reference '%s' is %d x %d, the input %d x %d", name, b->geom.w,
                       b->geom.h, a->geom.w, a->geom.h);
    if (a->exact && b->exact && a->frames != b->frames) /* estimates show at the end */
        return rn_fail(RN_EUSAGE, "--reference '%s' has %" PRId64 " frames, the input %" PRId64,
                       name, b->frames, a->frames);
    err = rn_image_alloc(&r->image, &b->geom);
    size_t cache = r->cli.play.cache >= 0 ? (size_t)r->cli.play.cache : CACHE;
    return err ? err : rn_play_reader_start(&r->reader, r->source, NULL, cache);
}

static void leave(void *part)
{
    struct rn_play_reference *r = part;
    rn_play_reader_stop(&r->reader);
    rn_read_close(&r->source);
    rn_image_free(&r->image);
    rn_chain_destroy(&r->settings);
    free(r->row);
    *r = (struct rn_play_reference){.row = NULL};
}

bool rn_play_reference_exists(const struct rn_play *p)
{
    return p->reference->reader;
}

const struct rn_image *rn_play_reference_picture(const struct rn_play *p)
{
    const struct rn_play_reference *r = p->reference;
    return r->reader && p->shown && r->held == p->shown->frame.index ? &r->image : NULL;
}

bool rn_play_reference_fetch(struct rn_play *p, const struct rn_slot *slot, double timeout)
{
    struct rn_play_reference *r = p->reference;
    struct rn_slot *got;
    int64_t index = slot->frame.index;
    int err = 0;
    if (!r->reader || !rn_play_compares_reference(p) || r->held == index)
        return true;
    if (index < r->next || (index > r->next + READ_FORWARD && index != r->sought)) {
        const struct rn_play_goal goal = {.kind = RN_GOAL_FRAME, .index = index};
        rn_play_reader_seek(r->reader, &goal, false);
        r->sought = r->next = index;
    }
    while (r->next <= index && !(err = rn_play_reader_next(r->reader, timeout, &got)) && got) {
        r->next = got->frame.index + 1;
        if (r->next == index + 1) {
            rn_image_copy(&got->in, &r->image);
            r->held = index;
        }
        rn_play_reader_give(r->reader, got);
    }
    bool missing = err || (r->next > index && r->held != index);
    if (missing) {
        rn_play_say(p, "the reference has no frame %" PRId64 ": it is left", index);
        rn_log(RN_LOG_WARNING, "%s", rn_play_latest_message(p));
        rn_play_reader_stop(&r->reader);
        rn_play_redraw_pictures(p);
    }
    return missing || r->held == index;
}

int rn_play_reference_note(struct rn_play *p, const struct rn_play_figures *figures)
{
    struct rn_play_reference *r = p->reference;
    const struct rn_chain *settings = rn_play_build_chain(p);
    bool own = p->record || rn_play_recording_is_followed(p);
    if (!figures || (!own && !(r->settings && rn_chain_equal(settings, r->settings))))
        r->nrows = 0;
    if (!figures || rn_chain_assign(&r->settings, settings))
        return figures ? RN_EINTERNAL : 0;
    const struct rn_frame *f = &p->shown->frame;
    size_t at = r->nrows;
    while (at && r->row[at - 1].frame >= f->index)
        at--;
    if (at == r->nrows || r->row[at].frame != f->index) {
        if (!rn_reserve(&r->row, &r->room, r->nrows + 1, sizeof *r->row))
            return rn_fail_memory();
        memmove(&r->row[at + 1], &r->row[at], (r->nrows++ - at) * sizeof *r->row);
    }
    r->row[at] = (struct row){f->index, f->start + f->time, figures->all.psnr, figures->all.ssim};
    return 0;
}

int rn_play_reference_write(const struct rn_play *p, const char *path)
{
    const struct rn_play_reference *r = p->reference;
    struct rn_textout *out;
    int err = access(path, F_OK) ? 0 : rn_fail(RN_EOUTPUT, "'%s' exists", path);
    err = err ? err : rn_textout_open(&out, path);
    if (err)
        return err;
    FILE *f = out->stream;
    fputs("frame,time,psnr,ssim\n", f);
    for (const struct row *row = r->row; row && row < r->row + r->nrows; row++)
        rn_number_write(f, "%" PRId64 ",%.6f,%.6f,%.6f\n", row->frame, row->time, row->psnr,
                        row->ssim);
    return rn_textout_close(&out, RN_TEXT_COMPLETE);
}

void rn_play_reference_draw(struct rn_play *p, double length, struct rn_ui_scene_bar *bar)
{
    struct rn_play_reference *r = p->reference;
    double low = HUGE_VAL, high = 0, last = RN_UI_BAR_CURVE - 1;
    for (size_t i = 0; i < r->nrows; i++) {
        low = fmin(low, r->row[i].psnr);
        high = isfinite(r->row[i].psnr) ? fmax(high, r->row[i].psnr) : high;
    }
    for (int k = 0; k < RN_UI_BAR_CURVE; k++)
        r->curve[k] = NAN;
    for (const struct row *row = r->row; row && row < r->row + r->nrows; row++) {
        double at = (row->time - p->shown->frame.start) / length * last;
        double end = fmin(last, at + rn_play_frame_duration(p) / length * last);
        for (int k = (int)fmax(0, floor(at)); k <= end; k++)
            r->curve[k] = (float)fmin(1, (row->psnr - low) / fmax(high - low, 1e-3));
    }
    bar->curve = r->nrows ? r->curve : bar->curve;
}

const struct rn_play_part_type rn_play_reference_part = {.size = sizeof(struct rn_play_reference),
                                                         .leave = leave};
