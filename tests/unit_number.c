/* SPDX-License-Identifier: MIT */
/* Numbers in texts and tables are those of the "C" locale in a program that has set another one. */
#include "tests/unit.h"

#include <locale.h>

#include "filters/core/runner/runner.h"
#include "filters/base/text/number.h"
#include "filters/base/output/textfile.h"
#include "filters/parts/kernelfile.h"

static bool made; /* the locale */

static void describe_locale(void)
{
    unit_write("source", "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3\n"
                         "END LC_NUMERIC\n");
    FILE *f = fopen("ascii", "w");
    assert_non_null(f);
    fputs("<code_set_name> ASCII\n<mb_cur_max> 1\nCHARMAP\n", f);
    for (int c = 0; c < 128; c++)
        fprintf(f, "<U%04X> \\x%02x\n", (unsigned)c, (unsigned)c);
    fputs("END CHARMAP\n", f);
    assert_int_equal(fclose(f), 0);
}

/* Makes a locale of its own, because a computer may have none with a decimal comma. localedef says
 * that it lacks the other categories, and makes it. */
static int make_locale(void **state)
{
    rn_log_set_level(RN_LOG_ERROR);
    assert_int_equal(unit_enter_folder(state), 0);
    describe_locale();
    made = system("localedef -c -i ./source -f ./ascii ./comma >log 2>&1") != -1 &&
           !setenv("LOCPATH", unit_folder, 1) && setlocale(LC_NUMERIC, "comma") &&
           !strcmp(localeconv()->decimal_point, ",");
    setlocale(LC_NUMERIC, "C");
    return 0;
}

static void use_comma(void)
{
    if (!made) {
        print_message("localedef made no locale with a decimal comma: numbers go untested\n");
        skip();
    }
    assert_non_null(setlocale(LC_NUMERIC, "comma"));
}

static int use_plain(void **state)
{
    return !setlocale(LC_NUMERIC, "C");
}

/* ---- the functions themselves */

TEST(parses_and_prints)
{
    char text[32], *end;
    const char number[] = "-2.5e1,5";
    use_comma();
    assert_true(rn_number_parse(number, &end) == -25 && end == number + 6);
    assert_true(rn_number_parse("1,5", NULL) == 1);
    assert_true(rn_number_parse("-0x1.8p3", &end) == 0 &&
                !strcmp(end, "x1.8p3")); /* decimal only */
    assert_int_equal(rn_number_print(text, sizeof text, "%.2f %d", 1234.5, 7), 9);
    assert_string_equal(text, "1234.50 7");
    assert_int_equal(rn_number_print(text, 3, "%g", 0.25), 4);
    assert_string_equal(text, "0.");
}

/* The locale of the thread goes before that of the process, and both stay as they are. */
TEST(leaves_the_locale)
{
    char text[32];
    use_comma();
    rn_number_print(text, sizeof text, "%g", 0.5);
    assert_true(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    locale_t own = duplocale(LC_GLOBAL_LOCALE);
    assert_true(own != (locale_t)0);
    use_plain(NULL);
    uselocale(own);
    rn_number_print(text, sizeof text, "%g", 0.5);
    bool stays = uselocale((locale_t)0) == own;
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(own);
    assert_true(stays);
    assert_string_equal(text, "0.5");
}

/* ---- what stands on them */

static const struct rn_geom picture = {RN_SIZED(struct rn_geom),
                                       .fmt = {.model = RN_GRAY, .depth = 8}, .w = 4, .h = 1};

/* Matrices are read when a chain is checked. */
static int parse(struct rn_chain **chain, const char *text)
{
    struct rn_analysis analysis;
    int err = rn_chain_parse(chain, text);
    return err ? err : rn_chain_check(*chain, &picture, &analysis);
}

static char *through(const char *text)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    assert_int_equal(parse(&chain, text), 0);
    char *printed = rn_chain_format(chain);
    assert_non_null(printed);
    return printed;
}

TEST(chains)
{
    static const char text[] = "levels=gamma=0.5,blur=sigma=2.5,"
                               "convolution=matrix=0 .5 0 0.5 1 0.5 0 5e-1 0:div=3.25";
    OWNED(rn_free_owned) char *plain = through(text);
    use_comma();
    OWNED(rn_free_owned) char *printed = through(text), *again = through(printed);
    assert_string_equal(printed, plain);
    assert_string_equal(again, plain);
}

TEST(refusals)
{
    static const struct {
        const char *chain, *says;
    } bad[] = {{"levels=gamma='0,5'", "0.1..10"},
               {"levels=gamma=99", "0.1..10"},
               {"convolution=matrix='0,5'", "'0,5'"}};
    for (int i = 0; i < COUNT(bad); i++) {
        struct rn_chain *chain = NULL;
        use_comma();
        unit_hear(true);
        int err = parse(&chain, bad[i].chain);
        const char *said = unit_said();
        unit_hear(false);
        rn_chain_destroy(&chain);
        assert_int_equal(err, RN_EUSAGE);
        if (!strstr(said, bad[i].says))
            fail_msg("%s: %s", bad[i].chain, said);
    }
}

TEST(messages)
{
    use_comma();
    unit_hear(true);
    rn_log(RN_LOG_ERROR, "%g", 0.5);
    assert_string_equal(unit_said(), "0.5");
    unit_hear(false);
}

TEST(declarations)
{
    struct rn_kernel_file f;
    char why[RN_KERNELFILE_WHY] = "";
    use_comma();
    assert_int_equal(rn_kernel_file_parse(&f, "k", "//@param gain 0.5 4 0.1 1", why), 0);
    assert_true(f.param[0].min == 0.5 && f.param[0].step == 0.1);
    assert_int_equal(rn_kernel_file_parse(&f, "k", "//@param gain 0.5 .25 0.1 1", why), RN_EUSAGE);
    assert_string_equal(why, "k:1: //@param gain: MIN 0.5 is not below MAX 0.25");
}

static void run(struct rn_runner *runner, struct rn_slot *slot, int index)
{
    for (int x = 0; x < slot->in.geom.w; x++)
        rn_plane_put(&slot->in.plane[0], 1, x, 0, x * x + index);
    slot->frame = (struct rn_frame){.index = index, .time = 0.25 * index};
    assert_int_equal(rn_runner_submit(runner, slot), 0);
    assert_int_equal(rn_runner_wait(runner, slot), 0);
    assert_int_equal(rn_runner_recycle(runner, slot), 0);
}

/* Measures two pictures. Returns the table, for the caller to free. */
static char *measure(const char *format, const char *name)
{
    char why[RN_TEXT_WHY], *table = NULL;
    OWNED(rn_chain_destroy)
    struct rn_chain *chain = unit_chain(formatted("stats=format=%s:file=%s", format, name));
    OWNED(rn_runner_close) struct rn_runner *runner = NULL;
    assert_int_equal(rn_runner_open(&runner, NULL, chain, &picture, 1), 0);
    assert_int_equal(rn_runner_start(runner), 0);
    run(runner, rn_runner_slot(runner, 0), 0);
    run(runner, rn_runner_slot(runner, 0), 1);
    assert_int_equal(rn_runner_stop(runner, true), 0);
    assert_int_equal(rn_text_read(&table, name, RN_TEXT_LIMIT, why), 0);
    return table;
}

TEST(tables)
{
    static const char *const formats[] = {"csv", "json"};
    for (int i = 0; i < 2; i++) {
        char *plain = measure(formats[i], formats[i]);
        assert_non_null(strstr(plain, "0.25"));
        use_comma();
        char *table = measure(formats[i], "other");
        assert_string_equal(table, plain);
        free(table);
        free(plain);
        use_plain(NULL);
        assert_int_equal(unlink("other"), 0);
    }
}

TEST(whole_numbers)
{
    static const char *const wrong[] = {"",    "a",   "-1",  "+1",   " 1", "1 ",
                                        "1.0", "0x1", "1e2", "1024", "0",  "\xb2"};
    long long v = -5;
    for (int i = 0; i < COUNT(wrong); i++)
        if (rn_number_whole(wrong[i], 1, 1023, &v))
            fail_msg("'%s' is taken", wrong[i]);
    assert_false(rn_number_whole("99999999999999999999", 1, 1023, &v));
    assert_int_equal(v, -5);
    assert_false(rn_number_whole("9223372036854775808", 0, INT64_MAX, &v));
    assert_true(rn_number_whole("9223372036854775807", 0, INT64_MAX, &v) && v == INT64_MAX);
    assert_true(rn_number_whole("0", 0, 0, &v) && v == 0);
    assert_true(rn_number_whole("0017", 1, 17, &v) && v == 17);
}

GROUP(.before_all = make_locale, .after_all = unit_leave_folder, .after_each = use_plain);
