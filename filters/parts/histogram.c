#include "filters/parts/histogram.h"

#define MAX_BANDS  64
#define LOCAL_BINS 4096 /* 16 KiB of local memory, which every device has */
#define GROUPS     64

/* On CPUs each work-item counts a band of rows on its own; GPUs share a table through atomics. */
static bool in_bands(const struct rn_device *dev)
{
    return rn_form_alone(&dev->form);
}

int rn_histogram_prepare(struct rn_histogram *h, struct rn_device *dev, const struct rn_format *fmt)
{
    int units = dev->info.compute_units;
    enum rn_sample sample = rn_format_sample(fmt);
    h->bins = rn_format_max(fmt) + 1;
    h->tables = !in_bands(dev) ? 1 : units < MAX_BANDS ? units : MAX_BANDS;
    int err =
        rn_kernel_get(dev, "histogram.cl", in_bands(dev) ? "histogram_bands" : "histogram_atomic",
                      sample, &h->count);
    return err ? err : rn_kernel_get(dev, "histogram.cl", "histogram_merge", sample, &h->merge);
}

size_t rn_histogram_bytes(const struct rn_histogram *h)
{
    return sizeof(cl_uint) * (size_t)h->tables * (size_t)h->bins;
}

int rn_histogram_count(const struct rn_histogram *h, struct rn_cmd *cmd,
                       const struct rn_dplane *plane, cl_mem mem, int at)
{
    const struct rn_form *form = &cmd->dev->form;
    bool bands = in_bands(cmd->dev);
    int rows = (plane->h + form->local_y - 1) / form->local_y;
    int groups = bands ? h->tables : rows < GROUPS ? rows : GROUPS;
    struct rn_range items = {form->local_x, groups * form->local_y, 1};
    int fast = bands ? 4 * 256 : LOCAL_BINS;
    return RN_LAUNCH_ITEMS(cmd, h->count, items, RN_OWN_GROUP, RN_ARG_PLANE(plane), RN_ARG_MEM(mem),
                           RN_ARG_INT(at), RN_ARG_INT(h->bins),
                           RN_ARG_LOCAL(sizeof(cl_uint) * (size_t)fast),
                           RN_ARG_INT(bands ? h->tables : LOCAL_BINS));
}

int rn_histogram_reserve(struct rn_histogram *h, struct rn_device *dev)
{
    if (h->reserved == h->bins)
        return 0;
    rn_histogram_release(h, dev);
    size_t blocks = (size_t)(h->bins / RN_HISTOGRAM_BLOCK);
    int err = rn_buffer_create(dev, CL_MEM_READ_WRITE, rn_histogram_bytes(h), &h->mem);
    err = err ? err
              : rn_buffer_create(dev, CL_MEM_READ_WRITE, sizeof(cl_ulong2) * blocks, &h->blocks);
    h->reserved = err ? 0 : h->bins;
    return err;
}

void rn_histogram_release(struct rn_histogram *h, struct rn_device *dev)
{
    rn_buffer_release(dev, &h->mem);
    rn_buffer_release(dev, &h->blocks);
    h->reserved = 0;
}

int rn_histogram_measure(struct rn_histogram *h, struct rn_cmd *cmd, const struct rn_dplane *plane)
{
    /* Bands clear their own tables, all at the same time. */
    int err = in_bands(cmd->dev) ? 0 : rn_clear(cmd, h->mem, rn_histogram_bytes(h));
    err = err ? err : rn_histogram_count(h, cmd, plane, h->mem, 0);
    return err ? err
               : rn_histogram_launch(
                     h, cmd, h->merge,
                     RN_ARGS(RN_ARG_MEM(h->mem), RN_ARG_INT(h->bins), RN_ARG_INT(h->tables),
                             RN_ARG_MEM(h->blocks),
                             RN_ARG_LOCAL(sizeof(cl_ulong2) * rn_histogram_items(cmd))));
}

int rn_histogram_launch(const struct rn_histogram *h, struct rn_cmd *cmd, struct rn_kernel *kernel,
                        const struct rn_arg *args, int nargs)
{
    const struct rn_form *form = &cmd->dev->form;
    struct rn_range items = {form->local_x, h->bins / RN_HISTOGRAM_BLOCK * form->local_y, 1};
    return rn_launch_items(cmd, kernel, items, RN_OWN_GROUP, args, nargs);
}

size_t rn_histogram_items(const struct rn_cmd *cmd)
{
    return (size_t)cmd->dev->form.local_x * (size_t)cmd->dev->form.local_y;
}

void rn_histogram_ref(const struct rn_plane *plane, const struct rn_format *fmt, uint32_t *table)
{
    int bytes = rn_format_bytes(fmt), max = rn_format_max(fmt);
    for (int y = 0; y < plane->h; y++) {
        for (int x = 0; x < plane->w; x++) {
            int v = rn_plane_get(plane, bytes, x, y);
            table[v < max ? v : max]++;
        }
    }
}
