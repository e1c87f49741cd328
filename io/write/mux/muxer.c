#include "io/write/mux/muxer.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/textout.h"
#include "filters/base/text/nearest.h"
#include "io/common/av.h"
#include "io/containers/table.h"
#include "io/write/mux/container.h"

#include <errno.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/opt.h>

#define MOVIE_TIMESCALE 90000
#define MOST_CONTAINERS 512 /* of libav's */

static const AVOutputFormat *find_container(const char *name)
{
    char sample[40] = "x.";
    av_strlcat(sample, name, sizeof sample);
    const AVOutputFormat *of = av_guess_format(name, NULL, NULL);
    return of ? of : av_guess_format(NULL, sample, NULL);
}

const AVOutputFormat *rn_write_muxer_guess(const char *output, const char *container)
{
    return container              ? find_container(container)
           : !strcmp(output, "-") ? av_guess_format(RN_CONTAINER_FOR_STDOUT, NULL, NULL)
                                  : av_guess_format(NULL, output, NULL);
}

static int refuse_container(const char *name)
{
    const char *names[MOST_CONTAINERS + 1], *near;
    void *iter = NULL;
    int n = 0;
    for (const AVOutputFormat *of; n < MOST_CONTAINERS && (of = av_muxer_iterate(&iter));)
        names[n++] = of->name;
    names[n] = NULL;
    near = rn_nearest(name, names);
    return rn_fail(RN_EUSAGE,
                   "--container %.64s: FFmpeg has no such container (%s%s); \"ffmpeg -muxers\" "
                   "lists them",
                   name, near ? "did you mean " : "try matroska", near ? near : "");
}

/* Of what is read and not written other formats are. */
static int refuse_name(const char *name)
{
    static const struct {
        const char *extensions, *text;
    } read_only[] = {
        {"mat", "MATLAB's .mat is read only"},
        {"cfl,hdr", "BART's .cfl and .hdr are read only"},
        {"img", ".hdr and .img are read only"},
    };
    if (av_match_ext(name, "raw,bin,dat"))
        return rn_fail(RN_EUSAGE,
                       "'%s': which samples --raw reads nobody can tell from such a file: .nhdr "
                       "writes them beside a header, .npy behind one, --container rawvideo without "
                       "one",
                       name);
    for (size_t i = 0; i < sizeof read_only / sizeof read_only[0]; i++)
        if (av_match_ext(name, read_only[i].extensions))
            return rn_fail(RN_EUSAGE,
                           "'%s': %s; volumes are written as .nii, .nii.gz, .nrrd, .nhdr, .mha, "
                           ".mhd, .npy, .tif and .dcm",
                           name, read_only[i].text);
    return rn_fail(RN_EUSAGE, "'%s': the extension names no container (try .mp4 or .mkv)", name);
}

int rn_write_muxer_open(AVFormatContext **muxer, const char *name, const char *container,
                        bool streamed)
{
    const AVOutputFormat *of = rn_write_muxer_guess(name, container);
    if (!of && container)
        return refuse_container(container);
    if (!of && streamed)
        return rn_fail(RN_EUSAGE, "'%s': which container? Add --container matroska, or another",
                       name);
    /* libav 7.1 takes .hdr for an image. */
    if (!of || (!container && of->flags & AVFMT_NOFILE && av_match_ext(name, "hdr")))
        return refuse_name(name);
    if (of->flags & AVFMT_NOFILE || of->video_codec == AV_CODEC_ID_NONE)
        return rn_fail(RN_EUSAGE, "'%s': %s cannot hold video in one file (try .mp4 or .mkv)", name,
                       of->name);
    const struct rn_container *kind = rn_container_of_output(of);
    if (streamed && kind->needs_seek)
        return rn_fail(RN_EUSAGE, "'%s': %s cannot be written through a pipe (try matroska or nut)",
                       name, of->name);
    errno = 0; /* it goes on without the defaults that it has no memory for */
    if (avformat_alloc_output_context2(muxer, of, NULL, name) < 0 || errno == ENOMEM) {
        avformat_free_context(*muxer);
        *muxer = NULL;
        return rn_fail_memory();
    }
    AVFormatContext *out = *muxer;
    out->flags |= AVFMT_FLAG_BITEXACT; /* no dates, no versions: the same bytes every time */
    out->strict_std_compliance =
        rn_write_container_compliance(of); /* y4m: more than 8 bits, gray16 */
    /* It would look at the name of the file, which is a temporary one. */
    if (rn_container_has_fixed_ids(kind, name) &&
        av_opt_set_int(out->priv_data, "mpegts_m2ts_mode", 1, 0) < 0)
        return rn_fail_memory();
    /* Where streams begin is told in its ticks, of a millisecond by default. */
    if (kind->movie_timescale &&
        av_opt_set_int(out->priv_data, "movie_timescale", MOVIE_TIMESCALE, 0) < 0)
        return rn_fail_memory();
    /* Sound encoded with a lead-in starts before 0; by default the muxer would move every other
     * stream back by as much, in AVI by whole pictures. Matroska holds negative times, of what goes
     * to AVI the lead-in is left out. */
    if (kind->keeps_negative_times)
        out->avoid_negative_ts = 0;
    return 0;
}

int rn_write_av_write_fail(const char *path, int averror)
{
    int cause = AVUNERROR(averror);
    if (cause > 0 && cause < 4096) /* the system's, not libav's own */
        return rn_write_fail(path, cause);
    return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, rn_io_error(averror));
}

int rn_write_checked(const AVFormatContext *out, const char *path, int ret)
{
    if (out->pb->error < 0)
        ret = out->pb->error;
    return ret < 0 ? rn_write_av_write_fail(path, ret) : 0;
}
