/* SPDX-License-Identifier: MIT */
#include "app/play/edit/settings.h"
#include "app/play/loop/player.h"
#include "app/play/runners/runners.h"
#include "app/play/view/compare.h"
#include "filters/base/owned.h"
#include "filters/base/text/printable.h"
#include "app/play/view/presentation.h"
#include "app/play/stacks/stacks.h"
#include "app/process/signals.h"
#include "io/read/viewing.h"

#include <strings.h>

#define CHAIN_FILE ".chain"

struct rn_play_playlist {
    struct rn_play_inputs current;
    bool next_wanted;   /* the input has ended; the next one follows */
    bool others_failed; /* none of the others could be opened */
    char *name;         /* of the current input, if it was opened here */

    /* The request. */
    bool wanted;                     /* another input is to replace the current one */
    int index;                       /* of the wanted input in its list */
    int direction;                   /* where to look if it cannot be opened; 0: nowhere */
    int tries_left;                  /* inputs that may still be tried */
    bool after_end;                  /* the current input has come to its end */
    struct rn_play_inputs other;     /* replaces the current list; none: n is 0 */
    struct rn_play_pending *pending; /* NULL: none */
};

/* ---- the list */

const struct rn_play_inputs *rn_play_inputs(const struct rn_play *p)
{
    return &p->playlist->current;
}

static int add(struct rn_play_inputs *in, const char *name)
{
    char **more = realloc(in->name, (size_t)(in->n + 1) * sizeof *more);
    if (!more)
        return rn_fail_memory();
    in->name = more;
    if (!(in->name[in->n] = strdup(name)))
        return rn_fail_memory();
    in->n++;
    return 0;
}

int rn_play_add_input(struct rn_play *p, const char *name)
{
    p->playlist->others_failed = false;
    return add(&p->playlist->current, name);
}

static void free_list(struct rn_play_inputs *in)
{
    while (in->n)
        free(in->name[--in->n]);
    free(in->name);
    *in = (struct rn_play_inputs){0};
}

/* The current input and its place in the list. Returns title. */
static const char *write_title(const struct rn_play *p, char title[512])
{
    const struct rn_play_inputs *in = rn_play_inputs(p);
    if (in->n > 1)
        snprintf(title, 512, "%.400s (%d/%d) - runnel", in->name[in->index], in->index + 1, in->n);
    else
        snprintf(title, 512, "%.400s - runnel", p->session->cli->operand[0]);
    return rn_printable(title, false);
}

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
    write_title(p, title);
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
    p->visibility = RN_VISIBILITY_SEEN;
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

/* ---- requests */

void rn_play_cancel_input(struct rn_play *p)
{
    struct rn_play_playlist *l = p->playlist;
    rn_play_pending_cancel(&l->pending);
    l->wanted = l->after_end = false;
    free_list(&l->other);
}

bool rn_play_request_input(struct rn_play *p, int at, int direction)
{
    struct rn_play_playlist *l = p->playlist;
    rn_play_cancel_input(p);
    if (p->record || p->session->replay || p->session->cli->play.reference) {
        rn_play_say(p, "a recording tells of one input, so does --reference: start anew");
        rn_log(RN_LOG_WARNING, "%s", rn_play_latest_message(p));
        return false;
    }
    l->wanted = true;
    l->index = at;
    l->direction = direction;
    l->tries_left = direction ? l->current.n - 1 : 1;
    return true;
}

bool rn_play_playlist_is_busy(const struct rn_play *p)
{
    return p->playlist->wanted;
}

/* It cannot be opened, or does not take the chain: tries the next one that may be tried. */
static int pass_over(struct rn_play *p, int err)
{
    struct rn_play_playlist *l = p->playlist;
    const struct rn_play_inputs *list = l->other.n ? &l->other : &l->current;
    char text[256];
    snprintf(text, sizeof text, "%.80s: %.160s", list->name[l->index], rn_log_last());
    rn_play_say(p, "%s", text);
    int n = l->current.n, at = l->index + l->direction;
    bool more = l->direction && --l->tries_left >= 1 && (p->loop || (at >= 0 && at < n));
    l->index = (at + n) % n;
    if (!more || l->index == l->current.index) {
        l->others_failed |= l->after_end;
        rn_play_add_refusal(p, text);
        rn_play_cancel_input(p);
    }
    return err == RN_EINTERNAL ? err : 0;
}

int rn_play_playlist_poll(struct rn_play *p, bool *replaced)
{
    struct rn_play_playlist *l = p->playlist;
    bool ready;
    *replaced = false;
    if (!l->wanted)
        return 0;
    const struct rn_play_inputs *list = l->other.n ? &l->other : &l->current;
    const struct rn_play_pending_request request = {.kind = RN_PENDING_INPUT,
                                                    .session = p->session,
                                                    .chain = p->session->chain,
                                                    .slots = rn_play_slots(p),
                                                    .input = list->name[l->index]};
    int err = rn_play_pending_get(&l->pending, p->jobs, &request, &ready);
    if (err)
        return pass_over(p, err);
    if (!ready)
        return 0;
    if (l->other.n) {
        struct rn_play_inputs before = l->current;
        l->current = l->other;
        l->other = before; /* freed with the request */
    }
    l->current.index = l->index;
    l->others_failed = l->next_wanted = false;
    char *name = l->name;
    err = rn_play_end_input(p, 0);
    rn_play_build_leave(p); /* the runner of the new input has the current settings */
    rn_play_free_input(p);
    rn_app_session_close_input(p->session);
    err = rn_first_error(err, rn_play_pending_take_input(&l->pending, p->session, &l->name));
    p->cli->operand[0] = l->name;
    err = err ? err : rn_play_open_window(p);
    err = err ? err : rn_play_open_kept(p);
    err = err ? err : rn_play_open_input(p);
    free(name);
    rn_play_cancel_input(p);
    *replaced = !err;
    return err;
}

/* ---- the next one */

/* The index of the input that is being opened, or of the current one. */
static int index_of(const struct rn_play_playlist *l)
{
    return l->wanted && !l->other.n ? l->index : l->current.index;
}

static bool go(struct rn_play *p, int direction)
{
    const struct rn_play_inputs *in = rn_play_inputs(p);
    int at = index_of(p->playlist) + direction;
    if (in->n == 1 || (!p->loop && (at < 0 || at >= in->n)))
        return false;
    at = (at + in->n) % in->n;
    if (at != in->index)
        return rn_play_request_input(p, at, direction);
    rn_play_cancel_input(p);
    return true;
}

void rn_play_next_input(struct rn_play *p, int direction)
{
    const struct rn_play_inputs *in = rn_play_inputs(p);
    int at = index_of(p->playlist);
    bool last = direction > 0 ? at == in->n - 1 : at == 0;
    if (in->n == 1)
        rn_play_say(p, "there is no other input");
    else if (last && !p->loop)
        rn_play_say(p, direction > 0 ? "this is the last input" : "this is the first input");
    go(p, direction);
}

bool rn_play_input_ended(struct rn_play *p, double *wait)
{
    struct rn_play_playlist *l = p->playlist;
    bool more = l->current.n > 1 && (p->loop || l->current.index < l->current.n - 1);
    bool followed = more && !l->others_failed && !p->paused && p->session->stream->frames != 1;
    l->next_wanted |= followed;
    *wait = followed && !l->wanted ? 0 : *wait;
    return followed;
}

void rn_play_follow(struct rn_play *p)
{
    struct rn_play_playlist *l = p->playlist;
    if (l->next_wanted && !l->wanted && !l->others_failed) {
        l->after_end = go(p, 1);
        l->others_failed = !l->after_end;
    }
    l->next_wanted = false;
}

/* ---- what is dropped */

static int take_chain(struct rn_play *p, const char *path, bool *done)
{
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    size_t size = strlen(path) + 2;
    char said[160];
    RN_OWNED(rn_free_owned) char *text = malloc(size);
    if (!text)
        return rn_fail_memory();
    snprintf(text, size, "@%s", path);
    int err = rn_chain_parse(&chain, text);
    if (err)
        return rn_play_refused(p, err);
    snprintf(said, sizeof said, "the chain of %.140s", path);
    err = rn_play_adopt(p, chain, said);
    *done = !err && !rn_play_was_refused(p);
    return err;
}

int rn_play_take_dropped(struct rn_play *p, const char *path, int i, bool *done)
{
    struct rn_play_playlist *l = p->playlist;
    *done = false;
    size_t n = strlen(path), end = strlen(CHAIN_FILE);
    if (n > end && !strcasecmp(path + n - end, CHAIN_FILE))
        return take_chain(p, path, done);
    int err;
    if (!i) {
        *done = rn_play_request_input(p, 0, 0);
        err = *done ? add(&l->other, path) : 0;
        if (err)
            rn_play_cancel_input(p);
        return err;
    }
    char title[512];
    err = l->other.n ? add(&l->other, path) : rn_play_add_input(p, path);
    *done = !err;
    rn_ui_title(p->window, write_title(p, title));
    return err;
}

static void release(void *playlist)
{
    struct rn_play_playlist *l = playlist;
    free_list(&l->current);
    free(l->name);
}

const struct rn_play_part_type rn_play_playlist_part = {.size = sizeof(struct rn_play_playlist),
                                                        .release = release};
