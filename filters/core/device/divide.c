/* SPDX-License-Identifier: MIT */
/* Parts of a device, as devices of their own (sub-devices). */
#include "filters/base/arguments.h"
#include "filters/base/threads/locked.h"
#include "filters/core/device/opencl.h"

#include <stdlib.h>
#include <string.h>

/* All sub-devices made so far. They are used again and never released: a thread of PoCL may still
 * access one after its commands are complete and its queues are released. */
struct made {
    cl_device_id whole;
    int units;
    cl_device_id *ids;
    cl_uint n;
};
static struct made *made;
static int nmade;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Divides m->whole into parts of m->units, sets m->ids and m->n and adds them to made. Returns
 * false if the device cannot be divided in this way or there is no memory. */
static bool make_ids(struct made *m)
{
    const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY, m->units, 0};
    if (clCreateSubDevices(m->whole, how, 0, NULL, &m->n) || m->n < 2)
        return false;
    m->ids = calloc(m->n, sizeof(cl_device_id));
    bool good = m->ids && !clCreateSubDevices(m->whole, how, m->n, m->ids, NULL);
    struct made *more = good ? realloc(made, (size_t)(nmade + 1) * sizeof *made) : NULL;
    if (more) {
        made = more;
        made[nmade++] = *m;
    } else {
        for (cl_uint i = 0; good && i < m->n; i++)
            clReleaseDevice(m->ids[i]);
        free(m->ids);
        m->ids = NULL;
    }
    return more != NULL;
}

/* Gets the sub-devices of `units` compute units each. Returns their number, 0 if there are none. */
static cl_uint sub_devices(cl_device_id whole, int units, cl_device_id **ids)
{
    struct made m = {.whole = whole, .units = units};
    int i = 0;
    RN_LOCKED(&lock);
    while (i < nmade && (made[i].whole != whole || made[i].units != units))
        i++;
    if (i < nmade)
        m = made[i];
    else if (!make_ids(&m))
        m.n = 0;
    *ids = m.ids;
    return m.n;
}

static int open_part(struct rn_device **out, const struct rn_device *whole, cl_device_id id,
                     int units, struct rn_device *first)
{
    struct rn_device *dev = *out = calloc(1, sizeof *dev);
    if (!dev)
        return rn_fail_memory();
    pthread_mutex_init(&dev->lock, NULL);
    pthread_mutex_init(&dev->building, NULL);
    dev->platform = whole->platform;
    dev->id = id;
    dev->info = whole->info;
    dev->info.compute_units = units;
    dev->form = whole->form;
    dev->exact_sqrt = whole->exact_sqrt;
    dev->owner = first ? first : dev;
    return 0;
}

int rn_device_divide(const struct rn_device *dev, int units, int most, struct rn_device *part[],
                     int *n)
{
    RN_NEED(RN_EUSAGE, "dev part n", dev, part, n);
    cl_device_id *ids;
    *n = 0;
    if (units < 1)
        return rn_argument_within(__func__, "units", units, 1, INT32_MAX);
    int fit = dev->info.compute_units / units, err = 0;
    cl_uint there = fit < 2 || most < 2 ? 0 : sub_devices(dev->id, units, &ids);
    if (!there)
        return 0;
    most = most < RN_MAX_PARTS ? most : RN_MAX_PARTS;
    *n = (int)there < most ? (int)there : most;
    for (int i = 0; i < *n && !err; i++)
        err = open_part(&part[i], dev, ids[i], units, i ? part[0] : NULL);
    /* The first part builds programs for all. */
    if (!err) {
        memcpy(part[0]->built_for, ids, (size_t)*n * sizeof *ids);
        part[0]->nbuilt_for = *n;
    }
    for (int i = 0; i < *n && !err; i++)
        err = rn_device_open_queues(part[i]);
    return err;
}

int rn_device_beside(const struct rn_device *dev, struct rn_device **beside)
{
    RN_NEED(RN_EUSAGE, "dev beside", dev, beside);
    int err = open_part(beside, dev, dev->id, dev->info.compute_units, dev->owner);
    err = err ? err : rn_device_open_queues(*beside);
    if (err)
        rn_device_close(beside);
    return err;
}
