/* SPDX-License-Identifier: MIT */
/* Files that appear only when they are complete. Most tests run twice: on files that have no name
 * until then, and as on a file system that has no such files. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "tests/unit.h"

#include <dirent.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#include "filters/base/output/outfile.h"

static bool no_tmpfile;
static mode_t created;   /* what was asked for with the file that was created last */
static bool sweeper;     /* one is quicker than who creates the next file with a name */
static int sweeper_lock; /* on that file */
static int interrupted;  /* so many times more is waiting for the disk interrupted */
static mode_t synced;    /* permissions of the file that was last waited for */

static bool in_use; /* by this group: others come here as well, on threads of their own */

/* In place of the C library's. */
int fsync(int fd)
{
    struct stat st;
    if (!in_use)
        return (int)syscall(SYS_fsync, fd);
    if (!fstat(fd, &st) && S_ISREG(st.st_mode))
        synced = st.st_mode & 07777;
    if (interrupted-- > 0) {
        errno = EINTR;
        return -1;
    }
    return (int)syscall(SYS_fsync, fd);
}

int openat(int dir, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
    va_end(args);
    if ((flags & O_TMPFILE) == O_TMPFILE && no_tmpfile) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (in_use && flags & O_CREAT)
        created = (mode_t)mode;
    int fd = (int)syscall(SYS_openat, dir, path, flags, mode);
    if (sweeper && fd >= 0 && (flags & O_EXCL)) {
        sweeper = false;
        sweeper_lock = (int)syscall(SYS_openat, dir, path, O_RDWR, 0);
        flock(sweeper_lock, LOCK_EX | LOCK_NB);
    }
    return fd;
}

/* Most tests run in two turns, which the state tells from each other. What has been found out about
 * a folder is known by its number, which another one may get when it is removed: so those without
 * nameless files come last, and those with processes of their own first. */
static char second_turn;
#define FIRST_TURN(name, order)                                                                    \
    static void name(void **state);                                                                \
    UNIT_ADD(#name, name##_once, order, name, NULL)
#define SECOND_TURN(name, order)                                                                   \
    static void name(void **state);                                                                \
    UNIT_ADD(#name, name##_again, order, name, &second_turn)
#define TWICE(name)                                                                                \
    FIRST_TURN(name, __LINE__)                                                                     \
    SECOND_TURN(name, 10000 + __LINE__)                                                            \
    static void name(void **state)

static int enter_folder(void **state)
{
    in_use = true;
    no_tmpfile = *state != NULL;
    interrupted = 0;
    umask(022);
    rn_outfile_set_policy(RN_OVERWRITE_ASK);
    return unit_enter_folder(state);
}

static int entries(void)
{
    return unit_entries(".");
}

static void assert_text(const char *path, const char *want)
{
    char buf[64] = "";
    OWNED(rn_close_file_owned) FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("%s is not there", path);
    if (!fgets(buf, sizeof buf, f))
        buf[0] = '\0';
    assert_string_equal(buf, want);
}

/* Writes this into a file that is begun, keeps it as a partial one or completes it, and expects it
 * to get this name. */
static void end(struct rn_outfile *f, const char *text, bool partial, const char *want)
{
    unit_write(f->temp, text);
    assert_int_equal(rn_outfile_commit(f, partial), 0);
    assert_string_equal(f->path, want);
    assert_text(want, text);
    rn_outfile_free(f);
}

static struct rn_outfile begin(const char *path)
{
    struct rn_outfile f;
    assert_int_equal(rn_outfile_begin(&f, path), 0);
    return f;
}

static void put(const char *path, const char *text, bool partial, const char *want)
{
    struct rn_outfile f = begin(path);
    end(&f, text, partial, want);
}

static void make_folder(const char *path, mode_t mode)
{
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(chmod(path, mode), 0);
}

#define OURS  ((uid_t)-1)
#define OTHER 65534

static void make_file(const char *path, uid_t owner, mode_t mode)
{
    unit_write(path, "old");
    assert_int_equal(chown(path, owner, owner), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static void expect_refused(const char *path)
{
    OWNED(rn_outfile_free) struct rn_outfile f;
    assert_int_equal(rn_outfile_begin(&f, path), RN_EOUTPUT);
}

TWICE(appears_on_commit)
{
    unit_write("a.mp4", "old");
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    struct rn_outfile f = begin("a.mp4");
    assert_string_not_equal(f.temp, "a.mp4");
    assert_int_equal(entries(), no_tmpfile ? 2 : 1);
    unit_write(f.temp, "half");
    assert_text("a.mp4", "old");
    end(&f, "new", false, "a.mp4");
    assert_int_equal(entries(), 1);
}

TWICE(partials_are_kept)
{
    static const char *const names[] = {"p.partial.mkv", "p.partial-2.mkv", "p.partial-3.mkv"};
    for (int i = 0; i < 3; i++) {
        put("p.mkv", names[i], true, names[i]);
        OWNED(rn_free_owned) char *name = rn_outfile_partial("p.mkv");
        assert_string_equal(name, names[i]);
    }
    for (int i = 0; i < 3; i++)
        assert_text(names[i], names[i]);
    OWNED(rn_free_owned) char *none = rn_outfile_partial("q.mkv");
    assert_string_equal(none, "q.mkv");
}

TWICE(partial_keeps_old)
{
    unit_write("b.c.mkv", "old");
    put("b.c.mkv", "half", true, "b.c.partial.mkv");
    assert_text("b.c.mkv", "old");
    assert_int_equal(entries(), 2);
}

TWICE(kept_files_are_not_replaced)
{
    unit_write("k.partial.mkv", "the input");
    unit_write("k.partial-2.mkv", "older");
    assert_int_equal(symlink("k.partial.mkv", "link.mkv"), 0);
    assert_int_equal(rn_outfile_keep("link.mkv"), 0);
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    put("k.mkv", "half", true, "k.partial-2.mkv");
    rn_outfile_set_policy(RN_OVERWRITE_ASK);
    put("k.mkv", "half", true, "k.partial-3.mkv");
    assert_text("k.partial.mkv", "the input");
    assert_text("k.partial-2.mkv", "half");
}

TWICE(free_removes)
{
    struct rn_outfile f = begin("./c"), zero = {0};
    assert_int_equal(entries(), no_tmpfile ? 1 : 0);
    rn_outfile_free(&f);
    rn_outfile_free(&zero);
    assert_int_equal(entries(), 0);
}

TWICE(two_at_once_do_not_meet)
{
    struct rn_outfile f = begin("d.png"), g = begin("d.png");
    assert_string_not_equal(f.temp, g.temp);
    rn_outfile_free(&f);
    rn_outfile_free(&g);
    assert_int_equal(entries(), 0);
}

TWICE(remove_all_removes)
{
    OWNED(rn_outfile_free)
    struct rn_outfile f = begin("e.mp4"), g = begin("f.csv"), done = begin("g.csv");
    assert_int_equal(rn_outfile_commit(&done, false), 0);
    rn_outfile_remove_all();
    assert_int_equal(entries(), 1);
    assert_int_equal(access("g.csv", F_OK), 0);
}

TWICE(failures)
{
    expect_refused("none/a.mp4");
    expect_refused("/tmp");
    /* The place went away between writing and renaming. */
    assert_int_equal(mkdir("sub", 0777), 0);
    struct rn_outfile f = begin("sub/a.mp4");
    assert_int_equal(rename("sub", "moved"), 0);
    unit_write("sub", "in the way");
    assert_int_equal(rn_outfile_commit(&f, false), 0); /* follows the folder */
    assert_int_equal(access("moved/a.mp4", F_OK), 0);
    rn_outfile_free(&f);
    f = begin("moved/b.mp4");
    assert_int_equal(system("rm -rf moved sub"), 0);
    assert_int_equal(rn_outfile_commit(&f, false), RN_EOUTPUT);
    rn_outfile_free(&f);
    assert_int_equal(entries(), 0);
}

TWICE(devices_are_written_directly)
{
    struct stat null, st;
    struct rn_outfile f = begin("/dev/null");
    assert_int_equal(stat("/dev/null", &null) | stat(f.temp, &st), 0);
    assert_true(S_ISCHR(st.st_mode) && st.st_rdev == null.st_rdev);
    assert_int_equal(rn_outfile_commit(&f, false), 0);
    rn_outfile_free(&f);
    assert_int_equal(access("/dev/null", F_OK), 0);
    f = begin("/dev/null");
    rn_outfile_remove_all();
    rn_outfile_free(&f);
    assert_int_equal(access("/dev/null", F_OK), 0);
}

/* Between the look and the opening somebody puts a file of ours, or a link to one, in its place. */
TWICE(what_was_a_pipe_is_opened)
{
    char got[8] = "";
    for (int turn = 0; turn < 2; turn++) {
        unit_write("precious", "old");
        assert_int_equal(mkfifo("pipe", 0666), 0);
        int fd = open("pipe", O_RDONLY | O_NONBLOCK);
        assert_true(fd >= 0);
        struct rn_outfile f = begin("pipe");
        assert_int_equal(unlink("pipe"), 0);
        assert_int_equal(turn ? symlink("precious", "pipe") : link("precious", "pipe"), 0);
        unit_write(f.temp, "new");
        assert_int_equal(rn_outfile_commit(&f, false), 0);
        rn_outfile_free(&f);
        assert_text("precious", "old");
        assert_int_equal(read(fd, got, sizeof got), 3);
        close(fd);
        assert_int_equal(unlink("pipe"), 0);
    }
}

static int asked;

static bool answer_no(const char *path)
{
    asked++;
    return false;
}

static bool answer_yes(const char *path)
{
    assert_string_equal(path, "h.mp4");
    asked++;
    return true;
}

TWICE(permission)
{
    unit_write("h.mp4", "old");
    rn_outfile_set_policy(RN_OVERWRITE_ASK); /* nobody is there to answer: refused */
    assert_int_equal(rn_outfile_allowed("h.mp4"), RN_EOUTPUT);
    assert_int_equal(rn_outfile_allowed("new.mp4"), 0);
    assert_int_equal(rn_outfile_allowed("/dev/null"), 0);
    rn_outfile_set_policy(RN_OVERWRITE_NO);
    assert_int_equal(rn_outfile_allowed("h.mp4"), RN_EOUTPUT);
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    assert_int_equal(rn_outfile_allowed("h.mp4"), 0);
}

FIRST_TURN(answers, 20001)
static void answers(void **state)
{
    unit_write("h.mp4", "old");
    rn_outfile_set_policy(RN_OVERWRITE_ASK);
    rn_outfile_set_ask(answer_no);
    asked = 0;
    assert_int_equal(rn_outfile_allowed("h.mp4"), RN_EOUTPUT);
    assert_int_equal(rn_outfile_allowed("new.mp4"), 0);
    assert_int_equal(asked, 1);
    rn_outfile_set_ask(answer_yes);
    assert_int_equal(rn_outfile_allowed("h.mp4"), 0);
    rn_outfile_set_ask(answer_no);
    assert_int_equal(rn_outfile_allowed("h.mp4"), 0); /* once yes is enough */
    assert_int_equal(asked, 2);
    rn_outfile_set_ask(NULL);
}

/* ---- what appears in the meantime */

TWICE(nothing_is_replaced_unasked)
{
    for (int i = 1; i <= 2; i++) {
        unlink("n.mp4");
        assert_int_equal(rn_outfile_allowed("n.mp4"), 0);
        OWNED(rn_outfile_free) struct rn_outfile f = begin("n.mp4");
        unit_write(f.temp, "complete");
        unit_write("n.mp4", "somebody else's");
        assert_int_equal(rn_outfile_commit(&f, false), RN_EOUTPUT);
        assert_string_equal(f.path, i == 1 ? "n.new.mp4" : "n.new-2.mp4");
        assert_text("n.mp4", "somebody else's");
        assert_text(f.path, "complete");
    }
    assert_int_equal(entries(), 3);
}

TWICE(one_answer_for_all)
{
    unit_write("s_1.png", "old");
    assert_int_equal(rn_outfile_permit("./s_1.png"), 0);
    assert_int_equal(rn_outfile_allowed("s_1.png"), 0);
    put("s_1.png", "new", false, "s_1.png");
    assert_int_equal(entries(), 1);
}

TWICE(what_cannot_be_replaced_costs_nothing)
{
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    OWNED(rn_outfile_free) struct rn_outfile f = begin("d.mp4");
    unit_write(f.temp, "complete");
    assert_int_equal(mkdir("d.mp4", 0777), 0);
    assert_int_equal(rn_outfile_commit(&f, false), RN_EOUTPUT);
    assert_text("d.new.mp4", "complete");
    assert_int_equal(entries(), 2);
}

TWICE(longest_names)
{
    char name[256];
    memset(name, 'x', 255);
    memcpy(name + 251, ".mp4", 5);
    struct rn_outfile f = begin(name);
    memcpy(name + 255 - 12, ".partial.mp4", 12);
    end(&f, "half", true, name);
}

/* Some file systems refuse names with half characters. */
TWICE(no_character_is_cut)
{
    char name[256] = "", link[600] = "";
    for (int i = 0; i < 83; i++)
        strcat(name, i == 1 ? "x" : "\xe2\x82\xac");
    strcat(name, "abc.mp4");
    assert_int_equal(strlen(name), 254);
    OWNED(rn_outfile_free) struct rn_outfile f = begin(name);
    assert_true(readlink(f.temp, link, sizeof link - 1) > 0);
    assert_null(strstr(link, "\xe2.runnel"));
    assert_null(strstr(link, "\xe2\x82.runnel"));
    assert_int_equal(rn_outfile_commit(&f, true), 0);
    assert_null(strstr(f.path, "\xe2.partial"));
    assert_null(strstr(f.path, "\xe2\x82.partial"));
}

/* ---- permissions */

static void replace(const char *path)
{
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    OWNED(rn_outfile_free) struct rn_outfile f = begin(path);
    unit_write(f.temp, "new");
    assert_int_equal(rn_outfile_commit(&f, false), 0);
    assert_text(path, "new");
}

TWICE(modes)
{
    static const mode_t old[][2] = {{0600, 0600},  {0664, 0664},  {0444, 0444},  {0755, 0755},
                                    {06777, 0777}, {04755, 0755}, {01644, 0644}, {02640, 0640}};
    replace("fresh");
    assert_int_equal(unit_mode("fresh"), 0644);
    for (int i = 0; i < COUNT(old); i++) {
        make_file("m", OURS, old[i][0]);
        replace("m");
        assert_int_equal(unit_mode("m"), old[i][1]);
        unlink("m");
    }
}

TWICE(hidden_while_incomplete)
{
    struct rn_outfile f = begin("h");
    if (no_tmpfile) {
        assert_int_equal(created, 0600); /* from the beginning: who has opened it keeps it open */
        assert_int_equal(unit_mode(f.temp), 0600);
    }
    end(&f, "new", false, "h");
    assert_int_equal(unit_mode("h"), 0644);
}

static void assert_owner(const char *path, uid_t uid, gid_t gid, mode_t mode)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    assert_int_equal(st.st_uid, uid);
    assert_int_equal(st.st_gid, gid);
    assert_int_equal(st.st_mode & 07777, mode);
}

TWICE(other_users_files)
{
    if (geteuid() != 0)
        skip();
    make_file("o", OTHER, 06777);
    replace("o");
    assert_owner("o", OTHER, OTHER, 0777); /* as writing into it would leave it */
    for (mode_t sticky = 0; sticky <= S_ISVTX; sticky += S_ISVTX) {
        make_folder("all", sticky | 0777);
        make_file("all/o", OTHER, 06666);
        replace("all/o");
        assert_owner("all/o", 0, 0, 0644);
        assert_int_equal(system("rm -rf all"), 0);
    }
}

static void expect_success(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* As a user who is not root: what belongs to another may stand in a folder of ours. */
TWICE(without_privileges)
{
    if (geteuid() != 0)
        skip();
    make_file("u", 0, 06676);
    make_file("g", 0, 0660);
    assert_int_equal(chown("g", OTHER, 0), 0);
    assert_int_equal(chown(".", OTHER, OTHER), 0);
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        bool changed = !setgroups(0, NULL) && !setgid(OTHER) && !setuid(OTHER);
        struct rn_outfile f;
        rn_outfile_set_policy(RN_OVERWRITE_YES);
        for (const char *name = "ug"; changed && *name; name++) {
            const char path[] = {*name, '\0'};
            if (rn_outfile_begin(&f, path))
                _exit(1);
            unit_write(f.temp, "new");
            if (rn_outfile_commit(&f, false))
                _exit(2);
            rn_outfile_free(&f);
        }
        _exit(changed ? 0 : 3);
    }
    expect_success(child);
    assert_owner("u", OTHER, OTHER, 0644);
    assert_owner("g", OTHER, OTHER, 0600); /* the group cannot be kept: no other gets its rights */
}

static const char acl_name[] = "system.posix_acl_access";

/* Owner rw, user 65534 rw, the group nothing, others nothing: as a mode it reads 0660. */
static bool set_acl(const char *path)
{
    static const struct {
        uint32_t version;
        struct {
            uint16_t tag, perm;
            uint32_t id;
        } e[5];
    } acl = {2, {{1, 6, -1U}, {2, 6, OTHER}, {4, 0, -1U}, {16, 6, -1U}, {32, 0, -1U}}};
    return !setxattr(path, acl_name, &acl, sizeof acl, 0);
}

TWICE(access_lists)
{
    char acl[256];
    unit_write("l", "old");
    if (!set_acl("l"))
        skip();
    assert_int_equal(unit_mode("l"), 0660);
    replace("l");
    assert_int_equal(unit_mode("l"), 0660);
    assert_int_equal(getxattr("l", acl_name, acl, sizeof acl), 44);
    if (geteuid() != 0)
        return;
    make_folder("all", 01777);
    make_file("all/l", OTHER, 0644);
    assert_true(set_acl("all/l"));
    replace("all/l");
    assert_owner("all/l", 0, 0, 0600);
    assert_int_equal(getxattr("all/l", acl_name, acl, sizeof acl), -1);
}

/* ---- links */

TWICE(links_stay)
{
    struct stat st;
    assert_int_equal(mkdir("far", 0777), 0);
    assert_int_equal(symlink("far/not-yet.mp4", "out.mp4"), 0);
    assert_int_equal(symlink("./out.mp4", "again.mp4"), 0);
    replace("again.mp4");
    replace("out.mp4");
    assert_true(!lstat("out.mp4", &st) && S_ISLNK(st.st_mode));
    assert_true(!lstat("far/not-yet.mp4", &st) && S_ISREG(st.st_mode));
    assert_int_equal(entries(), 3);
    assert_int_equal(system("rm -rf far"), 0);
    expect_refused("out.mp4"); /* its folder is missing */
    assert_true(!lstat("out.mp4", &st) && S_ISLNK(st.st_mode));
}

TWICE(loops)
{
    assert_int_equal(symlink("two", "one") | symlink("one", "two"), 0);
    assert_int_equal(rn_outfile_allowed("one"), RN_EOUTPUT);
    expect_refused("one");
    expect_refused("one/x");
    assert_int_equal(entries(), 2);
}

static void set_traps(mode_t mode)
{
    make_folder("all", mode);
    assert_int_equal(symlink("../victim", "all/link"), 0);
    assert_int_equal(symlink("..", "all/folder"), 0);
    assert_int_equal(mkfifo("all/pipe", 0666), 0);
    assert_int_equal(symlink("../victim", "all/mine"), 0);
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    static const char *const traps[][2] = {
        {"all/link", "all/link"}, {"all/folder", "all/folder/victim"}, {"all/pipe", "all/pipe"}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lchown(traps[i][0], OTHER, OTHER), 0);
        assert_int_equal(rn_outfile_allowed(traps[i][1]), RN_EOUTPUT);
        expect_refused(traps[i][1]);
    }
    assert_int_equal(access("victim", F_OK), -1);
    replace("all/mine");
    assert_text("victim", "new");
    assert_int_equal(system("rm -rf all victim"), 0);
}

TWICE(traps_in_shared_folders)
{
    if (geteuid() != 0)
        skip();
    set_traps(01777);
    set_traps(0777);
}

/* ---- what killed processes leave */

/* Begins d/o in another process; it lives until the pipe is closed. */
static pid_t begin_elsewhere(int *lifeline)
{
    int ready[2], life[2];
    char byte;
    assert_int_equal(pipe(ready) | pipe(life), 0);
    pid_t child = fork();
    if (!child) {
        struct rn_outfile f;
        close(life[1]);
        if (rn_outfile_begin(&f, "d/o.mp4") || write(ready[1], "", 1) != 1)
            _exit(1);
        _exit(read(life[0], &byte, 1) != 0);
    }
    close(ready[1]);
    close(life[0]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    *lifeline = life[1];
    return child;
}

/* A process of its own looks into each folder once. */
static void begin_and_free_elsewhere(void)
{
    pid_t child = fork();
    if (!child) {
        struct rn_outfile f;
        int err = rn_outfile_begin(&f, "d/next.mp4");
        rn_outfile_free(&f);
        _exit(err != 0);
    }
    expect_success(child);
}

FIRST_TURN(litter_is_swept, 1)
SECOND_TURN(litter_is_swept, 2)
static void litter_is_swept(void **state)
{
    int lifeline;
    assert_int_equal(mkdir("d", 0777), 0);
    unit_write("d/.o.mp4.runnel-notours", "not ours");
    pid_t child = begin_elsewhere(&lifeline);
    int busy = unit_entries("d");
    assert_int_equal(busy, no_tmpfile ? 2 : 1);
    begin_and_free_elsewhere();
    assert_int_equal(unit_entries("d"), busy); /* it lives */
    close(lifeline);
    assert_int_equal(waitpid(child, NULL, 0), child); /* dies without a word */
    assert_int_equal(unit_entries("d"), busy);
    begin_and_free_elsewhere();
    assert_int_equal(unit_entries("d"), 1);
}

/* Who locks a file just after it was created takes it for a dead one, and will remove it. */
SECOND_TURN(sweepers_are_believed, 20000)
static void sweepers_are_believed(void **state)
{
    struct rn_outfile f = begin("w"); /* by now it is known what the folder can do */
    rn_outfile_free(&f);
    sweeper = true;
    f = begin("w");
    assert_false(sweeper);
    struct stat doomed, st;
    assert_int_equal(fstat(sweeper_lock, &doomed) | stat(f.temp, &st), 0);
    assert_int_not_equal(doomed.st_ino, st.st_ino);
    close(sweeper_lock);
    rn_outfile_free(&f);
    assert_int_equal(entries(), 0);
}

static void die_elsewhere(char name[300])
{
    int lifeline;
    pid_t child = begin_elsewhere(&lifeline);
    close(lifeline);
    assert_int_equal(waitpid(child, NULL, 0), child);
    DIR *d = opendir("d");
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (strstr(e->d_name, ".runnel-"))
            snprintf(name, 300, "d/%s", e->d_name);
    closedir(d);
}

/* Killed at its last steps: with both names, where none can be exchanged for the other, and with
 * the permissions of a file that it was to replace. */
SECOND_TURN(litter_of_the_last_moment, 3)
static void litter_of_the_last_moment(void **state)
{
    char name[300] = "";
    make_folder("d", 0777);
    die_elsewhere(name);
    assert_int_equal(link(name, "d/o.mp4"), 0);
    begin_and_free_elsewhere();
    assert_int_equal(access(name, F_OK), -1);
    assert_int_equal(access("d/o.mp4", F_OK), 0);
    die_elsewhere(name);
    assert_int_equal(chmod(name, 0444), 0);
    if (geteuid() == 0)
        assert_int_equal(chown(name, OTHER, OTHER) | chmod(unit_folder, 0711) | seteuid(OTHER), 0);
    begin_and_free_elsewhere();
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(unit_entries("d"), 1);
}

TWICE(waiting_for_the_disk_may_be_interrupted)
{
    make_file("i", OURS, 0644);
    interrupted = 2;
    replace("i");
    assert_true(interrupted <= 0);
    assert_int_equal(unit_mode("i"), 0644);
    if (no_tmpfile)
        assert_int_equal(synced, 0600); /* who is killed meanwhile leaves what he can remove */
}

/* ---- descriptors */

TWICE(descriptors_are_left_alone)
{
    int fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0666);
    assert_true(fd >= 0 && write(fd, "first", 5) == 5);
    const char *name = formatted("/dev/fd/%d", fd);
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    assert_int_equal(rn_outfile_allowed(name), RN_EOUTPUT); /* opened anew it would be cut off */
    expect_refused(name);
    assert_text("log", "first");
    close(fd);
    assert_int_equal(rn_outfile_allowed(name), RN_EOUTPUT);
    expect_refused(name);
    assert_int_equal(entries(), 1);
}

GROUP(.quiet = true, .before_each = enter_folder, .after_each = unit_leave_folder);
