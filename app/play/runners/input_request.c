#include "app/play/runners/input_request.h"

#include "app/play/loop/player.h"
#include "app/play/view/message.h"
#include "app/cli.h"
#include "app/play/loop/input.h"
#include "app/play/runners/build.h"
#include "app/play/view/compare.h"
#include "app/run/session.h"
#include "filters/base/err.h"
#include "filters/base/log.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- what is wanted */

void rn_play_cancel_input_request(struct rn_play *p)
{
    struct rn_play_input_request *o = p->input_request;
    rn_play_binding_cancel(&o->binding);
    o->wanted = o->after_end = false;
    rn_play_inputs_free(&o->list);
}

void rn_play_free_input_request(struct rn_play *p)
{
    rn_play_cancel_input_request(p);
    free(p->input_request->name);
    p->input_request->name = NULL;
}

bool rn_play_want_input(struct rn_play *p, int at, int direction)
{
    struct rn_play_input_request *o = p->input_request;
    rn_play_cancel_input_request(p);
    if (p->record) {
        rn_play_say(p, "--record tells of one input: start anew for another one");
        rn_log(RN_LOG_WARNING, "%s", rn_play_latest_message(p));
        return false;
    }
    o->wanted = true;
    o->index = at;
    o->direction = direction;
    o->tries_left = direction ? p->inputs->n - 1 : 1;
    return true;
}

int rn_play_want_list(struct rn_play *p, const char *name, bool *wanted)
{
    *wanted = rn_play_want_input(p, 0, 0);
    int err = *wanted ? rn_play_inputs_add(&p->input_request->list, name) : 0;
    if (err)
        rn_play_cancel_input_request(p);
    return err;
}

/* It cannot be opened, or does not take the chain: tries the next one that may be tried. */
static int pass_over(struct rn_play *p, int err, const char *why)
{
    struct rn_play_input_request *o = p->input_request;
    const struct rn_play_inputs *list = o->list.n ? &o->list : p->inputs;
    char text[RN_WORKER_WHY];
    snprintf(text, sizeof text, "%.80s: %.160s", list->name[o->index], why);
    rn_play_say(p, "%s", text);
    int n = p->inputs->n, at = o->index + o->direction;
    if (o->direction && --o->tries_left >= 1 && (p->loop || (at >= 0 && at < n))) {
        o->index = (at + n) % n;
        if (o->index != p->inputs->index)
            return err == RN_EINTERNAL ? err : 0;
    }
    p->inputs->others_failed |= o->after_end;
    rn_play_add_refusal(p, text);
    rn_play_cancel_input_request(p);
    return err == RN_EINTERNAL ? err : 0;
}

bool rn_play_input_request_is_busy(const struct rn_play *p)
{
    return p->input_request->wanted;
}

/* ---- it is open */

int rn_play_poll_input_request(struct rn_play *p)
{
    struct rn_play_input_request *o = p->input_request;
    bool ready;
    char why[RN_WORKER_WHY];
    if (!o->wanted)
        return 0;
    const struct rn_play_inputs *list = o->list.n ? &o->list : p->inputs;
    const struct rn_play_binding_request request = {.kind = RN_BINDING_INPUT,
                                                    .session = p->session,
                                                    .chain = p->session->chain,
                                                    .slots = rn_play_slots(p),
                                                    .input = list->name[o->index]};
    int err = rn_play_binding_get(&o->binding, p->worker, &request, &ready, why);
    if (err)
        return pass_over(p, err, why);
    if (!ready)
        return 0;
    struct rn_play_inputs before = {0};
    if (o->list.n) {
        before = *p->inputs;
        *p->inputs = o->list;
        o->list = (struct rn_play_inputs){0};
    }
    p->inputs->index = o->index;
    p->inputs->others_failed = false;
    char *name = o->name;
    err = rn_play_replace_input(p, &o->binding, &o->name);
    free(name);
    rn_play_inputs_free(&before);
    rn_play_cancel_input_request(p);
    return err;
}
