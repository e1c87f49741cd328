/* SPDX-License-Identifier: MIT */
#include "app/play/remote/remote.h"

#include "app/run/json.h"
#include "app/play/control/command_table.h"
#include "app/play/loop/player.h"
#include "app/play/runners/runners.h"
#include "app/play/view/compare.h"
#include "filters/base/owned.h"

#define MAX_REQUESTS 64 /* of a client per round: the picture must go on */
#define MAX_TRIES    12 /* to reach a frame by its index */

struct client {
    enum { IDLE, HELD, WAITS } state;
    /* HELD: begins when the results of those before are shown; WAITS: for its answer. */
    struct rn_play_request request;
    struct rn_play_answer answer;
    int tries;
    int refusals; /* WAITS: refusals of the device before the request */
    struct rn_play_watch watch;
};

struct rn_play_remote {
    struct rn_play_ipc *ipc;
    struct client client[RN_IPC_CLIENTS];
    int64_t measured; /* p->drawn when stats were measured */
    json_t *stats;
};

/* ---- answers */

/* Whether all requested changes are on the screen: no part is busy with one. */
static bool is_settled(const struct rn_play *p)
{
    return !rn_play_build_is_busy(p) && !rn_play_playlist_is_busy(p) &&
           !rn_play_compare_is_busy(p) && !rn_play_transport_is_busy(p) &&
           p->picture == RN_PICTURE_CURRENT && (p->shown || rn_play_at_end(p));
}

static void send(struct rn_play_remote *r, int i, char *line)
{
    if (line)
        rn_play_ipc_send(r->ipc, i, line);
    free(line);
}

static void answer(struct rn_play_remote *r, int i, const json_t *id, const char *why, json_t *data)
{
    send(r, i, rn_play_request_answer(id, why, data));
}

/* ---- requests */

/* Executes a request. Sends the answer, or keeps it until the picture has the change. */
static int begin(struct rn_play *p, int i)
{
    struct rn_play_remote *r = p->remote;
    struct client *c = &r->client[i];
    struct rn_play_answer a = {.done = true, .frame = -1};
    const char *why;
    int err = rn_play_run_request(p, &c->request, &c->watch, &a);
    if (!a.done || !a.shows || c->request.async) {
        answer(r, i, c->request.id, a.done ? NULL : a.why, a.data);
        rn_play_request_free(&c->request);
        c->state = IDLE;
    } else {
        c->state = WAITS;
        c->answer = a;
        c->tries = 0;
        c->refusals = rn_play_refusals(p, &why);
    }
    return err;
}

static int take_line(struct rn_play *p, int i, const char *line, size_t n)
{
    char why[RN_PLAY_WHY];
    struct client *c = &p->remote->client[i];
    if (strspn(line, " \t\r") == n)
        return 0;
    if (!rn_play_request_read(&c->request, line, n, why)) {
        answer(p->remote, i, c->request.id, why, NULL);
        rn_play_request_free(&c->request);
        return 0;
    }
    c->state = rn_play_command_needs_picture(&c->request) && !is_settled(p) ? HELD : IDLE;
    return c->state == HELD ? 0 : begin(p, i);
}

static void forget(struct client *c)
{
    rn_play_request_free(&c->request);
    json_decref(c->answer.data);
    rn_play_watch_clear(&c->watch);
    *c = (struct client){.state = IDLE};
}

/* *busy: there may be more requests. */
static int serve_next(struct rn_play *p, int i, bool *busy)
{
    struct rn_play_remote *r = p->remote;
    struct client *c = &r->client[i];
    RN_OWNED(rn_free_owned) char *line = NULL;
    size_t n = 0;
    int err = 0;
    *busy = false;
    if (c->state == WAITS || (c->state == HELD && !is_settled(p)))
        return 0;
    if (c->state == HELD)
        return begin(p, i);
    switch (rn_play_ipc_take(r->ipc, i, &line, &n)) {
    case RN_IPC_LINE_CAME:
        *busy = true;
        err = take_line(p, i, line, n);
        break;
    case RN_IPC_TOO_LONG:
        *busy = true;
        answer(r, i, NULL, "the line is too long: 1 MiB at most", NULL);
        break;
    case RN_IPC_GONE:
        forget(c);
        break;
    case RN_IPC_NOTHING:
        break;
    }
    return err;
}

int rn_play_remote_serve(struct rn_play *p, bool *busy)
{
    int err = 0;
    *busy = false;
    for (int i = 0; i < RN_IPC_CLIENTS && p->remote && !err; i++) {
        bool more = true;
        for (int n = 0; n < MAX_REQUESTS && more && !err && !p->quit; n++) {
            err = serve_next(p, i, &more);
            *busy |= more;
        }
    }
    return err;
}

/* ---- what is shown by now */

/* Whether the requested frame is shown, or cannot be; if not, seeks again: the average rate leads
 * only near to an index. */
static bool is_there(struct rn_play *p, struct client *c)
{
    int64_t wanted = c->answer.frame;
    int64_t missing = wanted < 0 || !p->shown ? 0 : wanted - p->shown->frame.index;
    if (!missing || (missing > 0 && rn_play_at_end(p)) || c->tries++ >= MAX_TRIES)
        return true;
    if (missing >= -RN_STEPS_MOST && missing <= RN_STEPS_MOST)
        rn_play_step(p, (int)missing);
    else
        rn_play_go_frame(p, wanted);
    return false;
}

/* ---- what is observed */

/* Measures a picture once for all clients. */
static json_t *value_of(struct rn_play *p, const char *name)
{
    char why[RN_PLAY_WHY];
    struct rn_play_remote *r = p->remote;
    if (strcmp(name, "stats") != 0)
        return rn_play_property_get(p, name, why);
    if (!rn_play_is_filtering(p) && (!r->stats || r->measured != p->drawn)) {
        json_decref(r->stats);
        r->stats = rn_play_property_stats(p);
        r->measured = p->drawn;
    }
    return r->stats ? json_incref(r->stats) : json_null();
}

void rn_play_remote_tell(struct rn_play *p)
{
    struct rn_play_remote *r = p->remote;
    const char *why;
    for (int i = 0; i < RN_IPC_CLIENTS && r; i++) {
        struct client *c = &r->client[i];
        if (c->state != WAITS || !is_settled(p) || !is_there(p, c))
            continue;
        bool refused = c->refusals != rn_play_refusals(p, &why);
        answer(r, i, c->request.id, refused ? why : NULL, c->answer.data);
        rn_play_request_free(&c->request);
        c->answer.data = NULL;
        c->state = IDLE;
        rn_ui_wake(); /* to read its next request */
    }
    for (int i = 0; i < RN_IPC_CLIENTS && r; i++) {
        /* A parameter whose filter was removed is null. */
        struct rn_play_watch *w = &r->client[i].watch;
        for (int k = 0; k < w->n; k++) {
            json_t *now = value_of(p, w->seen[k].name);
            now = now ? now : json_null();
            if (w->seen[k].sent && json_equal(now, w->seen[k].sent)) {
                json_decref(now);
                continue;
            }
            json_decref(w->seen[k].sent);
            w->seen[k].sent = now;
            send(r, i,
                 rn_play_request_event("property-change",
                                       json_pack("{s:O, s:s, s:O}", "id", w->seen[k].id, "name",
                                                 w->seen[k].name, "data", now)));
        }
    }
}

void rn_play_remote_event(struct rn_play_remote *r, const char *name, const char *key,
                          const char *text)
{
    for (int i = 0; r && i < RN_IPC_CLIENTS; i++)
        send(r, i,
             rn_play_request_event(name,
                                   key ? json_pack("{s:o}", key, rn_app_json_text(text)) : NULL));
}

/* ---- beginning and end */

int rn_play_remote_open(struct rn_play_remote **remote, const char *path)
{
    struct rn_play_remote *r = *remote = calloc(1, sizeof *r);
    if (!r)
        return rn_fail_memory();
    int err = rn_play_ipc_open(&r->ipc, path);
    if (err)
        free(rn_take_owned(remote));
    return err;
}

void rn_play_remote_wake(struct rn_play_remote *r)
{
    if (r)
        rn_play_ipc_when_news(r->ipc, rn_ui_wake);
}

void rn_play_remote_close(struct rn_play_remote **remote)
{
    struct rn_play_remote *r = rn_take_owned(remote);
    if (!r)
        return;
    rn_play_remote_event(r, "shutdown", NULL, NULL);
    rn_play_ipc_close(&r->ipc);
    for (int i = 0; i < RN_IPC_CLIENTS; i++)
        forget(&r->client[i]);
    json_decref(r->stats);
    free(r);
}
