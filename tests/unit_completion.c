/* SPDX-License-Identifier: MIT */
/* What can follow in a stage that is being typed: from the registry's tables alone. */
#include "tests/unit.h"

#include "app/help/help.h"

static void expect_offer(const char *text, int n, const char *name)
{
    struct rn_app_offer offer;
    assert_true(rn_app_completion_offer(text, n, &offer));
    assert_string_equal(offer.name, name);
}

static int count(const char *text)
{
    struct rn_app_offer offer;
    int n = 0;
    while (rn_app_completion_offer(text, n, &offer))
        n++;
    return n;
}

/* Tab, and once more ... */
static void expect_tabs(const char *text, const char *const *want)
{
    char typed[64];
    snprintf(typed, sizeof typed, "%s", text);
    for (; *want; want++) {
        rn_app_completion_take(typed, sizeof typed, 0);
        assert_string_equal(typed, *want);
    }
}

#define EXPECT_TABS(text, ...) expect_tabs(text, (const char *const[]){__VA_ARGS__, NULL})

TEST(filters_by_any_name)
{
    int all = 0;
    while (rn_registry[all])
        all++;
    assert_int_equal(count(""), all);
    expect_offer("med", 0, "median");
    expect_offer("despeckle", 0, "median");
    expect_offer("gray,med", 0, "median");
    expect_offer("erosion=radius=2, med", 0, "median");
    assert_int_equal(count("no such filter"), 0);
    EXPECT_TABS("gaussian b", "blur=");
    EXPECT_TABS("gray,med", "gray,median=");
}

TEST(parameters_that_are_not_given)
{
    expect_offer("erosion=", 0, "shape");
    expect_offer("erosion@label=", 0, "shape");
    expect_offer("erosion=shape=disk:", 0, "radius");
    expect_offer("erosion=ite", 0, "iterations");
    expect_offer("gray,erosion=ite", 0, "iterations");
    assert_int_equal(count("erosion=shape=disk:") + 1, count("erosion="));
    assert_int_equal(count("erosion=nothing"), 0);
    assert_int_equal(count("nothing="), 0);
    assert_int_equal(count("erosion=nothing=1"), 0);
    EXPECT_TABS("erosion=ra", "erosion=radius=", "erosion=radius=");
}

TEST(values_of_choices)
{
    struct rn_app_offer offer;
    assert_int_equal(count("erosion=shape="), 3);
    expect_offer("erosion=shape=d", 0, "disk");
    assert_int_equal(count("median=border="), 4); /* ignore is morphology's alone */
    EXPECT_TABS("erosion=shape=d", "erosion=shape=disk",
                "erosion=shape=disk:", "erosion=shape=disk:radius=");
    assert_true(rn_app_completion_offer("median=radius=", 0, &offer));
    assert_string_equal(offer.name, "radius");
    assert_non_null(strstr(offer.note, "1..15 px"));
    EXPECT_TABS("median=radius=3", "median=radius=3:", "median=radius=3:percentile=");
}

TEST(quoted_signs_part_nothing)
{
    expect_offer("convolution=matrix='1 2,3:4':", 0, "file");
    expect_offer("convolution=file=a\\:b:pres", 0, "preset");
    assert_int_equal(count("convolution=matrix='1 2,3"), 1);
}

TEST(what_has_no_room_stays)
{
    char typed[10] = "erosion=i";
    rn_app_completion_take(typed, sizeof typed, 0);
    assert_string_equal(typed, "erosion=i");
    char full[10] = "erosion=";
    rn_app_completion_take(full, sizeof full, 99);
    assert_string_equal(full, "erosion=");
}
