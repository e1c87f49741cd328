/* SPDX-License-Identifier: MIT */
#include "app/play/loop/playlist.h"

#include "app/play/edit/kept.h"
#include "app/play/loop/player.h"
#include "app/play/loop/transport.h"
#include "app/play/loop/sound.h"
#include "app/play/overlay/times.h"
#include "app/play/runners/build.h"
#include "app/play/runners/runner_group.h"
#include "app/play/view/compare.h"
#include "app/play/overlay/region.h"
#include "app/play/view/presentation.h"
#include "app/play/stacks/stacks.h"
#include "app/process/signals.h"
#include "io/read/viewing.h"
#include "filters/base/owned.h"

#include <unistd.h>

/* ---- the window */

int rn_play_open_window(struct rn_play *p)
{
    char title[512];
    const struct rn_io_rational *a = &p->session->stream->aspect;
    const struct rn_geom *out = &p->session->analysis.out;
    double aspect = a->num > 0 && a->den > 0 ? (double)a->num / a->den : 1;
    p->viewing = (struct rn_pix_viewing){0};
    rn_read_viewing(p->session->source, &p->viewing);
    rn_read_viewing_tell(p->session->source, &p->viewing, p->viewing_told, sizeof p->viewing_told);
    bool quarter = rn_pix_orient_is_quarter(&p->viewing.orient);
    int w = quarter ? out->h : out->w, h = quarter ? out->w : out->h;
    rn_play_title(p, title);
    aspect = quarter ? 1 / aspect : aspect;
    if (!p->window)
        return rn_ui_open(&p->window, title, w, h, aspect, p->keys);
    rn_ui_renew(p->window, title, w, h, aspect);
    return 0;
}

/* ---- an input */

int rn_play_open_input(struct rn_play *p)
{
    p->seeking = RN_SEEKING_FRAME;
    p->playback = RN_PLAYBACK_GOES_ON;
    p->picture = RN_PICTURE_CURRENT;
    p->skipped = p->unseen = false;
    rn_play_transport_begin(p->transport, rn_read_can_seek(p->session->source));
    p->dropped = 0;
    rn_play_times_renew(p->times);
    rn_play_presentation_begin(p);
    rn_play_region_clear(p->region);
    const struct rn_analysis *a = &p->session->analysis;
    struct rn_write_opts none = {0};
    int err = rn_pix_display_create(&p->show_in, &a->in, &p->viewing);
    err = err ? err : rn_pix_display_create(&p->show_out, &a->out, &p->viewing);
    rn_play_look_at_stack(p);
    if (!err)
        rn_play_open_sound(p);
    if (!err && p->session->cli->play.md5)
        err = rn_write_open(&p->hashes, "md5:", &none, rn_read_media(p->session->source), &a->out);
    err = err || !p->session->runner ? err : rn_play_accompany(p);
    const int64_t most = 256 << 20, share = sysconf(_SC_PHYS_PAGES) / 8 * sysconf(_SC_PAGESIZE);
    int64_t cache = p->session->cli->play.cache; /* bytes of decoded frames */
    cache = cache >= 0 ? cache : share < most ? share : most;
    return err ? err
               : rn_play_reader_start(&p->reader, p->session->source, p->session->runner,
                                      (size_t)cache);
}

int rn_play_end_input(struct rn_play *p, int err)
{
    struct rn_runner *runner = p->session->runner;
    rn_play_close_kept(p);
    rn_play_leave_parts(p);
    if (runner)
        err = rn_first_error(err, rn_runner_stop(runner, !err && !rn_app_signals_caught()));
    rn_play_reader_stop(&p->reader);
    rn_play_runners_end(p->runners);
    rn_play_pending_cancel(&p->rebuild);
    rn_play_reader_release(runner);
    return rn_first_error(err, rn_write_close(&p->hashes, RN_ENDING_COMPLETE));
}

void rn_play_free_input(struct rn_play *p)
{
    rn_play_close_sound(p);
    rn_pix_display_destroy(&p->show_in);
    rn_pix_display_destroy(&p->show_out);
    p->shown = p->next = NULL; /* slots of the runner, which is closed next */
    p->nahead = 0;
}

/* ---- another one */

int rn_play_replace_input(struct rn_play *p, struct rn_play_pending **pending, char **name)
{
    int err = rn_play_end_input(p, 0);
    rn_play_build_leave(p); /* the runner of the new input has the current settings */
    rn_play_free_input(p);
    rn_app_session_close_input(p->session);
    err = rn_first_error(err, rn_play_pending_take_input(pending, p->session, name));
    p->cli->operand[0] = *name;
    err = err ? err : rn_play_open_window(p);
    err = err ? err : rn_play_open_kept(p);
    return err ? err : rn_play_open_input(p);
}
