/* SPDX-License-Identifier: MIT */
/* Work in several threads whose results come back in order. */
#include "tests/unit.h"

#include <semaphore.h>

#include "filters/base/threads/workers.h"

enum { PIECES = 5000, ROOM = 7 };

struct piece {
    int number, result;
    sem_t *gate; /* to be passed first; NULL: none */
};

static atomic_int done;
static sem_t finished; /* posted once for each piece */
static pthread_t owner;
static atomic_bool elsewhere;

static void square(void *arg)
{
    struct piece *p = arg;
    if (p->gate)
        sem_wait(p->gate);
    if (!pthread_equal(pthread_self(), owner))
        atomic_store(&elsewhere, true);
    p->result = p->number * p->number;
    atomic_fetch_add(&done, 1);
    sem_post(&finished);
}

static void begin(void)
{
    owner = pthread_self();
    sem_init(&finished, 0, 0);
    atomic_store(&done, 0);
    atomic_store(&elsewhere, false);
}

static void take(struct rn_workers *w, int expected)
{
    struct piece *p = rn_workers_pop(w, true);
    assert_non_null(p);
    assert_int_equal(p->number, expected);
    assert_int_equal(p->result, expected * expected);
}

static void pieces_come_back_in_order(int threads)
{
    struct piece piece[ROOM] = {{0}};
    struct rn_workers *w = rn_workers_create(threads, ROOM, square);
    int taken = 0;
    begin();
    assert_non_null(w);
    for (int i = 0; i < PIECES; i++) {
        if (rn_workers_are_full(w))
            take(w, taken++);
        assert_true(i - taken < ROOM);
        piece[i % ROOM] = (struct piece){.number = i};
        rn_workers_push(w, &piece[i % ROOM]);
        if (i % 3 == 0 && rn_workers_pop(w, false))
            taken++;
    }
    while (taken < PIECES)
        take(w, taken++);
    assert_null(rn_workers_pop(w, true));
    rn_workers_destroy(&w);
    assert_null(w);
    assert_int_equal(atomic_load(&done), PIECES);
    assert_int_equal(atomic_load(&elsewhere), threads > 1);
}

TEST(in_order)
{
    pieces_come_back_in_order(1);
    pieces_come_back_in_order(2);
    pieces_come_back_in_order(16);
}

/* The first piece is held up: those behind it are worked on, but none comes back before it. */
TEST(a_late_piece_holds_back_the_others)
{
    sem_t gate;
    sem_init(&gate, 0, 0);
    struct piece piece[3] = {{.gate = &gate}, {.number = 1}, {.number = 2}};
    OWNED(rn_workers_destroy) struct rn_workers *w = rn_workers_create(2, 3, square);
    begin();
    for (int i = 0; i < 3; i++)
        rn_workers_push(w, &piece[i]);
    assert_true(rn_workers_are_full(w));
    sem_wait(&finished); /* the two that need no gate */
    sem_wait(&finished);
    assert_null(rn_workers_pop(w, false));
    sem_post(&gate);
    for (int i = 0; i < 3; i++)
        take(w, i);
    sem_destroy(&gate);
}

TEST(pieces_may_be_given_up)
{
    struct piece piece[ROOM] = {{0}};
    OWNED(rn_workers_destroy) struct rn_workers *w = rn_workers_create(3, ROOM, square);
    begin();
    for (int i = 0; i < ROOM; i++)
        rn_workers_push(w, &piece[i]);
    rn_workers_destroy(&w);
    int n = atomic_load(&done);
    assert_in_range(n, 0, ROOM);
}
