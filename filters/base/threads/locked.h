/* SPDX-License-Identifier: MIT */
/* A lock that is held until a scope ends. */
#pragma once

#include <pthread.h>

#include "filters/base/owned.h"

static inline pthread_mutex_t *rn_lock(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    return lock;
}

static inline void rn_unlock_owned(pthread_mutex_t **lock)
{
    pthread_mutex_unlock(*lock);
}

/* Locks a mutex until the scope ends, where it must be held, too, if it was let go meanwhile. */
#define RN_LOCKED(mutex)                                                                           \
    __attribute__((unused)) RN_OWNED(rn_unlock_owned) pthread_mutex_t *rn_locked = rn_lock(mutex)
