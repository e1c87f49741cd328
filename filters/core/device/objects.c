/* SPDX-License-Identifier: MIT */
/* OpenCL's errors in words, the objects that are counted (memory and events), and device images. */
#include "filters/base/arguments.h"
#include "filters/core/device/opencl.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

static const struct {
    cl_int code;
    const char *name;
} codes[] = {
#define C(name)                                                                                    \
    {                                                                                              \
        name, #name                                                                                \
    }
    C(CL_DEVICE_NOT_FOUND),
    C(CL_DEVICE_NOT_AVAILABLE),
    C(CL_COMPILER_NOT_AVAILABLE),
    C(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    C(CL_OUT_OF_RESOURCES),
    C(CL_OUT_OF_HOST_MEMORY),
    C(CL_PROFILING_INFO_NOT_AVAILABLE),
    C(CL_BUILD_PROGRAM_FAILURE),
    C(CL_MAP_FAILURE),
    C(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    C(CL_INVALID_VALUE),
    C(CL_INVALID_PLATFORM),
    C(CL_INVALID_DEVICE),
    C(CL_INVALID_CONTEXT),
    C(CL_INVALID_COMMAND_QUEUE),
    C(CL_INVALID_MEM_OBJECT),
    C(CL_INVALID_BINARY),
    C(CL_INVALID_BUILD_OPTIONS),
    C(CL_INVALID_PROGRAM),
    C(CL_INVALID_PROGRAM_EXECUTABLE),
    C(CL_INVALID_KERNEL_NAME),
    C(CL_INVALID_KERNEL),
    C(CL_INVALID_ARG_INDEX),
    C(CL_INVALID_ARG_VALUE),
    C(CL_INVALID_ARG_SIZE),
    C(CL_INVALID_KERNEL_ARGS),
    C(CL_INVALID_WORK_GROUP_SIZE),
    C(CL_INVALID_WORK_ITEM_SIZE),
    C(CL_INVALID_GLOBAL_OFFSET),
    C(CL_INVALID_EVENT_WAIT_LIST),
    C(CL_INVALID_EVENT),
    C(CL_INVALID_OPERATION),
    C(CL_INVALID_BUFFER_SIZE),
    C(CL_INVALID_GLOBAL_WORK_SIZE),
#undef C
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

const char *rn_cl_name(cl_int code)
{
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (codes[i].code == code)
            return codes[i].name;
    return "an unknown OpenCL error";
}

int rn_cl_check(cl_int code, const char *what)
{
    return code ? rn_fail(RN_EDEVICE, "%s failed on the device: %s (%d)", what, rn_cl_name(code),
                          (int)code)
                : 0;
}

int rn_device_live(const struct rn_device *dev)
{
    RN_NEED(0, "dev", dev);
    assert(atomic_load(&dev->live) >= 0);
    return atomic_load(&dev->live);
}

void rn_count(struct rn_device *dev, int delta)
{
    atomic_fetch_add(&dev->live, delta);
}

void rn_event_release(struct rn_device *dev, cl_event *event)
{
    if (!*event)
        return;
    clReleaseEvent(*event);
    rn_count(dev, -1);
    *event = NULL;
}

double rn_event_seconds(cl_event event)
{
    cl_ulong from = 0, to = 0;
    if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL) ||
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL))
        return 0;
    return to > from ? 1e-9 * (double)(to - from) : 0;
}

static int create(struct rn_device *dev, cl_mem_flags flags, size_t bytes, const void *data,
                  cl_mem *mem)
{
    cl_int code;
    cl_mem made = clCreateBuffer(dev->context, flags, bytes ? bytes : 1, (void *)data, &code);
    if (code)
        return rn_fail(RN_EDEVICE, "the device has no %zu bytes for a buffer: %s", bytes,
                       rn_cl_name(code));
    rn_count(dev, 1);
    *mem = made;
    return 0;
}

int rn_buffer_create(struct rn_device *dev, cl_mem_flags flags, size_t bytes, cl_mem *mem)
{
    return create(dev, flags, bytes, NULL, mem);
}

int rn_buffer_over(struct rn_device *dev, void *memory, size_t bytes, cl_mem *mem)
{
    return create(dev, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory, mem);
}

int rn_buffer_part(struct rn_device *dev, cl_mem whole, size_t from, size_t bytes, cl_mem *mem)
{
    assert(whole && bytes);
    const cl_buffer_region region = {from, bytes};
    cl_int code;
    cl_mem made =
        clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (code)
        return rn_cl_check(code, "dividing a buffer");
    rn_count(dev, 1);
    *mem = made;
    return 0;
}

void rn_buffer_release(struct rn_device *dev, cl_mem *mem)
{
    if (!*mem)
        return;
    clReleaseMemObject(*mem);
    rn_count(dev, -1);
    *mem = NULL;
}

int rn_scratch_reserve(struct rn_device *dev, struct rn_scratch *s, size_t need)
{
    if (need <= s->bytes)
        return 0;
    rn_scratch_release(dev, s);
    if (need > INT_MAX)
        return rn_fail(RN_EDEVICE,
                       "the pictures are too large for this filter on a device: %zu MiB in one "
                       "piece, %d at most",
                       need >> 20, INT_MAX >> 20);
    int err = rn_buffer_create(dev, CL_MEM_READ_WRITE, need, &s->mem);
    err = err ? err : rn_buffer_clear(dev, s->mem, need);
    s->bytes = err ? 0 : need;
    return err;
}

void rn_scratch_release(struct rn_device *dev, struct rn_scratch *s)
{
    rn_buffer_release(dev, &s->mem);
    s->bytes = 0;
}

int rn_buffer_from(struct rn_device *dev, const void *data, size_t bytes, cl_mem *mem)
{
    cl_mem made = NULL;
    int err = create(dev, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, data, &made);
    if (err)
        return err;
    rn_buffer_release(dev, mem);
    *mem = made;
    return 0;
}

int rn_buffer_clear(struct rn_device *dev, cl_mem mem, size_t bytes)
{
    return rn_cl_check(clEnqueueFillBuffer(dev->run, mem, "", 1, 0, bytes, 0, NULL, NULL),
                       "clearing a buffer");
}

/* ---- device images */

struct rn_layout rn_layout(const struct rn_form *form, int w, int h, int bytes, int margin)
{
    assert(w >= 1 && h >= 1 && margin >= 0 && (bytes == 1 || bytes == 2 || bytes == 4));
    int line = 64 / bytes; /* rows begin on a cache line */
    int left = rn_round_up(margin, line);
    /* The slack holds the widest possible vector: a kernel may write samples of another size than
     * it reads. GPUs read the word after it, too. */
    int slack = (rn_form_by_index(form) ? 2 : 1) * form->bytes - 1;
    int stride = rn_round_up(left + w + margin + slack, line);
    return (struct rn_layout){.origin = margin * stride + left,
                              .stride = stride,
                              .bytes = (size_t)stride * (size_t)(h + 2 * margin) * (size_t)bytes};
}

struct rn_dplane rn_dplane_in(const struct rn_form *form, cl_mem mem, int w, int h, int bytes,
                              int margin)
{
    struct rn_layout layout = rn_layout(form, w, h, bytes, margin);
    return (struct rn_dplane){
        mem, layout.origin, layout.stride, w, h, (int)(layout.bytes / (size_t)bytes)};
}

int rn_dplane_create(struct rn_device *dev, struct rn_dplane *plane, int w, int h, int bytes,
                     int margin)
{
    struct rn_layout layout = rn_layout(&dev->form, w, h, bytes, margin);
    *plane = rn_dplane_in(&dev->form, NULL, w, h, bytes, margin);
    int err = rn_buffer_create(dev, CL_MEM_READ_WRITE, layout.bytes, &plane->mem);
    err = err ? err : rn_buffer_clear(dev, plane->mem, layout.bytes);
    if (err)
        rn_dplane_release(dev, plane);
    return err;
}
