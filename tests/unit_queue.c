/* SPDX-License-Identifier: MIT */
/* The queue between threads. */
#include "tests/unit.h"

#include "filters/base/threads/queue.h"

enum { PRODUCERS = 3, CONSUMERS = 3, ITEMS = 20000 };

static struct rn_queue *queue;
static atomic_long taken;
static atomic_int seen[PRODUCERS * ITEMS];
static int numbers[PRODUCERS * ITEMS];

static void expect_pop(struct rn_queue *q, const void *want)
{
    void *p;
    assert_int_equal(rn_queue_pop(q, &p), 0);
    assert_ptr_equal(p, want);
}

TEST(fifo_order)
{
    OWNED(rn_queue_destroy) struct rn_queue *q = rn_queue_create(3, 1);
    int a[3];
    assert_non_null(q);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 3; i++)
            assert_int_equal(rn_queue_push(q, &a[i]), 0);
        for (int i = 0; i < 3; i++)
            expect_pop(q, &a[i]);
    }
    rn_queue_destroy(&q);
    assert_null(q);
}

TEST(close_drains)
{
    OWNED(rn_queue_destroy) struct rn_queue *q = rn_queue_create(2, 1);
    int a, b;
    void *p;
    rn_queue_push(q, &a);
    rn_queue_push(q, &b);
    rn_queue_close(q);
    assert_int_equal(rn_queue_push(q, &a), RN_END);
    expect_pop(q, &a);
    expect_pop(q, &b);
    assert_int_equal(rn_queue_pop(q, &p), RN_END);
    assert_int_equal(rn_queue_pop(q, &p), RN_END);
}

TEST(abort_drops)
{
    OWNED(rn_queue_destroy) struct rn_queue *q = rn_queue_create(2, 1);
    int a;
    void *p;
    rn_queue_push(q, &a);
    rn_queue_abort(q);
    assert_int_equal(rn_queue_pop(q, &p), RN_END);
    assert_int_equal(rn_queue_push(q, &a), RN_END);
}

static void *pop_once(void *arg)
{
    void *p;
    return (void *)(intptr_t)rn_queue_pop(arg, &p);
}

static void *push_once(void *arg)
{
    return (void *)(intptr_t)rn_queue_push(arg, arg);
}

TEST(waiters_wake)
{
    for (int kind = 0; kind < 2; kind++) {
        OWNED(rn_queue_destroy)
        struct rn_queue *empty = rn_queue_create(1, 1), *full = rn_queue_create(1, 1);
        pthread_t popper[2], pusher[2];
        rn_queue_push(full, full);
        for (int i = 0; i < 2; i++) {
            pthread_create(&popper[i], NULL, pop_once, empty);
            pthread_create(&pusher[i], NULL, push_once, full);
        }
        usleep(20000);
        (kind ? rn_queue_abort : rn_queue_close)(empty);
        (kind ? rn_queue_abort : rn_queue_close)(full);
        for (int i = 0; i < 2; i++) {
            void *r;
            pthread_join(popper[i], &r);
            assert_int_equal((intptr_t)r, RN_END);
            pthread_join(pusher[i], &r);
            assert_int_equal((intptr_t)r, RN_END);
        }
    }
}

static void *produce(void *arg)
{
    int first = (int)(intptr_t)arg * ITEMS;
    for (int i = first; i < first + ITEMS; i++)
        if (rn_queue_push(queue, &numbers[i]))
            return NULL;
    return arg;
}

static void *consume(void *arg)
{
    void *p;
    while (!rn_queue_pop(queue, &p)) {
        atomic_fetch_add(&seen[(int *)p - numbers], 1);
        atomic_fetch_add(&taken, 1);
    }
    return arg;
}

static void with_many_threads(int some)
{
    pthread_t producers[PRODUCERS], consumers[CONSUMERS];
    atomic_store(&taken, 0);
    for (int i = 0; i < PRODUCERS * ITEMS; i++)
        atomic_store(&seen[i], 0);
    queue = rn_queue_create(4, some);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, consume, NULL);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&producers[i], NULL, produce, (void *)(intptr_t)i);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    rn_queue_close(queue);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(consumers[i], NULL);
    assert_int_equal(atomic_load(&taken), PRODUCERS * ITEMS);
    for (int i = 0; i < PRODUCERS * ITEMS; i++)
        assert_int_equal(atomic_load(&seen[i]), 1);
    rn_queue_destroy(&queue);
}

TEST(many_threads)
{
    with_many_threads(1);
    with_many_threads(3);
}

/* Fewer than it waits for come, then no more: it gets them, and the end of the queue. */
TEST(does_not_wait_for_more)
{
    int items[2];
    void *p;
    for (int n = 0; n <= 2; n++) {
        pthread_t popper;
        OWNED(rn_queue_destroy) struct rn_queue *q = rn_queue_create(4, 3);
        pthread_create(&popper, NULL, pop_once, q);
        for (int i = 0; i < n; i++)
            rn_queue_push(q, &items[i]);
        if (n == 0)
            rn_queue_close(q);
        pthread_join(popper, &p);
        assert_int_equal((intptr_t)p, n ? 0 : RN_END);
    }
}
