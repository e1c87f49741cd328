#include "filters/core/relay.h"

#include "filters/core/chain.h"

#include <stdlib.h>

/* The last frame that a stage has passed on of a plane. */
struct passed {
    int64_t number;
    struct rn_device *dev; /* of the event */
    cl_event event;
};

struct rn_relay {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* -- protected by lock: */
    struct passed last[RN_MAX_STAGES][RN_MAX_PLANES];
    int64_t begun; /* frames before it were submitted */
    bool broken;
};

static void forget(struct rn_relay *relay)
{
    for (int i = 0; i < RN_MAX_STAGES; i++) {
        for (int p = 0; p < RN_MAX_PLANES; p++) {
            struct passed *last = &relay->last[i][p];
            if (last->event)
                rn_event_release(last->dev, &last->event);
            last->number = -1;
        }
    }
}

int rn_relay_open(struct rn_relay **out)
{
    struct rn_relay *relay = *out = calloc(1, sizeof *relay);
    if (!relay)
        return rn_fail_memory();
    pthread_mutex_init(&relay->lock, NULL);
    pthread_cond_init(&relay->changed, NULL);
    forget(relay);
    return 0;
}

void rn_relay_close(struct rn_relay **out)
{
    struct rn_relay *relay = *out;
    if (!relay)
        return;
    forget(relay);
    pthread_mutex_destroy(&relay->lock);
    pthread_cond_destroy(&relay->changed);
    free(relay);
    *out = NULL;
}

void rn_relay_begin(struct rn_relay *relay, int64_t number)
{
    pthread_mutex_lock(&relay->lock);
    if (number == 0)
        forget(relay);
    relay->begun = number;
    pthread_mutex_unlock(&relay->lock);
}

void rn_relay_break(struct rn_relay *relay)
{
    if (!relay)
        return;
    pthread_mutex_lock(&relay->lock);
    relay->broken = true;
    pthread_cond_broadcast(&relay->changed);
    pthread_mutex_unlock(&relay->lock);
}

/* The event of the last frame that was passed on, retained; NULL: there was none. One from further
 * back may still use the memory, too. *follows: it is the frame before cmd's. Locked. */
static int take_event(struct rn_cmd *cmd, int p, cl_event *event, bool *follows)
{
    struct rn_relay *relay = cmd->relay;
    struct passed *last = &relay->last[cmd->stage][p];
    int64_t wanted = cmd->number - 1;
    while (last->number < wanted && wanted >= relay->begun && !relay->broken)
        pthread_cond_wait(&relay->changed, &relay->lock);
    *event = NULL;
    *follows = last->event && last->number == wanted;
    if (relay->broken)
        return RN_EDEVICE;
    if (!last->event)
        return 0;
    cl_int code = clRetainEvent(last->event);
    if (code)
        return rn_cl_fail(code, "retaining an event");
    rn_count(cmd->dev, 1);
    *event = last->event;
    return 0;
}

int rn_relay_follow(struct rn_cmd *cmd, int p, bool *follows)
{
    cl_event event;
    pthread_mutex_lock(&cmd->relay->lock);
    int err = take_event(cmd, p, &event, follows);
    pthread_mutex_unlock(&cmd->relay->lock);
    if (!event)
        return err;
    cl_int code = clEnqueueBarrierWithWaitList(cmd->dev->run, 1, &event, NULL);
    rn_event_release(cmd->dev, &event);
    return code ? rn_cl_fail(code, "waiting for the frame before") : 0;
}

/* Another queue may only wait for what was flushed. */
int rn_relay_pass(struct rn_cmd *cmd, int p)
{
    struct rn_relay *relay = cmd->relay;
    struct passed *last = &relay->last[cmd->stage][p];
    cl_event event;
    cl_int code = clEnqueueMarkerWithWaitList(cmd->dev->run, 0, NULL, &event);
    if (code)
        return rn_cl_fail(code, "marking a frame");
    rn_count(cmd->dev, 1);
    code = clFlush(cmd->dev->run);
    if (code) {
        rn_event_release(cmd->dev, &event);
        return rn_cl_fail(code, "a flush");
    }
    pthread_mutex_lock(&relay->lock);
    if (last->event)
        rn_event_release(last->dev, &last->event);
    *last = (struct passed){cmd->number, cmd->dev, event};
    pthread_cond_broadcast(&relay->changed);
    pthread_mutex_unlock(&relay->lock);
    return 0;
}
