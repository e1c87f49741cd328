/* SPDX-License-Identifier: MIT */
#include "app/play/loop/player.h"
#include "app/play/stacks/stacks.h"
#include "app/play/view/presentation.h"
#include "filters/base/clock.h"

#include <string.h>

void rn_play_times_renew(struct rn_play_times *times)
{
    times->previous = times->per_frame = (struct rn_timings){.frames = 0};
}

void rn_play_times_await(struct rn_play_times *times, bool awaited)
{
    times->awaited = awaited;
    rn_play_times_renew(times);
}

void rn_play_times_change(struct rn_play_times *times)
{
    times->changed = times->changed > 0 ? times->changed : rn_clock();
}

void rn_play_times_begin(struct rn_play_times *times)
{
    times->begun = times->changed;
    times->changed = 0;
}

void rn_play_times_end(struct rn_play_times *times)
{
    if (times->begun > 0)
        times->response = 1e3 * (rn_clock() - times->begun);
    times->begun = 0;
}

void rn_play_count_second(struct rn_play *p)
{
    struct rn_play_times *s = p->times;
    double now = rn_clock();
    if (now - s->since < 1)
        return;
    struct rn_timings t;
    rn_runner_timings(p->session->runner, &t);
    double n = (double)(t.frames - s->previous.frames);
    if (n > 0 && !s->awaited) { /* the times stay while nothing is filtered */
        s->per_frame.upload = (t.upload - s->previous.upload) / n;
        s->per_frame.download = (t.download - s->previous.download) / n;
        for (int i = 0; i < rn_chain_count(p->session->chain); i++)
            s->per_frame.stage[i] = (t.stage[i] - s->previous.stage[i]) / n;
    }
    s->previous = t;
    s->fps = (double)(p->drawn - s->drawn) / (now - s->since);
    s->drawn = p->drawn;
    s->since = now;
}

/* ---- its lines */

char *rn_play_tell_times(const struct rn_play *p, char *buf, size_t size)
{
    *buf = '\0';
    FILE *f = fmemopen(buf, size, "w"); /* cuts what does not fit */
    if (!f)
        return buf;
    const struct rn_frame *frame = &p->shown->frame;
    fprintf(f, "frame %s%lld\t%.3f s\n", frame->about ? "~" : "", (long long)frame->index,
            frame->start + frame->time);
    fprintf(f, "fps\t%.1f\ndropped\t%lld\n", p->times->fps, (long long)p->dropped);
    if (p->times->response > 0)
        fprintf(f, "response\t%.0f ms\n", p->times->response);
    fprintf(f, "frames ready\t%d of %d\n", p->nahead + rn_play_reader_filled(p->reader),
            rn_runner_nslots(p->session->runner));
    if (rn_io_frame_is_interlaced(frame))
        fprintf(f, "fields\tinterlaced, %s\n", rn_play_bobs(p) ? "bobbed" : "woven");
    if (rn_runner_by_field(p->session->runner, p->shown))
        fputs("filtered\tfield by field\n", f);
    fputs(p->viewing_told, f);
    const struct rn_geom *geom = p->bypass ? &p->shown->in.geom : &p->shown->out.geom;
    char text[96];
    const struct rn_io_stack *stack = rn_play_slices_stack(p->slices);
    if (stack)
        fprintf(f, "stack\t%s\n",
                rn_play_slices_describe(stack, p->shown->frame.index, text, sizeof text));
    if (*rn_play_window_level_range(rn_play_window_level(p), geom, p->bypass, text, sizeof text))
        fprintf(f, "black to white\t%s\n", text);
    const struct rn_timings *t = &p->times->per_frame;
    if (p->session->ndevices && !rn_device_info(p->session->device[0])->shared_memory)
        fprintf(f, "to the device\t%.2f ms\nfrom it\t%.2f ms\n", 1e3 * t->upload,
                1e3 * t->download);
    for (int i = 0; i < rn_chain_count(p->session->chain) && !p->times->awaited; i++) {
        const struct rn_stage *s = rn_chain_stage(p->session->chain, i);
        fprintf(f, "%s%s\t%.2f ms\n", rn_stage_name(s), s->on ? "" : " (off)", 1e3 * t->stage[i]);
    }
    fclose(f);
    size_t n = strnlen(buf, size - 1);
    buf[n ? n - 1 : 0] = '\0'; /* the end of the last line */
    return buf;
}
