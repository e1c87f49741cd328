#include "io/write/report/left_out.h"

#include "io/common/av.h"
#include "io/common/media.h"
#include "io/read/demux/packets.h"
#include "io/write/report/compare_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_RATE 25 /* at which image files are read, here and by FFmpeg */

/* ---- streams */

const char *rn_write_left_out_kind(const AVStream *st)
{
    const char *name = av_get_media_type_string(st->codecpar->codec_type);
    return st->disposition & AV_DISPOSITION_ATTACHED_PIC ? "attached picture"
           : name                                        ? name
                                                         : "unknown";
}

void rn_write_left_out_stream(struct rn_losses *losses, const char *output, const AVStream *st,
                              const char *why)
{
    rn_losses_add(losses, "missing", "'%s': stream %d of the input (%s, %s) is not copied: %s",
                  output, st->index, rn_write_left_out_kind(st),
                  avcodec_get_name(st->codecpar->codec_id), why);
}

/* ---- what stands in headers */

static void add_tags(struct rn_write_names *gone, const AVDictionary *tags, const char *of)
{
    const AVDictionaryEntry *e = NULL;
    char name[80];
    while ((e = av_dict_get(tags, "", e, AV_DICT_IGNORE_SUFFIX))) {
        snprintf(name, sizeof name, "%.50s%s", e->key, of);
        if (rn_write_is_worth_keeping(e))
            rn_write_names_add(gone, name);
    }
}

static void tell_tags(struct rn_losses *losses, const char *output, const struct rn_io_media *media)
{
    struct rn_write_names gone = {.n = 0};
    add_tags(&gone, media->fmt->metadata, "");
    add_tags(&gone, media->fmt->streams[media->video]->metadata, " (video)");
    if (gone.n)
        rn_losses_add(losses, "tags", "'%s': tags are not kept: %s", output,
                      rn_write_names_text(&gone));
}

bool rn_write_left_out_reaches(const struct rn_io_media *media, const AVChapter *chapter)
{
    int64_t begin = av_rescale_q(media->offset_us, AV_TIME_BASE_Q, chapter->time_base);
    int64_t end = media->end_us == INT64_MAX
                      ? INT64_MAX
                      : av_rescale_q(media->end_us, AV_TIME_BASE_Q, chapter->time_base);
    return (!media->cut || chapter->end > begin) && chapter->start < end;
}

static void tell_chapters(struct rn_losses *losses, const char *output,
                          const struct rn_io_media *media)
{
    unsigned n = 0;
    for (unsigned i = 0; i < media->fmt->nb_chapters; i++)
        n += rn_write_left_out_reaches(media, media->fmt->chapters[i]);
    if (n)
        rn_losses_add(losses, "chapters", "'%s': the chapters are gone", output);
}

void rn_write_left_out_headers(struct rn_losses *losses, const char *output,
                               const struct rn_io_media *media)
{
    tell_tags(losses, output, media);
    tell_chapters(losses, output, media);
    if (media->fmt->nb_programs > 1)
        rn_losses_add(losses, "programs", "'%s': %u programs are not kept", output,
                      media->fmt->nb_programs);
    if (rn_write_compare_timecode(media->fmt))
        rn_losses_add(losses, "timecode", "'%s': the timecode is not kept", output);
}

void rn_write_left_out_begin(struct rn_write_left_out *l, const char *output,
                             const struct rn_io_media *media, const char *audio, const char *subs,
                             struct rn_losses *losses)
{
    if (!media->fmt || !losses)
        return;
    *l = (struct rn_write_left_out){.media = media, .losses = losses};
    for (unsigned i = 0; i < media->fmt->nb_streams; i++) {
        const AVStream *st = media->fmt->streams[i];
        enum AVMediaType type = st->codecpar->codec_type;
        const char *wanted = type == AVMEDIA_TYPE_AUDIO      ? audio
                             : type == AVMEDIA_TYPE_SUBTITLE ? subs
                                                             : NULL;
        if (rn_read_stream_is_copied(media->fmt, media->video, (int)i) &&
            (!wanted || strcmp(wanted, "none") != 0))
            rn_write_left_out_stream(losses, output, st, "this output holds pictures only");
    }
    rn_write_left_out_headers(losses, output, media);
}

/* ---- times */

/* Times of a constant rate are rounded, to a millisecond at worst. */
void rn_write_left_out_watch(struct rn_write_left_out *l, const struct rn_frame *frame)
{
    int64_t step = frame->pts - l->pts;
    if (l->n == 1)
        l->step = step;
    double tick = av_q2d(rn_io_to_av(l->media->stream.time_base));
    int64_t slack = l->step / 4 > 1 || tick > 0.001 ? l->step / 4 : 1;
    l->varies |= l->n > 1 && llabs(step - l->step) > slack;
    l->pts = frame->pts;
    l->n++;
}

void rn_write_left_out_end(const struct rn_write_left_out *l, const char *output, bool rated)
{
    if (!l->media || l->n < 2)
        return;
    struct rn_read_rational rate = l->media->stream.rate;
    char text[32];
    snprintf(text, sizeof text, rate.den == 1 ? "%d" : "%d/%d", rate.num, rate.den);
    if (l->varies)
        rn_losses_add(l->losses, "times",
                      "'%s': the times of the pictures, which vary, are not kept", output);
    else if (!rated && rate.num > 0 && rate.den > 0 && rate.num != USUAL_RATE * rate.den)
        rn_losses_add(l->losses, "rate",
                      "'%s': the rate of the pictures is not kept: --fps %s when they are read "
                      "again",
                      output, text);
}
