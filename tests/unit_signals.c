/* What a signal does to the process, each seen from outside: in a process of its own. */
#include "tests/unit.h"

#include <signal.h>
#include <time.h>

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

static void wait_seconds(double seconds)
{
    nanosleep(&(struct timespec){0, (long)(1e9 * seconds)}, NULL);
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
    wait_seconds(0.2);
    raise(SIGINT);
}

/* Status of a process that takes the signals and does this; its last words are in words[2]. */
static int status_of(void (*what)(void), bool with_words, unsigned char words[2])
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        said = ends[1];
        if (rn_app_signals_install(with_words ? quit : NULL, with_words ? give_up : NULL) == 0)
            what();
        _exit(98);
    }
    close(ends[1]);
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    memset(words, 0, 2);
    assert_true(read(ends[0], words, 2) == (with_words ? 2 : 0));
    close(ends[0]);
    return WEXITSTATUS(status);
}

TEST(first_signal)
{
    unsigned char words[2];
    assert_int_equal(status_of(one_signal, true, words), 143);
    assert_int_equal(words[0], 'q');
    assert_int_equal(words[1], 143);
}

TEST(second_signal)
{
    unsigned char words[2];
    assert_int_equal(status_of(two_signals, true, words), 130);
    assert_int_equal(words[0], 'g');
    assert_int_equal(words[1], 130);
}

TEST(no_last_words)
{
    unsigned char words[2];
    assert_int_equal(status_of(one_signal, false, words), 143);
    assert_int_equal(status_of(two_signals, false, words), 130);
}

GROUP(.quiet = true);
