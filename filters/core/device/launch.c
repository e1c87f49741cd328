/* SPDX-License-Identifier: MIT */
#include "filters/core/device/opencl.h"

#include <stdlib.h>

#define MAX_ARGS 40 /* of a kernel that a filter's own code launches */

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

/* Sets args from argument number `at` on. */
static int set_args(struct rn_kernel *kernel, cl_uint at, const struct rn_arg *args, int nargs)
{
    cl_int code = 0;
    for (int i = 0; i < nargs && !code; i++) {
        const struct rn_arg *arg = &args[i];
        if (arg->kind != RN_ARG_IS_PLANE) {
            code = clSetKernelArg(kernel->cl, at++, arg->size,
                                  arg->kind == RN_ARG_IS_LOCAL ? NULL : &arg->v);
            continue;
        }
        const struct rn_dplane *plane = &arg->v.plane;
        const cl_int4 shape = {.s = {plane->origin, plane->stride, plane->w, plane->h}};
        code = clSetKernelArg(kernel->cl, at++, sizeof plane->mem, &plane->mem);
        code = code ? code : clSetKernelArg(kernel->cl, at++, sizeof shape, &shape);
    }
    return rn_cl_check(code, kernel->name);
}

static int pictures_of(const struct rn_cmd *cmd)
{
    return cmd->pictures > 1 ? cmd->pictures : 1;
}

struct rn_dplane rn_dplane_of(const struct rn_cmd *cmd, cl_mem mem, int w, int h, int bytes,
                              int margin)
{
    int more = (pictures_of(cmd) - 1) * cmd->step;
    struct rn_dplane all = rn_dplane_in(&cmd->dev->form, mem, w, h + more, bytes, margin);
    all.h = h;
    return all;
}

/* where: the area, argument 0; NULL: args start there. */
static int launch(struct rn_cmd *cmd, struct rn_kernel *kernel, struct rn_range items,
                  struct rn_range group, const struct rn_arg *where, const struct rn_arg *args,
                  int nargs)
{
    const struct rn_form *form = &cmd->dev->form;
    struct rn_range g = {group.x ? group.x : form->local_x, group.y ? group.y : form->local_y,
                         group.z ? group.z : 1};
    size_t local[3] = {(size_t)g.x, (size_t)g.y, (size_t)g.z};
    size_t global[3] = {(size_t)rn_round_up(items.x, g.x), (size_t)rn_round_up(items.y, g.y),
                        (size_t)rn_round_up(items.z ? items.z : 1, g.z)};
    cl_uint dimensions = global[2] > 1 ? 3 : 2; /* PoCL pays for each */
    cl_event event = NULL;
    pthread_mutex_lock(&cmd->dev->lock);
    int err = where ? set_args(kernel, 0, where, 1) : 0;
    err = err ? err : set_args(kernel, where != NULL, args, nargs);
    if (!err) {
        rn_stall_beat();
        cl_int code = clEnqueueNDRangeKernel(cmd->dev->run, kernel->cl, dimensions, NULL, global,
                                             local, 0, NULL, cmd->timed ? &event : NULL);
        err = rn_cl_check(code, kernel->name);
        err = err || !event ? err : keep_event(cmd, event);
    }
    pthread_mutex_unlock(&cmd->dev->lock);
    return err;
}

int rn_launch(struct rn_cmd *cmd, struct rn_kernel *kernel, struct rn_area area,
              const struct rn_arg *args, int nargs)
{
    int w = area.x1 - area.x0, h = area.y1 - area.y0, rows = cmd->dev->form.rows;
    struct rn_range items = {(w + kernel->width - 1) / kernel->width, (h + rows - 1) / rows,
                             pictures_of(cmd)};
    const struct rn_arg where = {.size = sizeof where.v.area,
                                 .v.area = {area.x0, area.y0, area.x1, area.y1, cmd->step}};
    return launch(cmd, kernel, items, RN_OWN_GROUP, &where, args, nargs);
}

int rn_launch_items(struct rn_cmd *cmd, struct rn_kernel *kernel, struct rn_range items,
                    struct rn_range group, const struct rn_arg *args, int nargs)
{
    struct rn_arg own[MAX_ARGS];
    int err = nargs > MAX_ARGS ? rn_fail(RN_EINTERNAL, "a kernel has too many arguments") : 0;
    for (int k = 0; k < pictures_of(cmd) && !err; k++) {
        for (int i = 0; i < nargs; i++) {
            own[i] = args[i];
            if (own[i].kind == RN_ARG_IS_PLANE)
                rn_dplane_move(&own[i].v.plane, cmd, k);
        }
        err = launch(cmd, kernel, items, group, NULL, own, nargs);
    }
    return err;
}

int rn_launch_pictures(struct rn_cmd *cmd, struct rn_kernel *kernel, struct rn_range items,
                       struct rn_range group, const struct rn_arg *args, int nargs)
{
    items.z = pictures_of(cmd);
    return launch(cmd, kernel, items, group, NULL, args, nargs);
}

int rn_fill_border(struct rn_cmd *cmd, const struct rn_dplane *src, enum rn_sample sample,
                   int reach_x, int reach_y, enum rn_border border, int outside)
{
    if (!reach_x && !reach_y)
        return 0;
    if (reach_x > src->origin % src->stride || reach_y > src->origin / src->stride)
        return rn_fail(RN_EINTERNAL,
                       "a filter reaches %d x %d beyond the edge, and its margin is less", reach_x,
                       reach_y);
    struct rn_kernel *kernel = NULL;
    int err = rn_kernel_get(cmd->dev, "plane.cl", "border_fill", sample, &kernel);
    /* A GPU shares a row among 32 work-items; a CPU gives it to one. */
    struct rn_range items = {cmd->dev->form.local_x, src->h + 2 * reach_y, 1};
    return err ? err
               : RN_LAUNCH_PICTURES(cmd, kernel, items, RN_OWN_GROUP, RN_ARG_PLANE(src),
                                    RN_ARG_INT2(reach_x, reach_y), RN_ARG_INT((cl_int)border),
                                    RN_ARG_INT(border == RN_IGNORE ? outside : 0),
                                    RN_ARG_INT(cmd->step * src->stride));
}

int rn_window_border(struct rn_cmd *cmd, const struct rn_dplane *src, enum rn_sample sample,
                     int reach_x, int reach_y, enum rn_border border, int outside)
{
    return rn_form_by_index(&cmd->dev->form)
               ? 0
               : rn_fill_border(cmd, src, sample, reach_x, reach_y, border, outside);
}

int rn_embed(struct rn_cmd *cmd, const struct rn_dplane *src, const struct rn_dplane *dst,
             enum rn_sample sample, int extent)
{
    struct rn_kernel *kernel = NULL;
    int err = rn_kernel_get(cmd->dev, "plane.cl", "embed", sample, &kernel);
    return err ? err
               : RN_LAUNCH(cmd, kernel, rn_area_of(dst), RN_ARG_PLANE(src), RN_ARG_PLANE(dst),
                           RN_ARG_INT(extent));
}

int rn_clear(struct rn_cmd *cmd, cl_mem mem, size_t from, size_t bytes)
{
    struct rn_kernel *kernel = NULL;
    const struct rn_form *form = &cmd->dev->form;
    int err = rn_kernel_get(cmd->dev, "plane.cl", "clear", RN_SAMPLE_U8, &kernel);
    /* One work-group of CPU shape is one work-item, which suffices; a GPU needs many. */
    int groups = form->local_x > 1 ? 64 : 1;
    struct rn_range group = {form->local_x * form->local_y, 1, 1}, items = {groups * group.x, 1, 1};
    return err ? err
               : RN_LAUNCH_ITEMS(cmd, kernel, items, group, RN_ARG_MEM(mem),
                                 RN_ARG_INT((cl_int)(from / sizeof(cl_ulong))),
                                 RN_ARG_INT((cl_int)((from + bytes) / sizeof(cl_ulong))));
}
