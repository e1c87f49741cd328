/* SPDX-License-Identifier: MIT */
/* What a unit test is written with. The file tests/unit_NAME.c is the group NAME of the program
 * `unit`, which runs one group in its process, in the order of the file:
 *
 *     TEST(what_holds)
 *     {
 *         assert_int_equal(...);
 *     }
 *
 * What the tests of a group share stands once in its file, as
 * GROUP(.before_each = ..., .quiet = true).
 * A function of the C library that one group replaces is replaced for all: it passes on what that
 * group did not ask for. */
#pragma once

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "filters/base/image.h"
#include "filters/base/log.h"
#include "tests/check.h"

#include <cmocka.h>

struct unit_test {
    const char *file;
    int order;
    const char *name;
    CMUnitTestFunction function;
    void *state; /* that the test and before_each begin with */
    struct unit_test *next;
};

struct unit_group {
    bool quiet; /* messages of the program are not printed */
    bool hears; /* messages of the program are not printed, but collected for unit_said() */
    CMFixtureFunction before_all, after_all, before_each, after_each;
    const char *file;
    struct unit_group *next;
};

void unit_add_test(struct unit_test *test);
void unit_add_group(struct unit_group *group);

/* Fixtures: a new folder in /tmp, whose path is unit_folder, is the current one meanwhile. */
extern char unit_folder[];
int unit_enter_folder(void **state);
int unit_leave_folder(void **state);

/* Files in a folder. */
int unit_entries(const char *folder);

/* Permissions of what has this name; of a link, those of what it leads to. */
mode_t unit_mode(const char *path);

/* Makes a file of this text, or of these bytes. */
void unit_write(const char *path, const char *text);
void unit_write_bytes(const char *path, const char *data, size_t size);

/* Collects messages from now on (on), or prints them again. Those before are forgotten. */
void unit_hear(bool on);

/* The messages since unit_hear() or the last call, joined by newlines. Valid until the next. */
const char *unit_said(void);

/* How many messages of each level there were since unit_hear(). */
extern int unit_heard[RN_LOG_DEBUG + 1];

/* The chain of this text, which is one. The caller destroys it. */
struct rn_chain *unit_chain(const char *text);

/* The value of a parameter of one of its stages. */
double unit_value(const struct rn_chain *chain, int stage, const char *name);

/* Expects its text to be that of a chain with the same stages and values, and the same text. */
void unit_expect_read_back(const struct rn_chain *chain);

/* A picture. The caller frees it. */
struct rn_image unit_image(const struct rn_geom *geom);

/* Expects the text of the chain. */
void unit_expect_chain(const struct rn_chain *chain, const char *want);

#define UNIT_ADD(name, id, order, function, state)                                                 \
    __attribute__((constructor)) static void add_##id(void)                                        \
    {                                                                                              \
        static struct unit_test test = {__FILE__, order, name, function, state, NULL};             \
        unit_add_test(&test);                                                                      \
    }

#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    UNIT_ADD(#name, name, __LINE__, name, NULL)                                                    \
    static void name(void **state)

#define GROUP(...)                                                                                 \
    __attribute__((constructor)) static void add_group(void)                                       \
    {                                                                                              \
        static struct unit_group group = {.file = __FILE__, __VA_ARGS__};                          \
        unit_add_group(&group);                                                                    \
    }                                                                                              \
    _Static_assert(1, "")
