/* SPDX-License-Identifier: MIT */
/* Where the planes of a chain are stored. */
#include "tests/unit.h"

#include "filters/core/runner/revision.h"
#include "tests/pictures.h"

/* A chain of this text, for 4:2:0 video. */
static struct rn_chain *analyse(const char *text, struct rn_analysis *analysis)
{
    struct rn_chain *chain = unit_chain(text);
    struct rn_geom geom = geometry("yuv420p", 64, 48);
    assert_int_equal(rn_chain_check(chain, &geom, analysis), 0);
    return chain;
}

/* The places of plane p behind each stage, one letter each: In, Out, and the temporaries 0 and 1.
 * Then a blank, and where it is at last. */
static void expect(const char *text, int p, const char *want)
{
    static const char letters[] = "IO01";
    struct rn_analysis analysis;
    struct rn_placement placement;
    OWNED(rn_chain_destroy) struct rn_chain *chain = analyse(text, &analysis);
    char got[RN_MAX_STAGES + 3] = "";
    rn_placement_make(&placement, &analysis);
    for (int i = 0; i < rn_chain_count(chain); i++)
        got[i] = letters[placement.stage[i].dst[p]];
    int temporaries = rn_placement_temporaries(&analysis);
    assert_true(temporaries > 1 || !strchr(got, '1'));
    assert_true(temporaries > 0 || !strchr(got, '0'));
    got[rn_chain_count(chain)] = ' ';
    got[rn_chain_count(chain) + 1] = letters[placement.final[p]];
    if (strcmp(got, want) != 0)
        fail_msg("plane %d of '%s': %s, not %s", p, text, got, want);
}

static void expect_temporaries(const char *text, int want)
{
    struct rn_analysis analysis;
    OWNED(rn_chain_destroy) struct rn_chain *chain = analyse(text, &analysis);
    assert_int_equal(rn_placement_temporaries(&analysis), want);
}

TEST(temporaries)
{
    expect_temporaries("blur=1,levels,invert", 0);
    expect_temporaries("levels,invert,threshold", 0);
    expect_temporaries("levels,blur=1,invert", 1);
    expect_temporaries("blur=1,levels,median,invert,sobel", 2);
    expect_temporaries("median=slices=1,levels,invert", 2);
}

TEST(where_it_is)
{
    /* the input stays what it is */
    expect("blur=1", 0, "O O");
    expect("blur=1:planes=1", 1, "I I");
    expect("blur=1,median", 0, "0O O");
    expect("blur=1,median,sobel", 0, "01O O");
    expect("blur=1,stats,median", 0, "00O O");
    expect("invert", 0, "O O");
    expect("invert,levels", 0, "OO O");
    expect("invert,blur=1", 0, "0O O");
    expect("blur=1,levels", 0, "OO O");
    expect("blur=1,levels,median", 0, "00O O");
    expect("blur=1,levels,median,invert,threshold", 0, "00OOO O");
    expect("blur=1,noise,median,equalize,sobel", 0, "0011O O");
    expect("levels=planes=7,blur=1:planes=1", 1, "OO O");
    expect("blur=1:planes=1,levels=planes=7", 1, "IO O");
    expect("blur=1:enable=0,levels", 0, "IO O");
    /* what later frames look at stays, too */
    expect("blur=1,levels,median=slices=1", 0, "01O O");
    expect("median=slices=1,levels", 0, "0O O");
}

GROUP(.quiet = true);
