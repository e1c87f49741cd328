/* SPDX-License-Identifier: MIT */
/* The table of containers: each row is found by its names; what has none gets that of others. */
#include "tests/unit.h"

#include <libavutil/avstring.h>

#include "io/containers/checks/checks.h"

static const AVInputFormat *demuxer_named(const char *name)
{
    void *iter = NULL;
    const AVInputFormat *demuxer;
    while ((demuxer = av_demuxer_iterate(&iter)) && strcmp(demuxer->name, name) != 0)
        ;
    return demuxer;
}

TEST(rows_are_found_by_their_names)
{
    const struct rn_container *row, *first;
    for (size_t i = 0; (row = rn_container_row(i)); i++) {
        assert_true(row->demuxer || row->muxers);
        const AVInputFormat *demuxer = row->demuxer ? demuxer_named(row->demuxer) : NULL;
        for (size_t k = 0; demuxer && (first = rn_container_row(k)); k++)
            if (first->demuxer && !strcmp(first->demuxer, row->demuxer)) {
                assert_ptr_equal(rn_container_of_demuxer(demuxer), first);
                break;
            }
        char names[64] = "", *next = names, *name;
        if (row->muxers)
            av_strlcpy(names, row->muxers, sizeof names);
        while ((name = av_strtok(next, ",", &next))) {
            const AVOutputFormat of = {.name = name};
            assert_ptr_equal(rn_container_of_output(&of), row); /* so no name stands twice */
        }
    }
}

/* Wrong names would give a container the row of all others without a word. */
TEST(names_are_those_of_libav)
{
    const struct rn_container *row;
    for (size_t i = 0; (row = rn_container_row(i)); i++) {
        if (row->demuxer && strcmp(row->demuxer, RN_CONTAINER_OF_GRAPHS) != 0)
            assert_non_null(demuxer_named(row->demuxer)); /* that one is in libavdevice */
        char names[64] = "", *next = names, *name;
        if (row->muxers)
            av_strlcpy(names, row->muxers, sizeof names);
        while ((name = av_strtok(next, ",", &next))) {
            const AVOutputFormat *of = av_guess_format(name, NULL, NULL);
            assert_non_null(of);
            assert_string_equal(of->name, name);
        }
    }
}

/* Rows of one demuxer differ in what is written alone. */
TEST(families_are_read_alike)
{
    const struct rn_container *row, *other;
    for (size_t i = 0; (row = rn_container_row(i)); i++)
        for (size_t k = i + 1; (other = rn_container_row(k)); k++)
            if (row->demuxer && other->demuxer && !strcmp(row->demuxer, other->demuxer)) {
                assert_int_equal(row->index, other->index);
                assert_int_equal(row->totals, other->totals);
                assert_int_equal(row->losses, other->losses);
                assert_true(row->is_complete == other->is_complete);
                assert_true(row->end_marks == other->end_marks);
                assert_true(row->find_missing == other->find_missing);
            }
}

TEST(encoders_are_held)
{
    const struct rn_container *row;
    for (size_t i = 0; (row = rn_container_row(i)); i++) {
        const char *names[] = {row->video_encoder, row->alpha_encoder, row->audio_encoder};
        for (int k = 0; k < COUNT(names); k++) {
            const AVCodec *codec = names[k] ? avcodec_find_encoder_by_name(names[k]) : NULL;
            const enum AVCodecID *id = row->codecs;
            while (codec && id && *id != codec->id && *id != AV_CODEC_ID_NONE)
                id++;
            assert_true(!codec || !id || *id == codec->id);
        }
    }
}

/* Every muxer that the program offers has a row: its own, or that of all others, which promises
 * nothing. What the loss report suggests has one of its own. */
TEST(every_muxer_has_a_row)
{
    void *iter = NULL;
    const AVOutputFormat *of;
    while ((of = av_muxer_iterate(&iter)))
        assert_non_null(rn_container_of_output(of));
    const struct rn_container *row;
    for (size_t i = 0; (row = rn_container_row(i)); i++) {
        if (!row->extension)
            continue;
        of = av_guess_format(NULL, formatted("x.%s", row->extension), NULL);
        assert_ptr_equal(of, rn_container_muxer(row));
        assert_ptr_equal(rn_container_of_output(of), row);
    }
}

TEST(the_unknown_promises_nothing)
{
    static const struct rn_container zero;
    const AVInputFormat *demuxer = demuxer_named("idcin");
    const AVOutputFormat of = {.name = "none of libav's"};
    assert_memory_equal(rn_container_of_input(NULL), &zero, sizeof zero);
    assert_memory_equal(rn_container_of_demuxer(demuxer), &zero, sizeof zero);
    assert_memory_equal(rn_container_of_output(&of), &zero, sizeof zero);
}
