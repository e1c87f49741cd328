/* SPDX-License-Identifier: MIT */
/* Names of files where the system does not say what stands at one of them: no list may lack it. */
#define _GNU_SOURCE
#include "tests/unit.h"

#include "filters/base/output/path.h"
#include "io/read/images/names.h"

static const char *refused; /* the end of a path that cannot be looked at; NULL: none */
static int cause;

/* In place of the C library's. */
int stat(const char *path, struct stat *st)
{
    size_t n = strlen(path), tail = refused ? strlen(refused) : n + 1;
    if (tail <= n && !strcmp(path + n - tail, refused)) {
        errno = cause;
        return -1;
    }
    return fstatat(AT_FDCWD, path, st, 0);
}

static int make_images(void **state)
{
    if (unit_enter_folder(state))
        return -1;
    unit_write("s_1.png", "");
    unit_write("s_2.png", "");
    unit_write("s_3.png", "");
    return 0;
}

static void refuse(const char *end, int code)
{
    refused = end;
    cause = code;
    unit_hear(true);
}

static int list_pattern(struct rn_read_names *names)
{
    OWNED(rn_read_pattern_free) struct rn_read_pattern pattern;
    assert_true(rn_read_pattern_parse("s_%d.png", &pattern));
    return rn_read_names_of_pattern(&pattern, names);
}

static int list_folder(struct rn_read_names *names)
{
    return rn_read_names_of_input(unit_folder, RN_FOLDER_IMAGES, NULL, names);
}

static int list_glob(struct rn_read_names *names)
{
    return rn_read_names_of_input("s_*.png", RN_FOLDER_IMAGES, NULL, names);
}

static int (*const lists[])(struct rn_read_names *names) = {list_pattern, list_folder, list_glob};

/* Lists in each way, where what ends like this cannot be looked at: n names, or the error. */
static void expect_lists(const char *end, int code, int want, int n)
{
    for (int i = 0; i < COUNT(lists); i++) {
        OWNED(rn_read_names_free) struct rn_read_names names;
        refuse(end, code);
        assert_int_equal(lists[i](&names), want);
        assert_int_equal(unit_heard[RN_LOG_ERROR], want != 0);
        assert_true(want || names.n == n);
    }
}

TEST(what_is_there_is_listed)
{
    expect_lists(NULL, 0, 0, 3);
}

TEST(what_cannot_be_told_is_an_error)
{
    expect_lists("s_3.png", EIO, RN_EINPUT, 0);
}

TEST(what_has_gone_is_none)
{
    expect_lists("s_3.png", ENOENT, 0, 2);
}

TEST(holding_is_never_guessed)
{
    static const char path[] = "s_2.png", pattern[] = "s_%d.png";
    refuse(NULL, 0);
    assert_int_equal(rn_read_names_hold(pattern, path), 1);
    assert_int_equal(rn_read_names_hold(unit_folder, path), 1);
    assert_int_equal(rn_read_names_hold("/dev/null", path), 0);
    refuse("s_2.png", EIO);
    assert_int_equal(rn_read_names_hold(pattern, path), RN_EINPUT);
    assert_int_equal(unit_heard[RN_LOG_ERROR], 1);
    refuse("s_1.png", EACCES); /* it might be the one */
    assert_int_equal(rn_read_names_hold(unit_folder, path), RN_EINPUT);
    assert_int_equal(unit_heard[RN_LOG_ERROR], 1);
}

TEST(looking_tells_three_things)
{
    struct stat st;
    refuse(NULL, 0);
    assert_int_equal(rn_path_look(unit_folder, &st), 1);
    assert_int_equal(rn_path_look("/dev/null/below", &st), 0);
    refuse("names", EIO);
    assert_int_equal(rn_path_look("names", &st), -1);
    assert_int_equal(errno, EIO);
    refuse(NULL, 0);
}

GROUP(.hears = true, .before_all = make_images, .after_all = unit_leave_folder);
