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

/* The memory of the slots of a batch. Plane p of all its frames lies in one buffer, frame under
 * frame. */
struct device_block {
    struct rn_side side[2];       /* RN_IN, RN_OUT */
    cl_mem tmp[2][RN_MAX_PLANES]; /* only with a delay; else shared */
    struct rn_mapping result[RN_MAX_STAGES];
    size_t result_bytes[RN_MAX_STAGES]; /* from one slot's results to the next one's */
};

struct device_shared {
    int margin;
    bool copied; /* frames are; else memory is shared with the host */
    cl_mem tmp[2][RN_MAX_PLANES];
    cl_mem field; /* a field of a plane, with a margin of its own; made for the first one */
    size_t field_bytes;
    struct device_block *block;
    int nblocks;
};

struct device_slot {
    struct device_block *block;
    int at;                       /* which of the block's frames */
    cl_mem result[RN_MAX_STAGES]; /* parts of the block's */
    /* The last slot of those that were submitted together has the commands of all: it is the last
     * that is waited for, so that none of the others is submitted with these still in use. */
    struct device_slot *leader;
    /* -- of the leader: */
    int count;    /* of the slots */
    bool waited;  /* the commands have ended */
    cl_int ended; /* the code with which they did */
    struct rn_cmd cmd;
    cl_event up[MAX_TRANSFERS], down[MAX_TRANSFERS], ran;
    int nup, ndown;
    int64_t uploaded, downloaded; /* bytes */
};

static struct device_slot *slot_of(const struct rn_slot *slot)
{
    return slot->priv->backend;
}

static bool is_copied(const struct rn_runner *r)
{
    const struct device_shared *shared = r->shared;
    return shared->copied;
}

/* ---- geometry */

static struct rn_layout layout_of(const struct rn_runner *r, const struct rn_geom *geom, int p)
{
    const struct device_shared *shared = r->shared;
    int w, h;
    rn_geom_plane_size(geom, p, &w, &h);
    return rn_layout(&r->dev->form, w, h, rn_format_bytes(&geom->fmt), shared->margin);
}

/* Rows from frame to frame of a batch. */
static int step_of(const struct rn_runner *r, const struct rn_geom *geom, int p)
{
    const struct device_shared *shared = r->shared;
    int w, h;
    rn_geom_plane_size(geom, p, &w, &h);
    return r->batch > 1 ? rn_batch_step(h, shared->margin) : h + 2 * shared->margin;
}

/* Of plane p of all frames of a batch. */
static size_t plane_bytes(const void *runner, const struct rn_geom *geom, int p)
{
    const struct rn_runner *r = runner;
    struct rn_layout layout = layout_of(r, geom, p);
    size_t row = (size_t)layout.stride * (size_t)rn_format_bytes(&geom->fmt);
    return row * (size_t)r->batch * (size_t)step_of(r, geom, p);
}

static struct rn_dplane dplane_of(const struct rn_runner *r, struct device_slot *ds,
                                  const struct rn_geom *geom, enum rn_place place, int p)
{
    const struct device_shared *shared = r->shared;
    struct rn_layout layout = layout_of(r, geom, p);
    struct rn_dplane pl = {.origin = layout.origin, .stride = layout.stride};
    rn_geom_plane_size(geom, p, &pl.w, &pl.h);
    pl.origin += ds->at * step_of(r, geom, p) * pl.stride;
    pl.mem = place <= RN_OUT ? ds->block->side[place].plane[p]
             : r->delay      ? ds->block->tmp[place - RN_TMP0][p]
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

/* The host's view of plane p of a mapped side. Pinned windows hold the rows close together, and the
 * frames. */
static struct rn_plane host_plane(const struct rn_runner *r, struct device_slot *ds,
                                  enum rn_place place, const struct rn_geom *geom, int p)
{
    const struct rn_side *side = &ds->block->side[place];
    const struct rn_mapping *win = &side->win;
    struct rn_plane pl = {0};
    int bytes = rn_format_bytes(&geom->fmt);
    rn_geom_plane_size(geom, p, &pl.w, &pl.h);
    struct rn_layout layout = layout_of(r, geom, p);
    if (win->pinned) {
        pl.stride = rn_row_stride(pl.w, bytes);
        pl.data = win->mapped + side->at[p] + ds->at * pl.h * pl.stride;
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

static int open_results(struct rn_runner *r, struct device_block *block, int n)
{
    int err = 0;
    for (int i = 0; i < r->n && !err; i++) {
        const struct rn_measuring *m = r->bound[i].desc->measuring;
        size_t bytes = m ? m->bytes(&r->bound[i], rn_now(r, i)) : 0;
        block->result_bytes[i] =
            n > 1 ? (bytes + RN_PART_ALIGN - 1) / RN_PART_ALIGN * RN_PART_ALIGN : bytes;
        if (m)
            err = rn_mapping_open(r->dev, &block->result[i], block->result_bytes[i] * (size_t)n,
                                  is_copied(r));
    }
    return err;
}

/* n: its slots. */
static int open_block(struct rn_runner *r, struct device_block *block, const size_t bytes[], int n)
{
    int err = 0;
    for (int place = RN_IN; place <= RN_OUT && !err; place++)
        err = rn_side_open(r->dev, &block->side[place], bytes, is_copied(r));
    err = err ? err : open_results(r, block, n);
    return err || !r->delay ? err : open_temporaries(r, block->tmp, bytes);
}

static int open_slot(struct rn_runner *r, struct rn_slot *slot, struct device_block *block, int at)
{
    struct device_slot *ds = calloc(1, sizeof *ds);
    int err = 0;
    if (!ds)
        return rn_fail_memory();
    slot->priv->backend = ds;
    ds->cmd.dev = r->dev;
    ds->block = block;
    ds->at = at;
    ds->leader = ds;
    for (int i = 0; i < r->n && !err; i++)
        if (block->result[i].mem)
            err = rn_buffer_part(r->dev, block->result[i].mem, (size_t)at * block->result_bytes[i],
                                 block->result_bytes[i], &ds->result[i]);
    const struct rn_geom *in = &r->now->analysis.in;
    for (int p = 0; p < rn_format_planes(&in->fmt); p++)
        slot->in.plane[p] = host_plane(r, ds, RN_IN, in, p);
    return err;
}

static int open_slots(struct rn_runner *r, const size_t bytes[])
{
    struct device_shared *shared = r->shared;
    int err = 0;
    shared->nblocks = (r->nslots + r->batch - 1) / r->batch;
    shared->block = calloc((size_t)shared->nblocks, sizeof *shared->block);
    if (!shared->block)
        return rn_fail_memory();
    for (int i = 0; i < r->nslots && !err; i++) {
        struct device_block *block = &shared->block[i / r->batch];
        int left = r->nslots - i;
        if (i % r->batch == 0)
            err = open_block(r, block, bytes, left < r->batch ? left : r->batch);
        err = err ? err : open_slot(r, &r->slot[i], block, i % r->batch);
    }
    return err;
}

static int device_open(struct rn_runner *r)
{
    size_t bytes[RN_MAX_PLANES];
    struct device_shared *shared = r->shared = calloc(1, sizeof *shared);
    if (!shared)
        return rn_fail_memory();
    const struct rn_analysis *a = &r->now->analysis;
    shared->margin = a->margin;
    shared->copied = r->batch > 1 || !r->dev->info.shared_memory;
    rn_placement_sizes(a, plane_bytes, r, bytes);
    for (int p = 0; p < RN_MAX_PLANES; p++)
        /* Kernels count samples in 32 bits. */
        if (bytes[p] > (size_t)r->dev->info.max_allocation || bytes[p] > INT_MAX)
            return rn_fail(RN_EDEVICE, "a plane of %dx%d is larger than '%s' can hold", a->in.w,
                           a->in.h, r->dev->info.name);
    int err = r->delay ? 0 : open_temporaries(r, shared->tmp, bytes);
    return err ? err : open_slots(r, bytes);
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

static void close_slot(struct rn_runner *r, struct device_slot *ds)
{
    release_events(r->dev, ds);
    for (int s = 0; s < RN_MAX_STAGES; s++)
        rn_buffer_release(r->dev, &ds->result[s]);
    free(ds->cmd.events);
    free(ds->cmd.event_stage);
    free(ds);
}

static void close_block(struct rn_runner *r, struct device_block *block)
{
    rn_side_close(r->dev, &block->side[RN_IN]);
    rn_side_close(r->dev, &block->side[RN_OUT]);
    for (int s = 0; s < RN_MAX_STAGES; s++)
        rn_mapping_close(r->dev, &block->result[s]);
    close_temporaries(r, block->tmp);
}

static void device_close(struct rn_runner *r)
{
    struct device_shared *shared = r->shared;
    struct rn_device *dev = r->dev;
    cl_command_queue queues[] = {dev->up, dev->run, dev->down};
    for (int i = 0; i < 3; i++)
        clFinish(queues[i]);
    for (int i = 0; i < r->nslots; i++)
        if (r->priv[i].backend)
            close_slot(r, r->priv[i].backend);
    if (shared) {
        for (int i = 0; i < shared->nblocks && shared->block; i++)
            close_block(r, &shared->block[i]);
        free(shared->block);
        close_temporaries(r, shared->tmp);
        rn_buffer_release(dev, &shared->field);
    }
    clFinish(dev->up);
    free(shared);
}

/* ---- frames that were submitted together */

static size_t row_bytes(const struct rn_geom *geom, int p, int *h)
{
    int w;
    rn_geom_plane_size(geom, p, &w, h);
    return (size_t)w * (size_t)rn_format_bytes(&geom->fmt);
}

/* Copies plane p of frames that were submitted together, of which ds is the first, between
 * page-locked rows and rows of the device, without waiting. */
static int transfer(struct rn_runner *r, struct device_slot *ds, const struct rn_geom *geom,
                    enum rn_place place, int p, cl_event *event)
{
    struct device_slot *leader = ds->leader;
    cl_mem mem = ds->block->side[place].plane[p];
    struct rn_layout layout = layout_of(r, geom, p);
    struct rn_plane host = host_plane(r, ds, place, geom, p);
    size_t bytes = (size_t)rn_format_bytes(&geom->fmt), step = (size_t)step_of(r, geom, p);
    int h;
    size_t region[3] = {row_bytes(geom, p, &h), 0, (size_t)leader->count};
    region[1] = (size_t)h;
    /* The corner of the box: the origin of the plane, in a buffer of such rows and frames. */
    size_t corner[3] = {(size_t)(layout.origin % layout.stride) * bytes,
                        (size_t)(layout.origin / layout.stride), (size_t)ds->at};
    size_t zero[3] = {0, 0, 0}, row = (size_t)layout.stride * bytes, host_row = (size_t)host.stride;
    cl_int code = place == RN_IN
                      ? clEnqueueWriteBufferRect(r->dev->up, mem, CL_FALSE, corner, zero, region,
                                                 row, row * step, host_row, host_row * (size_t)h,
                                                 host.data, 0, NULL, event)
                      : clEnqueueReadBufferRect(r->dev->down, mem, CL_FALSE, corner, zero, region,
                                                row, row * step, host_row, host_row * (size_t)h,
                                                host.data, 0, NULL, event);
    if (code)
        return rn_cl_fail(code, place == RN_IN ? "an upload" : "a download");
    *(place == RN_IN ? &leader->uploaded : &leader->downloaded) +=
        (int64_t)(region[0] * region[1] * region[2]);
    rn_count(r->dev, 1);
    return 0;
}

/* The kernels of these frames are ordered after it. */
static int upload(struct rn_runner *r, struct device_slot *ds, const struct rn_placement *placement)
{
    struct device_slot *leader = ds->leader;
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        if (!(placement->upload >> p & 1))
            continue;
        int err = transfer(r, ds, &r->first->analysis.in, RN_IN, p, &leader->up[leader->nup]);
        if (err)
            return err;
        leader->nup++;
    }
    cl_int code = 0;
    if (leader->nup)
        code = clEnqueueBarrierWithWaitList(r->dev->run, (cl_uint)leader->nup, leader->up, NULL);
    return code ? rn_cl_fail(code, "waiting for the upload") : 0;
}

static int give_window(struct rn_device *dev, struct rn_mapping *win)
{
    return win->mapped ? rn_mapping_unmap(dev, dev->run, win, NULL) : 0;
}

/* With shared memory: the host gives up what kernels will read and write. */
static int give_memory(struct rn_runner *r, struct rn_slot *slot)
{
    struct device_block *block = slot_of(slot)->block;
    int err = give_window(r->dev, &block->side[RN_IN].win);
    err = err ? err : give_window(r->dev, &block->side[RN_OUT].win);
    for (int i = 0; i < r->n && !err; i++)
        if (rn_then(slot, i)->on)
            err = give_window(r->dev, &block->result[i]);
    return err;
}

static int device_begin(struct rn_runner *r, struct rn_slot *in, int n)
{
    if (!in)
        return 0;
    struct device_slot *leader = slot_of(in + n - 1);
    for (int k = 0; k < n; k++)
        slot_of(in + k)->leader = leader;
    leader->count = n;
    leader->waited = false;
    leader->cmd.timed = r->keep || r->time_each || r->groups % RN_TIMED_EVERY == 0;
    if (!in->priv->revision->placement.active)
        return 0;
    return is_copied(r) ? upload(r, slot_of(in), &in->priv->revision->placement)
                        : give_memory(r, in);
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
    cmd->pictures = t->n;
    cmd->step = step_of(r, &all->in, p);
    return err ? err
               : s.desc->enqueue(t->bound, &s, cmd, t->in ? &src : NULL, t->out ? &dst : NULL, p);
}

static int enqueue_planes(struct rn_runner *r, const struct rn_turn *t, struct rn_cmd *cmd)
{
    int err = 0;
    for (int p = 0; p < RN_MAX_PLANES && !err; p++)
        if (rn_lines_exist(t->lines, rn_then(t->counted, t->i), p))
            err = enqueue(r, t, cmd, p);
    return err;
}

/* Frames that the stage takes one by one. */
static int enqueue_frames(struct rn_runner *r, const struct rn_turn *t, struct rn_cmd *cmd)
{
    int err = 0;
    for (int k = 0; k < t->n && !err; k++) {
        struct rn_turn one = *t;
        one.n = 1;
        one.in = t->in ? t->in + k : NULL;
        one.out = t->out ? t->out + k : NULL;
        one.counted += k;
        one.tick += k;
        cmd->frame = one.counted->frame.index;
        cmd->tick = one.tick;
        cmd->result = slot_of(one.counted)->result[t->i];
        err = enqueue_planes(r, &one, cmd);
    }
    return err;
}

static int device_stage(struct rn_runner *r, const struct rn_turn *t)
{
    struct device_slot *ds = slot_of(t->counted);
    const struct device_block *block = ds->block;
    size_t bytes = block->result_bytes[t->i];
    struct rn_cmd *cmd = &ds->leader->cmd;
    int err = 0;
    cmd->stage = t->i;
    cmd->pictures = 1;
    if (block->result[t->i].mem)
        err = rn_clear_from(cmd, block->result[t->i].mem, (size_t)ds->at * bytes,
                            (size_t)t->n * bytes);
    if (err || t->n == 1 || !rn_then(t->counted, t->i)->traits.shift_invariant)
        return err ? err : enqueue_frames(r, t, cmd);
    return enqueue_planes(r, t, cmd);
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
    struct device_block *block = ds->block;
    int err = take_window(r, ds, &block->side[RN_IN].win, CL_MAP_READ | CL_MAP_WRITE);
    err = err ? err : take_window(r, ds, &block->side[RN_OUT].win, CL_MAP_READ);
    for (int i = 0; i < r->n && !err; i++)
        if (rn_then(slot, i)->on && block->result[i].mem)
            err = take_window(r, ds, &block->result[i], CL_MAP_READ);
    return err;
}

static int download_results(struct rn_runner *r, struct device_slot *ds, int i)
{
    const struct rn_mapping *win = &ds->block->result[i];
    size_t one = ds->block->result_bytes[i], from = (size_t)ds->at * one;
    struct device_slot *leader = ds->leader;
    size_t bytes = (size_t)leader->count * one;
    cl_int code = clEnqueueReadBuffer(r->dev->down, win->mem, CL_FALSE, from, bytes,
                                      win->mapped + from, 0, NULL, &leader->down[leader->ndown]);
    if (code)
        return rn_cl_fail(code, "a download");
    leader->downloaded += (int64_t)bytes;
    rn_count(r->dev, 1);
    leader->ndown++;
    return 0;
}

static int download(struct rn_runner *r, struct rn_slot *slot)
{
    struct device_slot *ds = slot_of(slot), *leader = ds->leader;
    const struct rn_geom *geom = rn_runner_output(r);
    int err = 0;
    cl_int code = clEnqueueBarrierWithWaitList(r->dev->down, 1, &leader->ran, NULL);
    if (code)
        return rn_cl_fail(code, "waiting for the kernels");
    for (int p = 0; p < rn_format_planes(&geom->fmt) && !err; p++) {
        enum rn_place place = slot->priv->revision->placement.final[p];
        if (place == RN_IN)
            continue; /* the host has it already */
        err = transfer(r, ds, geom, place, p, &leader->down[leader->ndown]);
        leader->ndown += !err;
    }
    for (int i = 0; i < r->n && !err; i++)
        if (rn_then(slot, i)->on && ds->result[i])
            err = download_results(r, ds, i);
    return err;
}

/* out: the first of those that were begun together. */
static int finish_frames(struct rn_runner *r, struct rn_slot *out)
{
    if (!is_copied(r))
        return take_memory(r, out);
    cl_int code = clEnqueueMarkerWithWaitList(r->dev->run, 0, NULL, &slot_of(out)->leader->ran);
    if (code)
        return rn_cl_fail(code, "marking the end of the frame");
    rn_count(r->dev, 1);
    return download(r, out);
}

static int device_finish(struct rn_runner *r, struct rn_slot *out, int n)
{
    (void)n; /* as many as were begun */
    int err = out && out->priv->revision->placement.active ? finish_frames(r, out) : 0;
    cl_command_queue queues[] = {r->dev->run, r->dev->up, r->dev->down};
    for (int i = 0; i < (is_copied(r) ? 3 : 1) && !err; i++) {
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
    *timings = (struct rn_timings){.timed = ds->cmd.nevents > 0 ? ds->count : 0,
                                   .uploaded = ds->uploaded,
                                   .downloaded = ds->downloaded};
    for (int i = 0; i < ds->cmd.nevents; i++)
        if (ds->cmd.event_stage[i] >= 0)
            timings->stage[ds->cmd.event_stage[i]] += seconds(ds->cmd.events[i]);
    if (!is_copied(r))
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
        img->plane[p] = host_plane(r, ds, place[p], geom, p);
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

static cl_int wait_for_commands(struct device_slot *ds)
{
    cl_int code = ds->ndown ? clWaitForEvents((cl_uint)ds->ndown, ds->down) : 0;
    code = code || !ds->ran ? code : clWaitForEvents(1, &ds->ran);
    code = code ? code : status_of(ds->up, ds->nup);
    return code ? code : status_of(ds->cmd.events, ds->cmd.nevents);
}

/* The first frame that is waited for gets the times of all. */
static void wait_for_group(struct rn_runner *r, struct device_slot *leader,
                           struct rn_timings *timings)
{
    *timings = (struct rn_timings){0};
    if (leader->waited)
        return;
    leader->ended = wait_for_commands(leader);
    if (!leader->ended)
        take_times(r, leader, timings);
    release_events(r->dev, leader);
    leader->waited = true;
}

static int device_wait(struct rn_runner *r, struct rn_slot *slot)
{
    static const enum rn_place in[RN_MAX_PLANES] = {RN_IN, RN_IN, RN_IN, RN_IN};
    struct device_slot *ds = slot_of(slot);
    wait_for_group(r, ds->leader, &slot->priv->timings);
    if (ds->leader->ended)
        return rn_cl_fail(ds->leader->ended, "a frame");
    show_planes(r, ds, rn_runner_output(r), slot->priv->revision->placement.final, &slot->out);
    show_planes(r, ds, &r->first->analysis.in, in, &slot->in);
    for (int i = 0; i < r->n; i++)
        if (ds->result[i])
            slot->priv->result[i] =
                ds->block->result[i].mapped + (size_t)ds->at * ds->block->result_bytes[i];
    return 0;
}

/* Whatever became of the frame, the host may write the next one there. */
static int device_recycle(struct rn_runner *r, struct rn_slot *slot)
{
    const struct rn_geom *in = &r->first->analysis.in;
    struct device_slot *ds = slot_of(slot);
    struct rn_side *side = &ds->block->side[RN_IN];
    if (side->win.writable)
        return 0;
    int err = rn_mapping_map(r->dev, r->dev->run, &side->win, CL_MAP_WRITE, NULL);
    for (int p = 0; p < rn_format_planes(&in->fmt) && !err; p++)
        slot->in.plane[p] = host_plane(r, ds, RN_IN, in, p);
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
