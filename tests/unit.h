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
#ifndef RN_UNIT_H
#define RN_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    CMFixtureFunction before_all, after_all, before_each, after_each;
    const char *file;
    struct unit_group *next;
};

/* The word behind the name of the group on the command line, or "". */
extern const char *unit_word;

void unit_add_test(struct unit_test *test);
void unit_add_group(struct unit_group *group);

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

#endif
