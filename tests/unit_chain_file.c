/* SPDX-License-Identifier: MIT */
/* Chain files: what is written is read back, by -f @FILE and piece by piece. */
#include "tests/unit.h"

#include "app/play/edit/chain_file.h"
#include "filters/base/output/textfile.h"

static void expect_chain(const char *text, const struct rn_chain *want)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain(text);
    OWNED(rn_free_owned) char *wanted = rn_chain_format(want);
    unit_expect_chain(chain, wanted);
}

/* versus: NULL: none. */
static void expect_file(const char *text, const struct rn_chain *chain,
                        const struct rn_chain *versus, const struct rn_play_snapshots *snapshots)
{
    OWNED(rn_play_chain_file_free) struct rn_play_chain_file file;
    unit_write("file.chain", text);
    expect_chain("@file.chain", chain);
    assert_int_equal(rn_play_chain_file_read(&file, text), 0);
    expect_chain(file.chain, chain);
    assert_int_equal(!file.versus, !versus);
    if (versus)
        expect_chain(file.versus, versus);
    for (int i = 0; i < RN_SNAPSHOTS; i++) {
        assert_int_equal(!file.snapshot[i], !snapshots->chain[i]);
        if (file.snapshot[i])
            expect_chain(file.snapshot[i], snapshots->chain[i]);
    }
    assert_non_null(file.date);
}

/* Texts with all that may be in a file's name, lines that look like comments among them. */
static void print_chain(char *text, size_t size, struct rng *rng)
{
    static const char *const pieces[] = {
        "\n", "#", "#+", "\n#", "\n#+", "\n# snapshot A: ", "a", "'", "\\", ",",
        ":",  " ", "\r", "\t",  "=",    "\xc3\xa4"};
    char name[64] = "";
    for (int i = rng_below(rng, 8); i > 0; i--)
        strcat(name, pieces[rng_below(rng, COUNT(pieces))]);
    size_t used =
        (size_t)snprintf(text, size, "erosion=radius=%d,stats=file=", 1 + rng_below(rng, 31));
    for (const char *c = name; *c; c++)
        used += (size_t)snprintf(text + used, size - used, "\\\\\\%c", *c);
}

TEST(there_and_back)
{
    char text[512];
    struct rng rng = rng_seed(5);
    for (int round = 0; round < 300; round++) {
        OWNED(rn_play_snapshots_clear) struct rn_play_snapshots s = {.recent = 0};
        print_chain(text, sizeof text, &rng);
        OWNED(rn_chain_destroy) struct rn_chain *chain = unit_chain(text);
        for (int i = 0; i < RN_SNAPSHOTS; i++) {
            print_chain(text, sizeof text, &rng);
            if (rng_below(&rng, 2))
                rn_play_snapshots_store(&s, i, unit_chain(text));
        }
        print_chain(text, sizeof text, &rng);
        OWNED(rn_chain_destroy)
        struct rn_chain *versus = rng_below(&rng, 2) ? unit_chain(text) : NULL;
        OWNED(rn_free_owned)
        char *file = rn_play_chain_file_make("a\n# on b\nc", NULL, chain, versus, &s);
        assert_non_null(file);
        expect_file(file, chain, versus, &s);
    }
}

TEST(head_and_body)
{
    struct rn_play_snapshots s = {.recent = 0};
    struct rn_frame frame = {.index = 12, .time = 0.48};
    OWNED(rn_chain_destroy)
    struct rn_chain *chain = unit_chain("erosion=radius=2:enable=0,median=slices=1:radius=2");
    rn_play_snapshots_store(&s, 2, unit_chain("erosion,median=slices=1"));
    OWNED(rn_chain_destroy) struct rn_chain *versus = unit_chain("median");
    OWNED(rn_free_owned)
    char *text = rn_play_chain_file_make("/a clip.mkv", &frame, chain, versus, &s);
    assert_int_equal(
        strncmp(text, "# tuned on /a clip.mkv\n# at frame 12, 0.480 s\n# by runnel ", 57), 0);
    assert_string_equal(rn_play_chain_file_body(text),
                        "# snapshot C: erosion,median=slices=1\n"
                        "# versus: median\n"
                        "erosion=radius=2:enable=0,median=radius=2:slices=1\n");
    free(text);
    rn_play_snapshots_clear(&s);
    text = rn_play_chain_file_make("/a clip.mkv", &frame, chain, versus, &s);
    assert_int_equal(strncmp(rn_play_chain_file_body(text), "# versus: median\nerosion", 24), 0);
}

/* What people, or other versions, made of such a file. */
TEST(rubbish)
{
    static const char *const pieces[] = {"# snapshot ",
                                         "# snapshot A",
                                         "# snapshot A: ",
                                         "# snapshot Z: x",
                                         "# on ",
                                         "# versus: ",
                                         "# kept ",
                                         "#+",
                                         "\n",
                                         "#",
                                         "erosion",
                                         "",
                                         "\n\n"};
    struct rng rng = rng_seed(6);
    for (int round = 0; round < 3000; round++) {
        char text[256] = "";
        for (int i = rng_below(&rng, 12); i > 0; i--)
            strcat(text, pieces[rng_below(&rng, COUNT(pieces))]);
        OWNED(rn_play_chain_file_free) struct rn_play_chain_file file;
        char *copy = strdup(text); /* of its own length, for the sanitizer */
        assert_int_equal(rn_play_chain_file_read(&file, copy), 0);
        assert_true(rn_play_chain_file_body(copy) <= copy + strlen(copy));
        free(copy);
    }
}

GROUP(.quiet = true, .before_all = unit_enter_folder, .after_all = unit_leave_folder);
