/* SPDX-License-Identifier: MIT */
#include "io/write/encode/two_pass.h"

#include "filters/base/log.h"
#include "filters/base/output/outstage.h"
#include "io/common/av.h"

#define MOST_PASSES 5
#define LEAST_RATE  4000 /* bit/s; libraries count in thousands */
#define LEAST_PART  0.9  /* of the size: a smaller file gets a line */

int rn_write_passes_open(struct rn_write_passes *p, const char *output)
{
    int code = rn_outplace_find(&p->place, output);
    if (!code && (code = rn_outstage_create(&p->stage, p->place.dir, p->place.base)) != 0)
        rn_outplace_free(&p->place);
    return code ? rn_outplace_fail(output, code) : 0;
}

void rn_write_passes_close(struct rn_write_passes *p)
{
    bool opened = p->stage != NULL;
    rn_outstage_drop(&p->stage, false);
    if (opened)
        rn_outplace_free(&p->place);
    free(p->stats);
}

/* Of the pictures; 0: unknown. */
static int64_t rate_of(const struct rn_write_passes *p)
{
    double bytes = (double)p->size * p->aim - (double)p->others;
    return p->seconds > 0 ? (int64_t)(bytes * 8 / p->seconds) : 0;
}

const char *rn_write_rate_option(const AVDictionary *options)
{
    static const char *const rates[] = {"b", "crf", "qp", "global_quality", "cq"};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (av_dict_get(options, rates[i], NULL, 0))
            return rates[i];
    return NULL;
}

int rn_write_passes_check(const struct rn_write_passes *p, const AVCodec *codec,
                          const AVDictionary *options)
{
    const char *rate = rn_write_rate_option(options);
    if (!av_match_name(codec->name, "libx264,libx265,libvpx,libvpx-vp9"))
        return rn_fail(RN_EUSAGE,
                       "--size needs an encoder of two passes, libx264, libx265, libvpx-vp9 or "
                       "libvpx: %s has none",
                       codec->name);
    if (rate)
        return rn_fail(RN_EUSAGE, "--size chooses the bit rate: leave %s= out of --codec-opts",
                       rate);
    char others[80] = "";
    if (p->others)
        snprintf(others, sizeof others, ", and sound and container take %lld",
                 (long long)p->others);
    if (p->seconds > 0 && rate_of(p) < LEAST_RATE)
        return rn_fail(RN_EUSAGE,
                       "--size: %lld bytes are too few: pictures of %.1f s take %.0f at least%s",
                       (long long)p->size, p->seconds, ceil(p->seconds * LEAST_RATE / 8), others);
    return 0;
}

int rn_write_passes_configure(const struct rn_write_passes *p, bool rehearsal, AVCodecContext *ctx,
                              AVDictionary **options)
{
    const char *name = ctx->codec->name;
    char stats[48], both[80];
    int64_t rate = rate_of(p);
    int ret = rate ? av_dict_set_int(options, "b", rate, 0) : 0; /* else it has a usual quality */
    if (ret >= 0 && !strcmp(name, "libvpx-vp9"))
        ret =
            av_dict_parse_string(options, "row-mt=1:cpu-used=3", "=", ":", AV_DICT_DONT_OVERWRITE);
    if (ret < 0 || rehearsal)
        return ret;
    ctx->flags |= p->number == 1 ? AV_CODEC_FLAG_PASS1 : AV_CODEC_FLAG_PASS2;
    ctx->stats_in = p->number == 1 ? NULL : p->stats;
    /* Without characters that options would take for separators; names beside it can be made. */
    snprintf(stats, sizeof stats, "/proc/self/fd/%d/stats", p->stage->fd);
    if (!strcmp(name, "libx264"))
        return av_dict_set(options, "stats", stats, 0);
    if (strcmp(name, "libx265") != 0)
        return 0;
    const AVDictionaryEntry *e = av_dict_get(*options, "x265-params", NULL, 0);
    snprintf(both, sizeof both, "%spass=%d:stats=%s", e ? ":" : "", p->number == 1 ? 1 : 2, stats);
    return av_dict_set(options, "x265-params", both, AV_DICT_APPEND);
}

int rn_write_passes_judge(struct rn_write_passes *p, const char *output, int64_t bytes)
{
    bool large = bytes > p->size;
    p->aim *= large ? 0.98 * (double)p->size / (double)bytes : 1;
    p->again = large && p->number < MOST_PASSES && rate_of(p) >= LEAST_RATE;
    if (large && !p->again)
        return rn_fail(RN_EOUTPUT, "'%s' has %lld bytes: it cannot be made as small as --size",
                       output, (long long)bytes);
    if ((double)bytes < LEAST_PART * (double)p->size)
        rn_log(RN_LOG_WARNING, "'%s' has %lld bytes, less than --size: the encoder used no more",
               output, (long long)bytes);
    return 0;
}
