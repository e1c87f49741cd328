/* SPDX-License-Identifier: MIT */
/* Folders and files that nobody else can change: who may own what on the way to them. */
#define _GNU_SOURCE /* renameat2 */
#include "tests/unit.h"

#include <signal.h>
#include <sys/prctl.h>

#include "filters/base/output/private.h"

#define OTHER 65534
#define RACES 10000

static char why[RN_PRIVATE_WHY];

static int enter_folder(void **state)
{
    umask(022);
    return unit_enter_folder(state);
}

GROUP(.before_each = enter_folder, .after_each = unit_leave_folder);

static void make_folder(const char *path, uid_t owner, mode_t mode)
{
    assert_int_equal(mkdir(path, 0700), 0);
    if (owner) /* 0: who runs the test */
        assert_int_equal(chown(path, owner, owner), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static void make_link(const char *target, const char *path, uid_t owner)
{
    assert_int_equal(symlink(target, path), 0);
    if (owner)
        assert_int_equal(lchown(path, owner, owner), 0);
}

static void expect_folder(const char *path, int flags, const char *same)
{
    struct stat st, want;
    int fd = rn_private_folder(path, flags, why);
    if (fd < 0)
        fail_msg("%s", why);
    assert_int_equal(fstat(fd, &st) | stat(same, &want), 0);
    assert_true(st.st_ino == want.st_ino && st.st_dev == want.st_dev);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    close(fd);
}

/* reason: how why ends, after the name. */
static void expect_refused(const char *path, int flags, int code, const char *reason)
{
    assert_int_equal(rn_private_folder(path, flags, why), -1);
    assert_int_equal(errno, code);
    if (!strstr(why, reason))
        fail_msg("%s: %s, not %s", path, why, reason);
}

TEST(what_is_missing_is_made_for_its_owner_whatever_the_umask)
{
    static const mode_t masks[] = {0, 022, 077, 0777};
    for (int i = 0; i < COUNT(masks); i++) {
        umask(masks[i]);
        expect_folder("a/b//c/", RN_PRIVATE_CREATE, "a/b/c");
        umask(022);
        assert_int_equal(unit_mode("a"), 0700);
        assert_int_equal(unit_mode("a/b"), 0700);
        assert_int_equal(unit_mode("a/b/c"), 0700);
        assert_int_equal(rmdir("a/b/c") | rmdir("a/b") | rmdir("a"), 0);
    }
    expect_refused("a/b", RN_PRIVATE_EXISTING, ENOENT, "/a' cannot be used: No such file");
    expect_refused("", RN_PRIVATE_CREATE, ENOENT, "No such file");
    unit_write("file", "");
    expect_refused("file/b", RN_PRIVATE_CREATE, ENOTDIR, "/file' cannot be used: Not a directory");
    assert_int_equal(unit_entries("."), 1);
}

TEST(folders_that_others_write_are_refused)
{
    make_folder("all", 0, 0777);
    make_folder("all/mine", 0, 0700);
    const char *reason = formatted("'%s/all' may be written by others", unit_folder);
    expect_refused("all", 0, EPERM, reason);
    expect_refused("all", RN_PRIVATE_SHARED, EPERM, reason);
    expect_refused("all/mine", 0, EPERM, reason);
    expect_refused("all/new", RN_PRIVATE_CREATE, EPERM, reason);
    assert_int_equal(unit_entries("all"), 1);
    assert_int_equal(chmod("all", 01777), 0); /* nobody can take away what is in it */
    expect_refused("all", RN_PRIVATE_CREATE, EPERM, reason);
    expect_folder("all", RN_PRIVATE_SHARED, "all");
    expect_folder("all/mine", 0, "all/mine");
    expect_folder("all/new/er", RN_PRIVATE_CREATE, "all/new/er");
    if (geteuid() == 0) {
        make_folder("group", 0, 0770);
        assert_int_equal(chown("group", 0, OTHER), 0);
        expect_refused("group", 0, EPERM, "/group' may be written by others");
        assert_int_equal(chown("group", 0, 0), 0); /* root's alone */
        expect_folder("group", 0, "group");
    }
}

TEST(folders_and_links_of_others_are_refused)
{
    if (geteuid() != 0)
        skip();
    make_folder("theirs", OTHER, 0755);
    make_folder("theirs/ours", 0, 0700);
    make_folder("good", 0, 0700);
    make_folder("tmp", 0, 01777);
    make_folder("tmp/theirs", OTHER, 0700);
    make_link("../good", "tmp/link", OTHER);
    make_link("../good", "theirs/link", 0);
    expect_refused("theirs", 0, EPERM, "/theirs' is another user's");
    expect_refused("theirs/ours", 0, EPERM, "/theirs' is another user's");
    expect_refused("theirs/link", 0, EPERM, "/theirs' is another user's");
    expect_refused("theirs/new", RN_PRIVATE_CREATE, EPERM, "/theirs' is another user's");
    expect_refused("tmp/theirs/new", RN_PRIVATE_CREATE, EPERM, "/theirs' is another user's");
    expect_refused("tmp/link", 0, EPERM, "/link' is another user's");
    expect_refused("tmp/link/new", RN_PRIVATE_CREATE, EPERM, "/link' is another user's");
    assert_int_equal(unit_entries("theirs") + unit_entries("good"), 2);
}

TEST(own_links_lead_on_and_are_no_way_round)
{
    make_folder("good", 0, 0700);
    make_folder("all", 0, 0777);
    make_link("good", "near", 0);
    make_link(formatted("%s/near", unit_folder), "far", 0);
    make_link("all", "out", 0);
    make_link("one", "one", 0);
    expect_folder("near", 0, "good");
    expect_folder("far/../far/sub", RN_PRIVATE_CREATE, "good/sub");
    expect_refused("out", 0, EPERM, "/all' may be written by others");
    expect_refused("one", 0, ELOOP, "Too many levels");
}

static void expect_file(const char *path, int code, const char *reason)
{
    int fd = rn_private_file(path, why);
    assert_true((fd < 0) == (code != 0));
    if (fd >= 0)
        close(fd);
    else if (errno != code || !strstr(why, reason))
        fail_msg("%s: %s", path, why);
}

TEST(files)
{
    int here = open(".", O_RDONLY | O_DIRECTORY);
    unit_write("own", "");
    unit_write("all", "");
    assert_int_equal(chmod("all", 0666) | mkfifo("pipe", 0600), 0);
    make_link("own", "link", 0);
    expect_file("own", 0, "");
    expect_file("link", 0, "");
    assert_int_equal(rn_private_file_in(here, "link", why), -1);
    close(here);
    expect_file("all", EPERM, "/all' may be written by others");
    expect_file("pipe", EPERM, "/pipe' is no regular file");
    expect_file("none", ENOENT, "/none' cannot be used");
    expect_file(".", EISDIR, "Is a directory");
    if (geteuid() == 0) {
        assert_int_equal(chown("own", OTHER, OTHER), 0);
        expect_file("link", EPERM, "/own' is another user's");
    }
}

/* ---- races */

static atomic_bool ended;
static atomic_int swaps;

/* Folder and trap change places. */
static void *swap(void *arg)
{
    while (!atomic_load(&ended) && !renameat2(AT_FDCWD, "way", AT_FDCWD, arg, RENAME_EXCHANGE))
        atomic_fetch_add(&swaps, 1);
    return NULL;
}

/* Whoever walks meanwhile gets what is in the good folder, or nothing; nothing is ever made in the
 * bad one. */
static void race(const char *trap)
{
    struct stat good, st;
    pthread_t thread;
    int opened = 0, refused = 0;
    make_folder("way", 0, 0700);
    make_folder("way/in", 0, 0700);
    assert_int_equal(stat("way/in", &good), 0);
    if (renameat2(AT_FDCWD, "way", AT_FDCWD, trap, RENAME_EXCHANGE))
        skip();
    atomic_store(&ended, false);
    atomic_store(&swaps, 0);
    assert_int_equal(pthread_create(&thread, NULL, swap, (void *)(size_t)trap), 0);
    while (opened + refused < RACES || !opened || !refused || atomic_load(&swaps) < RACES) {
        int fd = rn_private_folder("way/in", RN_PRIVATE_CREATE, why);
        refused += fd < 0;
        opened += fd >= 0;
        if (fd >= 0)
            assert_true(!fstat(fd, &st) && st.st_ino == good.st_ino && st.st_dev == good.st_dev);
        if (fd >= 0)
            close(fd);
    }
    atomic_store(&ended, true);
    pthread_join(thread, NULL);
    if (stat("way/in", &st)) /* they have changed places */
        assert_int_equal(renameat2(AT_FDCWD, "way", AT_FDCWD, trap, RENAME_EXCHANGE), 0);
    assert_int_equal(unit_entries("bad"), 0);
    print_message("opened %d times, refused %d times\n", opened, refused);
    assert_int_equal(system("rm -rf way trap bad"), 0);
}

/* Until it is killed, tmp/way is in turn a link to what is the first user's, one to a folder of his
 * own, this folder, a file, a pipe, and nothing. */
static void swap_as_another(void)
{
    static const char *const kinds[] = {"to-good", "to-own", "own", "file", "pipe"};
    if (chdir("tmp") || setgid(OTHER) || setuid(OTHER) || prctl(PR_SET_PDEATHSIG, SIGKILL) ||
        symlink("../good", "to-good") || symlink("own", "to-own") || mkdir("own", 0755) ||
        mkdir("own/in", 0755) || creat("file", 0644) < 0 || mkfifo("pipe", 0644))
        _exit(1);
    for (unsigned i = 0;; i++) { /* what the first user has made stays */
        const char *kind = kinds[i % COUNT(kinds)];
        if (!renameat2(AT_FDCWD, kind, AT_FDCWD, "way", RENAME_NOREPLACE))
            rename("way", kind);
    }
}

/* The first user's folder is never entered in the place of the other's, nor the other's, nor what
 * the first user has elsewhere. */
TEST(a_process_of_another_user_swaps_in_a_folder_for_all)
{
    struct stat st, tmp;
    int opened = 0, refused = 0, read = 0, fd;
    if (geteuid() != 0)
        skip();
    make_folder("good", 0, 0700);
    make_folder("tmp", 0, 01777);
    assert_int_equal(stat("tmp", &tmp), 0);
    pid_t other = fork();
    if (!other)
        swap_as_another();
    while (opened < RACES / 100 || refused < RACES) {
        assert_int_equal(waitpid(other, NULL, WNOHANG), 0);
        fd = rn_private_folder("tmp/way/in", RN_PRIVATE_CREATE, why);
        opened += fd >= 0;
        refused += fd < 0;
        read += rn_private_file("tmp/way", why) >= 0;
        if (fd < 0)
            continue;
        assert_true(!fstat(fd, &st) && !st.st_uid && !fstatat(fd, "..", &st, 0) && !st.st_uid);
        assert_true(!fstatat(fd, "../..", &st, 0) && st.st_ino == tmp.st_ino);
        close(fd);
        assert_int_equal(rmdir("tmp/way/in") | rmdir("tmp/way"), 0);
    }
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    assert_int_equal(read, 0);
    assert_int_equal(unit_entries("good"), 0);
    print_message("opened %d times, refused %d times\n", opened, refused);
}

TEST(a_folder_swapped_with_a_link_to_what_others_write)
{
    make_folder("bad", 0, 0777);
    make_link("bad", "trap", 0);
    race("trap");
}

TEST(a_folder_swapped_with_a_link_of_another)
{
    if (geteuid() != 0)
        skip();
    make_folder("bad", 0, 0700); /* as root's own, where he would like to write through us */
    make_link("bad", "trap", OTHER);
    race("trap");
}

TEST(a_folder_swapped_with_a_folder_of_another)
{
    if (geteuid() != 0)
        skip();
    make_folder("bad", OTHER, 0755);
    race("bad");
}
