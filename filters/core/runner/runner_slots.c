/* SPDX-License-Identifier: MIT */
#include "filters/core/runner/runner_slots.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE (2U << 20) /* bytes */

/* ---- memory */

int rn_mapping_map(struct rn_device *dev, cl_command_queue queue, struct rn_mapping *win,
                   cl_map_flags flags, cl_event *event)
{
    cl_int code;
    enum rn_stall outer = rn_stall_enter(RN_STALL_DEVICE);
    win->mapped =
        clEnqueueMapBuffer(queue, win->pinned ? win->pinned : win->mem, event ? CL_FALSE : CL_TRUE,
                           flags, 0, win->bytes, 0, NULL, event, &code);
    rn_stall_leave(outer);
    if (code) {
        win->mapped = NULL;
        return rn_cl_check(code, "mapping a buffer");
    }
    win->writable = flags & CL_MAP_WRITE;
    if (event)
        rn_count(dev, 1);
    return 0;
}

int rn_mapping_unmap(cl_command_queue queue, struct rn_mapping *win)
{
    cl_int code = clEnqueueUnmapMemObject(queue, win->pinned ? win->pinned : win->mem, win->mapped,
                                          0, NULL, NULL);
    win->mapped = NULL;
    win->writable = false;
    return rn_cl_check(code, "unmapping a buffer");
}

/* Zeros in whole large pages, where the system has them: a driver locks a page of 4 KiB as slowly
 * as one of 2 MiB, and those that it allocates itself are small. */
static int take_pages(void **pages, size_t bytes)
{
    size_t page = bytes < LARGE_PAGE ? RN_PART_ALIGN : LARGE_PAGE;
    size_t all = (bytes + page - 1) / page * page;
    *pages = aligned_alloc(page, all);
    if (!*pages)
        return rn_fail_memory();
    madvise(*pages, all, MADV_HUGEPAGE);
    memset(*pages, 0, all);
    return 0;
}

/* A window of `bytes` zeros, mapped for the host to write. pinned: the size of the page-locked
 * memory that is copied to and from the device's own, no more than the host fills; 0: memory is
 * shared. Returns 0 or an error (logged). Closing is legal after a failure. */
static int open_mapping(struct rn_device *dev, struct rn_mapping *win, size_t bytes, size_t pinned)
{
    const cl_mem_flags own = CL_MEM_READ_WRITE, host = own | CL_MEM_ALLOC_HOST_PTR;
    win->bytes = pinned ? pinned : bytes;
    int err = rn_buffer_create(dev, pinned ? own : host, bytes, &win->mem);
    err = err || !pinned ? err : take_pages(&win->pages, pinned);
    err = err || !pinned ? err : rn_buffer_over(dev, win->pages, pinned, &win->pinned);
    err = err ? err : rn_buffer_clear(dev, win->mem, bytes);
    err = err ? err : rn_cl_check(clFinish(dev->run), "clearing a buffer");
    err = err ? err : rn_mapping_map(dev, dev->up, win, CL_MAP_WRITE, NULL);
    if (!err && !pinned)
        memset(win->mapped, 0, win->bytes);
    return err;
}

static void close_mapping(struct rn_device *dev, struct rn_mapping *win)
{
    if (win->mapped)
        rn_mapping_unmap(dev->up, win);
    if (win->pages)
        clFinish(dev->up);
    rn_buffer_release(dev, &win->pinned);
    rn_buffer_release(dev, &win->mem);
    free(win->pages);
}

/* Where planes of `bytes` lie one behind the other. Returns the bytes of all. */
static size_t place_planes(const size_t bytes[], size_t at[])
{
    size_t all = 0;
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        at[p] = all;
        all += (bytes[p] + RN_PART_ALIGN - 1) / RN_PART_ALIGN * RN_PART_ALIGN;
    }
    return all;
}

/* bytes: of each of RN_MAX_PLANES planes; 0: there is none. pinned: of what the host fills of them;
 * NULL: memory is shared. */
static int open_side(struct rn_device *dev, struct rn_side *side, const size_t bytes[],
                     const size_t pinned[])
{
    size_t at[RN_MAX_PLANES], all = place_planes(bytes, at);
    size_t host = place_planes(pinned ? pinned : bytes, side->at);
    int err = open_mapping(dev, &side->win, all, pinned ? host : 0);
    for (int p = 0; p < RN_MAX_PLANES && !err; p++)
        if (bytes[p])
            err = rn_buffer_part(dev, side->win.mem, at[p], bytes[p], &side->plane[p]);
    return err;
}

static void close_side(struct rn_device *dev, struct rn_side *side)
{
    for (int p = 0; p < RN_MAX_PLANES; p++)
        rn_buffer_release(dev, &side->plane[p]);
    close_mapping(dev, &side->win);
}

/* ---- geometry */

struct rn_dplane rn_slots_layout(const struct rn_runner *r, const struct rn_geom *geom, int p)
{
    const struct rn_device_shared *shared = r->shared;
    int w, h;
    rn_geom_plane_size(geom, p, &w, &h);
    struct rn_dplane plane =
        rn_dplane_in(&r->dev->form, NULL, w, h, rn_format_bytes(&geom->fmt), shared->margin);
    plane.pitch = 0;
    return plane;
}

int rn_slots_step(const struct rn_runner *r, const struct rn_geom *geom, int p)
{
    const struct rn_device_shared *shared = r->shared;
    int h = rn_slots_layout(r, geom, p).h;
    return r->batch > 1 ? rn_batch_step(h, shared->margin) : h + 2 * shared->margin;
}

/* Of plane p of all frames of a batch. */
static size_t plane_bytes(const void *runner, const struct rn_geom *geom, int p)
{
    const struct rn_runner *r = runner;
    size_t row = (size_t)rn_slots_layout(r, geom, p).stride * (size_t)rn_format_bytes(&geom->fmt);
    return row * (size_t)r->batch * (size_t)rn_slots_step(r, geom, p);
}

struct rn_dimage rn_slots_image(const struct rn_runner *r, struct rn_device_slot *ds,
                                const struct rn_geom *geom, const enum rn_place place[],
                                enum rn_lines lines)
{
    const struct rn_device_shared *shared = r->shared;
    struct rn_dimage img = {.geom = *geom};
    for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
        struct rn_dplane *pl = &img.plane[p];
        *pl = rn_slots_layout(r, geom, p);
        pl->origin += ds->at * rn_slots_step(r, geom, p) * pl->stride;
        pl->mem = place[p] <= RN_OUT ? ds->block->side[place[p]].plane[p]
                  : r->delay         ? ds->block->tmp[place[p] - RN_TMP0][p]
                                     : shared->tmp[place[p] - RN_TMP0][p];
        const struct rn_cut cut = rn_lines_cut(lines, pl->h);
        pl->origin += cut.first * pl->stride;
        pl->h = cut.count;
        pl->stride *= cut.step;
    }
    return img;
}

bool rn_runner_lend(struct rn_slot *slot, const struct rn_image *in, const struct rn_image *out)
{
    struct rn_device_slot *ds = rn_device_slot(slot);
    if (!ds->block->side[RN_IN].win.pinned)
        return false;
    ds->lent[RN_IN] = in ? in->plane : NULL;
    ds->lent[RN_OUT] = out ? out->plane : NULL;
    slot->in = in ? *in : ds->own;
    return true;
}

void rn_slots_show_input(const struct rn_runner *r, struct rn_slot *slot)
{
    slot->in.geom = r->first->analysis.in;
    for (int p = 0; p < rn_format_planes(&slot->in.geom.fmt); p++)
        slot->in.plane[p] = rn_slots_plane(r, rn_device_slot(slot), RN_IN, &slot->in.geom, p);
}

struct rn_plane rn_slots_plane(const struct rn_runner *r, struct rn_device_slot *ds,
                               enum rn_place place, const struct rn_geom *geom, int p)
{
    if (ds->lent[place])
        return ds->lent[place][p];
    const struct rn_side *side = &ds->block->side[place];
    const struct rn_mapping *win = &side->win;
    int bytes = rn_format_bytes(&geom->fmt);
    struct rn_dplane layout = rn_slots_layout(r, geom, p);
    struct rn_plane pl = {.w = layout.w, .h = layout.h};
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
    for (int t = 0; t < rn_placement_temporaries(&r->current->analysis); t++)
        for (int p = 0; p < RN_MAX_PLANES && !err; p++) {
            if (!bytes[p])
                continue;
            err = rn_buffer_create(r->dev, CL_MEM_READ_WRITE, bytes[p], &tmp[t][p]);
            err = err ? err : rn_buffer_clear(r->dev, tmp[t][p], bytes[p]);
        }
    return err;
}

static void close_temporaries(struct rn_runner *r, cl_mem tmp[2][RN_MAX_PLANES])
{
    for (int t = 0; t < 2; t++)
        for (int p = 0; p < RN_MAX_PLANES; p++)
            rn_buffer_release(r->dev, &tmp[t][p]);
}

/* bytes, pinned: as of open_side; n: its slots. */
static int open_block(struct rn_runner *r, struct rn_device_block *block, const size_t bytes[],
                      const size_t pinned[], int n)
{
    int err = 0;
    for (int place = RN_IN; place <= RN_OUT && !err; place++)
        err = open_side(r->dev, &block->side[place], bytes, pinned);
    for (int i = 0; i < r->n && !err; i++) {
        const struct rn_measuring *m = r->bound[i].desc->measuring;
        block->result_bytes[i] = m ? m->bytes(&r->bound[i], rn_current(r, i)) : 0;
        size_t all = block->result_bytes[i] * (size_t)n;
        if (m)
            err = open_mapping(r->dev, &block->result[i], all, pinned ? all : 0);
    }
    return err || !r->delay ? err : open_temporaries(r, block->tmp, bytes);
}

static int open_slot(struct rn_runner *r, struct rn_slot *slot, struct rn_device_block *block,
                     int at)
{
    /* Each frame of a batch may be copied by a command of its own. */
    size_t most = (size_t)r->batch * RN_MAX_PLANES + RN_MAX_STAGES;
    struct rn_device_slot *ds = calloc(1, sizeof *ds);
    slot->priv->backend = ds;
    if (!ds || !(ds->up = calloc(2 * most, sizeof(cl_event))))
        return rn_fail_memory();
    ds->down = ds->up + most;
    ds->cmd.dev = r->dev;
    ds->block = block;
    ds->at = at;
    ds->up_owner = ds->down_owner = ds;
    rn_slots_show_input(r, slot);
    ds->own = slot->in;
    return 0;
}

int rn_slots_open(struct rn_runner *r)
{
    size_t bytes[RN_MAX_PLANES], pinned[RN_MAX_PLANES];
    struct rn_device_shared *shared = r->shared = calloc(1, sizeof *shared);
    if (!shared)
        return rn_fail_memory();
    const struct rn_analysis *a = &r->current->analysis;
    shared->margin = a->margin;
    shared->copied = r->batch > 1 || !r->dev->info.shared_memory;
    rn_placement_sizes(a, plane_bytes, r, bytes);
    rn_placement_sizes(a, rn_plane_host_bytes, NULL, pinned);
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        pinned[p] *= (size_t)r->batch;
        /* Kernels count samples in 32 bits. */
        if (bytes[p] > (size_t)r->dev->info.max_allocation || bytes[p] > INT_MAX)
            return rn_fail(RN_EDEVICE, "a plane of %dx%d is larger than '%s' can hold", a->in.w,
                           a->in.h, r->dev->info.name);
    }
    int err = r->delay ? 0 : open_temporaries(r, shared->tmp, bytes);
    shared->nblocks = (r->nslots + r->batch - 1) / r->batch;
    shared->block = calloc((size_t)shared->nblocks, sizeof *shared->block);
    if (!shared->block)
        return rn_fail_memory();
    for (int i = 0; i < r->nslots && !err; i++) {
        struct rn_device_block *block = &shared->block[i / r->batch];
        int left = r->nslots - i;
        if (i % r->batch == 0)
            err = open_block(r, block, bytes, shared->copied ? pinned : NULL,
                             left < r->batch ? left : r->batch);
        err = err ? err : open_slot(r, &r->slot[i], block, i % r->batch);
    }
    return err;
}

void rn_slots_release_events(struct rn_device *dev, struct rn_device_slot *ds)
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
    ds->timed = 0;
}

void rn_slots_close(struct rn_runner *r)
{
    struct rn_device_shared *shared = r->shared;
    struct rn_device *dev = r->dev;
    rn_device_finish(dev);
    for (int i = 0; i < r->nslots; i++) {
        struct rn_device_slot *ds = r->priv[i].backend;
        if (!ds)
            continue;
        rn_slots_release_events(dev, ds);
        free(ds->up);
        free(ds->cmd.events);
        free(ds->cmd.event_stage);
        free(ds);
    }
    if (shared) {
        for (int i = 0; i < shared->nblocks && shared->block; i++) {
            struct rn_device_block *block = &shared->block[i];
            close_side(dev, &block->side[RN_IN]);
            close_side(dev, &block->side[RN_OUT]);
            for (int s = 0; s < RN_MAX_STAGES; s++)
                close_mapping(dev, &block->result[s]);
            close_temporaries(r, block->tmp);
        }
        free(shared->block);
        close_temporaries(r, shared->tmp);
        rn_scratch_release(dev, &shared->field);
    }
    rn_device_finish(dev);
    free(shared);
}
