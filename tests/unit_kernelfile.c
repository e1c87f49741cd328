/* SPDX-License-Identifier: MIT */
/* The file of a user's own kernel: what it declares, and chains that name it. */
#include "tests/unit.h"

#include "filters/core/chain/chain.h"
#include "filters/parts/kernelfile.h"
#include "tests/pictures.h"

static const char path[] = "kernel.cl"; /* under test */

TEST(declarations)
{
    struct rn_kernel_file f;
    char why[RN_KERNELFILE_WHY] = "";
    static const char text[] = "// a comment\n"
                               "//@param gain 0 4 0.1 1 how much, in all\n"
                               "  //@param  _b2\t-1e3 1e3 5 -.5  \r\n"
                               "//@reach 7\n"
                               "//@reach 3\r\n"
                               "// @param ignored\n"
                               "int x; //@param ignored too, PIXEL(9, 9)\n"
                               "/* \" PIXEL(8, 8) */ float a = PIXEL(3, -3), MYPIXEL(9);\n"
                               "//@param last 0 1 1 1";
    if (rn_kernel_file_parse(&f, path, text, why))
        fail_msg("%s", why);
    assert_int_equal(f.n, 3);
    assert_int_equal(f.reach, 3);
    assert_string_equal(f.param[0].name, "gain");
    assert_string_equal(f.param[0].help, "how much, in all");
    assert_true(f.param[0].min == 0 && f.param[0].max == 4 && f.param[0].step == 0.1 &&
                f.param[0].def == 1);
    assert_string_equal(f.param[1].name, "_b2");
    assert_true(f.param[1].min == -1000 && f.param[1].def == -0.5);
    assert_true(*f.param[1].help);
    assert_string_equal(f.param[2].name, "last");
}

TEST(wrong_declarations)
{
    static const struct {
        const char *says, *declarations[6];
    } wrong[] = {
        {"NAME MIN MAX STEP DEFAULT", {"param"}},
        {"letters",
         {"param 2x 0 1 1 0", "param a-b 0 1 1 0",
          "param abcdefghijklmnopqrstuvwxyzabcdef 0 1 1 0"}},
        {"MIN is missing", {"param gain"}},
        {"DEFAULT is missing", {"param gain 0 1 1"}},
        {"'1,5'", {"param gain 0 1,5 1 0"}},
        {"'nan'", {"param gain 0 nan 1 0"}},
        {"'inf'", {"param gain 0 inf 1 0"}},
        {"'1e39'", {"param gain 0 1e39 1 0"}},
        {"'zero'", {"param gain zero 1 1 0"}},
        {"'1e-39'", {"param gain 1e-39 1 1 1"}},
        {"'-1e-31'", {"param gain -1e-31 1 1 1"}},
        {"'1e-40'", {"param gain 0 1 1e-40 0"}},
        {"not below", {"param gain 1 1.00000001 1 1", "param gain 4 0 1 1", "param gain 1 1 1 1"}},
        {"STEP", {"param gain 0 1 0 1", "param gain 0 1 -1 1"}},
        {"0..4", {"param gain 0 4 1 5", "param gain 0 4 1 -1"}},
        {"twice", {"param first 0 4 1 1"}},
        {"meaning",
         {"param file 0 4 1 1", "param border 0 4 1 1", "param planes 0 4 1 1",
          "param float 0 4 1 1", "param X 0 4 1 1", "param rn_x 0 4 1 1"}},
        {"0..64", {"reach", "reach 65", "reach -1", "reach 1.5", "reach 1 2"}},
        {"param or reach", {"parma gain 0 4 1 1", ""}},
        /* What would be read is another sample. */
        {"PIXEL(0, -1) is beyond", {"reach 0\nfloat a = PIXEL(0, -1);"}},
        {"PIXEL(-3, 0) is beyond", {"reach 2\nfloat a = PIXEL ( -3 ,\n 0 );"}},
        {"//@reach N has",
         {"param g 0 4 1 1\nfloat a = PIXEL(g, 0);", "param g 0 4 1 1\n#define P PIXEL"}}};
    for (int i = 0; i < COUNT(wrong); i++)
        for (int k = 0; k < 6 && wrong[i].declarations[k]; k++) {
            struct rn_kernel_file f;
            const char *line = wrong[i].declarations[k];
            char why[RN_KERNELFILE_WHY] = "";
            const char *at = formatted("%s:%d: ", path, strstr(line, "PIXEL") ? 4 : 3);
            const char *text =
                formatted("//@param first 0 1 1 1\n\n//@%s\nfloat filter(IN) { }\n", line);
            if (rn_kernel_file_parse(&f, path, text, why) != RN_EUSAGE)
                fail_msg("'%s' is accepted", line);
            if (strncmp(why, at, strlen(at)) != 0 || !strstr(why, wrong[i].says))
                fail_msg("'%s' gives: %s", line, why);
        }
}

/* What keys make of a parameter can be written and read back: at the ends of ranges with more
 * digits than a float has, and where 0 is missed by a hair. */
TEST(steps_survive_text)
{
    unit_write(path, "//@param a 0.123456783 0.3 0.01 0.2\n"
                     "//@param b 0.1 0.123456785 0.01 0.11\n"
                     "//@param c -1e-15 1 1e-16 0.5\n"
                     "float filter(IN) { return a + b + c; }\n");
    OWNED(rn_chain_destroy) struct rn_chain *c = unit_chain("custom=kernel.cl");
    struct rn_stage *stage = rn_chain_stage(c, 0);
    for (int steps = -1000000000; steps <= 1000000000; steps += 1000000000) {
        for (int i = 1; i <= 3; i++) {
            rn_param_step(&stage->table[i], stage->params, steps);
            rn_param_step(&stage->table[i], stage->params, steps < 0 ? 10 : -10);
            rn_param_step(&stage->table[i], stage->params, steps < 0 ? -10 : 10);
        }
        assert_int_equal(rn_chain_set(c, 0, "c", "1e-15"), 0);
        rn_param_step(&stage->table[3], stage->params, -10);
        unit_expect_read_back(c);
    }
}

TEST(too_many)
{
    char text[2048] = "", why[RN_KERNELFILE_WHY] = "";
    struct rn_kernel_file f;
    for (int i = 0; i <= RN_MAX_DECLARED; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "//@param p%d 0 1 1 1\n", i);
    assert_int_equal(rn_kernel_file_parse(&f, path, text, why), RN_EUSAGE);
    assert_non_null(strstr(why, "at most 16"));
}

TEST(unreadable)
{
    unit_write_bytes(path, "a\0b", 3);
    const char *const names[] = {"/nonexistent/x.cl", "/tmp", "/dev/zero", path};
    for (int i = 0; i < COUNT(names); i++) {
        struct rn_chain *chain;
        assert_int_equal(rn_chain_parse(&chain, formatted("custom=%s", names[i])), RN_EUSAGE);
        assert_null(chain);
    }
}

/* ---- chains */

static const char gain_text[] = "//@param gain 0 4 0.1 1 how much\n"
                                "//@param bias -100 100 1 0\n"
                                "float filter(IN) { return PIXEL(0, 0) * gain + bias; }\n";

TEST(chain_text)
{
    static const char *const texts[] = {"custom=%s%s", "custom=file=%s%s", "custom@mine=%s%s",
                                        "erosion,custom=%s%s,closing"};
    static const char *const options[] = {
        "",           ":gain=2", ":2.5", ":2.5:-3", ":2:border=zero", ":bias=7:gain=0.25:planes=5",
        ":1:0:wrap:3"};
    unit_write(path, gain_text);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 7 - 4 * (i == 1); k += 1 + (i == 1)) {
            OWNED(rn_chain_destroy)
            struct rn_chain *chain =
                unit_chain(formatted(texts[i], path, options[i == 1 && k ? 1 : k]));
            unit_expect_read_back(chain);
        }
    }
    OWNED(rn_chain_destroy) struct rn_chain *c = unit_chain("custom=kernel.cl:2.5:-3:zero");
    assert_true(unit_value(c, 0, "gain") == 2.5 && unit_value(c, 0, "bias") == -3);
}

/* The rows of the filter are others as soon as its file is read; "twice" goes by their names. */
TEST(given_once_or_twice)
{
    static const struct {
        const char *chain, *twice; /* twice: the name of the parameter; NULL: accepted */
    } texts[] = {{"custom=border=zero:file=%s:gain=2", NULL},
                 {"custom=planes=1:file=%s:border=zero", NULL},
                 {"custom=planes=1:border=zero:file=%s:bias=2:gain=2", NULL},
                 {"custom=border=zero:file=%s:border=clamp", "border"},
                 {"custom=planes=1:file=%s:gain=2:planes=1", "planes"},
                 {"custom=border=zero:file=%s:gain=2:bias=1:gain=2", "gain"},
                 {"custom=%s:2:bias=1:gain=2", "gain"},
                 {"custom=border=zero:file=%1$s:file=%1$s", "file"}};
    unit_write(path, gain_text);
    for (int i = 0; i < COUNT(texts); i++) {
        const char *text = formatted(texts[i].chain, path), *name = texts[i].twice;
        const char *expected = name ? formatted("custom: %s is given twice", name) : "";
        struct rn_chain *chain = NULL;
        unit_hear(true);
        rn_log_set_level(RN_LOG_ERROR);
        int err = rn_chain_parse(&chain, text);
        rn_log_set_level(RN_LOG_QUIET);
        const char *said = unit_said();
        unit_hear(false);
        rn_chain_destroy(&chain);
        if (err != (name ? RN_EUSAGE : 0) || strcmp(said, expected) != 0)
            fail_msg("%s gives %d: %s", text, err, said);
    }
}

/* A refused chain is one line, and nothing leaks. */
TEST(refusals)
{
    static const char *const texts[] = {"custom=%s:gain=5",      "custom=%s:nothing=1",
                                        "custom=gain=1:file=%s", "custom=%s:1:0:clamp:0:1",
                                        "custom=%s.missing",     "custom=%s:gain="};
    struct rn_geom geom = geometry("gray", 4, 4);
    struct rn_chain *c = NULL;
    unit_write(path, gain_text);
    for (int i = 0; i < COUNT(texts); i++) {
        assert_int_equal(rn_chain_parse(&c, formatted(texts[i], path)), RN_EUSAGE);
        assert_null(c);
    }
    unit_write(path, "//@param gain 1 0 1 1\n");
    assert_int_equal(rn_chain_parse(&c, formatted("custom=%s", path)), RN_EUSAGE);
    struct rn_analysis analysis;
    static const char *const empty[] = {"custom", "custom=border=zero", "custom=file="};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rn_chain_parse(&c, empty[i]), 0);
        assert_int_equal(rn_chain_check(c, &geom, &analysis), RN_EUSAGE);
        rn_chain_destroy(&c);
    }
}

/* ---- files that are refused */

/* The text of the caller names what it likes; a chain file needs the caller's word. */
TEST(code_of_files)
{
    struct rn_geom geom = geometry("gray", 9, 5);
    struct rn_analysis analysis;
    const char *file = formatted("%s.chain", path);
    unit_write(path, gain_text);
    unit_write(file, formatted("invert,custom=%s", path));
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain(formatted("@%s", file));
    OWNED(rn_chain_destroy)
    struct rn_chain *copy = rn_chain_copy(chain), *typed = unit_chain("custom=kernel.cl");
    assert_int_equal(rn_chain_insert(typed, 0, formatted("@%s", file)), 0);
    assert_int_equal(rn_chain_duplicate(copy, 1), 0);
    assert_int_equal(rn_chain_remove(copy, 1), 0);
    struct rn_chain *const all[] = {chain, copy, typed};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rn_chain_check_code(all[i]), RN_EUSAGE);
        assert_int_equal(rn_chain_check(all[i], &geom, &analysis), RN_EUSAGE);
        rn_chain_allow_code(all[i]);
        assert_int_equal(rn_chain_check_code(all[i]), 0);
        assert_int_equal(rn_chain_check(all[i], &geom, &analysis), 0);
    }
    assert_int_equal(rn_chain_set(typed, 2, "file", path), 0);
    assert_int_equal(rn_chain_check(typed, &geom, &analysis), 0);
    unlink(file);
}

TEST(refused_file)
{
    const char *bad = formatted("%s.bad", path);
    unit_write(path, gain_text);
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain("custom=kernel.cl:gain=2");
    OWNED(rn_free_owned) char *before = rn_chain_format(chain);
    unit_write(bad, "//@param gain 1 0 1 1\n");
    assert_int_equal(rn_chain_set(chain, 0, "file", bad), RN_EUSAGE);
    unit_expect_chain(chain, before);
    unlink(bad);
}

GROUP(.quiet = true, .before_all = unit_enter_folder, .after_all = unit_leave_folder);
