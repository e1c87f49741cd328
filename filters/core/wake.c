#include "filters/core/wake.h"

#include "filters/core/opencl.h"

#define MOST 16 /* platforms that are woken */

static void *load(void *arg)
{
    cl_platform_id platforms[MOST];
    cl_uint n = 0, devices;
    (void)arg;
    if (clGetPlatformIDs(MOST, platforms, &n))
        return NULL;
    for (cl_uint i = 0; i < n && i < MOST; i++)
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, NULL, &devices);
    return NULL;
}

void rn_wake_begin(struct rn_wake *wake)
{
    wake->started = !pthread_create(&wake->thread, NULL, load, NULL);
}

void rn_wake_end(struct rn_wake *wake)
{
    if (wake->started)
        pthread_join(wake->thread, NULL);
    wake->started = false;
}
