/* SPDX-License-Identifier: MIT */
/* How many cores may be used. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "tests/unit.h"

#include <sched.h>

#include "filters/base/threads/thread.h"
#include "io/common/av.h"

TEST(those_of_the_mask)
{
    cpu_set_t all, one;
    unsetenv("SLURM_CPUS_PER_TASK");
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(rn_cores(), CPU_COUNT(&all));
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(rn_cores(), 1);
    assert_int_equal(rn_io_threads(0), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

TEST(those_of_a_batch_system)
{
    setenv("SLURM_CPUS_PER_TASK", "7", 1);
    assert_int_equal(rn_cores(), 7);
    assert_int_equal(rn_io_threads(0), 7);
    assert_int_equal(rn_io_threads(2), 2);
    setenv("SLURM_CPUS_PER_TASK", "64", 1);
    assert_int_equal(rn_io_threads(0), 16);
    unsetenv("SLURM_CPUS_PER_TASK");
    int mask = rn_cores();
    static const char *const nonsense[] = {"", "0", "-1", "3x", "1025"};
    for (int i = 0; i < COUNT(nonsense); i++) {
        setenv("SLURM_CPUS_PER_TASK", nonsense[i], 1);
        assert_int_equal(rn_cores(), mask);
    }
    unsetenv("SLURM_CPUS_PER_TASK");
}
