/* SPDX-License-Identifier: MIT */
/* Whole text files: all of it, or a reason. */
#include "tests/unit.h"

#include <signal.h>

#include "filters/base/output/textfile.h"

static const char path[] = "text";

static void assert_refused(const char *name, size_t limit, const char *reason)
{
    char why[RN_TEXT_WHY] = "", *text = why;
    assert_int_equal(rn_text_read(&text, name, limit, why), RN_EUSAGE);
    assert_null(text);
    if (!strstr(why, reason))
        fail_msg("'%s' is refused because '%s', not '%s'", name, why, reason);
}

static void assert_read_from(const char *name, const char *want, size_t limit)
{
    char why[RN_TEXT_WHY], *text;
    assert_int_equal(rn_text_read(&text, name, limit, why), 0);
    assert_string_equal(text, want);
    free(text);
}

static void assert_read(const char *want, size_t limit)
{
    assert_read_from(path, want, limit);
}

TEST(whole_texts)
{
    unit_write(path, "");
    assert_read("", 10);
    assert_read("", 0);
    unit_write(path, "one\ntwo");
    assert_read("one\ntwo", 1000);
    assert_read("one\ntwo", 7);
}

TEST(long_texts)
{
    enum { SIZE = 300001 }; /* grows more than once, and not by powers of two */
    OWNED(rn_free_owned) char *data = malloc(SIZE + 1);
    assert_non_null(data);
    for (int i = 0; i < SIZE; i++)
        data[i] = (char)('a' + i % 23);
    data[SIZE] = '\0';
    unit_write_bytes(path, data, SIZE);
    assert_read(data, SIZE);
    assert_read(data, RN_TEXT_LIMIT);
    assert_refused(path, SIZE - 1, "longer than 300000 bytes");
}

TEST(refusals)
{
    unit_write(path, "abc");
    assert_refused(path, 2, "longer than 2 bytes");
    unit_write_bytes(path, "a\0c", 3);
    assert_refused(path, 100, "not text");
    unit_write_bytes(path, "abc\0", 4);
    assert_refused(path, 100, "not text");
    assert_refused("/dev/null/none", 100, "Not a directory");
    assert_refused("", 100, "No such file");
    assert_refused("/tmp", 100, "a folder");
    assert_refused("/dev/zero", SIZE_MAX / 4, "not text");
}

TEST(huge_files_are_not_read)
{
    unit_write(path, "abc");
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

TEST(pipes)
{
    size_t length;
    assert_int_equal(read_pipe(200000, RN_TEXT_LIMIT, &length), 0);
    assert_int_equal(length, 200000);
    assert_int_equal(read_pipe(200000, 199999, &length), RN_EUSAGE);
    assert_int_equal(read_pipe(0, 1, &length), 0);
}

/* ---- named pipes */

/* A new one. */
static const char *make_fifo(void)
{
    unlink("fifo");
    assert_int_equal(mkfifo("fifo", 0600), 0);
    return "fifo";
}

/* A child opens the pipe, says so, and waits for a go before it writes each of the words. */
static pid_t write_slowly(const char *name, const char *const words[], int opened, int go)
{
    pid_t pid = fork();
    if (pid)
        return pid;
    char byte;
    int fd = open(name, O_WRONLY);
    bool good = fd >= 0 && write(opened, "", 1) == 1;
    for (; good && *words; words++)
        good = read(go, &byte, 1) == 1 && write(fd, *words, strlen(*words)) > 0;
    _exit(!good);
}

struct reading {
    const char *name;
    char why[RN_TEXT_WHY], *text;
    int err;
    pthread_t thread;
};

static void *read_in_thread(void *arg)
{
    struct reading *r = arg;
    r->err = rn_text_read(&r->text, r->name, 100, r->why);
    return NULL;
}

static void start_reading(struct reading *r)
{
    assert_int_equal(pthread_create(&r->thread, NULL, read_in_thread, r), 0);
}

static void expect_text(struct reading *r, const char *want)
{
    assert_int_equal(pthread_join(r->thread, NULL), 0);
    assert_int_equal(r->err, 0);
    assert_string_equal(r->text, want);
    free(r->text);
}

TEST(slow_writers)
{
    static const char *const words[] = {"clo", "sing", NULL};
    char byte;
    struct reading r = {.name = make_fifo()};
    int opened[2], go[2], status;
    assert_int_equal(pipe(opened) | pipe(go), 0);
    start_reading(&r);
    pid_t pid = write_slowly(r.name, words, opened[1], go[0]);
    assert_int_equal(read(opened[0], &byte, 1), 1); /* there is a reader, and nothing to read */
    assert_int_equal(write(go[1], "two", 2), 2);
    expect_text(&r, "closing");
    assert_true(waitpid(pid, &status, 0) == pid && status == 0);
    for (int i = 0; i < 2; i++) {
        close(opened[i]);
        close(go[i]);
    }
}

/* The one that is silent for longer than a pipe without a writer is waited for. */
TEST(silent_writers)
{
    struct reading r = {.name = make_fifo()};
    int own = open(r.name, O_RDONLY | O_NONBLOCK), fd = open(r.name, O_WRONLY);
    assert_true(own >= 0 && fd >= 0);
    start_reading(&r);
    sleep(RN_TEXT_WAIT + 1);
    assert_int_equal(write(fd, "late", 4), 4);
    close(fd);
    expect_text(&r, "late");
    close(own);
}

TEST(pipes_without_a_writer)
{
    alarm(60);
    assert_refused(make_fifo(), 100, "nothing writes to it");
    alarm(0);
}

/* As the shell passes <(...) on. */
TEST(pipes_by_number)
{
    int ends[2];
    for (int n = 0; n < 2; n++) {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], "closing", n ? 7 : 0), n ? 7 : 0);
        close(ends[1]);
        assert_read_from(formatted("/dev/fd/%d", ends[0]), n ? "closing" : "", 100);
        close(ends[0]);
    }
}

TEST(files_of_the_kernel)
{
    char why[RN_TEXT_WHY], *text;
    assert_int_equal(rn_text_read(&text, "/proc/self/status", RN_TEXT_LIMIT, why), 0);
    assert_int_equal(strncmp(text, "Name:", 5), 0); /* its size is said to be 0 */
    free(text);
    assert_refused("/proc/self/mem", 100, "Input/output error");
}

TEST(closed_files)
{
    uid_t own = geteuid();
    unit_write(path, "abc");
    assert_int_equal(chmod(path, 0), 0);
    assert_true(own != 0 || seteuid(65534) == 0);
    assert_refused(path, 100, "Permission denied");
    assert_true(own != 0 || seteuid(0) == 0);
    assert_int_equal(chmod(path, 0600), 0);
}

TEST(the_descriptor_is_the_callers)
{
    char why[RN_TEXT_WHY], *text;
    unit_write(path, "abcdef");
    int fd = open(path, O_RDONLY);
    assert_int_equal(lseek(fd, 2, SEEK_SET), 2);
    assert_int_equal(rn_text_read_fd(&text, fd, 100, why), 0);
    assert_string_equal(text, "cdef");
    free(text);
    assert_int_equal(close(fd), 0);
    assert_int_equal(rn_text_read_fd(&text, fd, 100, why), RN_EUSAGE);
    assert_null(text);
}

static int prepare(void **state)
{
    signal(SIGPIPE, SIG_IGN);
    return unit_enter_folder(state) || chmod(".", 0755); /* so that others could read in it */
}

GROUP(.quiet = true, .before_all = prepare, .after_all = unit_leave_folder);
