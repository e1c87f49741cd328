/* SPDX-License-Identifier: MIT */
#include "io/containers/table.h"

#include "io/containers/checks/checks.h"

#include <string.h>

#include <libavutil/avstring.h>

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

/* ---- what the rows of one family share */

#define MATROSKA_READING                                                                           \
    .demuxer = "matroska,webm", .totals = RN_CONTAINER_TOTALS_TAGS, .total_bounds = true,          \
    .average_duration = true, .header_rewritten = true, .whole_times = true,                       \
    .losses = RN_CONTAINER_GAP_AT_HOLE | RN_CONTAINER_GAP_OF_SOUND_AT_HOLE,                        \
    .is_complete = rn_container_matroska_is_complete, .end_marks = marks_of_matroska,              \
    .first_hole = rn_container_matroska_first_hole
#define MATROSKA_WRITING                                                                           \
    .tells_range = true, .keeps_negative_times = true, .subtracts_delay = true,                    \
    .rate_is_duration = true, .trailer_bytes = 1024, .trailer_per_key = 32

#define MOV_READING                                                                                \
    .demuxer = "mov,mp4,m4a,3gp,3g2,mj2", .index = RN_CONTAINER_INDEX_SAMPLES,                     \
    .totals = RN_CONTAINER_TOTALS_SAMPLES, .header_rewritten = true, .pictures_abut = true,        \
    .sound_abuts = true, .seeks_subtitles = true, .is_complete = rn_container_mov_is_complete,     \
    .find_missing = rn_container_mov_find_missing
#define MOV_WRITING                                                                                \
    .prefers_alac = true, .last_duration = RN_CONTAINER_LAST_SUM, .pcm_untimed = true,             \
    .edit_lists = true, .movie_timescale = true, .index_in_trailer = true, .always_readable = true
#define MP4_WRITING                                                                                \
    MOV_WRITING, .audio_encoder = "aac", .cover = RN_CONTAINER_COVER_STREAM,                       \
                 .pcm_needs_layout = true
#define KEPT_BY_MOV                                                                                \
    RN_CONTAINER_KEEPS_CHAPTERS | RN_CONTAINER_KEEPS_ASPECT | RN_CONTAINER_KEEPS_ROTATION |        \
        RN_CONTAINER_KEEPS_COLOUR | RN_CONTAINER_KEEPS_SPHERICAL

/* They cut packets into packs and hold the last ones back. */
#define MPEGPS_READING                                                                             \
    .demuxer = "mpeg", .losses = RN_CONTAINER_GAP_OF_CLOCK | RN_CONTAINER_GAP_OF_SOUND_CLOCK,      \
    .found_by_bytes = true
#define MPEGPS_WRITING                                                                             \
    .codecs = in_mpegps, .rate = RN_CONTAINER_RATE_CONSTANT, .listed_rates = true,                 \
    .pack_bytes = 2048

#define AVI_READING                                                                                \
    .demuxer = "avi", .index = RN_CONTAINER_INDEX_CHUNKS, .totals = RN_CONTAINER_TOTALS_STEPS,     \
    .total_bounds = true, .header_rewritten = true, .pictures_abut = true,                         \
    .is_complete = rn_container_avi_is_complete, .end_marks = marks_of_avi,                        \
    .find_missing = rn_container_avi_find_missing
#define AVI_WRITING                                                                                \
    .video_encoder = "ffv1", .needs_start_codes = true, .rate = RN_CONTAINER_RATE_STEPS,           \
    .starts_at_zero = true, .sound_untimed = true, .keeps_negative_times = true,                   \
    .needs_seek = true, .trailer_bytes = 1024, .trailer_per_packet = 24, .packet_overhead = 9,     \
    .fit_metadata = rn_container_avi_fit_metadata

#define MXF_READING                                                                                \
    .demuxer = "mxf", .totals = RN_CONTAINER_TOTALS_PACKETS, .losses = RN_CONTAINER_GAP_OF_CLOCK
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
     .keeps = RN_CONTAINER_KEEPS_TAGS | RN_CONTAINER_KEEPS_STREAM_TAGS |
              RN_CONTAINER_KEEPS_STREAMS | RN_CONTAINER_KEEPS_DISPOSITIONS |
              RN_CONTAINER_KEEPS_CHAPTERS | RN_CONTAINER_KEEPS_TIMECODE |
              RN_CONTAINER_KEEPS_ASPECT | RN_CONTAINER_KEEPS_COLOUR | RN_CONTAINER_KEEPS_STEREO |
              RN_CONTAINER_KEEPS_SPHERICAL | RN_CONTAINER_KEEPS_ALPHA},
    {MATROSKA_READING, MATROSKA_WRITING, .muxers = "webm", .video_encoder = "libvpx-vp9",
     .audio_encoder = "libopus", .keeps = RN_CONTAINER_KEEPS_TAGS | RN_CONTAINER_KEEPS_STREAM_TAGS},
    {MOV_READING, MOV_WRITING, .muxers = "mov", .extension = "mov",
     .uses = RN_CONTAINER_FOR_EDITING, .video_encoder = "libx264", .alpha_encoder = "prores_ks",
     .audio_encoder = "aac", .experimental = true, .cover = RN_CONTAINER_COVER_DROPPED,
     .hevc_tag = MKTAG('h', 'v', 'c', '1'),
     .keeps = KEPT_BY_MOV | RN_CONTAINER_KEEPS_TIMECODE | RN_CONTAINER_KEEPS_CHANNELS,
     .fit_metadata = rn_container_mov_fit_metadata},
    {MOV_READING, MP4_WRITING, .muxers = "mp4",
     .uses = RN_CONTAINER_FOR_PLAYERS | RN_CONTAINER_FOR_TV, .video_encoder = "libx264",
     .experimental = true, .tells_range = true, .hevc_tag = MKTAG('h', 'v', 'c', '1'),
     .keeps = KEPT_BY_MOV, .fit_metadata = rn_container_mp4_fit_metadata},
    {MOV_READING, MP4_WRITING, .muxers = "ipod", .video_encoder = "libx264",
     .hevc_tag = MKTAG('h', 'v', 'c', '1'), .fit_metadata = rn_container_3gp_fit_metadata},
    {MOV_READING, MP4_WRITING, .muxers = "3gp,3g2,f4v", .video_encoder = "libx264",
     .fit_metadata = rn_container_3gp_fit_metadata},
    {MOV_READING, MP4_WRITING, .muxers = "psp,ismv", .fit_metadata = rn_container_3gp_fit_metadata},
    {NAMES("nut", "nut"), .extension = "nut", .video_encoder = "ffv1",
     .losses = RN_CONTAINER_GAP_AT_HOLE, .is_complete = rn_container_nut_is_complete,
     .end_marks = marks_of_nut, .elided_bytes = 16, .find_missing = rn_container_nut_find_missing,
     .last_duration = RN_CONTAINER_LAST_UNTOLD, .sound_bit_rate_harms = true},
    {NAMES("mpegts", "mpegts"), .extension = "ts", .video_encoder = "libx264",
     .audio_encoder = "aac", .losses = RN_CONTAINER_GAP_OF_CLOCK | RN_CONTAINER_GAP_OF_SOUND_CLOCK,
     .found_by_bytes = true, .transport_packets = true,
     .is_complete = rn_container_mpegts_is_complete, .codecs = in_mpegts,
     .last_duration = RN_CONTAINER_LAST_UNTOLD, .fixed_ids_extension = "m2ts",
     .keeps = RN_CONTAINER_KEEPS_PROGRAMS},
    {MPEGPS_READING, MPEGPS_WRITING, .muxers = "mpeg,vob,dvd,svcd",
     .video_encoder = "mpeg2video" /* MPEG-1 knows no fields */},
    {MPEGPS_READING, MPEGPS_WRITING, .muxers = "vcd"},
    {AVI_READING, AVI_WRITING, .muxers = "avi"},
    {NAMES("flv", "flv"), .video_encoder = "libx264", .audio_encoder = "aac", .total_bounds = true,
     .losses = RN_CONTAINER_GAP_AT_HOLE | RN_CONTAINER_GAP_OF_SOUND_AT_HOLE, .found_by_bytes = true,
     .is_complete = rn_container_flv_is_complete, .end_marks = no_marks,
     .is_joined = rn_container_flv_is_joined},
    {NAMES("asf", "asf,asf_stream"), .total_bounds = true, .shared_duration = true,
     .found_by_bytes = true, .is_complete = rn_container_asf_is_complete, .end_marks = marks_of_asf,
     .packet_size = rn_container_asf_packet_size, .find_missing = rn_container_asf_find_missing},
    {NAMES("ogg", "ogg,ogv"), .clock_restarts = true, .is_complete = rn_container_ogg_is_complete,
     .find_missing = rn_container_ogg_find_missing, .rate = RN_CONTAINER_RATE_CONSTANT,
     .fit_metadata = rn_container_ogg_fit_metadata},
    {NAMES("gif", "gif"), .max_read_rate = 50, .harmless = "gif: invalid block label",
     .is_complete = rn_container_gif_is_complete, .find_missing = rn_container_gif_find_missing,
     .loop_count = rn_container_gif_loop_count, .last_duration = RN_CONTAINER_LAST_OPTION,
     .fit_metadata = rn_container_gif_fit_metadata},
    {NAMES("apng", "apng"), .is_joined = rn_container_has_second_head,
     .find_missing = rn_container_apng_find_missing, .loop_count = rn_container_apng_loop_count,
     .fit_metadata = rn_container_apng_fit_metadata},
    {MXF_READING, MXF_WRITING, .muxers = "mxf,mxf_d10", .rate = RN_CONTAINER_RATE_CONSTANT,
     .listed_rates = true},
    {MXF_READING, MXF_WRITING, .muxers = "mxf_opatom"},
    {NAMES("gxf", "gxf"), .losses = RN_CONTAINER_GAP_OF_CLOCK, .header_needs_pictures = true,
     .rate = RN_CONTAINER_RATE_CONSTANT, .listed_rates = true},
    {NAMES("dv", "dv"), .losses = RN_CONTAINER_GAP_OF_CLOCK, .changing_aspect = true,
     .header_needs_pictures = true, .rate = RN_CONTAINER_RATE_CONSTANT, .listed_rates = true},
    {NAMES("wtv", "wtv"), .losses = RN_CONTAINER_GAP_OF_CLOCK,
     .is_joined = rn_container_has_second_head, .codecs = sound_of_wtv,
     .codecs_of_sound_only = true},
    {.demuxer = "hls", .losses = RN_CONTAINER_GAP_OF_CLOCK},
    {NAMES("rm", "rm"), .is_joined = rn_container_has_second_head, .reads_joined = true,
     .codecs = sound_of_rm, .codecs_of_sound_only = true, .rate = RN_CONTAINER_RATE_CONSTANT},
    {NAMES("swf", "swf"), .header_needs_pictures = true, .rate = RN_CONTAINER_RATE_CONSTANT},
    {NAMES("roq", "roq"), .is_complete = rn_container_roq_is_complete},
    {NAMES("film_cpk", "film_cpk"), .header_needs_pictures = true},
    {NAMES("ivf", "ivf"), .losses = RN_CONTAINER_GAP_AT_HOLE,
     .packet_header = RN_CONTAINER_IVF_HEADER, .find_missing = rn_container_ivf_find_missing},
    {NAMES("yuv4mpegpipe", RN_CONTAINER_FOR_STDOUT), .bare_frames = true, .pix_fmts = y4m_formats,
     .tells_range = true, .rate = RN_CONTAINER_RATE_CONSTANT},
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
