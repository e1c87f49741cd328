/* SPDX-License-Identifier: MIT */
/* Messages reach the sink whole, one at a time, and no others do. */
#include "tests/unit.h"

struct heard {
    int n;
    enum rn_log_level level;
    char text[4096];
    bool busy, overlapped;
};

static void hear(void *user, enum rn_log_level level, const char *text)
{
    struct heard *h = user;
    h->overlapped |= h->busy;
    h->busy = true;
    h->n++;
    h->level = level;
    snprintf(h->text, sizeof h->text, "%s", text);
    h->busy = false;
}

TEST(levels)
{
    struct heard h = {0};
    rn_log_set_sink(hear, &h);
    assert_int_equal(rn_log_level(), RN_LOG_WARNING); /* the default */
    rn_log(RN_LOG_INFO, "not heard");
    assert_int_equal(h.n, 0);
    rn_log(RN_LOG_WARNING, "%d frames", 3);
    assert_int_equal(h.level, RN_LOG_WARNING);
    assert_string_equal(h.text, "3 frames");
    assert_int_equal(rn_fail(RN_EOUTPUT, "no %s", "space"), RN_EOUTPUT);
    assert_int_equal(h.level, RN_LOG_ERROR);
    assert_string_equal(h.text, "no space");
    rn_log_set_level(RN_LOG_QUIET);
    assert_int_equal(rn_fail(RN_EINPUT, "not heard"), RN_EINPUT);
    assert_int_equal(h.n, 2);
    rn_log_set_level(RN_LOG_WARNING);
}

TEST(long_messages)
{
    struct heard h = {0};
    char text[3000];
    memset(text, 'x', sizeof text - 1);
    rn_log_set_sink(hear, &h);
    for (size_t n = 500; n < sizeof text; n += n < 520 ? 1 : 400) {
        text[n] = '\0';
        rn_log(RN_LOG_ERROR, "%s", text);
        assert_string_equal(h.text, text);
        rn_fail_lines(RN_EDEVICE, text, "log");
        assert_string_equal(h.text + strlen("log\n"), text);
        text[n] = 'x';
    }
}

/* tests/e2e_hostile.sh gives the program names like these. */
TEST(clean)
{
    static const char *const cases[][2] = {
        {"plain ~ text", "plain ~ text"},
        {"a\033]0;x\007b\rc\bd\177e", "a?]0;x?b?c?d?e"},
        {"two\nlines\tand a tab", "two?lines and a tab"},
        {"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80", "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"},
        {"C1 \xC2\x9B"
         "31m, \xC2\x85",
         "C1 ?31m, ?"},
        {"bytes \x9B\xFF\xC3", "bytes ???"},
        {"overlong \xC0\x8A \xE0\x80\x8A \xF0\x80\x80\x8A", "overlong ?? ??? ????"},
        {"surrogate \xED\xA0\x80, too high \xF4\x90\x80\x80", "surrogate ???, too high ????"},
        {"line \xE2\x80\xA8, turned \xE2\x80\xAE\xE2\x81\xA6", "line ?, turned ??"},
        {"cut \xE2\x82", "cut ??"},
    };
    struct heard h = {0};
    rn_log_set_sink(hear, &h);
    for (int i = 0; i < COUNT(cases); i++) {
        rn_log(RN_LOG_ERROR, "'%s'", cases[i][0]);
        assert_string_equal(h.text, formatted("'%s'", cases[i][1]));
    }
    rn_fail_lines(RN_EDEVICE, "one\ntwo\033", "%s:", "l\nog");
    assert_string_equal(h.text, "l?og:\none\ntwo?");
    assert_string_equal(rn_log_last(), "l?og: one");
    rn_log_about("'%s', frame %d", "a\nrecord", 3);
    rn_fail_lines(RN_EDEVICE, "one\ntwo\r\n\n", "%s:", "log");
    assert_string_equal(h.text, "'a?record', frame 3: log:\none\ntwo?");
    rn_fail_lines(RN_EDEVICE, "", "no lines");
    assert_string_equal(h.text, "'a?record', frame 3: no lines");
    rn_log_about("%s", "");
}

static void *talk(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2000; i++)
        rn_log(RN_LOG_WARNING, "%d", i);
    return NULL;
}

TEST(one_at_a_time)
{
    struct heard h = {0};
    pthread_t thread[4];
    rn_log_set_sink(hear, &h);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, talk, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(h.n, 8000);
    assert_false(h.overlapped);
}

TEST(without_a_sink)
{
    char said[256];
    OWNED(rn_close_file_owned) FILE *messages = tmpfile();
    rn_log_set_sink(NULL, NULL);
    int old = dup(STDERR_FILENO);
    assert_true(messages && old >= 0 && dup2(fileno(messages), STDERR_FILENO) >= 0);
    rn_log(RN_LOG_WARNING, "a line");
    rn_fail(RN_EINPUT, "and another");
    dup2(old, STDERR_FILENO);
    close(old);
    rewind(messages);
    said[fread(said, 1, sizeof said - 1, messages)] = '\0';
    assert_string_equal(said, "librunnel: warning: a line\nlibrunnel: error: and another\n");
}
