#include "filters/parts/histogram.h"

#define MAX_BANDS  64
#define LOCAL_BINS 4096 /* 16 KiB of local memory, which every device has */
#define GROUPS     64

/* On CPUs each work-item counts a band of rows on its own; GPUs share a table through atomics. */
static bool in_bands(const struct rn_device *dev)
{
    return rn_form_alone(&dev->form);
}

struct rn_binning rn_binning_of(const struct rn_geom *geom)
{
    const struct rn_format *fmt = &geom->fmt;
    if (fmt->number != RN_NUMBER_FLOAT)
        return (struct rn_binning){.bins = rn_format_max(fmt) - rn_format_min(fmt) + 1};
    double range = (double)geom->high - (double)geom->low;
    return (struct rn_binning){RN_FLOAT_BINS, geom->low, (float)(RN_FLOAT_BINS / range)};
}

int rn_bin_of(const struct rn_binning *b, const struct rn_format *fmt, float v)
{
    if (fmt->number != RN_NUMBER_FLOAT)
        return (int)v - rn_format_min(fmt);
    if (v != v)
        return -1;
    float t = (v - b->low) * b->scale, last = (float)(b->bins - 1);
    t = t > 0 ? t : 0;
    return (int)(t < last ? t : last);
}

int rn_histogram_prepare(struct rn_histogram *h, struct rn_device *dev, const struct rn_geom *geom)
{
    int units = dev->info.compute_units;
    enum rn_sample sample = rn_format_sample(&geom->fmt);
    h->binning = rn_binning_of(geom);
    h->bins = h->binning.bins;
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
    return RN_LAUNCH_ITEMS(
        cmd, h->count, items, RN_OWN_GROUP, RN_ARG_PLANE(plane), RN_ARG_MEM(mem), RN_ARG_INT(at),
        RN_ARG_INT(h->bins), RN_ARG_FLOAT(h->binning.low), RN_ARG_FLOAT(h->binning.scale),
        RN_ARG_LOCAL(sizeof(cl_uint) * (size_t)fast), RN_ARG_INT(bands ? h->tables : LOCAL_BINS));
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

uint32_t rn_histogram_ref(const struct rn_plane *plane, const struct rn_geom *geom, uint32_t *table)
{
    const struct rn_binning b = rn_binning_of(geom);
    enum rn_sample sample = rn_format_sample(&geom->fmt);
    uint32_t n = 0;
    for (int y = 0; y < plane->h; y++) {
        for (int x = 0; x < plane->w; x++) {
            int bin = rn_bin_of(&b, &geom->fmt, rn_sample_get(plane, sample, x, y));
            if (bin < 0)
                continue;
            table[bin < b.bins ? bin : b.bins - 1]++;
            n++;
        }
    }
    return n;
}
