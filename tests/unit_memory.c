/* SPDX-License-Identifier: MIT */
/* The memory that a run may take. */
#include "tests/unit.h"

#include "io/common/memory.h"

static void put(const char *root, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + strlen(root); (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    unit_write(path, text);
}

TEST(the_least_of_machine_and_groups)
{
    char root[] = "/tmp/runnel-memory-XXXXXX", command[64];
    assert_non_null(mkdtemp(root));
    put(root, "proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    4000 kB\n");
    assert_int_equal(rn_io_memory_share(root), 4000 * 1024 / 4 * 3);
    put(root, "proc/self/cgroup", "5:cpu,memory:/job/1\n0::/user/part\n");
    assert_int_equal(rn_io_memory_share(root), 4000 * 1024 / 4 * 3);
    put(root, "sys/fs/cgroup/user/part/memory.max", "max\n");
    put(root, "sys/fs/cgroup/user/memory.max", "2000000\n");
    assert_int_equal(rn_io_memory_share(root), 1500000);
    put(root, "sys/fs/cgroup/memory/job/1/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(rn_io_memory_share(root), 1500000);
    put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000\n");
    assert_int_equal(rn_io_memory_share(root), 750000);
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

TEST(a_limit_of_the_process)
{
    struct rlimit limit, none;
    assert_int_equal(getrlimit(RLIMIT_DATA, &none), 0);
    limit = none;
    limit.rlim_cur = 4000000000;
    assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
    assert_true(rn_io_memory_share("") <= 2000000000);
    assert_int_equal(setrlimit(RLIMIT_DATA, &none), 0);
    assert_int_equal(rn_io_memory_budget(123, NULL), 123);
}
