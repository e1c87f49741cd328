#include "filters/core/runner/runner_memory.h"

#include <string.h>

int rn_mapping_map(struct rn_device *dev, cl_command_queue queue, struct rn_mapping *win,
                   cl_map_flags flags, cl_event *event)
{
    cl_int code;
    win->mapped =
        clEnqueueMapBuffer(queue, win->pinned ? win->pinned : win->mem, event ? CL_FALSE : CL_TRUE,
                           flags, 0, win->bytes, 0, NULL, event, &code);
    if (code) {
        win->mapped = NULL;
        return rn_cl_fail(code, "mapping a buffer");
    }
    win->writable = flags & CL_MAP_WRITE;
    if (event)
        rn_count(dev, 1);
    return 0;
}

int rn_mapping_unmap(struct rn_device *dev, cl_command_queue queue, struct rn_mapping *win,
                     cl_event *event)
{
    cl_int code = clEnqueueUnmapMemObject(queue, win->pinned ? win->pinned : win->mem, win->mapped,
                                          0, NULL, event);
    win->mapped = NULL;
    win->writable = false;
    if (code)
        return rn_cl_fail(code, "unmapping a buffer");
    if (event)
        rn_count(dev, 1);
    return 0;
}

int rn_mapping_open(struct rn_device *dev, struct rn_mapping *win, size_t bytes, bool copied)
{
    bool shared = !copied;
    int err = rn_buffer_create(dev, CL_MEM_READ_WRITE | (shared ? CL_MEM_ALLOC_HOST_PTR : 0), bytes,
                               &win->mem);
    if (!err && !shared)
        err = rn_buffer_create(dev, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, &win->pinned);
    if (err)
        return err;
    win->bytes = bytes;
    err = rn_buffer_clear(dev, win->mem, bytes);
    cl_int code = err ? 0 : clFinish(dev->run);
    if (code)
        err = rn_cl_fail(code, "clearing a buffer");
    if (err)
        return err;
    err = rn_mapping_map(dev, dev->up, win, CL_MAP_WRITE, NULL);
    if (!err)
        memset(win->mapped, 0, bytes);
    return err;
}

void rn_mapping_close(struct rn_device *dev, struct rn_mapping *win)
{
    if (win->mapped)
        rn_mapping_unmap(dev, dev->up, win, NULL);
    rn_buffer_release(dev, &win->pinned);
    rn_buffer_release(dev, &win->mem);
}

int rn_side_open(struct rn_device *dev, struct rn_side *side, const size_t bytes[], bool copied)
{
    size_t all = 0;
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        side->at[p] = all;
        all += (bytes[p] + RN_PART_ALIGN - 1) / RN_PART_ALIGN * RN_PART_ALIGN;
    }
    int err = rn_mapping_open(dev, &side->win, all, copied);
    for (int p = 0; p < RN_MAX_PLANES && !err; p++)
        if (bytes[p])
            err = rn_buffer_part(dev, side->win.mem, side->at[p], bytes[p], &side->plane[p]);
    return err;
}

void rn_side_close(struct rn_device *dev, struct rn_side *side)
{
    for (int p = 0; p < RN_MAX_PLANES; p++)
        rn_buffer_release(dev, &side->plane[p]);
    rn_mapping_close(dev, &side->win);
}
