/* Parts of a device, as devices of their own (sub-devices). */
#include "filters/core/opencl.h"

#include <stdlib.h>

static int open_part(struct rn_device **out, const struct rn_device *whole, cl_device_id id,
                     int units, struct rn_device *first)
{
    struct rn_device *dev = *out = calloc(1, sizeof *dev);
    if (!dev) {
        clReleaseDevice(id);
        return rn_fail_memory();
    }
    pthread_mutex_init(&dev->lock, NULL);
    dev->platform = whole->platform;
    dev->id = id;
    dev->part = true;
    dev->info = whole->info;
    dev->info.compute_units = units;
    dev->form = whole->form;
    dev->exact_sqrt = whole->exact_sqrt;
    dev->owner = first ? first : dev;
    return 0;
}

/* ids: of the parts, which belong to them from here on. */
static int open_parts(const struct rn_device *whole, cl_device_id *ids, int n, int units,
                      struct rn_device *part[])
{
    int err = 0;
    for (int i = 0; i < n; i++) { /* whatever fails: each takes its id, or releases it */
        int made = open_part(&part[i], whole, ids[i], units, i ? part[0] : NULL);
        err = err ? err : made;
    }
    for (int i = 0; i < n && !err; i++) {
        if (i == 0) {
            part[0]->built_for = ids;
            part[0]->nbuilt_for = n;
        }
        err = rn_device_open_queues(part[i]);
    }
    return err;
}

int rn_device_divide(const struct rn_device *dev, int units, int most, struct rn_device *part[],
                     int *n)
{
    const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY, units, 0};
    cl_uint made = 0;
    *n = 0;
    int fit = dev->info.compute_units / units;
    if (fit < 2 || most < 2 || clCreateSubDevices(dev->id, how, 0, NULL, &made) || made < 2)
        return 0;
    cl_device_id *ids = calloc(made, sizeof *ids);
    if (!ids)
        return rn_fail_memory();
    if (clCreateSubDevices(dev->id, how, made, ids, NULL)) {
        free(ids);
        return 0;
    }
    *n = (int)made < most ? (int)made : most;
    for (cl_uint i = (cl_uint)*n; i < made; i++)
        clReleaseDevice(ids[i]);
    int err = open_parts(dev, ids, *n, units, part);
    if (!part[0] || part[0]->built_for != ids)
        free(ids);
    return err;
}
