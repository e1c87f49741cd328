/* Whole text files: all of it, or a reason. */
#include "tests/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/textfile.h"

static char path[] = "/tmp/unit-textfile-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 || close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void put(const char *data, size_t size)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static void assert_refused(const char *name, size_t limit, const char *reason)
{
    char why[RN_TEXT_WHY] = "", *text = why;
    assert_int_equal(rn_text_read(&text, name, limit, why), RN_EUSAGE);
    assert_null(text);
    if (!strstr(why, reason))
        fail_msg("'%s' is refused because '%s', not '%s'", name, why, reason);
}

static void assert_read(const char *want, size_t limit)
{
    char why[RN_TEXT_WHY], *text;
    assert_int_equal(rn_text_read(&text, path, limit, why), 0);
    assert_string_equal(text, want);
    free(text);
}

static void whole_texts(void **state)
{
    (void)state;
    put("", 0);
    assert_read("", 10);
    assert_read("", 0);
    put("one\ntwo", 7);
    assert_read("one\ntwo", 1000);
    assert_read("one\ntwo", 7);
}

static void long_texts(void **state)
{
    (void)state;
    enum { SIZE = 300001 }; /* grows more than once, and not by powers of two */
    char *data = malloc(SIZE + 1);
    assert_non_null(data);
    for (int i = 0; i < SIZE; i++)
        data[i] = (char)('a' + i % 23);
    data[SIZE] = '\0';
    put(data, SIZE);
    assert_read(data, SIZE);
    assert_read(data, RN_TEXT_LIMIT);
    assert_refused(path, SIZE - 1, "longer than 300000 bytes");
    free(data);
}

static void refusals(void **state)
{
    (void)state;
    put("abc", 3);
    assert_refused(path, 2, "longer than 2 bytes");
    put("a\0c", 3);
    assert_refused(path, 100, "not text");
    put("abc\0", 4);
    assert_refused(path, 100, "not text");
    assert_refused("/dev/null/none", 100, "Not a directory");
    assert_refused("", 100, "No such file");
    assert_refused("/tmp", 100, "a folder");
    assert_refused("/dev/zero", SIZE_MAX / 4, "not text");
}

static void huge_files_are_not_read(void **state)
{
    (void)state;
    put("abc", 3);
    assert_int_equal(truncate(path, (off_t)1 << 40), 0);
    assert_refused(path, RN_TEXT_LIMIT, "not text");
}

/* A child writes in pieces, and more than a pipe holds. */
static pid_t write_pipe(int fd, size_t size)
{
    pid_t pid = fork();
    if (pid)
        return pid;
    char piece[1000];
    memset(piece, 'x', sizeof piece);
    for (size_t i = 0; i < size; i += sizeof piece)
        if (write(fd, piece, sizeof piece) != (ssize_t)sizeof piece)
            _exit(1);
    _exit(0);
}

static int read_pipe(size_t size, size_t limit, size_t *length)
{
    int ends[2], status;
    char why[RN_TEXT_WHY], *text;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = write_pipe(ends[1], size);
    assert_true(pid > 0);
    close(ends[1]);
    int err = rn_text_read_fd(&text, ends[0], limit, why);
    close(ends[0]);
    waitpid(pid, &status, 0);
    *length = text ? strlen(text) : 0;
    free(text);
    return err;
}

static void pipes(void **state)
{
    (void)state;
    size_t length;
    assert_int_equal(read_pipe(200000, RN_TEXT_LIMIT, &length), 0);
    assert_int_equal(length, 200000);
    assert_int_equal(read_pipe(200000, 199999, &length), RN_EUSAGE);
    assert_int_equal(read_pipe(0, 1, &length), 0);
}

static void the_descriptor_is_the_callers(void **state)
{
    (void)state;
    char why[RN_TEXT_WHY], *text;
    put("abcdef", 6);
    int fd = open(path, O_RDONLY);
    assert_int_equal(lseek(fd, 2, SEEK_SET), 2);
    assert_int_equal(rn_text_read_fd(&text, fd, 100, why), 0);
    assert_string_equal(text, "cdef");
    free(text);
    assert_int_equal(close(fd), 0);
    assert_int_equal(rn_text_read_fd(&text, fd, 100, why), RN_EUSAGE);
    assert_null(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_texts), cmocka_unit_test(long_texts),
        cmocka_unit_test(refusals),    cmocka_unit_test(huge_files_are_not_read),
        cmocka_unit_test(pipes),       cmocka_unit_test(the_descriptor_is_the_callers),
    };
    rn_log_set_level(RN_LOG_QUIET);
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests_name("textfile", tests, make_file, remove_file);
}
