/* SPDX-License-Identifier: MIT */
/* Chains: what is parsed prints as text that is parsed to the same. */
#include "tests/fuzz.h"

#include "filters/core/chain/chain.h"

/* Most of the time would go into advice for unknown names: words of some lengths get it (the
 * linker's --wrap). */
const char *__real_rn_nearest(const char *word, const char *const *names);
const char *__wrap_rn_nearest(const char *word, const char *const *names);
const char *__wrap_rn_nearest(const char *word, const char *const *names)
{
    return strlen(word) % 8 == 5 ? __real_rn_nearest(word, names) : NULL;
}

static void expect_same_text(const char *a, const char *b)
{
    FUZZ_CHECK(!a == !b);
    FUZZ_CHECK(!a || !strcmp(a, b));
}

static void expect_same(const struct rn_chain *a, const struct rn_chain *b)
{
    FUZZ_CHECK(rn_chain_count(a) == rn_chain_count(b));
    for (int i = 0; i < rn_chain_count(a); i++) {
        const struct rn_stage *s = rn_chain_stage(a, i), *t = rn_chain_stage(b, i);
        FUZZ_CHECK(s->desc == t->desc && s->on == t->on);
        expect_same_text(s->label, t->label);
        for (int k = 0; s->table[k].name || t->table[k].name; k++) {
            expect_same_text(s->table[k].name, t->table[k].name);
            FUZZ_CHECK(rn_param_equal(&s->table[k], s->params, t->params));
        }
    }
}

/* Prints, parses again, and prints what came of it. */
static void go_round(const struct rn_chain *chain)
{
    OWNED(rn_chain_destroy) struct rn_chain *again = NULL;
    OWNED(rn_free_owned) char *text = rn_chain_format(chain), *twice = NULL;
    FUZZ_CHECK(text && !rn_chain_parse(&again, text));
    expect_same(chain, again);
    twice = rn_chain_format(again);
    expect_same_text(text, twice);
}

/* What a key does to every parameter in turn must leave a chain that can be written. */
static void turn(struct rn_chain *chain, int by)
{
    for (int i = 0; i < rn_chain_count(chain); i++)
        for (const struct rn_param *row = rn_chain_stage(chain, i)->table; row->name; row++)
            rn_param_step(row, rn_chain_stage(chain, i)->params, by);
    go_round(chain);
}

static void check(const struct rn_chain *chain, size_t which)
{
    static const struct rn_geom geoms[] = {
        {.fmt = {.model = RN_GRAY, .depth = 16}, .w = 1, .h = 1},
        {.fmt = {.model = RN_YUV, .depth = 8, .sub_x = 1, .sub_y = 1}, .w = 65, .h = 49},
        {.fmt = {.model = RN_RGB, .depth = 10, .alpha = true}, .w = 640, .h = 480},
    };
    OWNED(rn_free_owned) struct rn_analysis *a = malloc(sizeof *a);
    FUZZ_CHECK(a);
    if (!rn_chain_check(chain, &geoms[which % (COUNT(geoms))], a))
        rn_chain_warn(chain, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (memchr(data, '/', size)) /* the files of the folder suffice */
        return -1;
    struct rn_chain *chain = NULL;
    OWNED(rn_free_owned) char *text = rn_fuzz_text(data, size);
    if (!rn_chain_parse(&chain, text)) {
        struct rn_chain *copy = rn_chain_copy(chain);
        FUZZ_CHECK(copy);
        expect_same(chain, copy);
        check(chain, size);
        go_round(copy);
        turn(copy, 1);
        turn(copy, -3);
        rn_chain_destroy(&copy);
    }
    rn_chain_destroy(&chain);
    rn_intern_reset();
    return 0;
}
