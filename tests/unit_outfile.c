/* Files that appear only when they are complete. */
#include "tests/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/outfile.h"

static char folder[64];

static int enter_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/unit-outfile-XXXXXX");
    return !mkdtemp(folder) || chdir(folder);
}

static int entries(void)
{
    DIR *d = opendir(".");
    int n = 0;
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

static int leave_folder(void **state)
{
    (void)state;
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        unlink(e->d_name);
    closedir(d);
    return chdir("/") || rmdir(folder);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void assert_text(const char *path, const char *want)
{
    char buf[64] = "";
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("%s is not there", path);
    if (!fgets(buf, sizeof buf, f))
        buf[0] = '\0';
    fclose(f);
    assert_string_equal(buf, want);
}

static void appears_on_commit(void **state)
{
    (void)state;
    struct rn_outfile f;
    write_text("a.mp4", "old");
    assert_int_equal(rn_outfile_begin(&f, "a.mp4"), 0);
    assert_string_not_equal(f.temp, "a.mp4");
    assert_string_equal(strrchr(f.temp, '.'), ".mp4");
    write_text(f.temp, "new");
    assert_text("a.mp4", "old");
    assert_int_equal(rn_outfile_commit(&f, false), 0);
    assert_text("a.mp4", "new");
    rn_outfile_free(&f);
    assert_int_equal(entries(), 1);
}

static void partials_are_kept(void **state)
{
    (void)state;
    static const char *const names[] = {"p.partial.mkv", "p.partial-2.mkv", "p.partial-3.mkv"};
    for (int i = 0; i < 3; i++) {
        struct rn_outfile f;
        assert_int_equal(rn_outfile_begin(&f, "p.mkv"), 0);
        write_text(f.temp, names[i]);
        assert_int_equal(rn_outfile_commit(&f, true), 0);
        assert_string_equal(f.path, names[i]);
        rn_outfile_free(&f);
        char *name = rn_outfile_partial("p.mkv");
        assert_string_equal(name, names[i]);
        free(name);
    }
    for (int i = 0; i < 3; i++)
        assert_text(names[i], names[i]);
    char *none = rn_outfile_partial("q.mkv");
    assert_string_equal(none, "q.mkv");
    free(none);
}

static void partial_keeps_old(void **state)
{
    (void)state;
    struct rn_outfile f;
    write_text("b.c.mkv", "old");
    assert_int_equal(rn_outfile_begin(&f, "b.c.mkv"), 0);
    write_text(f.temp, "half");
    assert_int_equal(rn_outfile_commit(&f, true), 0);
    assert_string_equal(f.path, "b.c.partial.mkv");
    assert_text("b.c.mkv", "old");
    assert_text("b.c.partial.mkv", "half");
    rn_outfile_free(&f);
    assert_int_equal(entries(), 2);
}

static void stop_as_partial(const char *path, const char *want)
{
    struct rn_outfile f;
    assert_int_equal(rn_outfile_begin(&f, path), 0);
    write_text(f.temp, "half");
    assert_int_equal(rn_outfile_commit(&f, true), 0);
    assert_string_equal(f.path, want);
    rn_outfile_free(&f);
}

static void kept_files_are_not_replaced(void **state)
{
    (void)state;
    write_text("k.partial.mkv", "the input");
    write_text("k.partial-2.mkv", "older");
    assert_int_equal(symlink("k.partial.mkv", "link.mkv"), 0);
    assert_int_equal(rn_outfile_keep("link.mkv"), 0);
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    stop_as_partial("k.mkv", "k.partial-2.mkv");
    rn_outfile_set_policy(RN_OVERWRITE_ASK);
    stop_as_partial("k.mkv", "k.partial-3.mkv");
    assert_text("k.partial.mkv", "the input");
    assert_text("k.partial-2.mkv", "half");
}

static void free_removes(void **state)
{
    (void)state;
    struct rn_outfile f, zero = {0};
    assert_int_equal(rn_outfile_begin(&f, "./c"), 0);
    assert_int_equal(entries(), 1);
    rn_outfile_free(&f);
    rn_outfile_free(&zero);
    assert_int_equal(entries(), 0);
}

static void two_at_once_do_not_meet(void **state)
{
    (void)state;
    struct rn_outfile f, g;
    assert_int_equal(rn_outfile_begin(&f, "d.png"), 0);
    assert_int_equal(rn_outfile_begin(&g, "d.png"), 0);
    assert_string_not_equal(f.temp, g.temp);
    rn_outfile_free(&f);
    rn_outfile_free(&g);
    assert_int_equal(entries(), 0);
}

static void remove_all_removes(void **state)
{
    (void)state;
    struct rn_outfile f, g, done;
    assert_int_equal(rn_outfile_begin(&f, "e.mp4"), 0);
    assert_int_equal(rn_outfile_begin(&g, "f.csv"), 0);
    assert_int_equal(rn_outfile_begin(&done, "g.csv"), 0);
    assert_int_equal(rn_outfile_commit(&done, false), 0);
    rn_outfile_remove_all();
    assert_int_equal(entries(), 1);
    assert_int_equal(access("g.csv", F_OK), 0);
    rn_outfile_free(&f);
    rn_outfile_free(&g);
    rn_outfile_free(&done);
}

static void failures(void **state)
{
    (void)state;
    struct rn_outfile f;
    assert_int_equal(rn_outfile_begin(&f, "none/a.mp4"), RN_EOUTPUT);
    rn_outfile_free(&f);
    assert_int_equal(rn_outfile_begin(&f, "/tmp"), RN_EOUTPUT);
    rn_outfile_free(&f);
    /* The place went away between writing and renaming. */
    assert_int_equal(mkdir("sub", 0777), 0);
    assert_int_equal(rn_outfile_begin(&f, "sub/a.mp4"), 0);
    assert_int_equal(unlink(f.temp), 0);
    assert_int_equal(rmdir("sub"), 0);
    assert_int_equal(rn_outfile_commit(&f, false), RN_EOUTPUT);
    rn_outfile_free(&f);
    assert_int_equal(entries(), 0);
}

static void devices_are_written_directly(void **state)
{
    (void)state;
    struct rn_outfile f;
    assert_int_equal(rn_outfile_begin(&f, "/dev/null"), 0);
    assert_string_equal(f.temp, "/dev/null");
    assert_int_equal(rn_outfile_commit(&f, false), 0);
    rn_outfile_free(&f);
    assert_int_equal(access("/dev/null", F_OK), 0);
    assert_int_equal(rn_outfile_begin(&f, "/dev/null"), 0);
    rn_outfile_remove_all();
    rn_outfile_free(&f);
    assert_int_equal(access("/dev/null", F_OK), 0);
}

static int asked;

static bool answer_no(const char *path)
{
    (void)path;
    asked++;
    return false;
}

static bool answer_yes(const char *path)
{
    assert_string_equal(path, "h.mp4");
    asked++;
    return true;
}

static void permission(void **state)
{
    (void)state;
    write_text("h.mp4", "old");
    rn_outfile_set_policy(RN_OVERWRITE_ASK); /* nobody is there to answer: refused */
    assert_int_equal(rn_outfile_allowed("h.mp4"), RN_EOUTPUT);
    assert_int_equal(rn_outfile_allowed("new.mp4"), 0);
    assert_int_equal(rn_outfile_allowed("/dev/null"), 0);
    rn_outfile_set_policy(RN_OVERWRITE_NO);
    assert_int_equal(rn_outfile_allowed("h.mp4"), RN_EOUTPUT);
    rn_outfile_set_policy(RN_OVERWRITE_YES);
    assert_int_equal(rn_outfile_allowed("h.mp4"), 0);
}

static void answers(void **state)
{
    (void)state;
    write_text("h.mp4", "old");
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

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(appears_on_commit),
        IN_FOLDER(partial_keeps_old),
        IN_FOLDER(partials_are_kept),
        IN_FOLDER(kept_files_are_not_replaced),
        IN_FOLDER(free_removes),
        IN_FOLDER(two_at_once_do_not_meet),
        IN_FOLDER(remove_all_removes),
        IN_FOLDER(failures),
        IN_FOLDER(devices_are_written_directly),
        IN_FOLDER(permission),
        IN_FOLDER(answers),
    };
    rn_log_set_level(RN_LOG_QUIET);
    return cmocka_run_group_tests_name("outfile", tests, NULL, NULL);
}
