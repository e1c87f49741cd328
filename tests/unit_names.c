/* Names of files where the system does not say what stands at one of them: no list may lack it. */
#define _GNU_SOURCE
#include "tests/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "io/read/images/names.h"

static char folder[64];
static const char *refused; /* the end of a path that cannot be looked at; NULL: none */
static int cause;
static int errors;

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

static void count(void *user, enum rn_log_level level, const char *text)
{
    errors += level == RN_LOG_ERROR;
}

static int set_up(void **state)
{
    char name[100];
    snprintf(folder, sizeof folder, "/tmp/runnel-names-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    for (int i = 1; i <= 3; i++) {
        snprintf(name, sizeof name, "%s/s_%d.png", folder, i);
        close(open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    }
    rn_log_set_sink(count, NULL);
    return 0;
}

static int tear_down(void **state)
{
    char name[100];
    for (int i = 1; i <= 3; i++) {
        snprintf(name, sizeof name, "%s/s_%d.png", folder, i);
        unlink(name);
    }
    return rmdir(folder);
}

static void refuse(const char *end, int code)
{
    refused = end;
    cause = code;
    errors = 0;
}

static const char *in_folder(const char *name)
{
    static char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int list_pattern(struct rn_read_names *names)
{
    struct rn_read_pattern pattern;
    assert_true(rn_read_pattern_parse(in_folder("s_%d.png"), &pattern));
    int err = rn_read_names_of_pattern(&pattern, names);
    rn_read_pattern_free(&pattern);
    return err;
}

static int list_folder(struct rn_read_names *names)
{
    return rn_read_names_of_input(folder, RN_FOLDER_IMAGES, NULL, names);
}

static int list_glob(struct rn_read_names *names)
{
    return rn_read_names_of_input(in_folder("s_*.png"), RN_FOLDER_IMAGES, NULL, names);
}

static int (*const lists[])(struct rn_read_names *names) = {list_pattern, list_folder, list_glob};

TEST(what_is_there_is_listed)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct rn_read_names names;
        refuse(NULL, 0);
        assert_int_equal(lists[i](&names), 0);
        assert_int_equal(names.n, 3);
        rn_read_names_free(&names);
    }
}

TEST(what_cannot_be_told_is_an_error)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct rn_read_names names;
        refuse("s_3.png", EIO);
        assert_int_equal(lists[i](&names), RN_EINPUT);
        assert_int_equal(errors, 1);
        rn_read_names_free(&names);
    }
}

TEST(what_has_gone_is_none)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct rn_read_names names;
        refuse("s_3.png", ENOENT);
        assert_int_equal(lists[i](&names), 0);
        assert_int_equal(names.n, 2);
        rn_read_names_free(&names);
    }
}

TEST(holding_is_never_guessed)
{
    char path[100], pattern[100];
    snprintf(path, sizeof path, "%s", in_folder("s_2.png"));
    snprintf(pattern, sizeof pattern, "%s", in_folder("s_%d.png"));
    refuse(NULL, 0);
    assert_int_equal(rn_read_names_hold(pattern, path), 1);
    assert_int_equal(rn_read_names_hold(folder, path), 1);
    assert_int_equal(rn_read_names_hold("/dev/null", path), 0);
    refuse("s_2.png", EIO);
    assert_int_equal(rn_read_names_hold(pattern, path), RN_EINPUT);
    assert_int_equal(errors, 1);
    refuse("s_1.png", EACCES); /* it might be the one */
    assert_int_equal(rn_read_names_hold(folder, path), RN_EINPUT);
    assert_int_equal(errors, 1);
}

TEST(looking_tells_three_things)
{
    struct stat st;
    refuse(NULL, 0);
    assert_int_equal(rn_path_look(folder, &st), 1);
    assert_int_equal(rn_path_look("/dev/null/below", &st), 0);
    refuse("names", EIO);
    assert_int_equal(rn_path_look("names", &st), -1);
    assert_int_equal(errno, EIO);
    refuse(NULL, 0);
}

GROUP(.before_all = set_up, .after_all = tear_down);
