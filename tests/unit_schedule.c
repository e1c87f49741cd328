/* SPDX-License-Identifier: MIT */
/* Steps of morphology, carried out with numbers in place of pictures: joined or not, they give the
 * same result, and no step writes the image that it reads. */
#include "tests/unit.h"

#include "filters/parts/schedule.h"

enum { IMAGES = 80 };

static uint64_t mix(uint64_t a, uint64_t b, uint64_t c)
{
    return (((a * 0x9e3779b97f4a7c15u) ^ b) * 0xff51afd7ed558ccdu ^ c) * 0xc4ceb9fe1a85ec53u;
}

static uint64_t operate(uint64_t v, enum rn_op op)
{
    return mix(v, (uint64_t)op + 1, 7);
}

static uint64_t minus(uint64_t a, uint64_t b)
{
    return mix(a, b, 11);
}

static uint64_t joined(const struct rn_schedule_step *s, uint64_t v)
{
    uint64_t both = operate(operate(v, s->op), s->second);
    switch (s->join) {
    case RN_JOIN_RESULT:
        return both;
    case RN_JOIN_SOURCE_MINUS:
        return minus(v, both);
    case RN_JOIN_MINUS_SOURCE:
        return minus(both, v);
    case RN_JOIN_BOTH:
        return minus(operate(v, s->op), operate(v, s->second));
    }
    return 0;
}

/* Images -3, -2 and -1 are the result, the source and none. */
static uint64_t carry_out(const struct rn_schedule_step *steps, int n)
{
    uint64_t image[IMAGES + 3] = {0}, *at = image + 3;
    at[RN_SOURCE] = 42;
    for (int i = 0; i < n; i++) {
        const struct rn_schedule_step *s = &steps[i];
        assert_true(s->to < IMAGES && s->to != s->in[0]);
        switch (s->kind) {
        case RN_STEP_TAKE:
            at[s->to] = at[s->in[0]];
            break;
        case RN_STEP_OPERATE:
            at[s->to] = operate(at[s->in[0]], s->op);
            break;
        case RN_STEP_SUBTRACT:
            assert_true(s->to != s->in[1]);
            at[s->to] = minus(at[s->in[0]], at[s->in[1]]);
            break;
        case RN_STEP_JOINED:
            at[s->to] = joined(s, at[s->in[0]]);
            break;
        }
    }
    return at[RN_RESULT];
}

static struct rn_path path_of(int n, unsigned ops)
{
    struct rn_path path = {.n = n};
    for (int i = 0; i < n; i++)
        path.op[i] = ops >> i % 4 & 1 ? RN_DILATE : RN_ERODE;
    return path;
}

static void compare(int first, int second, unsigned ops, bool unbounded)
{
    struct rn_schedule q = {.unbounded = unbounded, .npaths = second >= 0 ? 2 : 1};
    struct rn_schedule_step steps[RN_MAX_STEPS];
    q.path[0] = path_of(first, ops);
    q.path[1] = path_of(second, ops >> 4);
    rn_schedule_plan(&q);
    int n = rn_schedule_next(&q, 0, true, true, steps);
    uint64_t want = carry_out(steps, n);
    n = rn_schedule_join(&q, steps, n);
    assert_int_equal(carry_out(steps, n), want);
}

TEST(joined_steps_give_what_single_ones_do)
{
    for (int first = 1; first <= RN_MAX_OPS; first++)
        for (int second = -1; second <= RN_MAX_OPS; second++)
            for (unsigned ops = 0; ops < 256; ops += 17)
                for (int unbounded = 0; unbounded < 2; unbounded++)
                    compare(first, second < 0 ? -1 : second, ops, unbounded);
}
