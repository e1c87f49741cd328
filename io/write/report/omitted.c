/* SPDX-License-Identifier: MIT */
#include "io/read/input.h"
#include "io/write/mux/container.h"
#include "io/write/report/compare_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_RATE 25 /* of image files, here and in FFmpeg */

/* ---- what stands in headers */

void rn_write_omitted_headers(struct rn_losses *losses, const char *output,
                              const struct rn_io_media *media)
{
    struct rn_write_names gone = {.n = 0};
    unsigned chapters = 0;
    rn_write_names_add_tags(&gone, media->fmt->metadata, NULL, NULL, true);
    rn_write_names_add_tags(&gone, media->fmt->streams[media->video]->metadata, NULL, "video",
                            true);
    for (unsigned i = 0; i < media->fmt->nb_chapters; i++)
        chapters += rn_write_chapter_is_read(media, media->fmt->chapters[i]);
    if (gone.n)
        rn_losses_add(losses, "tags", "'%s': tags are not kept: %s", output,
                      rn_write_names_text(&gone));
    if (chapters)
        rn_losses_add(losses, "chapters", "'%s': the chapters are gone", output);
    if (media->fmt->nb_programs > 1)
        rn_losses_add(losses, "programs", "'%s': %u programs are not kept", output,
                      media->fmt->nb_programs);
    if (rn_write_compare_timecode(media->fmt))
        rn_losses_add(losses, "timecode", "'%s': the timecode is not kept", output);
}

void rn_write_omitted_begin(struct rn_write_omitted *l, const char *output,
                            const struct rn_io_media *media, const char *audio, const char *subs,
                            struct rn_losses *losses)
{
    if (!media->fmt || !losses)
        return;
    *l = (struct rn_write_omitted){.media = media, .losses = losses};
    for (unsigned i = 0; i < media->fmt->nb_streams; i++) {
        const AVStream *st = media->fmt->streams[i];
        enum AVMediaType type = st->codecpar->codec_type;
        const char *wanted = type == AVMEDIA_TYPE_AUDIO      ? audio
                             : type == AVMEDIA_TYPE_SUBTITLE ? subs
                                                             : NULL;
        if (rn_read_stream_is_copied(media->fmt, media->video, (int)i) &&
            (!wanted || strcmp(wanted, "none") != 0))
            rn_write_lose_stream(losses, output, st, "this output holds pictures only");
    }
    rn_write_omitted_headers(losses, output, media);
}

/* ---- times */

/* Times of a constant rate are rounded, to a millisecond at worst. */
void rn_write_omitted_watch(struct rn_write_omitted *l, const struct rn_frame *frame)
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

void rn_write_omitted_end(const struct rn_write_omitted *l, const char *output, bool rated)
{
    if (!l->media || l->n < 2)
        return;
    struct rn_io_rational rate = l->media->stream.rate;
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
