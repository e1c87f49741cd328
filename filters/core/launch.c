#include "filters/core/opencl.h"

#include <stdlib.h>

/* Keeps the event of a launch for the timing of the frame. */
static int keep_event(struct rn_cmd *cmd, cl_event event)
{
    rn_count(cmd->dev, 1);
    if (cmd->nevents == cmd->max_events) {
        int max = cmd->max_events ? 2 * cmd->max_events : 32;
        cl_event *events = realloc(cmd->events, (size_t)max * sizeof *events);
        if (events)
            cmd->events = events;
        int *stages = realloc(cmd->event_stage, (size_t)max * sizeof *stages);
        if (stages)
            cmd->event_stage = stages;
        if (!events || !stages) {
            rn_event_release(cmd->dev, &event);
            return rn_fail_memory();
        }
        cmd->max_events = max;
    }
    cmd->event_stage[cmd->nevents] = cmd->stage;
    cmd->events[cmd->nevents++] = event;
    return 0;
}

static int enqueue(struct rn_cmd *cmd, struct rn_kernel *kernel, int first,
                   const struct rn_arg *args, int nargs, const size_t global[2],
                   const size_t local[2])
{
    for (int i = 0; i < nargs; i++) {
        cl_int code = clSetKernelArg(kernel->cl, (cl_uint)(first + i), args[i].size,
                                     args[i].local ? NULL : &args[i].v);
        if (code)
            return rn_cl_fail(code, kernel->name);
    }
    cl_event event;
    cl_int code =
        clEnqueueNDRangeKernel(cmd->dev->run, kernel->cl, 2, NULL, global, local, 0, NULL, &event);
    return code ? rn_cl_fail(code, kernel->name) : keep_event(cmd, event);
}

int rn_launch(struct rn_cmd *cmd, struct rn_kernel *kernel, struct rn_area area,
              const struct rn_arg *args, int nargs)
{
    const struct rn_form *form = &cmd->dev->form;
    int w = area.x1 - area.x0, h = area.y1 - area.y0;
    int gx = (w + kernel->width - 1) / kernel->width, gy = (h + form->rows - 1) / form->rows;
    size_t local[2] = {(size_t)form->local_x, (size_t)form->local_y};
    size_t global[2] = {(size_t)rn_round_up(gx, form->local_x),
                        (size_t)rn_round_up(gy, form->local_y)};
    cl_int4 a = {.s = {area.x0, area.y0, area.x1, area.y1}};
    cl_int code = clSetKernelArg(kernel->cl, 0, sizeof a, &a);
    if (code)
        return rn_cl_fail(code, kernel->name);
    return enqueue(cmd, kernel, 1, args, nargs, global, local);
}

int rn_launch_items(struct rn_cmd *cmd, struct rn_kernel *kernel, int gx, int gy, int lx, int ly,
                    const struct rn_arg *args, int nargs)
{
    lx = lx ? lx : cmd->dev->form.local_x;
    ly = ly ? ly : cmd->dev->form.local_y;
    size_t local[2] = {(size_t)lx, (size_t)ly};
    size_t global[2] = {(size_t)rn_round_up(gx, lx), (size_t)rn_round_up(gy, ly)};
    return enqueue(cmd, kernel, 0, args, nargs, global, local);
}

int rn_fill_border(struct rn_cmd *cmd, const struct rn_dplane *src, int bytes, int reach_x,
                   int reach_y, enum rn_border border, int outside)
{
    if (!reach_x && !reach_y)
        return 0;
    if (reach_x > src->origin % src->stride || reach_y > src->origin / src->stride)
        return rn_fail(RN_EINTERNAL,
                       "a filter reaches %d x %d beyond the edge, and its margin is less", reach_x,
                       reach_y);
    struct rn_kernel *kernel = NULL;
    int err = rn_kernel_get(cmd->dev, "plane.cl", "border_fill", bytes, &kernel);
    if (err)
        return err;
    struct rn_arg args[] = {
        RN_ARG_PLANE(src),
        RN_ARG_INT2(reach_x, reach_y),
        RN_ARG_INT((cl_int)border),
        RN_ARG_INT(border == RN_IGNORE ? outside : 0),
    };
    /* A GPU shares out a row among 32 work-items, a CPU gives it to one. */
    return rn_launch_items(cmd, kernel, cmd->dev->form.local_x, src->h + 2 * reach_y, 0, 0, args,
                           (int)(sizeof args / sizeof args[0]));
}

int rn_embed(struct rn_cmd *cmd, const struct rn_dplane *src, const struct rn_dplane *dst,
             int bytes, int extent)
{
    struct rn_kernel *kernel = NULL;
    int err = rn_kernel_get(cmd->dev, "plane.cl", "embed", bytes, &kernel);
    return err ? err
               : RN_LAUNCH(cmd, kernel, ((struct rn_area){0, 0, dst->w, dst->h}), RN_ARG_PLANE(src),
                           RN_ARG_PLANE(dst), RN_ARG_INT(extent));
}

int rn_clear(struct rn_cmd *cmd, cl_mem mem, size_t bytes)
{
    struct rn_kernel *kernel = NULL;
    int err = rn_kernel_get(cmd->dev, "plane.cl", "clear", 1, &kernel);
    if (err)
        return err;
    /* One work-group of a CPU's shape is one work-item, which is enough; a GPU wants many. */
    int groups = cmd->dev->form.local_x > 1 ? 64 : 1;
    struct rn_arg args[] = {RN_ARG_MEM(mem), RN_ARG_INT((cl_int)(bytes / sizeof(cl_ulong)))};
    return rn_launch_items(cmd, kernel, groups * cmd->dev->form.local_x, cmd->dev->form.local_y, 0,
                           0, args, (int)(sizeof args / sizeof args[0]));
}
