/* SPDX-License-Identifier: MIT */
/* How long a thread has been in a call that may never return. */
#include "tests/unit.h"

#include <time.h>

#include "filters/base/threads/stall.h"

static double look(void)
{
    double still[RN_STALL_KINDS], header;
    rn_stall_look(0, still, &header);
    return header;
}

static void compute(double seconds)
{
    struct timespec t;
    double begun = -1, now = 0;
    for (; begun < 0 || now - begun < seconds; begun = begun < 0 ? now : begun) {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        now = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
    }
}

TEST(headers_are_judged_by_the_processor_and_by_what_was_read)
{
    rn_stall_header(true); /* in no call */
    enum rn_stall outer = rn_stall_enter(RN_STALL_INPUT);
    compute(0.1);
    assert_true(look() == 0);
    rn_stall_header(true);
    usleep(200000);
    assert_true(look() < 0.1);
    compute(0.1);
    assert_true(look() >= 0.1);
    for (int i = 0; i < 10000; i++)
        rn_stall_beat();
    assert_true(look() == 0);
    rn_stall_header(false);
    compute(0.1);
    assert_true(look() == 0);
    rn_stall_leave(outer);
}

GROUP(.quiet = true);
