/* SPDX-License-Identifier: MIT */
/* The device backend. Where frames are copied, three in-order queues are tied by events: frame n+1
 * is uploaded and frame n-1 downloaded while frame n is computed; a frame, or as many as were
 * submitted together. Where the device works in the host's memory, all goes through one queue,
 * which hands the memory over to the device in front of the kernels and back behind them. All share
 * the temporary planes, which is safe because the run queue is in order, unless the chain has a
 * delay. A slot's own planes are not touched before the slot is submitted again. */
#include "filters/core/runner/runner_slots.h"

/* How many of the n frames from slot on have plane p evenly spaced, `*step` bytes from one to the
 * next, so that one command copies them. host: that of the first. */
static int even_frames(const struct rn_runner *r, struct rn_slot *slot, int n, enum rn_place place,
                       const struct rn_geom *geom, int p, const struct rn_plane *host, size_t *step)
{
    int k = 1;
    uintptr_t first = (uintptr_t)host->data, row = (uintptr_t)host->stride;
    *step = row * (uintptr_t)host->h;
    for (; k < n; k++) {
        const struct rn_plane next = rn_slots_plane(r, rn_device_slot(slot + k), place, geom, p);
        uintptr_t distance = (uintptr_t)next.data - first; /* wraps around, and is too large */
        if (k == 1 && distance > *step && distance < PTRDIFF_MAX && distance % row == 0)
            *step = distance;
        if (next.stride != host->stride || distance != *step * (uintptr_t)k)
            break;
    }
    return k;
}

/* Copies plane p of the n frames from slot on between rows of the host and rows of the device,
 * without waiting. events: gets one for each command, from *nevents on. *bytes: is added to. */
static int transfer(struct rn_runner *r, struct rn_slot *slot, int n, const struct rn_geom *geom,
                    enum rn_place place, int p, cl_event *events, int *nevents, int64_t *bytes)
{
    cl_mem mem = rn_device_slot(slot)->block->side[place].plane[p];
    struct rn_dplane layout = rn_slots_layout(r, geom, p);
    size_t one = (size_t)rn_format_bytes(&geom->fmt), row = (size_t)layout.stride * one;
    size_t step = row * (size_t)rn_slots_step(r, geom, p), zero[3] = {0, 0, 0};
    for (int k = 0, taken; k < n; k += taken) {
        struct rn_device_slot *ds = rn_device_slot(slot + k);
        struct rn_plane host = rn_slots_plane(r, ds, place, geom, p);
        size_t host_step, host_row = (size_t)host.stride;
        taken = even_frames(r, slot + k, n - k, place, geom, p, &host, &host_step);
        size_t region[3] = {(size_t)host.w * one, (size_t)host.h, (size_t)taken};
        /* The corner of the box: the origin of the plane, in a buffer of such rows and frames. */
        size_t corner[3] = {(size_t)(layout.origin % layout.stride) * one,
                            (size_t)(layout.origin / layout.stride), (size_t)ds->at};
        cl_event *event = &events[*nevents];
        cl_int code =
            place == RN_IN
                ? clEnqueueWriteBufferRect(r->dev->up, mem, CL_FALSE, corner, zero, region, row,
                                           step, host_row, host_step, host.data, 0, NULL, event)
                : clEnqueueReadBufferRect(r->dev->down, mem, CL_FALSE, corner, zero, region, row,
                                          step, host_row, host_step, host.data, 0, NULL, event);
        if (code)
            return rn_cl_check(code, place == RN_IN ? "an upload" : "a download");
        *bytes += (int64_t)(region[0] * region[1] * region[2]);
        rn_count(r->dev, 1);
        ++*nevents;
    }
    return 0;
}

/* The kernels of these frames are ordered after it. */
static int upload(struct rn_runner *r, struct rn_slot *slot, const struct rn_placement *placement)
{
    struct rn_device_slot *last = rn_device_slot(slot)->up_owner;
    int err = 0;
    for (int p = 0; p < RN_MAX_PLANES && !err; p++)
        if (placement->upload >> p & 1)
            err = transfer(r, slot, last->count, &r->first->analysis.in, RN_IN, p, last->up,
                           &last->nup, &last->uploaded);
    if (err || !last->nup)
        return err;
    return rn_cl_check(
        clEnqueueBarrierWithWaitList(r->dev->run, (cl_uint)last->nup, last->up, NULL),
        "waiting for the upload");
}

static int give_window(struct rn_device *dev, struct rn_mapping *win)
{
    return win->mapped ? rn_mapping_unmap(dev->run, win) : 0;
}

/* With shared memory: the host gives up the memory that kernels read and write. */
static int give_memory(struct rn_runner *r, struct rn_slot *slot)
{
    struct rn_device_block *block = rn_device_slot(slot)->block;
    int err = give_window(r->dev, &block->side[RN_IN].win);
    err = err ? err : give_window(r->dev, &block->side[RN_OUT].win);
    for (int i = 0; i < r->n && !err; i++)
        if (rn_submitted(slot, i)->on)
            err = give_window(r->dev, &block->result[i]);
    return err;
}

static int device_begin(struct rn_runner *r, struct rn_slot *in, int n)
{
    struct rn_device_shared *shared = r->shared;
    /* an event costs as much as a launch */
    shared->timed = r->keep || r->time_each || r->groups % RN_TIMED_EVERY == 0;
    if (!in)
        return 0;
    struct rn_device_slot *last = rn_device_slot(in + n - 1);
    for (int k = 0; k < n; k++)
        rn_device_slot(in + k)->up_owner = last;
    last->count = n;
    if (!in->priv->revision->placement.active)
        return 0;
    last->timed = shared->timed ? n : 0;
    return rn_slots_copied(r) ? upload(r, in, &in->priv->revision->placement) : give_memory(r, in);
}

/* Gives a field the margin that it lacks: what is above and below its lines belongs to the other
 * field. Copies are used up before the next one is made, since the run queue is in order. */
static int copy_field(struct rn_runner *r, struct rn_cmd *cmd, const struct rn_geom *geom,
                      struct rn_dplane *src)
{
    struct rn_device_shared *shared = r->shared;
    int bytes = rn_format_bytes(&geom->fmt);
    size_t need = rn_layout(&r->dev->form, src->w, src->h, bytes, shared->margin).bytes;
    int err = rn_scratch_reserve(r->dev, &shared->field, need);
    if (err)
        return err;
    struct rn_dplane copy =
        rn_dplane_in(&r->dev->form, shared->field.mem, src->w, src->h, bytes, shared->margin);
    copy.pitch = 0;
    err = rn_embed(cmd, src, &copy, rn_format_sample(&geom->fmt), 0);
    *src = copy;
    return err;
}

static int enqueue_plane(struct rn_runner *r, const struct rn_turn *t, struct rn_cmd *cmd, int p)
{
    const struct rn_snapshot *all = rn_submitted(t->counted, t->i);
    const struct rn_snapshot s = rn_lines_snapshot(all, t->lines, p);
    struct rn_dimage src, dst;
    int err = 0;
    if (t->in) {
        src = rn_slots_image(r, rn_device_slot(t->in), &all->in,
                             t->in->priv->revision->placement.stage[t->i].src, t->lines);
        if (t->lines != RN_LINES_ALL && s.traits.margin)
            err = copy_field(r, cmd, &s.in, &src.plane[p]);
    }
    if (t->out)
        dst = rn_slots_image(r, rn_device_slot(t->out), &all->traits.out,
                             t->out->priv->revision->placement.stage[t->i].dst, t->lines);
    src.geom = s.in;
    dst.geom = s.traits.out;
    cmd->pictures = t->n;
    cmd->step = rn_slots_step(r, &all->in, p);
    return err ? err
               : s.desc->enqueue(t->bound, &s, cmd, t->in ? &src : NULL, t->out ? &dst : NULL, p);
}

static int enqueue_planes(struct rn_runner *r, const struct rn_turn *t, struct rn_cmd *cmd)
{
    int err = 0;
    for (int p = 0; p < RN_MAX_PLANES && !err; p++)
        if (rn_lines_exist(t->lines, rn_submitted(t->counted, t->i), p))
            err = enqueue_plane(r, t, cmd, p);
    return err;
}

/* Names the frame, or the first of several, to the stage. */
static void set_frame(const struct rn_runner *r, const struct rn_turn *t, struct rn_cmd *cmd)
{
    cmd->frame = t->counted->frame.index;
    cmd->tick = t->tick;
    cmd->relay = r->relay;
    cmd->number = t->tick * r->lanes + r->lane;
}

static int device_stage(struct rn_runner *r, const struct rn_turn *t)
{
    const struct rn_device_shared *shared = r->shared;
    struct rn_device_slot *ds = rn_device_slot(t->counted);
    const struct rn_device_block *block = ds->block;
    size_t bytes = block->result_bytes[t->i];
    const struct rn_traits *traits = &rn_submitted(t->counted, t->i)->traits;
    struct rn_cmd *cmd = &rn_device_slot(t->counted + t->n - 1)->cmd;
    int err = 0;
    cmd->timed = shared->timed;
    cmd->stage = t->i;
    cmd->pictures = 1;
    cmd->result = block->result[t->i].mem;
    cmd->result_step = bytes;
    cmd->result_at = (size_t)ds->at * bytes;
    if (block->result[t->i].mem)
        err = rn_clear(cmd, cmd->result, cmd->result_at, (size_t)t->n * bytes);
    if (err)
        return err;
    if (t->n > 1 && (traits->shift_invariant || traits->batches)) {
        set_frame(r, t, cmd); /* the stage takes them together */
        return enqueue_planes(r, t, cmd);
    }
    for (int k = 0; k < t->n && !err; k++) {
        struct rn_turn one = rn_turn_of(t, k);
        set_frame(r, &one, cmd);
        cmd->result_at = (size_t)rn_device_slot(one.counted)->at * cmd->result_step;
        err = enqueue_planes(r, &one, cmd);
    }
    return err;
}

static int device_blend(struct rn_runner *r, const struct rn_turn *t)
{
    const struct rn_device_shared *shared = r->shared;
    const struct rn_snapshot *s = rn_submitted(t->out, t->i);
    const struct rn_placement *places = &t->out->priv->revision->placement;
    struct rn_device_slot *ds = rn_device_slot(t->out);
    struct rn_dimage src = rn_slots_image(r, ds, &s->in, places->stage[t->i].src, RN_LINES_ALL);
    struct rn_dimage dst = rn_slots_image(r, ds, &s->in, places->stage[t->i].dst, RN_LINES_ALL);
    struct rn_cmd *cmd = &rn_device_slot(t->counted + t->n - 1)->cmd;
    int err = 0;
    cmd->timed = shared->timed;
    cmd->stage = t->i;
    cmd->pictures = t->n;
    for (int p = 0; p < RN_MAX_PLANES && !err; p++) {
        if (!(s->traits.planes >> p & 1))
            continue;
        cmd->step = rn_slots_step(r, &s->in, p);
        err = rn_blend_enqueue(&r->blend[t->i], cmd, &s->in, p, &src, &dst);
    }
    return err;
}

static int take_window(struct rn_runner *r, struct rn_device_slot *ds, struct rn_mapping *win,
                       cl_map_flags flags)
{
    int err =
        win->mapped ? 0 : rn_mapping_map(r->dev, r->dev->run, win, flags, &ds->down[ds->ndown]);
    ds->ndown += !err && ds->down[ds->ndown];
    return err;
}

/* With shared memory: maps for the host what give_memory() gave up. The host may read the input
 * beside the output and write the next input. */
static int take_memory(struct rn_runner *r, struct rn_slot *slot)
{
    struct rn_device_slot *ds = rn_device_slot(slot);
    struct rn_device_block *block = ds->block;
    int err = take_window(r, ds, &block->side[RN_IN].win, CL_MAP_READ | CL_MAP_WRITE);
    err = err ? err : take_window(r, ds, &block->side[RN_OUT].win, CL_MAP_READ);
    for (int i = 0; i < r->n && !err; i++)
        if (rn_submitted(slot, i)->on && block->result[i].mem)
            err = take_window(r, ds, &block->result[i], CL_MAP_READ);
    return err;
}

static int download_results(struct rn_runner *r, struct rn_device_slot *ds, int n, int i)
{
    const struct rn_mapping *win = &ds->block->result[i];
    size_t one = ds->block->result_bytes[i], from = (size_t)ds->at * one, bytes = (size_t)n * one;
    struct rn_device_slot *last = ds->down_owner;
    cl_int code = clEnqueueReadBuffer(r->dev->down, win->mem, CL_FALSE, from, bytes,
                                      win->mapped + from, 0, NULL, &last->down[last->ndown]);
    if (code)
        return rn_cl_check(code, "a download");
    last->downloaded += (int64_t)bytes;
    rn_count(r->dev, 1);
    last->ndown++;
    return 0;
}

static int download(struct rn_runner *r, struct rn_slot *slot, int n)
{
    struct rn_device_slot *ds = rn_device_slot(slot), *last = ds->down_owner;
    const struct rn_geom *geom = rn_runner_output(r);
    int err = rn_cl_check(clEnqueueBarrierWithWaitList(r->dev->down, 1, &last->ran, NULL),
                          "waiting for the kernels");
    for (int p = 0; p < rn_format_planes(&geom->fmt) && !err; p++) {
        enum rn_place place = slot->priv->revision->placement.final[p];
        if (place == RN_IN)
            continue; /* the host has it already */
        err = transfer(r, slot, n, geom, place, p, last->down, &last->ndown, &last->downloaded);
    }
    for (int i = 0; i < r->n && !err; i++)
        if (rn_submitted(slot, i)->on && ds->block->result[i].mem)
            err = download_results(r, ds, n, i);
    return err;
}

static int give_back(struct rn_runner *r, struct rn_slot *out, int n)
{
    if (!rn_slots_copied(r))
        return take_memory(r, out);
    cl_int code =
        clEnqueueMarkerWithWaitList(r->dev->run, 0, NULL, &rn_device_slot(out)->down_owner->ran);
    if (code)
        return rn_cl_check(code, "marking the end of the frame");
    rn_count(r->dev, 1);
    return download(r, out, n);
}

static int device_finish(struct rn_runner *r, struct rn_slot *out, int n)
{
    for (int k = 0; k < n && out; k++)
        rn_device_slot(out + k)->down_owner = rn_device_slot(out + n - 1);
    if (out)
        rn_device_slot(out)->down_owner->waited = false;
    int err = out && out->priv->revision->placement.active ? give_back(r, out, n) : 0;
    cl_command_queue queues[] = {r->dev->run, r->dev->up, r->dev->down};
    for (int i = 0; i < (rn_slots_copied(r) ? 3 : 1) && !err; i++)
        err = rn_cl_check(clFlush(queues[i]), "a flush");
    return err;
}

/* What the slot has the commands of: its own kernels, and the transfers of several frames. */
static void take_times(struct rn_runner *r, struct rn_device_slot *ds, struct rn_timings *timings)
{
    *timings = (struct rn_timings){
        .timed = ds->timed, .uploaded = ds->uploaded, .downloaded = ds->downloaded};
    for (int i = 0; i < ds->cmd.nevents; i++)
        if (ds->cmd.event_stage[i] >= 0)
            timings->stage[ds->cmd.event_stage[i]] += rn_event_seconds(ds->cmd.events[i]);
    if (!rn_slots_copied(r))
        return;
    for (int i = 0; i < ds->nup; i++)
        timings->upload += rn_event_seconds(ds->up[i]);
    for (int i = 0; i < ds->ndown; i++)
        timings->download += rn_event_seconds(ds->down[i]);
}

/* CL_COMPLETE, above it while the command has not ended, or its error. */
static cl_int status_of(cl_event event)
{
    cl_int status = CL_COMPLETE;
    cl_int code =
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    return code ? code : status;
}

/* The first error of the commands: waiting for an event does not report a command's own failure. */
static cl_int error_of(const cl_event *events, int n)
{
    cl_int status = 0;
    for (int i = 0; i < n && status >= 0; i++)
        status = status_of(events[i]);
    return status < 0 ? status : 0;
}

static bool device_done(const struct rn_slot *slot)
{
    const struct rn_device_slot *last = rn_device_slot(slot)->down_owner;
    bool done = true;
    for (int i = 0; i < last->ndown && done && !last->waited; i++)
        done = status_of(last->down[i]) <= CL_COMPLETE;
    return done && (last->waited || !last->ran || status_of(last->ran) <= CL_COMPLETE);
}

/* Frames that share commands are timed with the last of them, so its events live until then. */
static cl_int wait_for_frame(struct rn_runner *r, struct rn_device_slot *ds,
                             struct rn_timings *timings)
{
    struct rn_device_slot *last = ds->down_owner;
    enum rn_stall outer = rn_stall_enter(RN_STALL_DEVICE);
    if (!last->waited) {
        last->ended = last->ndown ? clWaitForEvents((cl_uint)last->ndown, last->down) : 0;
        if (!last->ended && last->ran)
            last->ended = clWaitForEvents(1, &last->ran);
    }
    last->waited = true;
    rn_stall_leave(outer);
    cl_int code = last->ended ? last->ended : error_of(ds->up_owner->up, ds->up_owner->nup);
    code = code ? code : error_of(ds->cmd.events, ds->cmd.nevents);
    if (!code)
        take_times(r, ds, timings);
    rn_slots_release_events(r->dev, ds);
    return code;
}

static int device_wait(struct rn_runner *r, struct rn_slot *slot)
{
    struct rn_device_slot *ds = rn_device_slot(slot);
    const enum rn_place *final = slot->priv->revision->placement.final;
    cl_int code = wait_for_frame(r, ds, &slot->priv->timings);
    if (code)
        return rn_cl_check(code, "a frame");
    slot->out.geom = *rn_runner_output(r);
    for (int p = 0; p < rn_format_planes(&slot->out.geom.fmt); p++)
        slot->out.plane[p] = rn_slots_plane(r, ds, final[p], &slot->out.geom, p);
    rn_slots_show_input(r, slot);
    for (int i = 0; i < r->n; i++)
        if (ds->block->result[i].mem)
            slot->priv->result[i] =
                ds->block->result[i].mapped + (size_t)ds->at * ds->block->result_bytes[i];
    return 0;
}

/* The host may write the next frame into the slot, also if this one failed. */
static int device_recycle(struct rn_runner *r, struct rn_slot *slot)
{
    struct rn_side *side = &rn_device_slot(slot)->block->side[RN_IN];
    rn_runner_lend(slot, NULL, NULL);
    if (side->win.writable)
        return 0;
    int err = rn_mapping_map(r->dev, r->dev->run, &side->win, CL_MAP_WRITE, NULL);
    if (!err)
        rn_slots_show_input(r, slot);
    return err;
}

static int device_abandon(struct rn_runner *r)
{
    int err = rn_cl_check(rn_device_finish(r->dev), "waiting for the device");
    for (int i = 0; i < r->nslots && !err; i++)
        rn_slots_release_events(r->dev, r->priv[i].backend);
    return err;
}

const struct rn_backend rn_backend_device = {
    .open = rn_slots_open,
    .close = rn_slots_close,
    .begin = device_begin,
    .stage = device_stage,
    .blend = device_blend,
    .finish = device_finish,
    .wait = device_wait,
    .done = device_done,
    .recycle = device_recycle,
    .abandon = device_abandon,
};
