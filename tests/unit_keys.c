/* SPDX-License-Identifier: MIT */
/* Keys: every name reads back, whatever the window can do has a key, every key is told, none is
 * there twice; the file of keys; layouts. */
#include "tests/unit.h"

#include "app/play/control/command_table.h"
#include "filters/base/text/printable.h"
#include "ui/keys/keyboard.h"

static struct rn_ui_keymap map;

static const struct rn_ui_binding *bound(const char *name)
{
    struct rn_ui_key key;
    if (!rn_ui_key_parse(&key, name))
        fail_msg("'%s' is no key", name);
    return rn_ui_keymap_find(&map, &key);
}

static void expect_bound(const char *name, const char *action, int count)
{
    const struct rn_ui_binding *b = bound(name);
    if (!b || !b->command || strcmp(b->command->name, action) != 0 || b->count != count)
        fail_msg("%s: %s %d, not %s %d", name, b && b->command ? b->command->name : "nothing",
                 b ? b->count : 0, action, count);
}

static void expect_name(const char *text, const char *name)
{
    struct rn_ui_key key, again;
    char buf[RN_KEY_NAME];
    if (!rn_ui_key_parse(&key, text))
        fail_msg("'%s' is no key", text);
    assert_string_equal(rn_ui_key_print(&key, buf), name);
    assert_true(rn_ui_key_parse(&again, buf));
    assert_true(again.code == key.code && again.mods == key.mods);
}

TEST(names_read_back)
{
    for (int i = 0; i < map.n; i++) {
        char name[RN_KEY_NAME];
        rn_ui_key_print(&map.binding[i].key, name);
        expect_name(name, name);
    }
    // clang-format off
    static const char *const pairs[][2] = {
        {"padlup", "PadLUp"}, {"tab", "Tab"}, {"PAGEDOWN", "PgDn"}, {"shift+return", "Shift+Enter"},
        {"Shift+q", "Q"}, {"Ctrl+Q", "Ctrl+Shift+q"}, {"Ctrl++", "Ctrl++"}, {"+", "+"},
        {"sharp", "Sharp"}, {"Ctrl+Sharp", "Ctrl+Sharp"}, {"Alt+Shift+5", "Alt+Shift+5"},
        {"\xc3\xa9", "\xc3\xa9"}, {"\xd0\x99", "\xd0\x99"},
        {"shift+alt+ctrl+F12", "Ctrl+Alt+Shift+F12"}};
    // clang-format on
    for (int i = 0; i < COUNT(pairs); i++)
        expect_name(pairs[i][0], pairs[i][1]);
}

TEST(what_is_no_key)
{
    static const char *const names[] = {
        "",     "qq",     "Ctrl+",       "Shift+5", "Shift+\xc3\xa9",
        "\xff", "\xc3",   "Tab ",        "Super+q", "Ctrl+Ctrl+q",
        "F99",  "Ctrl",   "\xc2\xa0",    "\x1b",    "\xe2\x80\xae",
        "Up+q", "Tab+Up", "\xed\xa0\x80"};
    struct rn_ui_key key;
    for (int i = 0; i < COUNT(names); i++)
        if (rn_ui_key_parse(&key, names[i]))
            fail_msg("'%s' is taken for a key", names[i]);
}

TEST(utf8_goes_round)
{
    char text[RN_UTF8_MOST];
    uint32_t back = 0;
    for (uint32_t c = 0; c <= 0x110000; c++) {
        size_t n = rn_utf8_encode(c, text);
        bool is = c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
        if ((n != 0) != is || (n && (rn_utf8_decode(text, &back) != n || back != c)))
            fail_msg("U+%04X", (unsigned)c);
    }
}

/* ---- tables */

static void expect_line_of(bool pad, const char *keys, const char *help)
{
    struct rn_ui_key_line *line;
    int n = rn_ui_keymap_lines(&map, pad, &line), found = 0;
    for (int i = 0; i < n; i++)
        found += !strcmp(line[i].keys, keys) && !strcmp(line[i].help, help);
    for (int i = 0; i < n && !found; i++)
        print_message("%s: %s\n", line[i].keys, line[i].help);
    free(line);
    assert_int_equal(found, 1);
}

static void expect_line(const char *keys, const char *help)
{
    expect_line_of(false, keys, help);
}

static int read_keys(const char *text)
{
    OWNED(rn_free_owned) char *copy = strdup(text);
    return rn_ui_keymap_read(&map, copy, "keys");
}

/* Reads them in place of all others but the default ones. */
static int read_anew(const char *text)
{
    rn_ui_keymap_default(&map, rn_play_commands());
    return read_keys(text);
}

TEST(the_help_has_the_keys_in_force)
{
    expect_line("Up / Down, + / -, =", "change it by one step");
    expect_line("Shift+Up / Shift+Down", "change it by 10 steps");
    expect_line("Shift+F1 - F4", "store the chain as snapshot A - D");
    expect_line("Alt+1 - 9", "select a stage by its number");
    expect_line("> / <", "next / previous of several inputs");
    expect_line("d, Shift+drag", "read samples; measure a region");
    assert_int_equal(read_keys("= none\nCtrl+Up step 25\nAlt+5 quit\nAlt+6 none\nF2 none\n"), 0);
    expect_line("Up / Down, + / -", "change it by one step");
    expect_line("Ctrl+Up", "change it by 25 steps");
    expect_line("Alt+1 - 4, Alt+7 - 9", "select a stage by its number");
    expect_line("F1, F3, F4", "go to snapshot A - D");
    expect_line("Alt+5, q", "quit");
    expect_line_of(true, "PadUp / PadDown", "change it by one step");
    assert_int_equal(read_keys("PadUp quit\nPadRB none\n"), 0);
    expect_line_of(true, "PadUp", "quit");
    expect_line_of(true, "PadLB", "next / previous stage");
}

/* Whatever has a key is in the help, and shows there in full. */
TEST(every_key_is_told)
{
    struct rn_ui_key_line *line;
    for (int pad = 0; pad < 2; pad++) {
        int n = rn_ui_keymap_lines(&map, pad, &line);
        assert_true(n > 3);
        for (int i = 0; i < n; i++)
            if (!*line[i].keys || !*line[i].help || strlen(line[i].keys) > 24 ||
                strlen(line[i].help) > 42)
                fail_msg("'%s' '%s': nothing, or too long for the help", line[i].keys,
                         line[i].help);
        free(line);
    }
}

/* ---- the file */

TEST(a_file_changes_keys)
{
    int n = map.n;
    assert_int_equal(
        read_keys("\xef\xbb\xbf# comment\n\n  Y \tquit # leave\r\nq none\nCtrl+Right seek 60\n"
                  "Ctrl+Left seek -60\nSharp mute\nj stage-next\nF1 snapshot 4"),
        0);
    assert_int_equal(map.n, n + 5);
    expect_bound("Y", "quit", 0);
    expect_bound("Ctrl+Right", "seek", 60);
    expect_bound("Ctrl+Left", "seek", -60);
    expect_bound("Sharp", "mute", 0);
    expect_bound("j", "stage-next", 1);
    expect_bound("F1", "snapshot", 4);
    expect_bound("Tab", "param-next", 1);
    assert_non_null(bound("q"));
    assert_null(bound("q")->command);
}

static void expect_refused(const char *text, const char *why)
{
    assert_int_equal(read_anew(text), RN_EUSAGE);
    const char *said = unit_said();
    if (!strstr(said, why))
        fail_msg("'%s', not '%s'", said, why);
}

TEST(mistakes_have_a_line)
{
    expect_refused("q quti", "keys:1: unknown action 'quti' (did you mean 'quit'?)");
    expect_refused("#\n\nq a-thing-that-no-one-knows", "keys:3: unknown action 'a-thing");
    expect_refused("PageDwn quit", "keys:1: unknown key 'PageDwn' (did you mean 'PageDown'?)");
    expect_refused("Shift+5 quit", "keys:1: 'Shift+5': write the sign itself that it types");
    expect_refused("q seek 0", "keys:1: 'seek' takes a whole number -86400..86400 but 0, not '0'");
    expect_refused("q seek 1e3", "not '1e3'");
    expect_refused("q seek --1", "not '--1'");
    expect_refused("q seek 99999999999999999999", "keys:1: 'seek' takes");
    expect_refused("q zoom 0", "keys:1: 'zoom' takes a whole number 1..64, not '0'");
    expect_refused("q quit 1", "keys:1: 'quit' takes no argument, not '1'");
    expect_refused("q set_property", "keys:1: 'set_property' is for scripts");
    expect_refused("q none 1", "keys:1: 'none' takes no argument, not '1'");
    expect_refused("q", "keys:1: a line is KEY action [argument], or KEY none");
    expect_refused("q seek 1 2", "keys:1: a line is");
    expect_refused("Q quit\nShift+q none", "keys:2: Q is in line 1 already");
}

TEST(every_mistake_is_told_and_the_other_lines_hold)
{
    unit_said();
    assert_int_equal(read_keys("u redo\nq quti\nY quit\nF1 seek 0\nu none\nj mute"), RN_EUSAGE);
    assert_string_equal(unit_said(),
                        "keys:2: unknown action 'quti' (did you mean 'quit'?)\n"
                        "keys:4: 'seek' takes a whole number -86400..86400 but 0, not '0'\n"
                        "keys:5: u is in line 1 already");
    expect_bound("u", "redo", -1);
    expect_bound("q", "quit", 0);
    expect_bound("Y", "quit", 0);
    expect_bound("F1", "snapshot", 1);
    expect_bound("j", "mute", 0);
}

static char *printed(void)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    rn_ui_keymap_print(&map, f);
    assert_int_equal(fclose(f), 0);
    return text;
}

TEST(what_is_printed_reads_back)
{
    static const char *const files[] = {
        "", "q none\nX quit\n# x\nCtrl+Alt+Shift+z undo\n\xd0\x99 quit\nSharp help\n"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(read_anew(files[i]), 0);
        OWNED(rn_free_owned) char *first = printed();
        assert_int_equal(read_anew(first), 0);
        OWNED(rn_free_owned) char *second = printed();
        assert_string_equal(first, second);
    }
}

/* Whatever a file holds, it is taken or refused, and what was taken reads back. */
TEST(garbage)
{
    static const char *const pieces[] = {"q",    "quit", " ",  "\n",    "seek",     "-",  "5",
                                         "none", "#",    "\t", "Ctrl+", "Shift+",   "F1", "\xc3",
                                         "\xa9", "\xff", "+",  "\r\n",  "99999999", "Up", "Tab"};
    char text[512];
    struct rng rng = rng_seed(7);
    int taken = 0;
    for (int round = 0; round < 20000; round++) {
        *text = '\0';
        for (int n = 0; n < 24; n++) {
            if (rng_below(&rng, 2))
                strcat(text, "\n q quit");
            strcat(text, pieces[rng_below(&rng, COUNT(pieces))]);
            if (round % 3)
                n += 20;
        }
        if (read_anew(text))
            continue;
        OWNED(rn_free_owned) char *once = printed();
        assert_int_equal(read_anew(once), 0);
        taken++;
    }
    assert_true(taken > 100);
}

TEST(a_long_file_is_refused)
{
    OWNED(rn_free_owned) char *text = calloc(2 * RN_MAX_KEYS, 16);
    size_t used = 0;
    assert_non_null(text);
    for (uint32_t c = 0x4E00; c < 0x4E00 + 2 * RN_MAX_KEYS; c++) {
        char sign[RN_UTF8_MOST];
        rn_utf8_encode(c, sign);
        used += (size_t)sprintf(text + used, "%s quit\n", sign);
    }
    assert_int_equal(read_anew(text), RN_EUSAGE);
    assert_non_null(strstr(rn_log_last(), "more than 1024 keys"));
}

/* ---- layouts */

static struct rn_ui_keyboard keyboard;

static const struct rn_ui_binding *key_down(SDL_Scancode place, SDL_Keycode sym, Uint16 mods)
{
    const SDL_KeyboardEvent down = {.keysym = {.scancode = place, .sym = sym, .mod = mods}};
    return rn_ui_keyboard_down(&keyboard, &map, &down);
}

/* A key that goes down, then what it types; the action's name, or "". */
static const char *press(SDL_Scancode place, SDL_Keycode sym, Uint16 mods, const char *types)
{
    const struct rn_ui_binding *b = key_down(place, sym, mods);
    if (types && !b)
        b = rn_ui_keyboard_text(&keyboard, &map, types, mods);
    else if (types && rn_ui_keyboard_text(&keyboard, &map, types, mods))
        return "twice";
    return b && b->command ? b->command->name : "";
}

TEST(keys_are_where_they_are_printed)
{
    /* French: q is at the US a, m at the US ;, a comma at the US m. */
    assert_string_equal(press(SDL_SCANCODE_A, 'q', 0, "q"), "quit");
    assert_string_equal(press(SDL_SCANCODE_W, 'z', 0, "z"), "zoom-fit");
    assert_string_equal(press(SDL_SCANCODE_Z, 'w', 0, "w"), "write-chain");
    assert_string_equal(press(SDL_SCANCODE_SEMICOLON, 'm', 0, "m"), "mute");
    assert_string_equal(press(SDL_SCANCODE_M, ',', 0, ","), "frame");
    assert_string_equal(press(SDL_SCANCODE_M, ',', KMOD_LSHIFT, "?"), "help");
    assert_string_equal(press(SDL_SCANCODE_R, 'r', KMOD_CAPS, "R"), "reset");
    assert_string_equal(press(SDL_SCANCODE_R, 'r', KMOD_LSHIFT, "R"), "reset-all");
    assert_string_equal(press(SDL_SCANCODE_RETURN, SDLK_RETURN, 0, NULL), "type");
    assert_string_equal(press(SDL_SCANCODE_KP_ENTER, SDLK_KP_ENTER, 0, NULL), "type");
    assert_string_equal(press(SDL_SCANCODE_SPACE, SDLK_SPACE, 0, " "), "pause");
    assert_string_equal(press(SDL_SCANCODE_TAB, SDLK_TAB, KMOD_LSHIFT, NULL), "param-next");
    assert_string_equal(press(SDL_SCANCODE_A, 'a', KMOD_LCTRL, "\x01"), "");
}

TEST(digits_need_no_shift)
{
    assert_string_equal(press(SDL_SCANCODE_1, SDLK_1, 0, "&"), "zoom");
    assert_string_equal(press(SDL_SCANCODE_2, SDLK_2, 0, "\xc3\xa9"), "zoom");
    assert_string_equal(press(SDL_SCANCODE_2, SDLK_2, KMOD_LSHIFT, "2"), "zoom");
    assert_string_equal(press(SDL_SCANCODE_0, SDLK_0, 0, "\xc3\xa0"), "volume");
    assert_string_equal(press(SDL_SCANCODE_6, SDLK_6, 0, "-"), "step"); /* printed there */
    assert_string_equal(press(SDL_SCANCODE_5, SDLK_5, KMOD_LALT, "("), "stage");
    assert_string_equal(press(SDL_SCANCODE_5, SDLK_5, KMOD_LALT | KMOD_LSHIFT, "5"), "stage");
    assert_string_equal(press(SDL_SCANCODE_1, SDLK_1, KMOD_LSHIFT, "!"), ""); /* US */
    assert_string_equal(press(SDL_SCANCODE_4, SDLK_4, KMOD_RALT, "\xc2\xac"), "");
    assert_int_equal(read_keys("' quit\n& none"), 0);
    assert_string_equal(press(SDL_SCANCODE_4, SDLK_4, 0, "'"), "quit");
    assert_string_equal(press(SDL_SCANCODE_1, SDLK_1, 0, "&"), "");
}

TEST(other_scripts_go_by_place)
{
    assert_string_equal(press(SDL_SCANCODE_Q, 0x439, 0, "\xd0\xb9"), "quit");
    assert_string_equal(press(SDL_SCANCODE_S, 0x44b, KMOD_LSHIFT, "\xd0\xab"), "solo");
    assert_string_equal(press(SDL_SCANCODE_COMMA, 0x431, KMOD_LSHIFT, "\xd0\x91"), "input");
    assert_string_equal(press(SDL_SCANCODE_SLASH, '.', 0, "."), "frame");
    assert_string_equal(press(SDL_SCANCODE_P, 0x3c0, 0, "\xcf\x80"), "panel");
    assert_string_equal(press(SDL_SCANCODE_LEFTBRACKET, 0xfc, 0, "\xc3\xbc"), ""); /* German */
    assert_int_equal(read_keys("\xd0\xb9 help\nCtrl+z redo\nCtrl+Shift+z undo"), 0);
    assert_string_equal(press(SDL_SCANCODE_Q, 0x439, 0, "\xd0\xb9"), "help");
    assert_string_equal(press(SDL_SCANCODE_Z, 0x44f, KMOD_LCTRL, NULL), "redo");
    assert_string_equal(press(SDL_SCANCODE_Z, 0x44f, KMOD_LCTRL | KMOD_RSHIFT, NULL), "undo");
    /* An input method: no key, or a sign of several. */
    assert_string_equal(press(SDL_SCANCODE_Q, 'q', 0, "\xe4\xb8\xad"), "");
    assert_null(rn_ui_keyboard_text(&keyboard, &map, "\xd0\xb9\xd0\xb9", 0));
}

/* What a key types that was taken as it went down is not typed into what it has opened. */
TEST(a_taken_key_types_nothing)
{
    assert_int_equal(read_keys("Space new\nAlt+a new\n"), 0);
    assert_non_null(key_down(SDL_SCANCODE_SPACE, SDLK_SPACE, 0));
    assert_true(rn_ui_keyboard_takes(&keyboard));
    assert_false(rn_ui_keyboard_takes(&keyboard));
    assert_non_null(key_down(SDL_SCANCODE_RETURN, SDLK_RETURN, 0));
    assert_false(rn_ui_keyboard_takes(&keyboard));
    assert_non_null(key_down(SDL_SCANCODE_SPACE, SDLK_SPACE, 0));
    rn_ui_keyboard_ignore(&keyboard);
    assert_false(rn_ui_keyboard_takes(&keyboard));
}

static int default_keys(void **state)
{
    rn_ui_keymap_default(&map, rn_play_commands());
    return 0;
}

GROUP(.hears = true, .before_each = default_keys);
