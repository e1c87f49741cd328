#include "io/write/mux/metadata.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/write/mux/container.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/opt.h>

/* ---- MOV and MP4 */

/* Tags that the muxer has an atom for, or writes in another place, or that say nothing of this
 * file. MOV has fewer. */
static const char *const in_both[] = {
    "title",   "artist",    "album",         "date",     "comment",       "genre",    "keywords",
    "encoder", "copyright", "creation_time", "timecode", "encoding_tool", "duration", "location"};
static const char *const in_mov[] = {"author", "make", "model"};
static const char *const in_mp4[] = {
    "album_artist",  "composer",   "grouping", "lyrics",      "description",
    "synopsis",      "show",       "network",  "episode_id",  "episode_sort",
    "season_number", "media_type", "hd_video", "compilation", "gapless_playback",
    "track",         "disc",       "tmpo",     "bpm"};

static bool is_among(const char *key, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!av_strcasecmp(key, list[i]))
            return true;
    return false;
}

static bool has_own_tags(const AVFormatContext *out, bool mov)
{
    const AVDictionaryEntry *e = NULL;
    while ((e = av_dict_get(out->metadata, "", e, AV_DICT_IGNORE_SUFFIX)))
        if (!is_among(e->key, in_both, sizeof in_both / sizeof in_both[0]) &&
            !(mov ? is_among(e->key, in_mov, sizeof in_mov / sizeof in_mov[0])
                  : is_among(e->key, in_mp4, sizeof in_mp4 / sizeof in_mp4[0])))
            return true;
    return false;
}

/* Tags of any name are stored in another way, all of them then. Few programs but FFmpeg's look
 * there for title and artist, and covers have no place, so it is taken only where a tag would be
 * lost without it and there is no cover. */
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

/* MOV has Macintosh codes of languages, for which the muxer knows one name each: of the two sorts
 * of ISO 639-2 one or the other, and a few of its own. */
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
static int fit_mov_stream(AVStream *st, bool mov)
{
    const AVDictionaryEntry *title = av_dict_get(st->metadata, "title", NULL, 0);
    int err = title ? set(&st->metadata, "handler_name", title->value) : 0;
    /* What was found before an entry is set may have moved. */
    const AVDictionaryEntry *language = av_dict_get(st->metadata, "language", NULL, 0);
    if (!err && mov && language)
        err = set(&st->metadata, "language", language_of_mov(language->value));
    return err;
}

static int fit_mov(AVFormatContext *out, AVDictionary **options)
{
    bool mov = !strcmp(out->oformat->name, "mov");
    bool cover = false;
    int err = 0;
    for (unsigned i = 0; i < out->nb_streams && !err; i++) {
        cover |= out->streams[i]->disposition & AV_DISPOSITION_ATTACHED_PIC;
        err = fit_mov_stream(out->streams[i], mov);
    }
    if (!err && !cover && av_match_name(out->oformat->name, "mov,mp4") && has_own_tags(out, mov))
        err = allow_own_tags(options);
    return err;
}

/* ---- others */

/* The comments of Vorbis and its kin name chapters in their own way. */
static int fit_ogg(AVFormatContext *out, AVStream *video)
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
static int fit_avi(AVFormatContext *out)
{
    const AVDictionaryEntry *e = av_dict_get(out->metadata, "timecode", NULL, 0);
    for (unsigned i = 0; i < out->nb_streams && !e; i++)
        e = av_dict_get(out->streams[i]->metadata, "timecode", NULL, 0);
    return e ? set(&out->metadata, "timecode", e->value) : 0;
}

/* GIF counts repeats, -1 for none; APNG counts how often it is shown. Both take 0 for ever. */
static int fit_animation(AVFormatContext *out, int plays)
{
    bool gif = !strcmp(out->oformat->name, "gif");
    int n = plays == RN_PLAYS_FOREVER ? 0 : !gif ? plays : plays == 1 ? -1 : plays - 1;
    n = n < UINT16_MAX ? n : UINT16_MAX;
    return av_opt_set_int(out->priv_data, gif ? "loop" : "plays", n, 0) < 0 ? rn_fail_memory() : 0;
}

int rn_write_metadata_fit(AVFormatContext *out, const struct rn_io_media *media, AVStream *video,
                          AVDictionary **options)
{
    const char *name = out->oformat->name;
    if (rn_write_container_is_mov(out->oformat))
        return fit_mov(out, options);
    if (av_match_name(name, "ogg,ogv"))
        return fit_ogg(out, video);
    if (!strcmp(name, "avi"))
        return fit_avi(out);
    if (av_match_name(name, "gif,apng") && media->plays)
        return fit_animation(out, media->plays);
    return 0;
}
