/* The device backend. Where frames are copied, three in-order queues are tied by events: frame n+1
 * is uploaded and frame n-1 downloaded while frame n is computed. Where the device works in the
 * host's memory, all goes through one queue, which hands the memory over to the device in front of
 * the kernels and back behind them. All frames share the temporary planes, which is safe
 * because the run queue is in order, unless the chain has a delay. A slot's own planes are not
 * touched before the slot is submitted again. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "filters/core/runner_internal.h"
#include "filters/core/runner_memory.h"

#define MAX_TRANSFERS (2 * RN_MAX_PLANES + RN_MAX_STAGES)

struct device_shared {
    int margin;
    cl_mem tmp[2][RN_MAX_PLANES];
    cl_mem field; /* a field of a plane, with a margin of its own; made for the first one */
    size_t field_bytes;
};

struct device_slot {
    struct rn_side side[2];       /* RN_IN, RN_OUT */
    cl_mem tmp[2][RN_MAX_PLANES]; /* only with a delay; else shared */
    struct rn_mapping result[RN_MAX_STAGES];
    struct rn_cmd cmd;
    cl_event up[MAX_TRANSFERS], down[MAX_TRANSFERS], ran;
    int nup, ndown;
    int64_t uploaded, downloaded; /* bytes, of the frame */
};

static struct device_slot *slot_of(const struct rn_slot *slot)
{
    return slot->priv->backend;
}

/* ---- geometry */

static struct rn_layout layout_of(const struct rn_runner *r, const struct rn_geom *geom, int p)
{
    const struct device_shared *shared = r->shared;
    int w, h;
    rn_geom_plane_size(geom, p, &w, &h);
    return rn_layout(&r->dev->form, w, h, rn_format_bytes(&geom->fmt), shared->margin);
}

static size_t plane_bytes(const void *runner, const struct rn_geom *geom, int p)
{
    return layout_of(runner, geom, p).bytes;
}

static struct rn_dplane dplane_of(const struct rn_runner *r, struct device_slot *ds,
                                  const struct rn_geom *geom, enum rn_place place, int p)
{
    const struct device_shared *shared = r->shared;
    struct rn_layout layout = layout_of(r, geom, p);
    struct rn_dplane pl = {.origin = layout.origin, .stride = layout.stride};
    rn_geom_plane_size(geom, p, &pl.w, &pl.h);
    pl.mem = place <= RN_OUT ? ds->side[place].plane[p]
             : r->delay      ? ds->tmp[place - RN_TMP0][p]
                             : shared->tmp[place - RN_TMP0][p];
    return pl;
}

static struct rn_dimage view(const struct rn_runner *r, struct device_slot *ds,
                             const struct rn_geom *geom, const enum rn_place place[])
{
    struct rn_dimage img = {.geom = *geom};
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++)
        img.plane[p] = dplane_of(r, ds, geom, place[p], p);
    return img;
}

/* The host's view of plane p of a mapped side. Pinned windows hold the rows close together. */
static struct rn_plane host_plane(const struct rn_runner *r, const struct rn_side *side,
                                  const struct rn_geom *geom, int p)
{
    const struct rn_mapping *win = &side->win;
    struct rn_plane pl = {0};
    int bytes = rn_format_bytes(&geom->fmt);
    rn_geom_plane_size(geom, p, &pl.w, &pl.h);
    struct rn_layout layout = layout_of(r, geom, p);
    if (win->pinned) {
        pl.stride = rn_row_stride(pl.w, bytes);
        pl.data = win->mapped + side->at[p];
    } else {
        pl.stride = (ptrdiff_t)layout.stride * bytes;
        pl.data = win->mapped + side->at[p] + (ptrdiff_t)layout.origin * bytes;
    }
    return pl;
}

/* ---- opening and closing */

static int open_temporaries(struct rn_runner *r, cl_mem tmp[2][RN_MAX_PLANES], const size_t bytes[])
{
    int err = 0;
    for (int t = 0; t < rn_placement_temporaries(&r->now->analysis); t++) {
        for (int p = 0; p < RN_MAX_PLANES && !err; p++) {
            if (!bytes[p])
                continue;
            err = rn_buffer_create(r->dev, CL_MEM_READ_WRITE, bytes[p], &tmp[t][p]);
            err = err ? err : rn_buffer_clear(r->dev, tmp[t][p], bytes[p]);
        }
    }
    return err;
}

static void close_temporaries(struct rn_runner *r, cl_mem tmp[2][RN_MAX_PLANES])
{
    for (int t = 0; t < 2; t++)
        for (int p = 0; p < RN_MAX_PLANES; p++)
            rn_buffer_release(r->dev, &tmp[t][p]);
}

static int open_slot(struct rn_runner *r, struct rn_slot *slot, const size_t bytes[])
{
    struct device_slot *ds = calloc(1, sizeof *ds);
    if (!ds)
        return rn_fail_memory();
    slot->priv->backend = ds;
    ds->cmd.dev = r->dev;
    for (int place = RN_IN; place <= RN_OUT; place++) {
        int err = rn_side_open(r->dev, &ds->side[place], bytes);
        if (err)
            return err;
    }
    for (int i = 0; i < r->n; i++) {
        const struct rn_measuring *m = r->bound[i].desc->measuring;
        int err =
            m ? rn_mapping_open(r->dev, &ds->result[i], m->bytes(&r->bound[i], rn_now(r, i))) : 0;
        if (err)
            return err;
    }
    const struct rn_geom *in = &r->now->analysis.in;
    for (int p = 0; p < rn_format_planes(&in->fmt); p++)
        slot->in.plane[p] = host_plane(r, &ds->side[RN_IN], in, p);
    return r->delay ? open_temporaries(r, ds->tmp, bytes) : 0;
}

static int device_open(struct rn_runner *r)
{
    size_t bytes[RN_MAX_PLANES];
    struct device_shared *shared = r->shared = calloc(1, sizeof *shared);
    if (!shared)
        return rn_fail_memory();
    const struct rn_analysis *a = &r->now->analysis;
    shared->margin = a->margin;
    rn_placement_sizes(a, plane_bytes, r, bytes);
    for (int p = 0; p < RN_MAX_PLANES; p++)
        /* Kernels count samples in 32 bits. */
        if (bytes[p] > (size_t)r->dev->info.max_allocation || bytes[p] > INT_MAX)
            return rn_fail(RN_EDEVICE, "a plane of %dx%d is larger than '%s' can hold", a->in.w,
                           a->in.h, r->dev->info.name);
    int err = r->delay ? 0 : open_temporaries(r, shared->tmp, bytes);
    for (int i = 0; i < r->nslots && !err; i++)
        err = open_slot(r, &r->slot[i], bytes);
    return err;
}

static void release_events(struct rn_device *dev, struct device_slot *ds)
{
    for (int i = 0; i < ds->cmd.nevents; i++)
        rn_event_release(dev, &ds->cmd.events[i]);
    for (int i = 0; i < ds->nup; i++)
        rn_event_release(dev, &ds->up[i]);
    for (int i = 0; i < ds->ndown; i++)
        rn_event_release(dev, &ds->down[i]);
    rn_event_release(dev, &ds->ran);
    ds->cmd.nevents = ds->nup = ds->ndown = 0;
    ds->uploaded = ds->downloaded = 0;
}

static void device_close(struct rn_runner *r)
{
    struct device_shared *shared = r->shared;
    struct rn_device *dev = r->dev;
    cl_command_queue queues[] = {dev->up, dev->run, dev->down};
    for (int i = 0; i < 3; i++)
        clFinish(queues[i]);
    for (int i = 0; i < r->nslots; i++) {
        struct device_slot *ds = r->priv[i].backend;
        if (!ds)
            continue;
        release_events(dev, ds);
        rn_side_close(dev, &ds->side[RN_IN]);
        rn_side_close(dev, &ds->side[RN_OUT]);
        for (int s = 0; s < RN_MAX_STAGES; s++)
            rn_mapping_close(dev, &ds->result[s]);
        close_temporaries(r, ds->tmp);
        free(ds->cmd.events);
        free(ds->cmd.event_stage);
        free(ds);
    }
    if (shared) {
        close_temporaries(r, shared->tmp);
        rn_buffer_release(dev, &shared->field);
    }
    clFinish(dev->up);
    free(shared);
}

/* ---- one frame */

static size_t row_bytes(const struct rn_geom *geom, int p, int *h)
{
    int w;
    rn_geom_plane_size(geom, p, &w, h);
    return (size_t)w * (size_t)rn_format_bytes(&geom->fmt);
}

/* Copies between page-locked rows and the rows of a device plane, without waiting. */
static int transfer(struct rn_runner *r, struct device_slot *ds, const struct rn_geom *geom,
                    enum rn_place place, int p, const cl_event *after, cl_event *event)
{
    cl_mem mem = ds->side[place].plane[p];
    struct rn_layout layout = layout_of(r, geom, p);
    struct rn_plane host = host_plane(r, &ds->side[place], geom, p);
    size_t bytes = (size_t)rn_format_bytes(&geom->fmt);
    int h;
    size_t region[3] = {row_bytes(geom, p, &h), 0, 1};
    region[1] = (size_t)h;
    /* The corner of the rectangle: the origin of the plane in a buffer of such rows. */
    size_t corner[3] = {(size_t)(layout.origin % layout.stride) * bytes,
                        (size_t)(layout.origin / layout.stride), 0};
    size_t zero[3] = {0, 0, 0}, pitch = (size_t)layout.stride * bytes;
    cl_int code = place == RN_IN
                      ? clEnqueueWriteBufferRect(r->dev->up, mem, CL_FALSE, corner, zero, region,
                                                 pitch, 0, (size_t)host.stride, 0, host.data,
                                                 after ? 1 : 0, after, event)
                      : clEnqueueReadBufferRect(r->dev->down, mem, CL_FALSE, corner, zero, region,
                                                pitch, 0, (size_t)host.stride, 0, host.data,
                                                after ? 1 : 0, after, event);
    if (code)
        return rn_cl_fail(code, place == RN_IN ? "an upload" : "a download");
    *(place == RN_IN ? &ds->uploaded : &ds->downloaded) += (int64_t)(region[0] * region[1]);
    rn_count(r->dev, 1);
    return 0;
}

/* The kernels of this frame are ordered after it. */
static int upload(struct rn_runner *r, struct device_slot *ds, const struct rn_placement *placement)
{
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        if (!(placement->upload >> p & 1))
            continue;
        int err = transfer(r, ds, &r->first->analysis.in, RN_IN, p, NULL, &ds->up[ds->nup]);
        if (err)
            return err;
        ds->nup++;
    }
    cl_int code = 0;
    if (ds->nup)
        code = clEnqueueBarrierWithWaitList(r->dev->run, (cl_uint)ds->nup, ds->up, NULL);
    return code ? rn_cl_fail(code, "waiting for the upload") : 0;
}

static int give_window(struct rn_device *dev, struct rn_mapping *win)
{
    return win->mapped ? rn_mapping_unmap(dev, dev->run, win, NULL) : 0;
}

/* With shared memory: the host gives up what kernels will read and write. */
static int give_memory(struct rn_runner *r, struct rn_slot *slot)
{
    struct device_slot *ds = slot_of(slot);
    int err = give_window(r->dev, &ds->side[RN_IN].win);
    err = err ? err : give_window(r->dev, &ds->side[RN_OUT].win);
    for (int i = 0; i < r->n && !err; i++)
        if (rn_then(slot, i)->on)
            err = give_window(r->dev, &ds->result[i]);
    return err;
}

static int device_begin(struct rn_runner *r, struct rn_slot *in)
{
    if (!in || !in->priv->revision->placement.active)
        return 0;
    return r->dev->info.shared_memory ? give_memory(r, in)
                                      : upload(r, slot_of(in), &in->priv->revision->placement);
}

/* These lines of the image as one of their own, for plane p of a stage's input or output. */
static void take_lines(struct rn_dimage *img, enum rn_lines lines, const struct rn_geom *geom)
{
    img->geom = *geom;
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
        struct rn_dplane *pl = &img->plane[p];
        pl->origin += rn_lines_first(lines, pl->h) * pl->stride;
        pl->h = rn_lines_count(lines, pl->h);
        pl->stride *= rn_lines_step(lines);
    }
}

/* Gives a field the margin that it lacks: what is above and below its lines belongs to the other
 * field. Copies are used up before the next one is made, since the run queue is in order. */
static int copy_field(struct rn_runner *r, struct rn_cmd *cmd, const struct rn_geom *geom,
                      struct rn_dplane *src)
{
    struct device_shared *shared = r->shared;
    int bytes = rn_format_bytes(&geom->fmt);
    size_t need = rn_layout(&r->dev->form, src->w, src->h, bytes, shared->margin).bytes;
    int err = rn_buffer_reserve(r->dev, &shared->field, &shared->field_bytes, need);
    if (err)
        return err;
    struct rn_dplane copy =
        rn_dplane_in(&r->dev->form, shared->field, src->w, src->h, bytes, shared->margin);
    copy.pitch = 0;
    err = rn_embed(cmd, src, &copy, rn_format_sample(&geom->fmt), 0);
    *src = copy;
    return err;
}

static int enqueue(struct rn_runner *r, const struct rn_turn *t, struct rn_cmd *cmd, int p)
{
    const struct rn_snapshot *all = rn_then(t->counted, t->i);
    const struct rn_snapshot s = rn_lines_snapshot(all, t->lines, p);
    struct rn_dimage src, dst;
    int err = 0;
    if (t->in) {
        src = view(r, slot_of(t->in), &all->in, t->in->priv->revision->placement.stage[t->i].src);
        take_lines(&src, t->lines, &s.in);
        if (t->lines != RN_LINES_ALL && s.traits.margin)
            err = copy_field(r, cmd, &s.in, &src.plane[p]);
    }
    if (t->out) {
        dst = view(r, slot_of(t->out), &all->traits.out,
                   t->out->priv->revision->placement.stage[t->i].dst);
        take_lines(&dst, t->lines, &s.traits.out);
    }
    return err ? err
               : s.desc->enqueue(t->bound, &s, cmd, t->in ? &src : NULL, t->out ? &dst : NULL, p);
}

/* An event costs as much as a launch. */
static bool is_timed(const struct rn_runner *r, const struct rn_slot *slot)
{
    return r->keep || r->time_each || slot->priv->number % RN_TIMED_EVERY == 0;
}

static int device_stage(struct rn_runner *r, const struct rn_turn *t)
{
    struct device_slot *ds = slot_of(t->counted);
    struct rn_mapping *result = &ds->result[t->i];
    ds->cmd.timed = is_timed(r, t->counted);
    ds->cmd.stage = t->i;
    ds->cmd.frame = t->counted->frame.index;
    ds->cmd.tick = t->tick;
    ds->cmd.result = result->mem;
    int err = result->mem ? rn_clear(&ds->cmd, result->mem, result->bytes) : 0;
    for (int p = 0; p < RN_MAX_PLANES && !err; p++)
        if (rn_lines_exist(t->lines, rn_then(t->counted, t->i), p))
            err = enqueue(r, t, &ds->cmd, p);
    return err;
}

static int take_window(struct rn_runner *r, struct device_slot *ds, struct rn_mapping *win,
                       cl_map_flags flags)
{
    int err =
        win->mapped ? 0 : rn_mapping_map(r->dev, r->dev->run, win, flags, &ds->down[ds->ndown]);
    ds->ndown += !err && ds->down[ds->ndown];
    return err;
}

/* With shared memory: gives the host back what was given. It may read the input beside the output,
 * and write the next one there. */
static int take_memory(struct rn_runner *r, struct rn_slot *slot)
{
    struct device_slot *ds = slot_of(slot);
    int err = take_window(r, ds, &ds->side[RN_IN].win, CL_MAP_READ | CL_MAP_WRITE);
    err = err ? err : take_window(r, ds, &ds->side[RN_OUT].win, CL_MAP_READ);
    for (int i = 0; i < r->n && !err; i++)
        if (rn_then(slot, i)->on && ds->result[i].mem)
            err = take_window(r, ds, &ds->result[i], CL_MAP_READ);
    return err;
}

static int download_result(struct rn_runner *r, struct device_slot *ds, struct rn_mapping *win)
{
    cl_int code = clEnqueueReadBuffer(r->dev->down, win->mem, CL_FALSE, 0, win->bytes, win->mapped,
                                      0, NULL, &ds->down[ds->ndown]);
    if (code)
        return rn_cl_fail(code, "a download");
    ds->downloaded += (int64_t)win->bytes;
    rn_count(r->dev, 1);
    ds->ndown++;
    return 0;
}

static int download(struct rn_runner *r, struct rn_slot *slot)
{
    struct device_slot *ds = slot_of(slot);
    const struct rn_geom *geom = rn_runner_output(r);
    int err = 0;
    cl_int code = clEnqueueBarrierWithWaitList(r->dev->down, 1, &ds->ran, NULL);
    if (code)
        return rn_cl_fail(code, "waiting for the kernels");
    for (int p = 0; p < rn_format_planes(&geom->fmt) && !err; p++) {
        enum rn_place place = slot->priv->revision->placement.final[p];
        if (place == RN_IN)
            continue; /* the host has it already */
        err = transfer(r, ds, geom, place, p, NULL, &ds->down[ds->ndown]);
        ds->ndown += !err;
    }
    for (int i = 0; i < r->n && !err; i++)
        if (rn_then(slot, i)->on && ds->result[i].mem)
            err = download_result(r, ds, &ds->result[i]);
    return err;
}

static int finish_frame(struct rn_runner *r, struct rn_slot *out)
{
    struct device_slot *ds = slot_of(out);
    if (r->dev->info.shared_memory)
        return take_memory(r, out);
    cl_int code = clEnqueueMarkerWithWaitList(r->dev->run, 0, NULL, &ds->ran);
    if (code)
        return rn_cl_fail(code, "marking the end of the frame");
    rn_count(r->dev, 1);
    return download(r, out);
}

static int device_finish(struct rn_runner *r, struct rn_slot *out)
{
    int err = out && out->priv->revision->placement.active ? finish_frame(r, out) : 0;
    cl_command_queue queues[] = {r->dev->run, r->dev->up, r->dev->down};
    for (int i = 0; i < (r->dev->info.shared_memory ? 1 : 3) && !err; i++) {
        cl_int code = clFlush(queues[i]);
        if (code)
            err = rn_cl_fail(code, "a flush");
    }
    return err;
}

static double seconds(cl_event event)
{
    cl_ulong from = 0, to = 0;
    if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL) ||
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL))
        return 0;
    return to > from ? 1e-9 * (double)(to - from) : 0;
}

static void take_times(struct rn_runner *r, struct device_slot *ds, struct rn_timings *timings)
{
    *timings = (struct rn_timings){
        .timed = ds->cmd.nevents > 0, .uploaded = ds->uploaded, .downloaded = ds->downloaded};
    for (int i = 0; i < ds->cmd.nevents; i++)
        if (ds->cmd.event_stage[i] >= 0)
            timings->stage[ds->cmd.event_stage[i]] += seconds(ds->cmd.events[i]);
    if (r->dev->info.shared_memory)
        return;
    for (int i = 0; i < ds->nup; i++)
        timings->upload += seconds(ds->up[i]);
    for (int i = 0; i < ds->ndown; i++)
        timings->download += seconds(ds->down[i]);
}

/* The host's view of the planes of geometry geom; place: of each plane. */
static void show_planes(const struct rn_runner *r, struct device_slot *ds,
                        const struct rn_geom *geom, const enum rn_place place[],
                        struct rn_image *img)
{
    img->geom = *geom;
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++)
        img->plane[p] = host_plane(r, &ds->side[place[p]], geom, p);
}

/* That an event has come is not yet to say that its command has done its work. */
static cl_int status_of(const cl_event *events, int n)
{
    for (int i = 0; i < n; i++) {
        cl_int status = CL_COMPLETE;
        cl_int code = clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                     &status, NULL);
        if (code || status < 0)
            return code ? code : status;
    }
    return 0;
}

static cl_int wait_for_frame(struct device_slot *ds)
{
    cl_int code = ds->ndown ? clWaitForEvents((cl_uint)ds->ndown, ds->down) : 0;
    code = code || !ds->ran ? code : clWaitForEvents(1, &ds->ran);
    code = code ? code : status_of(ds->up, ds->nup);
    return code ? code : status_of(ds->cmd.events, ds->cmd.nevents);
}

static int device_wait(struct rn_runner *r, struct rn_slot *slot)
{
    static const enum rn_place in[RN_MAX_PLANES] = {RN_IN, RN_IN, RN_IN, RN_IN};
    struct device_slot *ds = slot_of(slot);
    cl_int code = wait_for_frame(ds);
    if (code)
        return rn_cl_fail(code, "a frame");
    take_times(r, ds, &slot->priv->timings);
    release_events(r->dev, ds);
    show_planes(r, ds, rn_runner_output(r), slot->priv->revision->placement.final, &slot->out);
    show_planes(r, ds, &r->first->analysis.in, in, &slot->in);
    for (int i = 0; i < r->n; i++)
        slot->priv->result[i] = ds->result[i].mapped;
    return 0;
}

/* Whatever became of the frame, the host may write the next one there. */
static int device_recycle(struct rn_runner *r, struct rn_slot *slot)
{
    const struct rn_geom *in = &r->first->analysis.in;
    struct rn_side *side = &slot_of(slot)->side[RN_IN];
    if (side->win.writable)
        return 0;
    int err = rn_mapping_map(r->dev, r->dev->run, &side->win, CL_MAP_WRITE, NULL);
    for (int p = 0; p < rn_format_planes(&in->fmt) && !err; p++)
        slot->in.plane[p] = host_plane(r, side, in, p);
    return err;
}

static int device_abandon(struct rn_runner *r)
{
    cl_command_queue queues[] = {r->dev->up, r->dev->run, r->dev->down};
    for (int i = 0; i < 3; i++) {
        cl_int code = clFinish(queues[i]);
        if (code)
            return rn_cl_fail(code, "waiting for the device");
    }
    for (int i = 0; i < r->nslots; i++)
        release_events(r->dev, r->priv[i].backend);
    return 0;
}

const struct rn_backend rn_backend_device = {
    .open = device_open,
    .close = device_close,
    .begin = device_begin,
    .stage = device_stage,
    .finish = device_finish,
    .wait = device_wait,
    .recycle = device_recycle,
    .abandon = device_abandon,
};
