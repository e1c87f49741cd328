/* SPDX-License-Identifier: MIT */
/* What a signal does to the process, each seen from outside: in a process of its own. */
#include "tests/unit.h"

#include "app/process/signals.h"

static int said; /* pipe of the last words */

static void say(char kind, int status)
{
    char words[2] = {kind, (char)status};
    if (write(said, words, 2) != 2)
        _exit(99);
}

static void quit(int status)
{
    say('q', status);
}

static void give_up(int status)
{
    say('g', status);
}

static void one_signal(void)
{
    raise(SIGTERM);
    for (;;)
        pause();
}

/* The second is no echo of the first. */
static void two_signals(void)
{
    rn_app_signals_hold();
    raise(SIGINT);
    usleep(200000);
    raise(SIGINT);
}

/* kind: of the last words of a process that takes the signals and does this; 0 = it has none. */
static void expect_end(void (*what)(void), unsigned char kind, int status)
{
    int ends[2], ended;
    unsigned char words[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        said = ends[1];
        if (rn_app_signals_install(kind ? quit : NULL, kind ? give_up : NULL) == 0)
            what();
        _exit(98);
    }
    close(ends[1]);
    assert_true(pid > 0 && waitpid(pid, &ended, 0) == pid && WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), status);
    assert_int_equal(read(ends[0], words, 2), kind ? 2 : 0);
    assert_true(!kind || (words[0] == kind && words[1] == status));
    close(ends[0]);
}

TEST(first_signal)
{
    expect_end(one_signal, 'q', 143);
}

TEST(second_signal)
{
    expect_end(two_signals, 'g', 130);
}

TEST(no_last_words)
{
    expect_end(one_signal, 0, 143);
    expect_end(two_signals, 0, 130);
}

GROUP(.quiet = true);
