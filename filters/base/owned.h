/* SPDX-License-Identifier: MIT */
/* What a scope owns: it is released where the scope ends, however that is left. */
#pragma once

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* In front of variables: each is released at the end of its scope, by release(&variable). What was
 * given away must be NULL by then. */
#define RN_OWNED(release) __attribute__((cleanup(release)))

/* For what malloc gave. pointer: the address of one. */
static inline void rn_free_owned(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}

static inline pthread_mutex_t *rn_lock(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    return lock;
}

static inline void rn_unlock_owned(pthread_mutex_t **lock)
{
    pthread_mutex_unlock(*lock);
}

/* Locks a mutex until the scope ends; it is held there, too, if it is let go meanwhile. */
#define RN_LOCKED(mutex)                                                                           \
    __attribute__((unused)) RN_OWNED(rn_unlock_owned) pthread_mutex_t *rn_locked = rn_lock(mutex)
