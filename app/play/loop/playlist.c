/* SPDX-License-Identifier: MIT */
#include "app/play/loop/playlist.h"

#include "app/play/edit/edit.h"
#include "app/play/loop/player.h"
#include "app/play/runners/pending_runner.h"
#include "app/play/runners/build.h"
#include "app/play/view/compare.h"
#include "app/play/overlay/message.h"
#include "filters/base/owned.h"
#include "filters/base/text/printable.h"

#include <stdlib.h>
#include <string.h>
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

const char *rn_play_title(const struct rn_play *p, char title[512])
{
    const struct rn_play_inputs *in = rn_play_inputs(p);
    if (in->n > 1)
        snprintf(title, 512, "%.400s (%d/%d) - runnel", in->name[in->index], in->index + 1, in->n);
    else
        snprintf(title, 512, "%.400s - runnel", p->session->cli->operand[0]);
    rn_printable(title, false);
    return title;
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
    err = rn_play_replace_input(p, &l->pending, &l->name);
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
    rn_ui_title(p->window, rn_play_title(p, title));
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
