/* SPDX-License-Identifier: MIT */
/* The loss report: lines once each, counted beyond the limit. */
#include "tests/unit.h"

#include "filters/base/losses.h"

TEST(each_line_stands_once)
{
    struct rn_losses *losses = rn_losses_create();
    assert_non_null(losses);
    rn_losses_add(losses, "alpha", "transparency of %s", "a");
    rn_losses_add(losses, "alpha", "transparency of %s", "b");
    rn_losses_add(losses, "alpha", "transparency of %s", "a");
    assert_int_equal(rn_losses_total(losses), 2);
    assert_string_equal(rn_losses_get(losses, 1)->kind, "alpha");
    assert_string_equal(rn_losses_get(losses, 1)->text, "transparency of b");
    rn_losses_destroy(&losses);
    assert_null(losses);
}

TEST(too_many_are_counted)
{
    OWNED(rn_losses_destroy) struct rn_losses *losses = rn_losses_create();
    assert_non_null(losses);
    for (int i = 0; i < RN_MAX_LOSSES + 3; i++)
        rn_losses_add(losses, "tags", "tag %d", i);
    assert_int_equal(rn_losses_count(losses), RN_MAX_LOSSES);
    assert_int_equal(rn_losses_total(losses), RN_MAX_LOSSES + 3);
}

TEST(nobody_wants_to_know)
{
    OWNED(rn_losses_destroy) struct rn_losses *none = NULL;
    rn_losses_add(none, "tags", "a tag");
    assert_int_equal(rn_losses_total(none), 0);
}
