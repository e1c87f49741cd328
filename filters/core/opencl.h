/* The device side of the engine, for stages and the runner: the only header that includes OpenCL.
 *
 * Device images are buffers, one per plane, never image2d_t (which crawls on CPUs). Every plane
 * stands in a margin wide enough for the chain's largest reach. A neighbourhood stage first has the
 * margin of its source filled by rn_fill_border and then reads across the edge without a check, so
 * the border rule is in one kernel. Work-items process whole vectors: what lies right of a row's
 * last sample may be overwritten with anything, and holds anything until the border is filled, even
 * values above the maximum of the depth. A table lookup has to clamp.
 *
 * Threads: kernels and launches belong to the device thread. Waiting for events is free to all. */
#ifndef RN_OPENCL_H
#define RN_OPENCL_H

#include <CL/cl.h>

#include "filters/core/border.h"
#include "filters/core/device.h"
#include "filters/core/err.h"
#include "filters/core/image.h"
#include "filters/core/log.h"

/* How kernels are laid over the picture; a constant of the kind of device, see kernels/pixel.clh.
 */
struct rn_form {
    int bytes;            /* bytes that one work-item processes in a row: 64 on CPUs, few on GPUs */
    int rows;             /* rows that one work-item processes */
    int local_x, local_y; /* the one work-group shape */
    bool clang_vectors;   /* vectors wider than 16 are available */
};

/* Work-groups of one work-item: CPUs, where a work-item is a thread with fast memory of its own. */
static inline bool rn_form_alone(const struct rn_form *form)
{
    return form->local_x * form->local_y == 1;
}

struct rn_device {
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue up, run, down;
    struct rn_device_info info;
    struct rn_form form;
    bool exact_sqrt; /* sqrt and division of floats are correctly rounded in programs built here */
    int live;        /* atomic; objects created and not released */
    struct rn_program *programs; /* built programs, see program.c */
};

/* ---- errors and objects (device.c) */

/* Text of an OpenCL code, such as "CL_OUT_OF_RESOURCES". */
const char *rn_cl_name(cl_int code);

/* Logs "WHAT failed: CODE" and returns RN_EDEVICE. */
int rn_cl_fail(cl_int code, const char *what);

/* Memory objects, counted. bytes >= 1. flags as clCreateBuffer takes them. *mem: set on success;
 * the caller releases it with rn_buffer_release, which sets it to NULL and accepts NULL. Returns 0
 * or RN_EDEVICE (logged with the size). */
int rn_buffer_create(struct rn_device *dev, cl_mem_flags flags, size_t bytes, cl_mem *mem);
void rn_buffer_release(struct rn_device *dev, cl_mem *mem);

/* Fills a buffer with zeros, ordered after what the run queue holds. For buffers that are made, not
 * for frames: it waits. */
int rn_buffer_clear(struct rn_device *dev, cl_mem mem, size_t bytes);

/* A buffer with contents: bytes are copied from data before the function returns. */
int rn_buffer_from(struct rn_device *dev, const void *data, size_t bytes, cl_mem *mem);

/* Replaces the first bytes of mem; ordered after what the run queue holds, data may go at once. */
int rn_buffer_update(struct rn_device *dev, cl_mem mem, const void *data, size_t bytes);

/* Makes sure that mem holds at least `need` bytes: an old, smaller one is released with its
 * contents, a new one is filled with zeros. *have: its size. Returns 0 or RN_EDEVICE (logged); too
 * large for kernels, which count samples in 32 bits, is one as well. */
int rn_buffer_reserve(struct rn_device *dev, cl_mem *mem, size_t *have, size_t need);

/* Counts an object that the caller got from OpenCL (an event), or one that it released. */
void rn_count(struct rn_device *dev, int delta);
void rn_event_release(struct rn_device *dev, cl_event *event);

/* ---- device images (dimage.c) */

struct rn_dplane {
    cl_mem mem;
    int origin; /* samples from the start of mem to the first sample of the first row */
    int stride; /* samples from row to row */
    int w, h;   /* samples */
};

struct rn_dimage {
    struct rn_geom geom;
    struct rn_dplane plane[RN_MAX_PLANES];
};

/* Where a plane of w x h samples lies in memory that has a margin of so many samples on each side.
 */
struct rn_layout {
    int origin, stride; /* samples */
    size_t bytes;       /* of the whole plane, margins and slack included */
};
struct rn_layout rn_layout(const struct rn_form *form, int w, int h, int bytes, int margin);

/* The smallest multiple of `to` that is not below v. */
static inline int rn_round_up(int v, int to)
{
    return (v + to - 1) / to * to;
}

/* Makes one plane, filled with zeros. Returns 0 or RN_EDEVICE. */
int rn_dplane_create(struct rn_device *dev, struct rn_dplane *plane, int w, int h, int bytes,
                     int margin, cl_mem_flags flags);
void rn_dplane_release(struct rn_device *dev, struct rn_dplane *plane);

/* ---- programs (program.c) */

/* One source file of kernels/, embedded at build time. */
struct rn_source_text {
    const char *name; /* "convolution.cl" */
    const char *text; /* begins with a #line directive */
};
extern const struct rn_source_text rn_kernel_sources[]; /* ends with name NULL; generated */

struct rn_kernel {
    cl_kernel cl;
    int width; /* samples per work-item: dev->form.bytes / bytes per sample */
    const char *name;
};

/* Gets a kernel; the program is built once per device and sample size and shared by all stages.
 * file: name in kernels/ ("convolution.cl"); bytes: 1 or 2. The kernel lives as long as the device.
 * Returns 0 or RN_EDEVICE; a build error is logged with the compiler's log. */
int rn_kernel_get(struct rn_device *dev, const char *file, const char *name, int bytes,
                  struct rn_kernel **kernel);

/* Builds a program of its own from texts, in order, and gets one kernel of it; for sources that
 * are not in kernels/. kernel: released with rn_kernel_release, which accepts a zeroed one. *log:
 * NULL, or, where the texts do not build, what the compiler says, for the caller to report and to
 * free: only then nothing is logged. Returns 0, RN_EDEVICE, RN_EINTERNAL. */
int rn_kernel_build(struct rn_device *dev, const char *const texts[], int ntexts, const char *name,
                    int bytes, struct rn_kernel *kernel, char **log);
void rn_kernel_release(struct rn_device *dev, struct rn_kernel *kernel);

/* The embedded text of a file of kernels/; NULL if there is none. */
const char *rn_kernel_source(const char *file);

void rn_programs_release(struct rn_device *dev);

/* ---- launching (launch.c) */

/* The frame being enqueued. Made by the runner, passed to stages. */
struct rn_cmd {
    struct rn_device *dev;
    cl_mem result;    /* the stage's block of results of this frame (measuring stages), or NULL */
    cl_event *events; /* where the profiled events of this frame go */
    int *event_stage; /* the stage of each */
    int nevents, max_events;
    int stage;     /* the stage that is enqueuing now; -1: none */
    int64_t frame; /* index of the frame */
    int64_t tick;  /* as in rn_call */
};

/* One kernel argument. */
struct rn_arg {
    size_t size;
    bool local; /* local memory of so many bytes, no value */
    union {
        cl_mem mem;
        cl_int i;
        cl_float f;
        cl_int2 i2;
        cl_int4 i4;
        cl_float4 f4;
        cl_short16 s16;
    } v;
};
#define RN_ARG_MEM(x)     ((struct rn_arg){.size = sizeof(cl_mem), .v.mem = (x)})
#define RN_ARG_INT(x)     ((struct rn_arg){.size = sizeof(cl_int), .v.i = (x)})
#define RN_ARG_FLOAT(x)   ((struct rn_arg){.size = sizeof(cl_float), .v.f = (x)})
#define RN_ARG_INT2(a, b) ((struct rn_arg){.size = sizeof(cl_int2), .v.i2 = {.s = {(a), (b)}}})
#define RN_ARG_FLOAT4(a, b, c, d)                                                                  \
    ((struct rn_arg){.size = sizeof(cl_float4), .v.f4 = {.s = {(a), (b), (c), (d)}}})
#define RN_ARG_INT4(a, b, c, d)                                                                    \
    ((struct rn_arg){.size = sizeof(cl_int4), .v.i4 = {.s = {(a), (b), (c), (d)}}})
#define RN_ARG_SHORT16(x) ((struct rn_arg){.size = sizeof(cl_short16), .v.s16 = (x)})
/* Local memory of the work-group. */
#define RN_ARG_LOCAL(bytes) ((struct rn_arg){.size = (bytes), .local = true})
/* A plane as two arguments: its buffer and int4 (origin, stride, w, h). */
#define RN_ARG_PLANE(p) RN_ARG_MEM((p)->mem), RN_ARG_INT4((p)->origin, (p)->stride, (p)->w, (p)->h)

/* A rectangle of samples, x1 and y1 exclusive; may reach into the margin. */
struct rn_area {
    int x0, y0, x1, y1;
};

/* Runs kernel over area: argument 0 is the area as int4, then args[0..nargs). One work-item per
 * kernel->width x form.rows samples. Returns 0 or RN_EDEVICE. */
int rn_launch(struct rn_cmd *cmd, struct rn_kernel *kernel, struct rn_area area,
              const struct rn_arg *args, int nargs);
#define RN_LAUNCH(cmd, kernel, area, ...)                                                          \
    rn_launch(cmd, kernel, area, (struct rn_arg[]){__VA_ARGS__},                                   \
              (int)(sizeof((struct rn_arg[]){__VA_ARGS__}) / sizeof(struct rn_arg)))

/* Runs kernel over gx x gy work-items in groups of lx x ly (0: the device's shape; gx and gy are
 * rounded up to it). No area argument: args start at argument 0. */
int rn_launch_items(struct rn_cmd *cmd, struct rn_kernel *kernel, int gx, int gy, int lx, int ly,
                    const struct rn_arg *args, int nargs);

/* Fills the margin of src, reach_x samples left and right and reach_y rows above and below, by the
 * border rule. bytes: per sample. outside: the value for RN_ZERO (0) and RN_IGNORE (what takes no
 * part). Refuses (RN_EINTERNAL) a reach beyond the margin. */
int rn_fill_border(struct rn_cmd *cmd, const struct rn_dplane *src, int bytes, int reach_x,
                   int reach_y, enum rn_border border, int outside);

/* Lays src into the middle of dst, which is larger by extent samples on each side; zeros around it.
 * extent 0: a copy. */
int rn_embed(struct rn_cmd *cmd, const struct rn_dplane *src, const struct rn_dplane *dst,
             int bytes, int extent);

/* Sets the first bytes of mem, a multiple of 8, to zero, ordered on the run queue, without waiting.
 */
int rn_clear(struct rn_cmd *cmd, cl_mem mem, size_t bytes);

#endif
