/* SPDX-License-Identifier: MIT */
/* Chains of other stages. Each function changes the chain all at once, or not at all. */
#include "filters/core/chain/chain_internal.h"

#include <assert.h>

#include "filters/base/arguments.h"
#include "filters/base/owned.h"

static int check_place(const struct rn_chain *chain, int i)
{
    return i >= 0 && i < chain->n
               ? 0
               : rn_fail(RN_EUSAGE, "the chain has no stage %lld", (long long)i + 1);
}

/* Opens n places at i, which must then be filled. */
static int make_room(struct rn_chain *chain, int i, int n)
{
    assert(i >= 0 && i <= chain->n && n > 0);
    if (n > RN_MAX_STAGES - chain->n)
        return rn_fail(RN_EUSAGE, "a chain holds at most %d stages: remove one first",
                       RN_MAX_STAGES);
    memmove(&chain->stage[i + n], &chain->stage[i],
            (size_t)(chain->n - i) * sizeof chain->stage[0]);
    chain->n += n;
    return 0;
}

int rn_chain_insert(struct rn_chain *chain, int at, const char *text)
{
    RN_NEED(RN_EUSAGE, "chain", chain);
    RN_OWNED(rn_chain_destroy) struct rn_chain *more = NULL;
    int err = rn_chain_parse(&more, text);
    if (!err && !more->n)
        err = rn_fail(RN_EUSAGE, "no filter is named");
    if (!err && at != chain->n)
        err = check_place(chain, at);
    err = err ? err : make_room(chain, at, more->n);
    if (!err) {
        memcpy(&chain->stage[at], more->stage, (size_t)more->n * sizeof more->stage[0]);
        more->n = 0;
    }
    return err;
}

int rn_chain_remove(struct rn_chain *chain, int at)
{
    RN_NEED(RN_EUSAGE, "chain", chain);
    int err = check_place(chain, at);
    if (err)
        return err;
    rn_stage_destroy(&chain->stage[at]);
    chain->n--;
    memmove(&chain->stage[at], &chain->stage[at + 1],
            (size_t)(chain->n - at) * sizeof chain->stage[0]);
    chain->stage[chain->n] = NULL;
    return 0;
}

int rn_chain_move(struct rn_chain *chain, int from, int to)
{
    RN_NEED(RN_EUSAGE, "chain", chain);
    int err = check_place(chain, from);
    err = err ? err : check_place(chain, to);
    if (err)
        return err;
    struct rn_stage *stage = chain->stage[from];
    for (int step = to > from ? 1 : -1; from != to; from += step)
        chain->stage[from] = chain->stage[from + step];
    chain->stage[to] = stage;
    return 0;
}

int rn_chain_duplicate(struct rn_chain *chain, int at)
{
    RN_NEED(RN_EUSAGE, "chain", chain);
    int err = check_place(chain, at);
    if (err)
        return err;
    RN_OWNED(rn_stage_destroy) struct rn_stage *copy = rn_stage_copy(chain->stage[at]);
    if (!copy)
        return rn_fail_memory();
    err = make_room(chain, at + 1, 1);
    if (!err)
        chain->stage[at + 1] = rn_take_owned(&copy);
    return err;
}

/* A runner cannot change fixed rows: memory, programs and formats follow from them. Memory follows
 * from where a filter writes, too. */
bool rn_chain_binds_alike(const struct rn_chain *a, const struct rn_chain *b)
{
    RN_NEED(false, "a b", a, b);
    bool same = a->n == b->n;
    for (int i = 0; same && i < a->n; i++) {
        const struct rn_stage *s = a->stage[i], *t = b->stage[i];
        same = s->desc == t->desc && s->table == t->table &&
               !rn_params_fixed_apart(s->table, s->params, t->params) &&
               !rn_params_fixed_apart(rn_stage_rows, s, t) &&
               (!s->desc->in_place || !s->region.kind == !t->region.kind);
    }
    return same;
}

bool rn_chain_equal(const struct rn_chain *a, const struct rn_chain *b)
{
    RN_NEED(false, "a b", a, b);
    RN_OWNED(rn_free_owned) char *ta = rn_chain_format(a), *tb = rn_chain_format(b);
    return ta && tb && !strcmp(ta, tb);
}

int rn_chain_reread(struct rn_chain *chain, const struct rn_chain *from)
{
    RN_NEED(RN_EUSAGE, "chain from", chain, from);
    int err = 0;
    for (int i = 0; i < chain->n && i < from->n && !err; i++) {
        struct rn_stage *stage = chain->stage[i];
        const struct rn_stage_desc *desc = stage->desc;
        const struct rn_param *row = desc->params;
        for (; row->name && !err && desc->reload && desc == from->stage[i]->desc; row++)
            if (row->contents && rn_param_equal(row, stage->params, from->stage[i]->params)) {
                rn_param_take_contents(row, from->stage[i]->params, stage->params);
                err = desc->reload->declare(stage, row);
            }
    }
    return err;
}
