/* SPDX-License-Identifier: MIT */
/* Converts tags, languages, chapters and loops to the form in which each muxer writes them: see
 * rn_container_metadata_fn. */
#include "io/containers/checks/checks.h"

#include "filters/base/log.h"
#include "io/common/media.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/opt.h>

/* ---- MOV and MP4 */

/* Tags for which the muxer has an atom or another place, or that do not describe this file. MOV has
 * fewer. */
static const char in_both[] = "title,artist,album,date,comment,genre,keywords,encoder,copyright,"
                              "creation_time,timecode,encoding_tool,duration,location";
static const char in_mov[] = "author,make,model";
static const char in_mp4[] =
    "album_artist,composer,grouping,lyrics,description,synopsis,show,network,episode_id,episode_"
    "sort,season_number,media_type,hd_video,compilation,gapless_playback,track,disc,tmpo,bpm";

static bool has_own_tags(const AVFormatContext *out, const char *atoms)
{
    const AVDictionaryEntry *e = NULL;
    while ((e = av_dict_get(out->metadata, "", e, AV_DICT_IGNORE_SUFFIX)))
        if (!av_match_name(e->key, in_both) && !av_match_name(e->key, atoms))
            return true;
    return false;
}

/* Stores all tags in a way that permits any name. Few programs but FFmpeg's find title and artist
 * there, and covers have no place. So it is used only without a cover, if a tag would be lost. */
static int allow_own_tags(AVDictionary **options)
{
    static const char flag[] = "use_metadata_tags";
    const AVDictionaryEntry *e = av_dict_get(*options, "movflags", NULL, 0);
    char text[300];
    if (e && strstr(e->value, flag))
        return 0;
    snprintf(text, sizeof text, "%s+%s", e ? e->value : "", flag);
    return av_dict_set(options, "movflags", text, 0) < 0 ? rn_fail_memory() : 0;
}

/* MOV has Macintosh codes of languages. The muxer knows one name for each: one of the two forms of
 * ISO 639-2, or a name of its own. */
static const char *language_of_mov(const char *language)
{
    static const char *const names[][2] = {
        {"fre", "fra"}, {"cze", "ces"}, {"rum", "ron"}, {"slo", "slk"}, {"swe", "sve"},
        {"hrv", "hr "}, {"srp", "sr "}, {"pan", "pa "}, {"fao", "fo "}, {"gle", "iri"},
        {"sqi", "alb"}, {"hye", "arm"}, {"eus", "baq"}, {"mya", "bur"}, {"zho", "chi"},
        {"nld", "dut"}, {"kat", "geo"}, {"deu", "ger"}, {"ell", "gre"}, {"isl", "ice"},
        {"mkd", "mac"}, {"msa", "may"}, {"fas", "per"}, {"bod", "tib"}, {"cym", "wel"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(language, names[i][0]))
            return names[i][1];
    return language;
}

static int set(AVDictionary **metadata, const char *key, const char *value)
{
    return av_dict_set(metadata, key, value, 0) < 0 ? rn_fail_memory() : 0;
}

/* A stream's title stands where few look for it; its handler's name is what players show. */
int rn_container_3gp_fit_metadata(AVFormatContext *out, const struct rn_io_media *media,
                                  AVStream *video, AVDictionary **options)
{
    int err = 0;
    for (unsigned i = 0; i < out->nb_streams && !err; i++) {
        AVDictionary **tags = &out->streams[i]->metadata;
        const AVDictionaryEntry *title = av_dict_get(*tags, "title", NULL, 0);
        err = title ? set(tags, "handler_name", title->value) : 0;
    }
    return err;
}

static bool has_cover(const AVFormatContext *out)
{
    for (unsigned i = 0; i < out->nb_streams; i++)
        if (out->streams[i]->disposition & AV_DISPOSITION_ATTACHED_PIC)
            return true;
    return false;
}

int rn_container_mov_fit_metadata(AVFormatContext *out, const struct rn_io_media *media,
                                  AVStream *video, AVDictionary **options)
{
    int err = rn_container_3gp_fit_metadata(out, media, video, options);
    for (unsigned i = 0; i < out->nb_streams && !err; i++) {
        AVDictionary **tags = &out->streams[i]->metadata;
        const AVDictionaryEntry *language = av_dict_get(*tags, "language", NULL, 0);
        err = language ? set(tags, "language", language_of_mov(language->value)) : 0;
    }
    if (!err && !has_cover(out) && has_own_tags(out, in_mov))
        err = allow_own_tags(options);
    return err;
}

int rn_container_mp4_fit_metadata(AVFormatContext *out, const struct rn_io_media *media,
                                  AVStream *video, AVDictionary **options)
{
    int err = rn_container_3gp_fit_metadata(out, media, video, options);
    if (!err && !has_cover(out) && has_own_tags(out, in_mp4))
        err = allow_own_tags(options);
    return err;
}

/* ---- others */

/* Vorbis comments have chapters in tags CHAPTER001, CHAPTER001NAME and so on. */
int rn_container_ogg_fit_metadata(AVFormatContext *out, const struct rn_io_media *media,
                                  AVStream *video, AVDictionary **options)
{
    int err = 0;
    for (unsigned i = 0; i < out->nb_chapters && i < 999 && !err; i++) {
        const AVChapter *c = out->chapters[i];
        const AVDictionaryEntry *title = av_dict_get(c->metadata, "title", NULL, 0);
        int64_t ms = av_rescale_q(c->start, c->time_base, (AVRational){1, 1000});
        char key[24], text[40];
        snprintf(key, sizeof key, "CHAPTER%03u", i + 1);
        snprintf(text, sizeof text, "%02" PRId64 ":%02" PRId64 ":%02" PRId64 ".%03" PRId64,
                 ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
        err = set(&video->metadata, key, text);
        av_strlcat(key, "NAME", sizeof key);
        if (!err && title)
            err = set(&video->metadata, key, title->value);
    }
    return err;
}

/* AVI has one timecode, of the file; other containers have it with a stream. */
int rn_container_avi_fit_metadata(AVFormatContext *out, const struct rn_io_media *media,
                                  AVStream *video, AVDictionary **options)
{
    const AVDictionaryEntry *e = av_dict_get(out->metadata, "timecode", NULL, 0);
    for (unsigned i = 0; i < out->nb_streams && !e; i++)
        e = av_dict_get(out->streams[i]->metadata, "timecode", NULL, 0);
    return e ? set(&out->metadata, "timecode", e->value) : 0;
}

/* 0 means forever to both muxers. */
static int set_loops(AVFormatContext *out, const char *option, int n)
{
    n = n < UINT16_MAX ? n : UINT16_MAX;
    return av_opt_set_int(out->priv_data, option, n, 0) < 0 ? rn_fail_memory() : 0;
}

/* The muxer counts repeats; -1: none. */
int rn_container_gif_fit_metadata(AVFormatContext *out, const struct rn_io_media *media,
                                  AVStream *video, AVDictionary **options)
{
    int n = media->loop_count;
    return n ? set_loops(out, "loop", n == RN_LOOP_FOREVER ? 0 : n == 1 ? -1 : n - 1) : 0;
}

int rn_container_apng_fit_metadata(AVFormatContext *out, const struct rn_io_media *media,
                                   AVStream *video, AVDictionary **options)
{
    int n = media->loop_count;
    return n ? set_loops(out, "plays", n == RN_LOOP_FOREVER ? 0 : n) : 0;
}
