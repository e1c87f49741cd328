/* SPDX-License-Identifier: MIT */
#include "io/write/sink.h"

#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/common/media.h"
#include "io/containers/table.h"

/* One coding of pictures. format NULL: that of the chain. */
struct coding {
    const char *codec, *format, *options, *called;
};

static const struct profile {
    const char *name, *usual; /* ending of names, for messages */
    enum rn_container_use use;
    struct coding plain;
    /* codec NULL: plain. */
    struct coding deep; /* HDR, and with deepens more than 8 bits */
    struct coding full; /* 4:4:4, RGB, transparency */
    bool deepens;
    const char *sound; /* codings that stay as they are; NULL: all */
} profiles[] = {
#define FOR_PLAYERS                                                                                \
    .usual = ".mp4", .use = RN_CONTAINER_FOR_PLAYERS,                                              \
    .plain = {"libx264", "yuv420p", "movflags=+faststart", "H.264"},                               \
    .deep = {"libx265", "yuv420p10le", "movflags=+faststart", "HEVC Main 10"}, .sound = "aac,mp3"
    [RN_PROFILE_WEB] = {.name = "web", FOR_PLAYERS},
    [RN_PROFILE_PHONE] = {.name = "phone", FOR_PLAYERS},
#undef FOR_PLAYERS
    [RN_PROFILE_TV] = {.name = "tv",
                       .usual = ".mkv",
                       .use = RN_CONTAINER_FOR_TV,
                       .plain = {"libx264", "yuv420p", NULL, "H.264"},
                       .deep = {"libx265", "yuv420p10le", NULL, "HEVC Main 10"},
                       .deepens = true,
                       .sound = "aac,mp3,ac3,eac3"},
    [RN_PROFILE_ARCHIVE] = {.name = "archive",
                            .usual = ".mkv",
                            .use = RN_CONTAINER_FOR_ARCHIVES,
                            .plain = {"ffv1", NULL, "level=3:slicecrc=1:g=1", "FFV1"}},
    [RN_PROFILE_EDIT] = {.name = "edit",
                         .usual = ".mov",
                         .use = RN_CONTAINER_FOR_EDITING,
                         .plain = {"prores_ks", "yuv422p10le", "profile=hq", "ProRes 422 HQ"},
                         .full = {"prores_ks", "yuv444p10le", "profile=4444", "ProRes 4444"}},
};

static int check_name(const struct profile *p, const struct rn_write_opts *opts, const char *output)
{
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    const char *dot = strrchr(base, '.');
    if (!rn_write_is_file(output, opts))
        return rn_fail(RN_EUSAGE, "--for %s makes a media file such as out%s, not '%s'", p->name,
                       p->usual, output);
    const AVOutputFormat *of = av_guess_format(NULL, output, NULL);
    if (opts->container || (of && rn_container_of_output(of)->uses & p->use))
        return 0;
    return rn_fail(RN_EUSAGE, "'%s' does not suit --for %s: name it %.*s%s", output, p->name,
                   (int)((dot && dot != base ? dot : base + strlen(base)) - output), output,
                   p->usual);
}

static bool has_other_sound(const struct profile *p, const struct rn_io_media *media)
{
    for (unsigned i = 0; p->sound && media->fmt && i < media->fmt->nb_streams; i++) {
        const AVCodecParameters *par = media->fmt->streams[i]->codecpar;
        if (par->codec_type == AVMEDIA_TYPE_AUDIO &&
            !av_match_name(avcodec_get_name(par->codec_id), p->sound))
            return true;
    }
    return false;
}

int rn_write_profile_apply(struct rn_write_opts *opts, char text[RN_WRITE_PLAN], const char *output,
                           const struct rn_io_media *media, const struct rn_geom *geom)
{
    if (opts->profile == RN_PROFILE_NONE)
        return 0;
    const struct profile *p = &profiles[opts->profile];
    const struct rn_format *fmt = &geom->fmt;
    enum AVColorTransferCharacteristic trc =
        media->first ? media->first->color_trc : AVCOL_TRC_UNSPECIFIED;
    const char *hdr = trc == AVCOL_TRC_SMPTE2084      ? "HDR10"
                      : trc == AVCOL_TRC_ARIB_STD_B67 ? "HLG"
                                                      : NULL;
    bool full =
        fmt->model == RN_RGB || fmt->alpha || (fmt->model == RN_YUV && !fmt->sub_x && !fmt->sub_y);
    bool deep = hdr || (p->deepens && fmt->depth > 8);
    struct coding c = full && p->full.codec ? p->full : deep && p->deep.codec ? p->deep : p->plain;
    if (fmt->alpha && p->full.codec)
        c.format = "yuva444p10le";
    int err = check_name(p, opts, output);
    if (err)
        return err;
    if (opts->pix_fmt)
        c.format = opts->pix_fmt;
    if (c.format && strstr(c.format, "420") && (geom->w % 2 || geom->h % 2))
        return rn_fail(RN_EUSAGE, "--for %s needs even sides, not %dx%d: add --crop %dx%d", p->name,
                       geom->w, geom->h, geom->w & ~1, geom->h & ~1);
    char format[24], changes[200] = "";
    rn_format_name(fmt, format);
    const char *sampling = c.format && strstr(c.format, "420") && full ? "4:2:0, " : "";
    bool keeps = c.format && !strncmp(c.format, format, strlen(format));
    if (hdr && !opts->codec && keeps && !opts->pix_fmt)
        rn_log(RN_LOG_INFO, "--for %s: %s stays, as %s", p->name, hdr, c.called);
    else if (hdr && !opts->codec && c.format)
        av_strlcatf(changes, sizeof changes, "%s becomes %s%s", hdr, opts->pix_fmt ? "" : sampling,
                    opts->pix_fmt ? opts->pix_fmt : c.called);
    else if (!opts->pix_fmt && c.format && !keeps)
        av_strlcatf(changes, sizeof changes, "%s becomes %s%s",
                    fmt->model == RN_RGB ? "RGB" : format, sampling, c.format);
    if (!opts->audio && has_other_sound(p, media)) {
        opts->audio = "aac:b=192k";
        opts->stays = p->sound;
        av_strlcatf(changes, sizeof changes, "%ssound becomes AAC", *changes ? "; " : "");
    }
    if (*changes) {
        rn_log(RN_LOG_WARNING, "--for %s: %s", p->name, changes);
        rn_losses_add(opts->losses, "delivery", "--for %s: %s", p->name, changes);
    }
    opts->pix_fmt = c.format;
    if (opts->codec) /* whose options the profile does not know */
        return 0;
    opts->codec = c.codec;
    if (!c.options)
        return 0;
    int n = snprintf(text, RN_WRITE_PLAN, "%s%s%s", c.options, opts->codec_opts ? ":" : "",
                     opts->codec_opts ? opts->codec_opts : "");
    if (n >= RN_WRITE_PLAN)
        return rn_fail(RN_EUSAGE, "--codec-opts is too long for --for");
    opts->codec_opts = text;
    return 0;
}
