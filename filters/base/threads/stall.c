/* SPDX-License-Identifier: MIT */
#include "filters/base/threads/stall.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#define MAX_CALLS    512   /* at once; more are not watched */
#define BEAT_SECONDS 0.004 /* of a processor, for the 32 KiB that libav reads at a time: 8 MB/s */

/* A thread takes a free record when it enters its outermost call: that of its last one, if free. */
static struct call {
    atomic_int kind; /* enum rn_stall */
    atomic_uint beats;
    atomic_bool header;
    atomic_int clock;     /* of the thread */
    _Atomic double begun; /* the header, by that clock less the time for beats */
    /* -- of the thread that looks: */
    unsigned seen;
    double still;
} calls[MAX_CALLS];

static atomic_int used; /* records that were ever taken are the first ones */
static _Thread_local struct call *mine;
static _Thread_local int place;

static struct call *take(enum rn_stall kind)
{
    for (int i = 0; i < MAX_CALLS; i++) {
        int at = (place + i) % MAX_CALLS, none = RN_STALL_NONE;
        if (!atomic_compare_exchange_strong(&calls[at].kind, &none, (int)kind))
            continue;
        place = at;
        int most = atomic_load(&used);
        while (most <= at && !atomic_compare_exchange_weak(&used, &most, at + 1))
            continue;
        return &calls[at];
    }
    return NULL;
}

enum rn_stall rn_stall_enter(enum rn_stall kind)
{
    enum rn_stall before = RN_STALL_NONE;
    if (mine) {
        before = (enum rn_stall)atomic_load(&mine->kind);
        if (kind == RN_STALL_PAUSED || kind == RN_STALL_WRITE || before == RN_STALL_PAUSED)
            atomic_store(&mine->kind, (int)kind);
    } else if (kind != RN_STALL_PAUSED) {
        mine = take(kind);
    }
    rn_stall_beat();
    return before;
}

void rn_stall_leave(enum rn_stall before)
{
    struct call *call = mine;
    rn_stall_beat();
    if (before == RN_STALL_NONE)
        mine = NULL;
    if (call) /* the last that is done with it: another thread may take it now */
        atomic_store(&call->kind, (int)before);
}

void rn_stall_beat(void)
{
    if (mine)
        atomic_fetch_add_explicit(&mine->beats, 1, memory_order_relaxed);
}

static double spent(const struct call *call)
{
    struct timespec t;
    return clock_gettime(atomic_load(&call->clock), &t)
               ? 0 /* the thread has ended */
               : (double)t.tv_sec + (double)t.tv_nsec / 1e9 -
                     BEAT_SECONDS * atomic_load(&call->beats);
}

void rn_stall_header(bool begins)
{
    clockid_t clock;
    if (!mine || (begins && pthread_getcpuclockid(pthread_self(), &clock)))
        return;
    if (begins) {
        atomic_store(&mine->clock, clock);
        atomic_store(&mine->begun, spent(mine));
    }
    atomic_store(&mine->header, begins);
}

void rn_stall_look(double seconds, double still[RN_STALL_KINDS], double *header)
{
    *header = 0;
    for (int k = 0; k < RN_STALL_KINDS; k++)
        still[k] = 0;
    for (int i = 0; i < atomic_load(&used); i++) {
        struct call *call = &calls[i];
        int kind = atomic_load(&call->kind);
        unsigned beats = atomic_load(&call->beats);
        call->still = kind == RN_STALL_NONE || beats != call->seen ? 0 : call->still + seconds;
        call->seen = beats;
        if (atomic_load(&call->header))
            *header = fmax(*header, spent(call) - atomic_load(&call->begun));
        if (call->still > still[kind])
            still[kind] = call->still;
    }
}
