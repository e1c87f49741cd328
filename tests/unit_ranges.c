/* SPDX-License-Identifier: MIT */
/* Every parameter of every registered filter, as a user meets it in a chain: the declared range is
 * what is accepted, everything else is refused in one line that names the range. */
#include "tests/unit.h"

#include "filters/core/chain/chain.h"

/* What levels are checked for. */
static const struct rn_geom video = {RN_SIZED(struct rn_geom), .fmt = {.depth = 8}, .w = 8, .h = 8,
                                     .full_range = true};

/* Parses the chain "stage=row=value". said: what is said about it; valid until the next call. */
static int parse(const char *stage, const char *row, const char *value, struct rn_chain **chain,
                 const char **said)
{
    const char *quote = *value ? "'" : ""; /* blanks count */
    const char *text = formatted("%s=%s=%s%s%s", stage, row, quote, value, quote);
    *chain = NULL;
    struct rn_analysis analysis;
    int err = rn_chain_parse(chain, text);
    const struct rn_param *found =
        err ? NULL : rn_param_find(rn_chain_stage(*chain, 0)->table, row);
    if (found && found->level && (err = rn_chain_check(*chain, &video, &analysis)) != 0)
        rn_chain_destroy(chain);
    *said = unit_said();
    return err;
}

static void refused(const struct rn_stage_desc *desc, const struct rn_param *row, const char *value)
{
    const char *said;
    char range[512];
    struct rn_chain *chain;
    int err = parse(desc->name, row->name, value, &chain, &said);
    if (err != RN_EUSAGE)
        fail_msg("%s=%s='%s' gives %d", desc->name, row->name, value, err);
    assert_null(chain);
    if (!*said || strchr(said, '\n'))
        fail_msg("%s=%s='%s' is answered with '%s', not one line", desc->name, row->name, value,
                 said);
    rn_param_range(row, range, sizeof range);
    if (!strstr(said, desc->name) || !strstr(said, row->name) || !strstr(said, range))
        fail_msg("%s=%s='%s': '%s' lacks a name or %s", desc->name, row->name, value, said, range);
}

static void accepted(const struct rn_stage_desc *desc, const struct rn_param *row,
                     const char *value)
{
    const char *said;
    OWNED(rn_chain_destroy) struct rn_chain *chain;
    int err = parse(desc->name, row->name, value, &chain, &said);
    if (err || *said)
        fail_msg("%s=%s='%s' gives %d, '%s'", desc->name, row->name, value, err, said);
    assert_int_equal(rn_chain_count(chain), 1);
    const void *at = (const char *)rn_chain_stage(chain, 0)->params + row->off;
    double got, want = strtod(value, NULL);
    if (row->type == RN_FLOAT) {
        float v;
        memcpy(&v, at, sizeof v);
        got = (double)v;
        want = (double)(float)want;
    } else {
        int v;
        memcpy(&v, at, sizeof v);
        got = v;
        for (int i = 0; row->type == RN_CHOICE && i <= (int)row->max; i++)
            if (!strcmp(value, row->choices[i]))
                want = i;
    }
    if (got < want || got > want)
        fail_msg("%s=%s='%s' is taken for %.17g", desc->name, row->name, value, got);
}

static void no_numbers(const struct rn_stage_desc *desc, const struct rn_param *row)
{
    static const char *const texts[] = {"",     " ",    "nan",    "NaN", "-nan",  "inf", "-inf",
                                        "text", "1e99", "-1e400", "-",   "1 2",   "--1", "1..2",
                                        "1,2",  "%d",   "0x",     "1e",  "1.2.3", "\t"};
    for (int i = 0; i < COUNT(texts); i++)
        refused(desc, row, texts[i]);
}

/* As many digits as it takes to tell any two doubles apart. */
static const char *number(double v)
{
    return formatted("%.17g", v);
}

static void test_number(const struct rn_stage_desc *desc, const struct rn_param *row)
{
    bool whole = row->type == RN_INT;
    const double ends[] = {row->min, row->max};
    no_numbers(desc, row);
    for (int i = 0; i < 2; i++) {
        double out = i ? 1 : -1;
        accepted(desc, row, number(ends[i]));
        for (const char *tail = "x;%,-"; *tail; tail++)
            refused(desc, row, formatted("%.17g%c", ends[i], *tail));
        refused(desc, row, number(ends[i] + out));
        refused(desc, row, number(ends[i] + out * row->step));
        refused(desc, row, number(out * 1e12));
        refused(desc, row, number(out * 4294967297.0 + (double)(int)row->def));
        if (whole)
            refused(desc, row, number(ends[i] - 0.5 * out));
        else if (row->level) /* a float, by the time that its range is known */
            refused(desc, row, number((double)nextafterf((float)ends[i], (float)out * INFINITY)));
        else
            refused(desc, row, number(nextafter(ends[i], out * INFINITY)));
    }
    accepted(desc, row, number(row->def));
}

/* True if a slip of the fingers in name leads to the advice to take it. */
static bool suggested(const struct rn_stage_desc *desc, const struct rn_param *row,
                      const char *name)
{
    const char *said;
    struct rn_chain *chain;
    const char *text = formatted("%.*s", (int)strlen(name) - 1, name);
    assert_int_equal(parse(desc->name, row->name, text, &chain, &said), RN_EUSAGE);
    return strstr(said, formatted("did you mean '%s'", name)) != NULL;
}

static bool is_choice(const struct rn_param *row, const char *text)
{
    for (int i = 0; i <= (int)row->max; i++)
        if (!strcmp(row->choices[i], text))
            return true;
    return false;
}

static void test_choice(const struct rn_stage_desc *desc, const struct rn_param *row)
{
    static const char *const texts[] = {"", " ", "nosuchname", "0", "-1", "nan", "%s"};
    for (int i = 0; i < COUNT(texts); i++)
        refused(desc, row, texts[i]);
    for (int i = 0; i <= (int)row->max; i++) {
        const char *name = row->choices[i];
        assert_non_null(name);
        accepted(desc, row, name);
        refused(desc, row, formatted("%sx", name));
        refused(desc, row, formatted("x%s", name));
        const char *text = formatted("%.*s", (int)strlen(name) - 1, name);
        if (is_choice(row, text)) /* n of ne */
            accepted(desc, row, text);
        else
            refused(desc, row, text);
        if (strlen(name) > 3 && !suggested(desc, row, name))
            fail_msg("%s: %s does not suggest '%s'", desc->name, row->name, name);
    }
    /* names of a shared list that this filter does not take */
    for (int i = (int)row->max + 1; row->choices[i]; i++) {
        refused(desc, row, row->choices[i]);
        if (suggested(desc, row, row->choices[i]))
            fail_msg("%s: %s suggests '%s'", desc->name, row->name, row->choices[i]);
    }
}

TEST(every_parameter)
{
    int rows = 0;
    for (int i = 0; rn_registry[i]; i++) {
        const struct rn_stage_desc *desc = rn_registry[i];
        for (const struct rn_param *row = desc->params; row->name; row++) {
            rows++;
            if (row->type == RN_CHOICE)
                test_choice(desc, row);
            else if (row->type != RN_TEXT)
                test_number(desc, row);
        }
    }
    assert_true(rows > 10);
}

TEST(unknown_names)
{
    const char *said;
    struct rn_chain *chain;
    for (int i = 0; rn_registry[i]; i++) {
        const struct rn_stage_desc *desc = rn_registry[i];
        if (!desc->params->name)
            continue;
        assert_int_equal(parse(desc->name, "nosuchname", "1", &chain, &said), RN_EUSAGE);
        assert_null(strchr(said, '\n'));
        for (const struct rn_param *row = desc->params; row->name; row++)
            if (!strstr(said, row->name))
                fail_msg("'%s' lacks %s", said, row->name);
    }
}

static int prepare(void **state)
{
    rn_log_set_level(RN_LOG_INFO);
    return 0;
}

GROUP(.hears = true, .before_all = prepare);
