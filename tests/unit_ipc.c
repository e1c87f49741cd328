/* SPDX-License-Identifier: MIT */
/* The socket of --ipc and the lines that go through it: whatever comes, and whoever goes. */
#include "tests/unit.h"

#include "app/play/remote/remote.h"

#include <sys/socket.h>
#include <sys/un.h>

static const char name[] = "socket";

static int leave_folder(void **state)
{
    assert_int_equal(unit_entries("."), 0); /* nothing was left */
    return unit_leave_folder(state);
}

static struct rng rng = {88172645463325252u};

/* A socket that is connected or bound (how) to the name. */
static int socket_at(int (*how)(int, const struct sockaddr *, socklen_t))
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    memcpy(to.sun_path, name, sizeof name);
    assert_int_equal(how(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static struct rn_play_ipc *open_ipc(void)
{
    struct rn_play_ipc *ipc;
    assert_int_equal(rn_play_ipc_open(&ipc, name), 0);
    return ipc;
}

/* What comes next from any client; waits for it. */
static enum rn_play_ipc_news next_news(struct rn_play_ipc *ipc, int *client, char **text,
                                       size_t *length)
{
    for (;; usleep(1000))
        for (*client = 0; *client < RN_IPC_CLIENTS; ++*client) {
            enum rn_play_ipc_news news = rn_play_ipc_take(ipc, *client, text, length);
            if (news != RN_IPC_NOTHING)
                return news;
        }
}

static void send_all(int fd, const char *text, size_t n)
{
    while (n) {
        ssize_t some = write(fd, text, n);
        assert_true(some > 0);
        text += some;
        n -= (size_t)some;
    }
}

static void expect_line(struct rn_play_ipc *ipc, const char *want, size_t n, int *client)
{
    OWNED(rn_free_owned) char *text;
    size_t length;
    assert_int_equal(next_news(ipc, client, &text, &length), RN_IPC_LINE_CAME);
    assert_int_equal(length, n);
    assert_memory_equal(text, want, n);
}

static void expect_news(struct rn_play_ipc *ipc, enum rn_play_ipc_news want)
{
    int client;
    char *text = NULL;
    size_t length;
    assert_int_equal(next_news(ipc, &client, &text, &length), want);
}

static void expect_reply(int fd, const char *want)
{
    char got[256] = "";
    size_t n = 0;
    while (n < sizeof got - 1 && read(fd, got + n, 1) == 1 && got[n] != '\n')
        n++;
    got[n] = '\0';
    assert_string_equal(got, want);
}

TEST(the_socket_is_its_owners_and_goes_at_the_end)
{
    struct rn_play_ipc *other;
    struct stat st;
    mode_t before = umask(0);
    struct rn_play_ipc *ipc = open_ipc();
    umask(before);
    assert_int_equal(lstat(name, &st), 0);
    assert_true(S_ISSOCK(st.st_mode));
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(rn_play_ipc_open(&other, name), RN_EOUTPUT); /* somebody listens */
    assert_null(other);
    close(socket_at(connect));
    rn_play_ipc_close(&ipc);
    assert_int_equal(lstat(name, &st), -1);
}

TEST(what_is_no_dead_socket_stays)
{
    struct rn_play_ipc *ipc;
    struct stat st;
    unit_write(name, "mine");
    assert_int_equal(rn_play_ipc_open(&ipc, name), RN_EOUTPUT);
    assert_null(ipc);
    assert_int_equal(lstat(name, &st), 0);
    assert_int_equal(st.st_size, 4);
    unlink(name);
    assert_int_equal(symlink("elsewhere", name), 0);
    assert_int_equal(rn_play_ipc_open(&ipc, name), RN_EOUTPUT);
    unlink(name);
    assert_int_equal(rn_play_ipc_open(&ipc, "/nowhere/at/all"), RN_EOUTPUT);
    char longer[200];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(rn_play_ipc_open(&ipc, longer), RN_EOUTPUT);
}

TEST(a_folder_for_all_must_be_sticky)
{
    struct rn_play_ipc *ipc;
    assert_int_equal(mkdir("all", 0700) | chmod("all", 0777), 0);
    assert_int_equal(rn_play_ipc_open(&ipc, "all/socket"), RN_EOUTPUT);
    assert_non_null(strstr(unit_said(), "/all' may be written by others"));
    assert_int_equal(chmod("all", 01777), 0);
    assert_int_equal(rn_play_ipc_open(&ipc, "all/socket"), 0);
    assert_int_equal(unit_mode("all/socket"), 0600);
    rn_play_ipc_close(&ipc);
    assert_int_equal(unit_entries("all"), 0);
    if (geteuid() == 0) { /* a dead one of another user stays */
        close(socket_at(bind));
        assert_int_equal(rename(name, "all/socket") | lchown("all/socket", 65534, 65534), 0);
        assert_int_equal(rn_play_ipc_open(&ipc, "all/socket"), RN_EOUTPUT);
        assert_non_null(strstr(unit_said(), "another user's"));
        assert_int_equal(unlink("all/socket"), 0);
    }
    assert_int_equal(rmdir("all"), 0);
}

TEST(a_dead_socket_is_replaced)
{
    close(socket_at(bind));
    OWNED(rn_play_ipc_close) struct rn_play_ipc *ipc = open_ipc();
    close(socket_at(connect));
}

TEST(another_file_of_the_name_stays_at_the_end)
{
    struct rn_play_ipc *ipc = open_ipc();
    struct stat st;
    unlink(name);
    unit_write(name, "");
    rn_play_ipc_close(&ipc);
    assert_int_equal(lstat(name, &st), 0);
    unlink(name);
}

TEST(lines_come_and_answers_go)
{
    OWNED(rn_play_ipc_close) struct rn_play_ipc *ipc = open_ipc();
    int a, b, one = socket_at(connect), two = socket_at(connect);
    send_all(one, "first\nsecond\n", 13);
    expect_line(ipc, "first", 5, &a);
    expect_line(ipc, "second", 6, &a);
    send_all(two, "\nthi", 4);
    expect_line(ipc, "", 0, &b);
    send_all(two, "rd", 2);
    shutdown(two, SHUT_WR); /* as `printf ... | socat` does */
    expect_line(ipc, "third", 5, &b);
    assert_int_not_equal(a, b);
    rn_play_ipc_send(ipc, a, "to one");
    rn_play_ipc_send(ipc, b, "to two");
    expect_news(ipc, RN_IPC_GONE);
    expect_reply(one, "to one");
    expect_reply(two, "to two");
    expect_reply(two, ""); /* its end */
    close(one);
    expect_news(ipc, RN_IPC_GONE);
    close(two);
}

struct writer {
    int fd;
    char *text;
    size_t n;
    pthread_t thread;
};

/* In pieces of any size. */
static void *write_pieces(void *arg)
{
    struct writer *w = arg;
    struct rng own = rng_seed(1234567);
    for (size_t at = 0; at < w->n;) {
        size_t n = 1 + (size_t)rng_below(&own, 3000);
        n = n < w->n - at ? n : w->n - at;
        send_all(w->fd, w->text + at, n);
        at += n;
    }
    close(w->fd);
    return NULL;
}

static void start_writer(struct writer *w)
{
    w->fd = socket_at(connect);
    assert_int_equal(pthread_create(&w->thread, NULL, write_pieces, w), 0);
}

static void end_writer(struct writer *w)
{
    pthread_join(w->thread, NULL);
    free(w->text);
}

/* Any bytes: the lines are what stands between newlines. */
TEST(random_bytes_come_as_they_are)
{
    OWNED(rn_play_ipc_close) struct rn_play_ipc *ipc = open_ipc();
    int client;
    struct writer w = {.n = 3000000};
    w.text = malloc(w.n);
    for (size_t i = 0; i < w.n; i++)
        w.text[i] = (char)rng_below(&rng, 256);
    w.text[w.n - 1] = '\n';
    start_writer(&w);
    for (size_t at = 0; at < w.n;) {
        char *end = memchr(w.text + at, '\n', w.n - at);
        size_t n = (size_t)(end - (w.text + at));
        expect_line(ipc, w.text + at, n, &client);
        rn_play_ipc_send(ipc, client, "whatever");
        at += n + 1;
    }
    expect_news(ipc, RN_IPC_GONE);
    end_writer(&w);
}

TEST(a_line_that_is_too_long_is_told_and_left_out)
{
    OWNED(rn_play_ipc_close) struct rn_play_ipc *ipc = open_ipc();
    int client;
    size_t n = (size_t)3 * RN_IPC_LINE;
    struct writer w = {.n = n + 14};
    w.text = malloc(w.n);
    memcpy(w.text, "before\n", 7);
    memset(w.text + 7, 'x', n);
    memcpy(w.text + 7 + n, "\nafter\n", 7);
    start_writer(&w);
    expect_line(ipc, "before", 6, &client);
    expect_news(ipc, RN_IPC_TOO_LONG);
    expect_line(ipc, "after", 5, &client);
    expect_news(ipc, RN_IPC_GONE);
    end_writer(&w);
}

TEST(who_does_not_read_is_dropped_and_others_stay)
{
    OWNED(rn_play_ipc_close) struct rn_play_ipc *ipc = open_ipc();
    int slow, other, one = socket_at(connect), two = socket_at(connect);
    static char line[65536];
    memset(line, 'y', sizeof line - 1);
    send_all(one, "a\n", 2);
    expect_line(ipc, "a", 1, &slow);
    send_all(two, "b\n", 2);
    expect_line(ipc, "b", 1, &other);
    for (int i = 0; i < 200; i++)
        rn_play_ipc_send(ipc, slow, line);
    rn_play_ipc_send(ipc, other, "still here");
    expect_reply(two, "still here");
    expect_news(ipc, RN_IPC_GONE);
    rn_play_ipc_send(ipc, slow, "nobody");
    close(one);
    close(two);
    expect_news(ipc, RN_IPC_GONE);
}

/* Who comes when all places are taken waits, and is served when one is free. */
TEST(more_clients_than_places_wait)
{
    struct rn_play_ipc *ipc = open_ipc();
    int fd[RN_IPC_CLIENTS + 4], client;
    for (int i = 0; i < RN_IPC_CLIENTS + 4; i++) {
        fd[i] = socket_at(connect);
        send_all(fd[i], "x\n", 2);
    }
    for (int i = 0; i < RN_IPC_CLIENTS; i++)
        expect_line(ipc, "x", 1, &client);
    for (int i = 0; i < 4; i++) {
        close(fd[i]);
        expect_news(ipc, RN_IPC_GONE);
        expect_line(ipc, "x", 1, &client);
    }
    rn_play_ipc_close(&ipc);
    for (int i = 4; i < RN_IPC_CLIENTS + 4; i++)
        close(fd[i]);
}

static bool read_text(struct rn_play_request *r, const char *text, char why[RN_PLAY_WHY])
{
    return rn_play_request_read(r, text, strlen(text), why);
}

static void expect_answer(char *answer, const char *want)
{
    assert_string_equal(answer, want);
    free(answer);
}

TEST(requests_are_read)
{
    struct rn_play_request r;
    char why[RN_PLAY_WHY];
    assert_true(read_text(
        &r, "{\"command\": [\"seek\", 2.5, \"absolute\"], \"request_id\": \"q\", \"async\": true}",
        why));
    assert_string_equal(r.name, "seek");
    assert_int_equal(json_array_size(r.word), 3);
    assert_true(json_number_value(json_array_get(r.word, 1)) == 2.5);
    assert_string_equal(json_string_value(json_array_get(r.word, 2)), "absolute");
    assert_true(r.async);
    expect_answer(rn_play_request_answer(r.id, NULL, json_integer(3)),
                  "{\"request_id\":\"q\",\"error\":\"success\",\"data\":3}");
    rn_play_request_free(&r);
    expect_answer(rn_play_request_answer(NULL, "no", NULL),
                  "{\"request_id\":0,\"error\":\"no\",\"data\":null}");
    expect_answer(rn_play_request_event("x", json_pack("{s:i}", "id", 1)),
                  "{\"event\":\"x\",\"id\":1}");
}

TEST(what_is_no_request_is_refused)
{
    static const char *const wrong[] = {"",
                                        "{",
                                        "seek 5",
                                        "[]",
                                        "{}",
                                        "{\"command\": 3}",
                                        "{\"command\": []}",
                                        "{\"command\": [3]}",
                                        "{\"command\": [\"x\"], \"async\": 1}",
                                        "null",
                                        "\"\\ud800\""};
    char why[RN_PLAY_WHY];
    for (int i = 0; i < COUNT(wrong); i++) {
        OWNED(rn_play_request_free) struct rn_play_request r;
        assert_false(read_text(&r, wrong[i], why));
        assert_true(strlen(why) > 10);
    }
    OWNED(rn_play_request_free) struct rn_play_request r;
    assert_false(read_text(&r, "{\"command\": 3, \"request_id\": 12}", why));
    assert_int_equal(json_integer_value(r.id), 12); /* so that the answer finds its way */
}

/* Requests in which some bytes are others, and bytes alone. */
TEST(random_requests_are_answered)
{
    static const char good[] = "{\"command\": [\"set_property\", \"erosion.radius\", 3, [1e9, "
                               "{\"a\": null}]], \"request_id\": 7, \"async\": false}";
    char line[sizeof good], why[RN_PLAY_WHY];
    for (int i = 0; i < 20000; i++) {
        size_t n = sizeof good - 1;
        memcpy(line, good, n);
        for (int k = rng_below(&rng, 6); k; k--)
            line[rng_below(&rng, (int)n)] = (char)rng_below(&rng, 256);
        if (i % 4 == 0)
            for (size_t k = 0; k < n; k++)
                line[k] = (char)rng_below(&rng, 256);
        n = i % 3 ? n : (size_t)rng_below(&rng, (int)n);
        OWNED(rn_play_request_free) struct rn_play_request r;
        bool ok = rn_play_request_read(&r, line, n, why);
        assert_true(!ok || json_array_size(r.word) > 0);
        OWNED(rn_free_owned) char *answer = rn_play_request_answer(r.id, ok ? NULL : why, NULL);
        json_t *json = json_loads(answer, 0, NULL);
        assert_non_null(json);
        json_decref(json);
    }
}

GROUP(.hears = true, .before_all = unit_enter_folder, .after_all = leave_folder);
