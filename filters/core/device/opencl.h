/* SPDX-License-Identifier: MIT */
/* The device side of the engine, for stages and the runner; the only header that includes OpenCL.
 *
 * Device images are buffers, one per plane, never image2d_t (which is very slow on CPUs). Each
 * plane has a margin wide enough for the largest reach in the chain. A neighbourhood stage first
 * has rn_fill_border fill the margin of its source and then reads across the edge without a check;
 * small windows on GPUs, for which that would be a launch more, find what lies outside by index
 * (rn_window_border). The border rule lives in kernels/border.clh. Work-items process whole
 * vectors: memory to the right of a row's last sample may be overwritten with anything, and until
 * the border is filled it may hold anything, even values above the maximum of the depth. A table
 * lookup must therefore clamp.
 *
 * Threads: kernels and launches belong to the device thread. Any thread may wait for events. */
#pragma once

#include <CL/cl.h>
#include <pthread.h>
#include <stdatomic.h>

#include "filters/base/border.h"
#include "filters/core/device/device.h"
#include "filters/base/image.h"
#include "filters/base/log.h"
#include "filters/base/threads/stall.h"

struct rn_relay;

/* How a kernel covers the picture; a constant per kind of device, see kernels/pixel.clh. */
struct rn_form {
    int bytes;            /* bytes per row that one work-item processes: 64 on CPUs, few on GPUs */
    int rows;             /* rows that one work-item processes */
    int local_x, local_y; /* the shape of every work-group */
    bool clang_vectors;   /* vectors wider than 16 are available */
};

/* True if work-groups consist of one work-item: CPUs, where a work-item is a thread with fast
 * private memory. */
static inline bool rn_form_alone(const struct rn_form *form)
{
    return form->local_x * form->local_y == 1;
}

/* True if work-items process a word and kernels find what lies outside of a picture by index
 * (kernels/window.clh): GPUs. */
static inline bool rn_form_by_index(const struct rn_form *form)
{
    return form->bytes == 4 || form->bytes == 8;
}

#define RN_MAX_PARTS 64 /* of a device */

struct rn_device {
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue up, run, down;
    struct rn_device_info info;
    struct rn_form form;
    bool exact_sqrt;          /* programs built here round sqrt and division of floats correctly */
    atomic_int live;          /* objects created and not released */
    pthread_mutex_t lock;     /* of the programs, and of each kernel from its first argument to its
                                 launch: several runners may share them; never held for long */
    pthread_mutex_t building; /* of who builds a program, before lock; the owner's after a part's */
    struct rn_program *programs; /* built programs, see program.c */
    /* Parts of one device (rn_device_divide) share the context and the built programs of the first
     * one, and have queues and kernels of their own. */
    struct rn_device *owner; /* of the context and the programs: itself, or the first part */
    cl_device_id built_for[RN_MAX_PARTS]; /* an owner's programs: itself, or all parts */
    int nbuilt_for;
};

/* Waits until the queues, if there are any, have done everything. Returns 0 or OpenCL's code. */
cl_int rn_device_finish(struct rn_device *dev);

/* ---- errors and objects (objects.c) */

/* The name of an OpenCL code, such as "CL_OUT_OF_RESOURCES". */
const char *rn_cl_name(cl_int code);

/* Returns 0 without an error; else logs "WHAT failed: CODE" and returns RN_EDEVICE. */
int rn_cl_check(cl_int code, const char *what);

/* Creates a memory object, which is counted. bytes >= 1. flags: as for clCreateBuffer. *mem: set on
 * success; the caller releases it with rn_buffer_release, which sets it to NULL and accepts NULL.
 * Returns 0 or RN_EDEVICE (logged with the size). */
int rn_buffer_create(struct rn_device *dev, cl_mem_flags flags, size_t bytes, cl_mem *mem);
void rn_buffer_release(struct rn_device *dev, cl_mem *mem);

/* A buffer over memory of the host, counted and released likewise. A device that copies has its
 * pages locked until then, and reaches them as fast as its bus allows. memory: outlives the buffer.
 * Returns 0 or RN_EDEVICE (logged). */
int rn_buffer_over(struct rn_device *dev, void *memory, size_t bytes, cl_mem *mem);

/* Part of a buffer as one of its own, counted and released likewise. from: a multiple of
 * RN_PART_ALIGN. Returns 0 or RN_EDEVICE (logged). */
#define RN_PART_ALIGN 4096
int rn_buffer_part(struct rn_device *dev, cl_mem whole, size_t from, size_t bytes, cl_mem *mem);

/* Fills a buffer with zeros, in the order of the run queue. Use it when making buffers, not per
 * frame. Returns 0 or RN_EDEVICE (logged). */
int rn_buffer_clear(struct rn_device *dev, cl_mem mem, size_t bytes);

/* Makes *mem a new buffer with these contents, for kernels to read, in place of what it was (NULL:
 * nothing); data is copied. Commands under way keep the contents that they were given, and none of
 * them is waited for. Returns 0, or RN_EDEVICE (logged), after which *mem is as before. */
int rn_buffer_from(struct rn_device *dev, const void *data, size_t bytes, cl_mem *mem);

/* Memory that grows as its owner needs more. Zeroed: none. */
struct rn_scratch {
    cl_mem mem;
    size_t bytes;
    struct rn_scratch *next; /* of what a bound stage holds (rn_held) */
    bool held;
};

/* Makes sure that it holds at least `need` bytes: smaller memory is released with its contents, new
 * memory is filled with zeros. Returns 0 or RN_EDEVICE (logged), also if `need` is too large for
 * kernels, which count samples in 32 bits. */
int rn_scratch_reserve(struct rn_device *dev, struct rn_scratch *scratch, size_t need);
void rn_scratch_release(struct rn_device *dev, struct rn_scratch *scratch);

/* Adds delta to the count of live objects, for an object that the caller got from OpenCL (an event)
 * or released itself. */
void rn_count(struct rn_device *dev, int delta);
void rn_event_release(struct rn_device *dev, cl_event *event);

/* How long its command took, by the device's clock; 0: it is not known. */
double rn_event_seconds(cl_event event);

/* ---- device images */

struct rn_dplane {
    cl_mem mem;
    int origin; /* first sample of the first row, in samples from the start of mem */
    int stride; /* samples from row to row */
    int w, h;   /* samples */
    int pitch;  /* samples from plane to plane if mem holds several of one layout; else 0 */
};

/* Plane i, for memory that holds several. */
static inline struct rn_dplane rn_dplane_at(struct rn_dplane plane, int i)
{
    plane.origin += i * plane.pitch;
    return plane;
}

struct rn_dimage {
    struct rn_geom geom;
    struct rn_dplane plane[RN_MAX_PLANES];
};

/* The layout of a plane of w x h samples with a margin of that many samples on each side. */
struct rn_layout {
    int origin, stride; /* samples */
    size_t bytes;       /* of the whole plane, including margins and slack */
};
struct rn_layout rn_layout(const struct rn_form *form, int w, int h, int bytes, int margin);

/* The first of several planes of w x h samples that lie in mem one by one, each in that layout. */
struct rn_dplane rn_dplane_in(const struct rn_form *form, cl_mem mem, int w, int h, int bytes,
                              int margin);

/* Rounds v up to a multiple of `to`. */
static inline int rn_round_up(int v, int to)
{
    return (v + to - 1) / to * to;
}

/* Creates one plane, filled with zeros. Returns 0 or RN_EDEVICE. */
int rn_dplane_create(struct rn_device *dev, struct rn_dplane *plane, int w, int h, int bytes,
                     int margin);
static inline void rn_dplane_release(struct rn_device *dev, struct rn_dplane *plane)
{
    rn_buffer_release(dev, &plane->mem);
}

/* ---- programs (program.c) */

/* Source files of kernels/, embedded at build time: a table ends with a name that is NULL. Those of
 * the engine; the benchmark has a table of its own. */
struct rn_source_text {
    const char *name; /* "convolution.cl" */
    const char *text; /* begins with a #line directive */
};
extern const struct rn_source_text rn_kernel_sources[];

/* The text of a file in a table; NULL if there is no such file. */
const char *rn_source_find(const struct rn_source_text *table, const char *file);

struct rn_kernel {
    cl_kernel cl;
    int width; /* samples per work-item: dev->form.bytes / bytes per sample */
    const char *name;
};

/* Gets a kernel. Its program is built once per device and sample type and shared by all stages and
 * runners: on GPUs, whose drivers take up to 2 s for a kernel and do not build side by side, a
 * program of this kernel alone, where the file lists its kernels (RN_KERNEL in kernels/). file:
 * name in kernels/ ("convolution.cl"). file and name are kept as they are, so they are literals.
 * The kernel lives as long as the device. Returns 0, RN_EDEVICE or RN_EINTERNAL; a build error is
 * logged with the compiler's log. RN_UNBUILT: see rn_programs_compile. */
int rn_kernel_get(struct rn_device *dev, const char *file, const char *name, enum rn_sample sample,
                  struct rn_kernel **kernel);

/* Builds a separate program from texts, in order, and gets one kernel of it; for sources that are
 * not in kernels/. kernel: released with rn_kernel_release, which accepts a zeroed one. *log: if
 * the texts do not build, the compiler's log, for the caller to report and free (nothing is logged
 * then); otherwise NULL. Returns 0, RN_UNBUILT, RN_EDEVICE or RN_EINTERNAL. */
int rn_kernel_build(struct rn_device *dev, const char *const texts[], int ntexts, const char *name,
                    enum rn_sample sample, struct rn_kernel *kernel, char **log);
void rn_kernel_release(struct rn_device *dev, struct rn_kernel *kernel);

void rn_programs_release(struct rn_device *dev);

/* ---- launching (launch.c) */

/* The command context of the frame being enqueued. Made by the runner, passed to stages. */
struct rn_cmd {
    struct rn_device *dev;
    /* Of a measuring stage: the memory of its results, where the block of this frame begins, and
     * the bytes to the next picture's; else NULL. */
    cl_mem result;
    size_t result_at, result_step;
    bool timed;       /* launches get an event each, for their times */
    cl_event *events; /* these, of this frame */
    int *event_stage; /* the stage of each event */
    int nevents, max_events;
    int stage;     /* the stage that is being enqueued; -1: none */
    int64_t frame; /* index of the frame */
    int64_t tick;  /* as in rn_call */
    /* Where lanes take frames in turn and hand on what is needed of each (relay.h), and the number
     * of the frame among those of all lanes; NULL: a lane by itself computes what it needs. */
    struct rn_relay *relay;
    int64_t number;
    /* Every launch covers so many pictures (0 counts as 1), which lie `step` rows apart in every
     * plane: those of the planes that it is given, and those further down. Only stages whose
     * traits say so are given more than one. */
    int pictures, step;
};

/* A value for a kernel. A plane takes two arguments: a buffer, and int4 (origin, stride, w, h). */
struct rn_arg {
    enum { RN_ARG_IS_VALUE, RN_ARG_IS_LOCAL, RN_ARG_IS_PLANE } kind;
    size_t size; /* of the value, or of the local memory */
    union {
        cl_mem mem;
        cl_int i;
        cl_float f;
        cl_int2 i2;
        cl_int4 i4;
        cl_float4 f4;
        cl_short16 s16;
        struct rn_dplane plane;
        struct {
            cl_int x0, y0, x1, y1, step;
        } area; /* rn_area in kernels/pixel.clh */
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
#define RN_ARG_LOCAL(bytes) ((struct rn_arg){.kind = RN_ARG_IS_LOCAL, .size = (bytes)})
#define RN_ARG_PLANE(p)     ((struct rn_arg){.kind = RN_ARG_IS_PLANE, .v.plane = *(p)})

/* A list of arguments and its length, as the functions below take them. */
#define RN_ARGS(...)                                                                               \
    (const struct rn_arg[]){__VA_ARGS__},                                                          \
        (int)(sizeof((const struct rn_arg[]){__VA_ARGS__}) / sizeof(struct rn_arg))

/* The first of several planes in mem, as of rn_dplane_in, each with room for cmd's pictures. */
struct rn_dplane rn_dplane_of(const struct rn_cmd *cmd, cl_mem mem, int w, int h, int bytes,
                              int margin);

/* Moves a plane to the picture that lies so many further down in cmd's batch. */
static inline void rn_dplane_move(struct rn_dplane *plane, const struct rn_cmd *cmd, int pictures)
{
    plane->origin += pictures * cmd->step * plane->stride;
}

/* A rectangle of samples; x1 and y1 are exclusive. May reach into the margin. */
struct rn_area {
    int x0, y0, x1, y1;
};

/* The area of all samples of a plane. */
static inline struct rn_area rn_area_of(const struct rn_dplane *plane)
{
    return (struct rn_area){0, 0, plane->w, plane->h};
}

/* A number of work-items, in all or per group; in z, 0 counts as 1. */
struct rn_range {
    int x, y, z;
};

/* Enqueues kernel over area, with one work-item per kernel->width x form.rows samples. Argument 0
 * is the area; args follow. nargs: length of args. Returns 0 or RN_EDEVICE (logged). */
int rn_launch(struct rn_cmd *cmd, struct rn_kernel *kernel, struct rn_area area,
              const struct rn_arg *args, int nargs);
#define RN_LAUNCH(cmd, kernel, area, ...) rn_launch(cmd, kernel, area, RN_ARGS(__VA_ARGS__))

/* Enqueues kernel over a number of work-items, rounded up to whole groups. group: 0 in x or y means
 * the device's own shape. There is no area argument: args start at argument 0. Several pictures are
 * a launch each. Returns 0 or RN_EDEVICE (logged). */
int rn_launch_items(struct rn_cmd *cmd, struct rn_kernel *kernel, struct rn_range items,
                    struct rn_range group, const struct rn_arg *args, int nargs);
#define RN_LAUNCH_ITEMS(cmd, kernel, items, group, ...)                                            \
    rn_launch_items(cmd, kernel, items, group, RN_ARGS(__VA_ARGS__))

/* The same, but one launch for all pictures, in dimension 2; the kernel tells them apart. */
int rn_launch_pictures(struct rn_cmd *cmd, struct rn_kernel *kernel, struct rn_range items,
                       struct rn_range group, const struct rn_arg *args, int nargs);
#define RN_LAUNCH_PICTURES(cmd, kernel, items, group, ...)                                         \
    rn_launch_pictures(cmd, kernel, items, group, RN_ARGS(__VA_ARGS__))

/* The device's own shape of a work-group. */
#define RN_OWN_GROUP ((struct rn_range){0, 0, 0})

/* Fills the margin of src by the border rule, reach_x samples left and right and reach_y rows above
 * and below. outside: the bits of the sample for RN_IGNORE (one that has no effect); RN_ZERO uses
 * 0. Returns 0 or an error (logged), RN_EINTERNAL for a reach beyond the margin. */
int rn_fill_border(struct rn_cmd *cmd, const struct rn_dplane *src, enum rn_sample sample,
                   int reach_x, int reach_y, enum rn_border border, int outside);

/* The same for kernels that read src through kernels/window.clh, by which GPUs need no margin; they
 * get (border, outside) as an argument. */
int rn_window_border(struct rn_cmd *cmd, const struct rn_dplane *src, enum rn_sample sample,
                     int reach_x, int reach_y, enum rn_border border, int outside);

/* Copies src into the middle of dst, which is larger by extent samples on each side, and sets the
 * rest of dst to zero. extent 0: a copy. Returns 0 or an error (logged). */
int rn_embed(struct rn_cmd *cmd, const struct rn_dplane *src, const struct rn_dplane *dst,
             enum rn_sample sample, int extent);

/* Sets bytes of mem behind `from` to zero, in order on the run queue, without waiting. Both are
 * multiples of 8. Returns 0 or an error (logged). */
int rn_clear(struct rn_cmd *cmd, cl_mem mem, size_t from, size_t bytes);
