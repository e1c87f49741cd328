/* SPDX-License-Identifier: MIT */
#include "filters/core/runner/relay.h"

#include "filters/base/threads/locked.h"
#include "filters/core/chain/chain.h"

/* A plane that a stage kept of a frame, and when it is there. */
struct kept {
    int64_t number;
    struct rn_device *dev; /* of the event */
    cl_event event;
    struct rn_device *maker; /* of the plane */
    struct rn_dplane plane;
};

struct rn_relay {
    int lanes;
    /* In each ring a frame takes the place of one of whose follower the slot is its own now. */
    int places;
    pthread_mutex_t lock;
    pthread_cond_t passed[RN_MAX_LANES]; /* to each lane: only one waits for a frame */
    /* -- protected by lock, like the numbers and the events: */
    struct kept *ring[RN_MAX_STAGES][RN_MAX_PLANES]; /* made for the first frame */
    int64_t begun;                                   /* frames before it were submitted */
    int64_t broken; /* the first frame that failed; none behind it is passed on */
    int err;        /* with which it did */
};

static void forget(struct rn_relay *relay, struct kept *ring)
{
    for (int k = 0; ring && k < relay->places; k++) {
        rn_event_release(ring[k].dev, &ring[k].event);
        ring[k].number = -1;
    }
}

int rn_relay_open(struct rn_relay **out, int lanes, int slots, int back)
{
    struct rn_relay *relay = *out = calloc(1, sizeof *relay);
    if (!relay)
        return rn_fail_memory();
    relay->lanes = lanes;
    relay->places = slots + back;
    relay->broken = INT64_MAX;
    pthread_mutex_init(&relay->lock, NULL);
    for (int k = 0; k < lanes; k++)
        pthread_cond_init(&relay->passed[k], NULL);
    return 0;
}

void rn_relay_close(struct rn_relay **out)
{
    struct rn_relay *relay = rn_take_owned(out);
    if (!relay)
        return;
    for (int i = 0; i < RN_MAX_STAGES * RN_MAX_PLANES; i++) {
        struct kept *ring = relay->ring[i / RN_MAX_PLANES][i % RN_MAX_PLANES];
        forget(relay, ring);
        for (int k = 0; ring && k < relay->places; k++)
            rn_dplane_release(ring[k].maker, &ring[k].plane);
        free(ring);
    }
    pthread_mutex_destroy(&relay->lock);
    for (int k = 0; k < relay->lanes; k++)
        pthread_cond_destroy(&relay->passed[k]);
    free(relay);
}

void rn_relay_begin(struct rn_relay *relay, int64_t number)
{
    RN_LOCKED(&relay->lock);
    if (number == 0)
        for (int i = 0; i < RN_MAX_STAGES; i++)
            for (int p = 0; p < RN_MAX_PLANES; p++)
                forget(relay, relay->ring[i][p]);
    relay->begun = number;
    relay->broken = INT64_MAX;
}

void rn_relay_break(struct rn_relay *relay, int64_t number, int err)
{
    if (!relay)
        return;
    RN_LOCKED(&relay->lock);
    if (number < relay->broken) {
        relay->broken = number;
        relay->err = err;
    }
    for (int k = 0; k < relay->lanes; k++)
        pthread_cond_broadcast(&relay->passed[k]);
}

/* The place of a frame; NULL (logged): no memory. */
static struct kept *place_of(const struct rn_cmd *cmd, int p, int64_t number)
{
    struct rn_relay *relay = cmd->relay;
    pthread_mutex_lock(&relay->lock);
    struct kept **ring = &relay->ring[cmd->stage][p];
    if (!*ring && (*ring = calloc((size_t)relay->places, sizeof **ring)) != NULL)
        forget(relay, *ring);
    struct kept *place = *ring ? &(*ring)[number % relay->places] : NULL;
    pthread_mutex_unlock(&relay->lock);
    if (!place)
        rn_fail_memory();
    return place;
}

int rn_relay_place(struct rn_cmd *cmd, int p, const struct rn_dplane *src, enum rn_sample sample,
                   struct rn_dplane *kept)
{
    struct kept *place = place_of(cmd, p, cmd->number);
    int err = 0;
    if (!place)
        return RN_EINTERNAL;
    struct rn_dplane *plane = &place->plane; /* this frame's alone until it is passed on */
    if (plane->mem && (plane->w != src->w || plane->h != src->h))
        return rn_fail(RN_EINTERNAL, "a frame of another size was handed on");
    if (!plane->mem) {
        err = rn_dplane_create(cmd->dev, plane, src->w, src->h, rn_sample_bytes(sample), 0);
        place->maker = cmd->dev;
    }
    *kept = *plane;
    return err;
}

/* Another queue may only wait for what was flushed. */
static int mark(struct rn_cmd *cmd, cl_event *event)
{
    cl_int code = clEnqueueMarkerWithWaitList(cmd->dev->run, 0, NULL, event);
    if (code)
        return rn_cl_check(code, "marking a frame");
    rn_count(cmd->dev, 1);
    code = clFlush(cmd->dev->run);
    if (code)
        rn_event_release(cmd->dev, event);
    return rn_cl_check(code, "a flush");
}

int rn_relay_pass(struct rn_cmd *cmd, int p, int back)
{
    struct rn_relay *relay = cmd->relay;
    struct kept *place = place_of(cmd, p, cmd->number);
    cl_event event = NULL;
    int err = place ? mark(cmd, &event) : RN_EINTERNAL;
    if (err)
        return err;
    RN_LOCKED(&relay->lock);
    rn_event_release(place->dev, &place->event);
    place->dev = cmd->dev;
    place->event = event;
    place->number = cmd->number;
    pthread_cond_signal(&relay->passed[(cmd->number + back) % relay->lanes]);
    return 0;
}

/* The event of the frame wanted, retained; NULL: there is none. Locked. */
static int take_event(struct rn_cmd *cmd, const struct kept *place, int64_t wanted, cl_event *event)
{
    struct rn_relay *relay = cmd->relay;
    while (place->number != wanted && wanted >= relay->begun && wanted < relay->broken)
        pthread_cond_wait(&relay->passed[cmd->number % relay->lanes], &relay->lock);
    *event = NULL;
    if (place->number != wanted)
        return wanted < relay->broken ? 0 : relay->err;
    cl_int code = clRetainEvent(place->event);
    if (code)
        return rn_cl_check(code, "retaining an event");
    rn_count(cmd->dev, 1);
    *event = place->event;
    return 0;
}

int rn_relay_follow(struct rn_cmd *cmd, int p, int back, bool *follows, struct rn_dplane *previous)
{
    int64_t wanted = cmd->number - back;
    cl_event event = NULL;
    *follows = false;
    previous->mem = NULL;
    if (wanted < 0)
        return 0;
    const struct kept *place = place_of(cmd, p, wanted);
    if (!place)
        return RN_EINTERNAL;
    pthread_mutex_lock(&cmd->relay->lock);
    int err = take_event(cmd, place, wanted, &event);
    if (event)
        *previous = place->plane;
    pthread_mutex_unlock(&cmd->relay->lock);
    *follows = event != NULL;
    if (!event)
        return err;
    cl_int code = clEnqueueBarrierWithWaitList(cmd->dev->run, 1, &event, NULL);
    rn_event_release(cmd->dev, &event);
    return rn_cl_check(code, "waiting for an earlier frame");
}
