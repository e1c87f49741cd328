/* SPDX-License-Identifier: MIT */
/* What is tuned is kept: which files are there after what was put, and that none is ever torn. */
#include "tests/unit.h"

#include <sys/time.h>

#include "app/play/edit/chain_file.h"
#include "app/run/files.h"
#include "filters/base/output/textfile.h"

static char *path;

static int enter_folder(void **state)
{
    unit_hear(true);
    if (unit_enter_folder(state))
        return 1;
    setenv("XDG_STATE_HOME", unit_folder, 1);
    path = rn_play_autosave_path("an input");
    return !path;
}

static int leave_folder(void **state)
{
    free(path);
    path = NULL;
    return unit_leave_folder(state);
}

static void expect_warnings(int n)
{
    assert_int_equal(unit_heard[RN_LOG_WARNING], n);
    assert_int_equal(unit_heard[RN_LOG_ERROR] + unit_heard[RN_LOG_INFO], 0);
}

/* A file of a head that differs from all others and this body. */
static char *make(const char *body)
{
    static atomic_int n; /* several threads make some */
    char *text = malloc(4096);
    snprintf(text, 4096, "# on %d\n%s\n", atomic_fetch_add(&n, 1), body);
    return text;
}

/* A process comes to the input: for the first time, if it has written nothing. */
static struct rn_play_autosave *start_in(struct rn_play_autosave_own *process, const char *body)
{
    struct rn_play_autosave *a = NULL;
    assert_int_equal(
        rn_play_autosave_open(&a, path ? strdup(path) : NULL, body ? make(body) : NULL, process),
        0);
    return a;
}

/* Another process. */
static struct rn_play_autosave *start(const char *body)
{
    static struct rn_play_autosave_own process[1024];
    static atomic_int n;
    int i = atomic_fetch_add(&n, 1);
    assert_true(i < 1024);
    return start_in(&process[i], body);
}

static void put(struct rn_play_autosave *a, const char *body)
{
    rn_play_autosave_put(a, make(body));
}

/* What is tuned last. */
static void end(struct rn_play_autosave **a, const char *body)
{
    put(*a, body);
    rn_play_autosave_close(a);
    assert_null(*a);
}

/* A whole session: how it starts, what was tuned. */
static void session(const char *from, const char *to)
{
    struct rn_play_autosave *a = start(from);
    end(&a, to);
}

static char *read_file(const char *name)
{
    char why[RN_TEXT_WHY], *text = NULL;
    assert_true(rn_text_read(&text, name, RN_TEXT_LIMIT, why) == 0 || !text);
    return text;
}

/* The body of the file (0) or of a former one; NULL: there is none. */
static void expect(int former, const char *body)
{
    char *text = read_file(former ? formatted("%s.%d", path, former) : path),
         *end = text ? strchr(text, '\n') : NULL;
    if (body) {
        assert_non_null(end);
        end[strlen(end) - 1] = '\0';
        assert_string_equal(end + 1, body);
    } else {
        assert_null(text);
    }
    free(text);
}

static int entries(void)
{
    return unit_entries("runnel");
}

TEST(names)
{
    const char *want = formatted("%s/runnel/", unit_folder);
    assert_int_equal(strncmp(path, want, strlen(want)), 0);
    char *other = rn_play_autosave_path("another input");
    assert_string_not_equal(path, other);
    free(other);
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/home/me", 1);
    other = rn_play_autosave_path("an input");
    assert_int_equal(strncmp(other, "/home/me/.local/state/runnel/", 29), 0);
    assert_string_equal(strrchr(other, '/'), strrchr(path, '/'));
    free(other);
    unsetenv("HOME");
    unsetenv("XDG_STATE_HOME");
    assert_null(rn_play_autosave_path("an input"));
}

static void expect_canonical(const char *input, const char *below, const char *rest)
{
    OWNED(rn_free_owned) char *got = rn_app_files_canonical(input);
    assert_string_equal(got, formatted("%s%s", below, rest));
}

TEST(inputs)
{
    char here[128];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(mkdir("d", 0777), 0);
    unit_write("d/clip.mkv", "");
    assert_int_equal(symlink("d/clip.mkv", "link"), 0);
    assert_int_equal(mkfifo("pipe", 0666), 0);
    expect_canonical("d/../link", here, "/d/clip.mkv");
    expect_canonical("file:d/clip.mkv", here, "/d/clip.mkv");
    expect_canonical("./d/", here, "/d");
    expect_canonical("d/../d/%03d.png", here, "/d/%03d.png");
    expect_canonical("d/*.png", here, "/d/*.png");
    expect_canonical("lavfi:testsrc2=s=64x48", "lavfi:testsrc2=s=64x48", "");
    expect_canonical("http://host/clip.mkv", "http://host/clip.mkv", "");
    expect_canonical("no/such/clip.mkv", "no/such/clip.mkv", "");
    static const char *const lasting[] = {"link", "d", "file:link", "d/%03d.png", "lavfi:testsrc2"};
    for (int i = 0; i < COUNT(lasting); i++)
        assert_true(rn_app_files_repeatable(lasting[i]));
    static const char *const passing[] = {"-", "pipe", "pipe:0", "fd:3", "/dev/null", "file:pipe"};
    for (int i = 0; i < COUNT(passing); i++)
        assert_false(rn_app_files_repeatable(passing[i]));
}

TEST(the_last_is_kept)
{
    OWNED(rn_play_autosave_close) struct rn_play_autosave *a = start("a");
    rn_play_autosave_close(&a);
    assert_int_equal(entries(), 0); /* nothing was tuned */
    a = start("a");
    put(a, "a");
    rn_play_autosave_put(a, NULL);
    rn_play_autosave_close(&a);
    assert_int_equal(entries(), 0); /* nor here */
    a = start("a");
    for (const char *c = "bcdefgh"; *c; c++)
        put(a, (char[]){*c, '\0'});
    rn_play_autosave_close(&a);
    expect(0, "h");
    assert_int_equal(entries(), 1); /* its own former ones are none */
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    rn_play_autosave_put(NULL, make("nothing"));
}

TEST(former_ones_are_kept)
{
    session("a", "b");
    session("b", "c");
    session("a", "d");
    expect(0, "d");
    expect(1, "c");
    expect(2, "b");
    session("a", "d"); /* the same again is no new one */
    expect(1, "c");
    for (int i = 0; i < 20; i++)
        session("a", (char[]){(char)('e' + i), '\0'});
    assert_int_equal(entries(), 1 + RN_AUTOSAVE_FORMER);
    for (int i = 0; i <= RN_AUTOSAVE_FORMER; i++)
        expect(i, (char[]){(char)('e' + 19 - i), '\0'});
}

static bool is_there(const char *body)
{
    OWNED(rn_free_owned) char *text = read_file(path);
    const char *end = text ? strchr(text, '\n') : NULL;
    return end && !strncmp(end + 1, body, strlen(body)) && !strcmp(end + 1 + strlen(body), "\n");
}

static void wait_for(const char *body)
{
    while (!is_there(body))
        usleep(2000);
}

/* Nothing is written through what others may lead elsewhere, nor read. */
TEST(a_folder_that_others_may_write_is_not_used)
{
    session("a", "b");
    assert_int_equal(chmod("runnel", 0777), 0);
    session("a", "c");
    expect_warnings(1);
    assert_non_null(strstr(unit_said(), "/runnel' may be written by others"));
    expect(0, "b");
    assert_int_equal(chmod("runnel", 0700) | rename("runnel", "real"), 0);
    assert_int_equal(symlink("real", "runnel"), 0);
    if (geteuid() == 0) {
        assert_int_equal(lchown("runnel", 65534, 65534), 0);
        session("a", "c");
        expect_warnings(2);
        assert_non_null(strstr(unit_said(), "/runnel' is another user's"));
        expect(0, "b");
    }
    assert_int_equal(unit_entries("real"), 1);
}

/* Undone, it leaves everything as it was. */
TEST(what_is_undone_is_not_kept)
{
    struct rn_play_autosave *a = start("a");
    put(a, "b");
    wait_for("b");
    end(&a, "a");
    assert_int_equal(entries(), 0);
    session("a", "b");
    session("a", "c");
    a = start("a");
    put(a, "d");
    wait_for("d");
    expect(2, "b");
    end(&a, "a");
    expect(0, "c");
    expect(1, "b");
    assert_int_equal(entries(), 2);
}

/* Even where the next has replaced it, a process takes back its own file only. */
TEST(another_process)
{
    struct rn_play_autosave *a = start("a");
    put(a, "b");
    wait_for("b");
    session("a", "c"); /* another process's */
    expect(1, "b");
    end(&a, "a");
    expect(0, "c");
}

TEST(what_cannot_be_kept_is_one_warning)
{
    unit_write("runnel", ""); /* no folder */
    struct rn_play_autosave *a = start("a");
    end(&a, "b");
    expect_warnings(1);
    a = start("a");
    put(a, "b");
    put(a, "c");
    end(&a, "d");
    expect_warnings(2);
    free(path);
    path = NULL; /* no home */
    session("a", "b");
    expect_warnings(3);
    session("a", "a");
    expect_warnings(3);
}

static void make_old(const char *name, int age)
{
    const char *file = formatted("runnel/%s", name);
    unit_write(file, "");
    struct timeval times[2] = {{.tv_sec = 1700000000 - age}, {.tv_sec = 1700000000 - age}};
    assert_int_equal(utimes(file, times), 0);
}

static bool has(const char *name)
{
    return !access(formatted("runnel/%s", name), F_OK);
}

TEST(only_the_newest_stay)
{
    session("a", "b");
    for (int i = 0; i < RN_AUTOSAVE_MOST + 5; i++)
        make_old(formatted(i % 3 ? "%016x.chain" : "%016x.chain.3", (unsigned)i), i);
    make_old("mine.chain", 5000);
    make_old("0123456789abcdef.chain.old", 5000);
    session("a", "c");
    expect(0, "c");
    expect(1, "b");
    assert_int_equal(entries(), RN_AUTOSAVE_MOST + 2); /* and two that are not ours */
    assert_true(has("mine.chain") && has("0123456789abcdef.chain.old"));
    assert_true(has("00000000000000c4.chain") && !has("00000000000000c6.chain.3"));
}

static void *write_on(void *arg)
{
    const char *letter = arg;
    char body[2000];
    for (int i = 0; i < 30; i++) {
        memset(body, *letter, sizeof body - 1);
        body[sizeof body - 1] = '\0';
        session("a", body);
        session(body, "a");
    }
    return NULL;
}

/* Whatever is read while several write is whole. */
TEST(none_is_torn)
{
    pthread_t thread[3];
    static char letters[3] = "xyz";
    int readings = 0;
    session("a", "b");
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, write_on, &letters[i]), 0);
    for (; readings < 500; readings++) {
        char *text = read_file(path), *body = text ? strchr(text, '\n') : NULL;
        if (text) {
            assert_non_null(body);
            size_t n = strlen(body + 1) - 1;
            assert_true((n == 1 || n == 1999) && strspn(body + 1, (char[]){body[1], '\0'}) == n);
        }
        free(text);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert_true(entries() <= 1 + RN_AUTOSAVE_FORMER);
}

/* Its own file is no former one, however often a process comes back to the input. */
TEST(to_and_fro)
{
    struct rn_play_autosave_own process = {.n = 0};
    session("empty", "of another process");
    for (int i = 0; i < 20; i++) {
        const char *body = formatted("round %d", i);
        struct rn_play_autosave *a = start_in(&process, "empty");
        end(&a, body);
        expect(0, body);
        expect(1, "of another process");
        expect(2, NULL);
        assert_int_equal(process.n, 1);
    }
    struct rn_play_autosave *a = start_in(&process, "empty");
    put(a, "more");
    wait_for("more");
    end(&a, "empty");
    expect(0, "round 19");
    expect(1, "of another process");
    session("empty", "of a third one");
    expect(1, "round 19");
    expect(2, "of another process");
}

GROUP(.before_each = enter_folder, .after_each = leave_folder);
