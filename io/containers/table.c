/* SPDX-License-Identifier: MIT */
#include "io/containers/table.h"

#include "filters/base/log.h"
#include "io/common/media.h"
#include "io/common/tags.h"
#include "io/containers/checks/checks.h"
#include "io/containers/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/opt.h>

/* ---- lists of codings: of muxers that take everything, what comes back from them by its name */

static const enum AVCodecID in_mpegts[] = {
    AV_CODEC_ID_H264,         AV_CODEC_ID_HEVC,      AV_CODEC_ID_MPEG1VIDEO,
    AV_CODEC_ID_MPEG2VIDEO,   AV_CODEC_ID_MPEG4,     AV_CODEC_ID_VC1,
    AV_CODEC_ID_DIRAC,        AV_CODEC_ID_CAVS,      AV_CODEC_ID_AVS2,
    AV_CODEC_ID_MP1,          AV_CODEC_ID_MP2,       AV_CODEC_ID_MP3,
    AV_CODEC_ID_AAC,          AV_CODEC_ID_AAC_LATM,  AV_CODEC_ID_AC3,
    AV_CODEC_ID_EAC3,         AV_CODEC_ID_DTS,       AV_CODEC_ID_TRUEHD,
    AV_CODEC_ID_OPUS,         AV_CODEC_ID_S302M,     AV_CODEC_ID_DVB_SUBTITLE,
    AV_CODEC_ID_DVB_TELETEXT, AV_CODEC_ID_SMPTE_KLV, AV_CODEC_ID_HDMV_PGS_SUBTITLE,
    AV_CODEC_ID_TIMED_ID3,    AV_CODEC_ID_NONE,
};
static const enum AVCodecID in_mpegps[] = {
    AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_H264,         AV_CODEC_ID_MP1,
    AV_CODEC_ID_MP2,        AV_CODEC_ID_MP3,        AV_CODEC_ID_AC3,          AV_CODEC_ID_DTS,
    AV_CODEC_ID_PCM_DVD,    AV_CODEC_ID_PCM_S16BE,  AV_CODEC_ID_DVD_SUBTITLE, AV_CODEC_ID_NONE,
};
static const enum AVCodecID sound_of_mxf[] = {AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S24LE,
                                              AV_CODEC_ID_NONE};
/* AAC has no times in RealMedia, and falls into other packets in WTV. */
static const enum AVCodecID sound_of_rm[] = {AV_CODEC_ID_AC3, AV_CODEC_ID_NONE};
static const enum AVCodecID sound_of_wtv[] = {AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3,
                                              AV_CODEC_ID_AC3, AV_CODEC_ID_NONE};

static const enum AVPixelFormat y4m_formats[] = {
    AV_PIX_FMT_YUV420P,   AV_PIX_FMT_YUV422P,   AV_PIX_FMT_YUV444P,   AV_PIX_FMT_GRAY8,
    AV_PIX_FMT_YUV420P9,  AV_PIX_FMT_YUV422P9,  AV_PIX_FMT_YUV444P9,  AV_PIX_FMT_GRAY9,
    AV_PIX_FMT_YUV420P10, AV_PIX_FMT_YUV422P10, AV_PIX_FMT_YUV444P10, AV_PIX_FMT_GRAY10,
    AV_PIX_FMT_YUV420P12, AV_PIX_FMT_YUV422P12, AV_PIX_FMT_YUV444P12, AV_PIX_FMT_GRAY12,
    AV_PIX_FMT_YUV420P14, AV_PIX_FMT_YUV422P14, AV_PIX_FMT_YUV444P14, AV_PIX_FMT_YUV420P16,
    AV_PIX_FMT_YUV422P16, AV_PIX_FMT_YUV444P16, AV_PIX_FMT_GRAY16,    AV_PIX_FMT_NONE,
};

/* ---- what follows on the last packet: see end_marks */

static const char *const marks_of_matroska[] = {"\x1c\x53\xbb\x6b", "\x12\x54\xc3\x67", NULL};
static const char *const marks_of_avi[] = {"idx1", "ix0", "JUNK", NULL};
static const char *const marks_of_asf[] = {"\x90\x08" /* and 0 */, "\xd3\x29\xe2\xd6", NULL};
static const char *const marks_of_nut[] = {RN_CONTAINER_NUT_INDEX, NULL};
static const char *const no_marks[] = {NULL};

/* ---- tags, languages, chapters and loops as each muxer writes them: rn_container_metadata_fn */

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

static bool has_cover(const AVFormatContext *out)
{
    for (unsigned i = 0; i < out->nb_streams; i++)
        if (out->streams[i]->disposition & AV_DISPOSITION_ATTACHED_PIC)
            return true;
    return false;
}

/* Stores all tags in a way that permits any name. Few programs but FFmpeg's find title and artist
 * there, and covers have no place. So it is used only without a cover, if a tag would be lost. */
static int allow_own_tags(const AVFormatContext *out, const char *atoms, AVDictionary **options)
{
    static const char flag[] = "use_metadata_tags";
    const char *given = rn_io_tag(*options, "movflags");
    char text[300];
    if (has_cover(out) || !has_own_tags(out, atoms) || (given && strstr(given, flag)))
        return 0;
    snprintf(text, sizeof text, "%s+%s", given ? given : "", flag);
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
static int fit_3gp(AVFormatContext *out, const struct rn_io_media *media, AVStream *video,
                   AVDictionary **options)
{
    int err = 0;
    for (unsigned i = 0; i < out->nb_streams && !err; i++) {
        AVDictionary **tags = &out->streams[i]->metadata;
        const char *title = rn_io_tag(*tags, "title");
        err = title ? set(tags, "handler_name", title) : 0;
    }
    return err;
}

static int fit_mov(AVFormatContext *out, const struct rn_io_media *media, AVStream *video,
                   AVDictionary **options)
{
    int err = fit_3gp(out, media, video, options);
    for (unsigned i = 0; i < out->nb_streams && !err; i++) {
        AVDictionary **tags = &out->streams[i]->metadata;
        const char *language = rn_io_tag(*tags, "language");
        err = language ? set(tags, "language", language_of_mov(language)) : 0;
    }
    return err ? err : allow_own_tags(out, in_mov, options);
}

static int fit_mp4(AVFormatContext *out, const struct rn_io_media *media, AVStream *video,
                   AVDictionary **options)
{
    int err = fit_3gp(out, media, video, options);
    return err ? err : allow_own_tags(out, in_mp4, options);
}

/* Vorbis comments have chapters in tags CHAPTER001, CHAPTER001NAME and so on. */
static int fit_ogg(AVFormatContext *out, const struct rn_io_media *media, AVStream *video,
                   AVDictionary **options)
{
    int err = 0;
    for (unsigned i = 0; i < out->nb_chapters && i < 999 && !err; i++) {
        const AVChapter *c = out->chapters[i];
        const char *title = rn_io_tag(c->metadata, "title");
        int64_t ms = av_rescale_q(c->start, c->time_base, (AVRational){1, 1000});
        char key[24], text[40];
        snprintf(key, sizeof key, "CHAPTER%03u", i + 1);
        snprintf(text, sizeof text, "%02" PRId64 ":%02" PRId64 ":%02" PRId64 ".%03" PRId64,
                 ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
        err = set(&video->metadata, key, text);
        av_strlcat(key, "NAME", sizeof key);
        if (!err && title)
            err = set(&video->metadata, key, title);
    }
    return err;
}

/* AVI has one timecode, of the file; other containers have it with a stream. */
static int fit_avi(AVFormatContext *out, const struct rn_io_media *media, AVStream *video,
                   AVDictionary **options)
{
    const char *timecode = rn_io_timecode(out);
    return timecode ? set(&out->metadata, "timecode", timecode) : 0;
}

/* 0 means forever to both muxers. */
static int set_loops(AVFormatContext *out, const char *option, int n)
{
    n = n < UINT16_MAX ? n : UINT16_MAX;
    return av_opt_set_int(out->priv_data, option, n, 0) < 0 ? rn_fail_memory() : 0;
}

/* The muxer counts repeats; -1: none. */
static int fit_gif(AVFormatContext *out, const struct rn_io_media *media, AVStream *video,
                   AVDictionary **options)
{
    int n = media->loop_count;
    return n ? set_loops(out, "loop", n == RN_LOOP_FOREVER ? 0 : n == 1 ? -1 : n - 1) : 0;
}

static int fit_apng(AVFormatContext *out, const struct rn_io_media *media, AVStream *video,
                    AVDictionary **options)
{
    int n = media->loop_count;
    return n ? set_loops(out, "plays", n == RN_LOOP_FOREVER ? 0 : n) : 0;
}

/* ---- what the rows of one family share */

#define MATROSKA_READING                                                                           \
    .demuxer = "matroska,webm", .totals = RN_TOTALS_TAGS, .total_bounds = true,                    \
    .average_duration = true, .header_rewritten = true, .whole_times = true,                       \
    .losses = RN_GAP_AT_HOLE | RN_GAP_OF_SOUND_AT_HOLE,                                            \
    .is_complete = rn_container_matroska_is_complete, .end_marks = marks_of_matroska,              \
    .first_hole = rn_container_matroska_first_hole
#define MATROSKA_WRITING                                                                           \
    .tells_range = true, .keeps_negative_times = true, .subtracts_delay = true,                    \
    .rate_is_duration = true, .trailer_bytes = 1024, .trailer_per_key = 32

#define MOV_READING                                                                                \
    .demuxer = "mov,mp4,m4a,3gp,3g2,mj2", .index = RN_INDEX_SAMPLES, .totals = RN_TOTALS_SAMPLES,  \
    .header_rewritten = true, .pictures_abut = true, .sound_abuts = true, .seeks_subtitles = true, \
    .is_complete = rn_container_mov_is_complete, .find_missing = rn_container_mov_find_missing
#define MOV_WRITING                                                                                \
    .prefers_alac = true, .last_duration = RN_LAST_SUM, .pcm_untimed = true, .edit_lists = true,   \
    .movie_timescale = true, .index_in_trailer = true, .always_readable = true
#define MP4_WRITING                                                                                \
    MOV_WRITING, .audio_encoder = "aac", .cover = RN_CONTAINER_COVER_STREAM,                       \
                 .pcm_needs_layout = true
#define KEPT_BY_MOV                                                                                \
    RN_KEEPS_CHAPTERS | RN_KEEPS_ASPECT | RN_KEEPS_ROTATION | RN_KEEPS_COLOUR | RN_KEEPS_SPHERICAL

/* They cut packets into packs and hold the last ones back. */
#define MPEGPS_READING                                                                             \
    .demuxer = "mpeg", .losses = RN_GAP_OF_CLOCK | RN_GAP_OF_SOUND_CLOCK, .found_by_bytes = true
#define MPEGPS_WRITING                                                                             \
    .codecs = in_mpegps, .rate = RN_RATE_CONSTANT, .listed_rates = true, .pack_bytes = 2048

#define AVI_READING                                                                                \
    .demuxer = "avi", .index = RN_INDEX_CHUNKS, .totals = RN_TOTALS_STEPS, .total_bounds = true,   \
    .header_rewritten = true, .pictures_abut = true, .is_complete = rn_container_avi_is_complete,  \
    .end_marks = marks_of_avi, .find_missing = rn_container_avi_find_missing
#define AVI_WRITING                                                                                \
    .video_encoder = "ffv1", .needs_start_codes = true, .rate = RN_RATE_STEPS,                     \
    .starts_at_zero = true, .sound_untimed = true, .keeps_negative_times = true,                   \
    .needs_seek = true, .trailer_bytes = 1024, .trailer_per_packet = 24, .packet_overhead = 9,     \
    .fit_metadata = fit_avi

#define MXF_READING .demuxer = "mxf", .totals = RN_TOTALS_PACKETS, .losses = RN_GAP_OF_CLOCK
#define MXF_WRITING                                                                                \
    .codecs = sound_of_mxf, .codecs_of_sound_only = true, .header_needs_pictures = true,           \
    .sound_untimed = true, .sound_rate = 48000

#define NAMES(of_demuxer, of_muxers) .demuxer = (of_demuxer), .muxers = (of_muxers)

/* ---- the rows. Of those with one demuxer the first is the one of what is read. Of those with an
 * extension, which take most codings, the loss report suggests the first that fits. */

static const struct rn_container rows[] = {
    {MATROSKA_READING, MATROSKA_WRITING, .muxers = "matroska", .extension = "mkv",
     .uses = RN_CONTAINER_FOR_TV | RN_CONTAINER_FOR_ARCHIVES, .video_encoder = "libx264",
     .alpha_encoder = "ffv1", .attachments = true, .cover = RN_CONTAINER_COVER_FILE,
     .always_readable = true,
     .keeps = RN_KEEPS_TAGS | RN_KEEPS_STREAM_TAGS | RN_KEEPS_STREAMS | RN_KEEPS_DISPOSITIONS |
              RN_KEEPS_CHAPTERS | RN_KEEPS_TIMECODE | RN_KEEPS_ASPECT | RN_KEEPS_COLOUR |
              RN_KEEPS_STEREO | RN_KEEPS_SPHERICAL | RN_KEEPS_ALPHA},
    {MATROSKA_READING, MATROSKA_WRITING, .muxers = "webm", .video_encoder = "libvpx-vp9",
     .audio_encoder = "libopus", .keeps = RN_KEEPS_TAGS | RN_KEEPS_STREAM_TAGS},
    {MOV_READING, MOV_WRITING, .muxers = "mov", .extension = "mov",
     .uses = RN_CONTAINER_FOR_EDITING, .video_encoder = "libx264", .alpha_encoder = "prores_ks",
     .audio_encoder = "aac", .experimental = true, .cover = RN_CONTAINER_COVER_DROPPED,
     .hevc_tag = MKTAG('h', 'v', 'c', '1'),
     .keeps = KEPT_BY_MOV | RN_KEEPS_TIMECODE | RN_KEEPS_CHANNELS, .fit_metadata = fit_mov},
    {MOV_READING, MP4_WRITING, .muxers = "mp4",
     .uses = RN_CONTAINER_FOR_PLAYERS | RN_CONTAINER_FOR_TV, .video_encoder = "libx264",
     .experimental = true, .tells_range = true, .hevc_tag = MKTAG('h', 'v', 'c', '1'),
     .keeps = KEPT_BY_MOV, .fit_metadata = fit_mp4},
    {MOV_READING, MP4_WRITING, .muxers = "ipod", .video_encoder = "libx264",
     .hevc_tag = MKTAG('h', 'v', 'c', '1'), .fit_metadata = fit_3gp},
    {MOV_READING, MP4_WRITING, .muxers = "3gp,3g2,f4v", .video_encoder = "libx264",
     .fit_metadata = fit_3gp},
    {MOV_READING, MP4_WRITING, .muxers = "psp,ismv", .fit_metadata = fit_3gp},
    {NAMES("nut", "nut"), .extension = "nut", .video_encoder = "ffv1", .losses = RN_GAP_AT_HOLE,
     .is_complete = rn_container_nut_is_complete, .end_marks = marks_of_nut, .elided_bytes = 16,
     .find_missing = rn_container_nut_find_missing, .last_duration = RN_LAST_UNTOLD,
     .sound_bit_rate_harms = true},
    {NAMES("mpegts", "mpegts"), .extension = "ts", .video_encoder = "libx264",
     .audio_encoder = "aac", .losses = RN_GAP_OF_CLOCK | RN_GAP_OF_SOUND_CLOCK,
     .found_by_bytes = true, .transport_packets = true,
     .is_complete = rn_container_mpegts_is_complete, .codecs = in_mpegts,
     .last_duration = RN_LAST_UNTOLD, .fixed_ids_extension = "m2ts", .keeps = RN_KEEPS_PROGRAMS},
    {MPEGPS_READING, MPEGPS_WRITING, .muxers = "mpeg,vob,dvd,svcd",
     .video_encoder = "mpeg2video" /* MPEG-1 knows no fields */},
    {MPEGPS_READING, MPEGPS_WRITING, .muxers = "vcd"},
    {AVI_READING, AVI_WRITING, .muxers = "avi"},
    {NAMES("flv", "flv"), .video_encoder = "libx264", .audio_encoder = "aac", .total_bounds = true,
     .losses = RN_GAP_AT_HOLE | RN_GAP_OF_SOUND_AT_HOLE, .found_by_bytes = true,
     .is_complete = rn_container_flv_is_complete, .end_marks = no_marks,
     .is_joined = rn_container_flv_is_joined},
    {NAMES("asf", "asf,asf_stream"), .total_bounds = true, .shared_duration = true,
     .found_by_bytes = true, .is_complete = rn_container_asf_is_complete, .end_marks = marks_of_asf,
     .packet_size = rn_container_asf_packet_size, .find_missing = rn_container_asf_find_missing},
    {NAMES("ogg", "ogg,ogv"), .clock_restarts = true, .is_complete = rn_container_ogg_is_complete,
     .find_missing = rn_container_ogg_find_missing, .rate = RN_RATE_CONSTANT,
     .fit_metadata = fit_ogg},
    {NAMES("gif", "gif"), .max_read_rate = 50, .harmless = "gif: invalid block label",
     .is_complete = rn_container_gif_is_complete, .find_missing = rn_container_gif_find_missing,
     .loop_count = rn_container_gif_loop_count, .last_duration = RN_LAST_OPTION,
     .fit_metadata = fit_gif},
    {NAMES("apng", "apng"), .is_joined = rn_container_has_second_head,
     .find_missing = rn_container_apng_find_missing, .loop_count = rn_container_apng_loop_count,
     .fit_metadata = fit_apng},
    {MXF_READING, MXF_WRITING, .muxers = "mxf,mxf_d10", .rate = RN_RATE_CONSTANT,
     .listed_rates = true},
    {MXF_READING, MXF_WRITING, .muxers = "mxf_opatom"},
    {NAMES("gxf", "gxf"), .losses = RN_GAP_OF_CLOCK, .header_needs_pictures = true,
     .rate = RN_RATE_CONSTANT, .listed_rates = true},
    {NAMES("dv", "dv"), .losses = RN_GAP_OF_CLOCK, .changing_aspect = true,
     .header_needs_pictures = true, .rate = RN_RATE_CONSTANT, .listed_rates = true},
    {NAMES("wtv", "wtv"), .losses = RN_GAP_OF_CLOCK, .is_joined = rn_container_has_second_head,
     .codecs = sound_of_wtv, .codecs_of_sound_only = true},
    {.demuxer = "hls", .losses = RN_GAP_OF_CLOCK},
    {NAMES("rm", "rm"), .is_joined = rn_container_has_second_head, .reads_joined = true,
     .codecs = sound_of_rm, .codecs_of_sound_only = true, .rate = RN_RATE_CONSTANT},
    {NAMES("swf", "swf"), .header_needs_pictures = true, .rate = RN_RATE_CONSTANT},
    {NAMES("roq", "roq"), .is_complete = rn_container_roq_is_complete},
    {NAMES("film_cpk", "film_cpk"), .header_needs_pictures = true},
    {NAMES("ivf", "ivf"), .losses = RN_GAP_AT_HOLE, .packet_header = RN_CONTAINER_IVF_HEADER,
     .find_missing = rn_container_ivf_find_missing},
    {NAMES("yuv4mpegpipe", RN_CONTAINER_FOR_STDOUT), .bare_frames = true, .frame_mark = "FRAME\n",
     .pix_fmts = y4m_formats, .tells_range = true, .rate = RN_RATE_CONSTANT},
    /* Of bare samples nobody takes anything for granted. */
    {NAMES("rawvideo", "rawvideo"), .tells_range = true, .no_header = true},
    {NAMES("h264", "h264"), .video_encoder = "libx264"},
    {NAMES("fits", "fits"), .untimed = true},
    {.demuxer = "libgme", .no_pictures = "it is sound alone"},
    {.demuxer = "libopenmpt", .no_pictures = "it is sound alone"},
    {.demuxer = "tty", .no_pictures = "it is text"},
    {.demuxer = "bin", .no_pictures = "it is text"},
    {.demuxer = "xbin", .no_pictures = "it is text"},
    {.demuxer = "adf", .no_pictures = "it is text"},
    {.demuxer = "idf", .no_pictures = "it is text"},
    {.demuxer = RN_CONTAINER_OF_GRAPHS, .endless = true, .pictures_abut = true},
};

static const struct rn_container unknown;

const struct rn_container *rn_container_row(size_t i)
{
    return i < sizeof rows / sizeof rows[0] ? &rows[i] : NULL;
}

const struct rn_container *rn_container_of_demuxer(const AVInputFormat *demuxer)
{
    for (size_t i = 0; demuxer && i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].demuxer && !strcmp(rows[i].demuxer, demuxer->name))
            return &rows[i];
    return &unknown;
}

const struct rn_container *rn_container_of_output(const AVOutputFormat *of)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].muxers && av_match_name(of->name, rows[i].muxers))
            return &rows[i];
    return &unknown;
}

bool rn_container_has_fixed_ids(const struct rn_container *container, const char *name)
{
    return container->fixed_ids_extension && av_match_ext(name, container->fixed_ids_extension);
}

const AVOutputFormat *rn_container_muxer(const struct rn_container *container)
{
    char name[32];
    av_strlcpy(name, container->muxers, sizeof name);
    name[strcspn(name, ",")] = '\0';
    return av_guess_format(name, NULL, NULL);
}
