/* SPDX-License-Identifier: MIT */
/* The table of commands: a row is enough for a command to have its keys, its name for scripts, its
 * lines in the help and in `play --keys`. And the texts of the options. */
#include "tests/unit.h"

#include "app/cli.h"
#include "app/play/control/command_table.h"
#include "app/help/help.h"
#include "filters/base/text/words.h"

static struct rn_ui_keymap map;

#define EACH(c)                                                                                    \
    const struct rn_ui_command *const *c = rn_play_commands();                                     \
    *c;                                                                                            \
    c++

static bool has_key(const struct rn_ui_command *c)
{
    return !(c->flags & RN_COMMAND_SCRIPT);
}

TEST(names_and_lines_of_help_are_unique)
{
    for (EACH(c)) {
        const struct rn_play_command *row = (const struct rn_play_command *)*c;
        if ((*c)->name[strspn((*c)->name, "abcdefghijklmnopqrstuvwxyz-_")] ||
            !strcmp((*c)->name, "none"))
            fail_msg("'%s' is no name", (*c)->name);
        if (rn_ui_command_find(rn_play_commands(), (*c)->name) != *c)
            fail_msg("'%s' is there twice", (*c)->name);
        if (row->also && rn_ui_command_find(rn_play_commands(), row->also))
            fail_msg("'%s', another name of '%s', is there twice", row->also, (*c)->name);
        assert_true((*c)->help && *(*c)->help);
        assert_true(row->run || row->attempt || row->attempt_by || row->act || row->act_by);
        for (const struct rn_ui_command *const *other = rn_play_commands(); other < c; other++)
            if (!strcmp((*other)->help, (*c)->help))
                fail_msg("'%s' stands twice in the help", (*c)->help);
    }
    assert_null(rn_ui_command_find(rn_play_commands(), "no-command"));
}

TEST(arguments_are_whole)
{
    for (EACH(c)) {
        const struct rn_play_command *row = (const struct rn_play_command *)*c;
        int n = 0;
        for (int i = 0; i < RN_UI_ARGS; i++) {
            const struct rn_ui_arg *arg = &(*c)->args[i];
            bool named = arg->type == RN_ARG_CHOICE ? arg->choices[0] != NULL : arg->name != NULL;
            if (arg->type ? !named || i > n : arg->name != NULL)
                fail_msg("%s: argument %d has no name or no type", (*c)->name, i);
            n += arg->type != RN_ARG_NONE;
        }
        if (row->least > n)
            fail_msg("%s wants %d arguments of %d", (*c)->name, row->least, n);
        if (has_key(*c) && rn_ui_command_has_argument(*c) &&
            !rn_ui_command_takes(*c, rn_ui_command_default(*c)))
            fail_msg("%s: not its argument: %d", (*c)->name, rn_ui_command_default(*c));
    }
    const struct rn_ui_command *seek = rn_ui_command_find(rn_play_commands(), "seek");
    assert_false(rn_ui_command_takes(seek, 0));
    assert_false(rn_ui_command_takes(seek, 86401));
    const struct rn_ui_command *quit = rn_ui_command_find(rn_play_commands(), "quit");
    assert_false(rn_ui_command_takes(quit, 1));
}

/* Of a row all keys are read, with arguments that it takes; no key is there twice. */
TEST(keys_are_whole)
{
    rn_ui_keymap_default(&map, rn_play_commands());
    for (EACH(c)) {
        int n = 0, bound = 0;
        for (const char *key = (*c)->keys; key; key = strstr(key + 1, " | "))
            n++;
        for (int i = 0; i < map.n; i++)
            bound += map.binding[i].command == *c;
        if (n != bound || (n > 0) != has_key(*c))
            fail_msg("%s: '%s' are %d keys, not %d", (*c)->name, (*c)->keys, bound, n);
    }
    for (int i = 0; i < map.n; i++)
        if (rn_ui_keymap_find(&map, &map.binding[i].key) != &map.binding[i])
            fail_msg("a key of %s is there twice", map.binding[i].command->name);
}

/* The name of each in the list for scripts. */
static bool is_listed(const json_t *list, const char *name)
{
    size_t i;
    json_t *entry;
    json_array_foreach((json_t *)list, i,
                       entry) if (!strcmp(json_string_value(json_object_get(entry, "name")),
                                          name)) return json_object_get(entry, "takes") &&
        *json_string_value(json_object_get(entry, "help"));
    return false;
}

TEST(keys_that_others_may_write_are_left_out)
{
    const char *const path = "runnel/keys";
    assert_int_equal(unit_enter_folder(NULL), 0);
    setenv("XDG_CONFIG_HOME", unit_folder, 1);
    assert_int_equal(mkdir("runnel", 0700), 0);
    unit_write(path, "F9 no-such-command\n");
    assert_int_equal(chmod(path, 0644), 0);
    unit_hear(true);
    rn_ui_keymap_default(&map, rn_play_commands());
    assert_int_equal(rn_ui_keymap_load(&map), RN_EUSAGE); /* it is read */
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(rn_ui_keymap_load(&map), 0);
    assert_int_equal(chmod(path, 0644) | chmod("runnel", 0777), 0);
    assert_int_equal(rn_ui_keymap_load(&map), 0);
    assert_int_equal(unit_heard[RN_LOG_WARNING], 2);
    assert_non_null(strstr(unit_said(), "/runnel' may be written by others"));
    unit_hear(false);
    unsetenv("XDG_CONFIG_HOME");
    unit_leave_folder(NULL);
}

TEST(all_is_made_from_the_rows)
{
    OWNED(rn_free_owned) char *keys = NULL;
    size_t size;
    OWNED(rn_free_owned) struct rn_ui_key_line *lines;
    rn_ui_keymap_default(&map, rn_play_commands());
    json_t *list = rn_play_command_list();
    int n = rn_ui_keymap_lines(&map, false, &lines);
    FILE *f = open_memstream(&keys, &size);
    rn_ui_keymap_print(&map, f);
    assert_int_equal(fclose(f), 0);
    for (EACH(c)) {
        char help[128];
        int told = 0;
        rn_ui_command_help(*c, rn_ui_command_default(*c), help, sizeof help);
        for (int i = 0; i < n; i++)
            told += !strcmp(lines[i].help, help);
        const char *line = formatted("\n# %s: %s", (*c)->name, help);
        if (!is_listed(list, (*c)->name))
            fail_msg("no script is told of %s", (*c)->name);
        if ((strstr(keys, line) != NULL) != has_key(*c))
            fail_msg("%s and --keys", (*c)->name);
        if (told != has_key(*c))
            fail_msg("'%s' stands %d times in the help", help, told);
    }
    json_decref(list);
}

/* ---- the field in which commands are typed */

static void expect_offer(const char *line, int n, const char *name)
{
    struct rn_app_offer offer;
    assert_true(rn_play_command_offer(line, n, &offer));
    assert_string_equal(offer.name, name);
}

static void expect_completed(const char *line, const char *want)
{
    char typed[64];
    snprintf(typed, sizeof typed, "%s", line);
    rn_play_command_complete(typed, sizeof typed, 0);
    assert_string_equal(typed, want);
}

TEST(every_command_is_offered)
{
    struct rn_app_offer offer;
    for (EACH(c)) {
        expect_offer((*c)->name, 0, (*c)->name);
        assert_true(rn_play_command_offer((*c)->name, 0, &offer) && *offer.note);
    }
    assert_true(rn_play_command_offer("states ", 0, &offer) && *offer.note);
    expect_offer("mark", 0, "mark-begin");
    static const char *const of_snapshots[] = {"snapshot", "store",   "flip",
                                               "states",   "compare", "take"};
    for (size_t i = 0; i < sizeof of_snapshots / sizeof *of_snapshots; i++) {
        int n = 0;
        while (rn_play_command_offer("snap", n, &offer) && strcmp(offer.name, of_snapshots[i]) != 0)
            n++;
        assert_true(rn_play_command_offer("snap", n, &offer) && !n == !i);
    }
    assert_false(rn_play_command_offer("no-such", 0, &offer));
}

TEST(names_and_words_are_completed)
{
    expect_completed("screens", "screenshot ");
    expect_completed("  mut", "  mute");
    expect_completed("seek 5 abs", "seek 5 absolute");
    expect_completed("set_property pau", "set_property pause ");
    expect_completed("get_property pau", "get_property pause");
    expect_completed("seek 5", "seek 5");
    expect_completed("nothing 5", "nothing 5");
    expect_offer("frame ", 0, "N");
}

/* ---- options.words */

TEST(options_have_their_texts)
{
    for (const struct rn_app_option_row *row = rn_app_options; row->name; row++) {
        bool parsed = row->arg && (row->set || row->max || row->words);
        if (!rn_app_option_text(row, ""))
            fail_msg("--%s has no help", row->name);
        if (parsed != (rn_app_option_text(row, ":takes") != NULL))
            fail_msg("--%s: what it takes", row->name);
    }
    extern const struct rn_word_row rn_app_option_texts[];
    for (const struct rn_word_row *row = rn_app_option_texts; row->words; row++)
        for (const char *word = row->words; *word; word += strcspn(word, " "), word += *word == ' ')
            if (!rn_app_option_named(word, strcspn(word, ": ")))
                fail_msg("a text of no option: %s", word);
}
