/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strcasestr */
#include "filters/core/device/opencl.h"

#include "filters/base/arguments.h"
#include "filters/base/output/path.h"
#include "filters/base/threads/locked.h"

#include <ctype.h>
#include <limits.h>
#include <strings.h>

#define MAX_PLATFORMS  16
#define MAX_DEVICES    64
#define NO_PLATFORM    (-1001) /* CL_PLATFORM_NOT_FOUND_KHR, which is no failure */
#define MAX_UNITS      65536
#define MAX_DIMENSIONS 16

struct found {
    cl_platform_id platform;
    cl_device_id id;
    struct rn_device_info info;
    int side[2];            /* the longest of a work-group, in x and y */
    const char *unanswered; /* the first query without an answer that can be true; NULL: none */
    cl_int why;             /* its code */
};

static void tidy(char *name)
{
    char *w = name;
    for (const char *r = name; *r; r++)
        if (!isspace((unsigned char)*r) || (w > name && w[-1] != ' '))
            *w++ = isspace((unsigned char)*r) ? ' ' : *r;
    while (w > name && w[-1] == ' ')
        w--;
    *w = '\0';
}

static cl_int ask(cl_device_id id, cl_device_info what, cl_ulong *number)
{
    /* Wide enough for every integer type; on little-endian machines OpenCL writes the low bytes. */
    union {
        cl_ulong l;
        cl_uint i;
    } v = {0};
    size_t size = 0;
    cl_int code = clGetDeviceInfo(id, what, sizeof v, &v, &size);
    *number = code ? 0 : size == sizeof v.i ? v.i : v.l;
    return code;
}

/* Gets an optional value: 0 without an answer. */
static int64_t get_number(cl_device_id id, cl_device_info what)
{
    cl_ulong v;
    ask(id, what, &v);
    return (int64_t)v;
}

static void note_unanswered(struct found *f, const char *name, cl_int code)
{
    if (!f->unanswered) {
        f->unanswered = name;
        f->why = code;
    }
}

/* Gets a value that every device must have, at most `most`. Notes 0 and a missing answer, with
 * which opening fails. */
static int64_t need_number(struct found *f, cl_device_info what, const char *name, int64_t most)
{
    cl_ulong v;
    cl_int code = ask(f->id, what, &v);
    if (code || v == 0)
        note_unanswered(f, name, code);
    return v < (cl_ulong)most ? (int64_t)v : most;
}
#define NEED(f, what, most) need_number(f, what, #what, most)

/* Text that does not fit is cut off: given too small a buffer, OpenCL would write nothing. */
static void get_text(cl_device_id id, cl_device_info what, char *buf, size_t size)
{
    size_t n = 0;
    RN_OWNED(rn_free_owned) char *text = NULL;
    if (!clGetDeviceInfo(id, what, 0, NULL, &n) && n)
        text = calloc(n + 1, 1);
    bool got = text && !clGetDeviceInfo(id, what, n, text, NULL);
    snprintf(buf, size, "%s", got ? text : "?");
    tidy(buf);
}

static void describe(struct found *f, const char *platform_name)
{
    struct rn_device_info *info = &f->info;
    snprintf(info->platform_name, sizeof info->platform_name, "%s", platform_name);
    get_text(f->id, CL_DEVICE_NAME, info->name, sizeof info->name);
    get_text(f->id, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    get_text(f->id, CL_DEVICE_VERSION, info->version, sizeof info->version);
    int64_t type = get_number(f->id, CL_DEVICE_TYPE);
    info->type = type & CL_DEVICE_TYPE_GPU   ? "gpu"
                 : type & CL_DEVICE_TYPE_CPU ? "cpu"
                                             : "accelerator";
    info->compute_units = (int)NEED(f, CL_DEVICE_MAX_COMPUTE_UNITS, MAX_UNITS);
    info->global_memory = NEED(f, CL_DEVICE_GLOBAL_MEM_SIZE, INT64_MAX);
    info->max_allocation = NEED(f, CL_DEVICE_MAX_MEM_ALLOC_SIZE, INT64_MAX);
    info->local_memory = NEED(f, CL_DEVICE_LOCAL_MEM_SIZE, INT64_MAX);
    info->max_work_group = (int)NEED(f, CL_DEVICE_MAX_WORK_GROUP_SIZE, INT_MAX);
    size_t sides[MAX_DIMENSIONS] = {0};
    cl_int code = clGetDeviceInfo(f->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sides, sides, NULL);
    for (int i = 0; i < 2; i++) {
        f->side[i] = sides[i] < INT_MAX ? (int)sides[i] : INT_MAX;
        if (code || !sides[i])
            note_unanswered(f, "CL_DEVICE_MAX_WORK_ITEM_SIZES", code);
    }
    info->shared_memory =
        get_number(f->id, CL_DEVICE_HOST_UNIFIED_MEMORY) || (type & CL_DEVICE_TYPE_CPU);
}

/* Finds the devices that are available with a compiler. found: MAX_DEVICES. Returns how many. */
static int find_devices(struct found *found, const char **why)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint np = 0;
    int n = 0;
    *why = "no OpenCL platform is installed; the package pocl-opencl-icd runs OpenCL on the CPU";
    enum rn_stall outer = rn_stall_enter(RN_STALL_BUILD);
    cl_int code = clGetPlatformIDs(MAX_PLATFORMS, platforms, &np);
    rn_stall_leave(outer);
    if (code && code != NO_PLATFORM)
        *why = "clGetPlatformIDs failed, so that no OpenCL device can be found";
    if (code)
        return 0;
    np = np > MAX_PLATFORMS ? MAX_PLATFORMS : np;
    if (np)
        *why = "the OpenCL platforms have no usable device; the package pocl-opencl-icd runs "
               "OpenCL on the CPU";
    for (cl_uint p = 0; p < np; p++) {
        char name[128] = "";
        cl_device_id ids[MAX_DEVICES];
        cl_uint nd = 0;
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
        tidy(name);
        /* A platform may have no device, which it says by a code. */
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &nd))
            continue;
        for (cl_uint d = 0; d < nd && d < MAX_DEVICES && n < MAX_DEVICES; d++) {
            int major = 0, minor = 0;
            if (!get_number(ids[d], CL_DEVICE_AVAILABLE) ||
                !get_number(ids[d], CL_DEVICE_COMPILER_AVAILABLE))
                continue;
            found[n] = (struct found){.platform = platforms[p], .id = ids[d]};
            describe(&found[n], name);
            if (sscanf(found[n].info.version, "OpenCL %4d.%4d", &major, &minor) != 2 ||
                major * 10 + minor < 12)
                continue;
            found[n].info.index = n;
            found[n].info.platform = (int)p;
            found[n].info.device = (int)d;
            n++;
        }
    }
    return n;
}

void rn_devices_load(void)
{
    struct found found[MAX_DEVICES];
    const char *why;
    find_devices(found, &why);
}

int rn_device_list(struct rn_device_info **list, const char **why)
{
    RN_NEED(0, "list why", list, why);
    struct found found[MAX_DEVICES];
    int n = find_devices(found, why);
    *list = calloc((size_t)n + 1, sizeof **list);
    if (!*list)
        return 0;
    for (int i = 0; i < n; i++)
        (*list)[i] = found[i].info;
    return n;
}

/* Reads a number up to 9999 at *text and moves past it; -1 if there is none. */
static int number_at(const char **text)
{
    int v = -1;
    for (; **text >= '0' && **text <= '9' && v <= 9999; ++*text)
        v = 10 * (v < 0 ? 0 : v) + **text - '0';
    return v <= 9999 ? v : -1;
}

/* The index of the device that select names, or -1. */
static int choose(const struct found *found, int n, const char *select)
{
    if (!select || !*select) {
        for (int i = 0; i < n; i++)
            if (!strcmp(found[i].info.type, "gpu"))
                return i;
        return n ? 0 : -1;
    }
    const char *rest = select;
    int a = number_at(&rest), b = -1;
    bool number = a >= 0 && !*rest;
    if (a >= 0 && *rest == ':') {
        rest++;
        b = number_at(&rest);
    }
    bool pair = b >= 0 && !*rest;
    for (int i = 0; i < n; i++) {
        const struct rn_device_info *info = &found[i].info;
        if (pair     ? info->platform == a && info->device == b
            : number ? info->index == a
                     : !strcasecmp(select, info->type) || strcasestr(info->name, select) ||
                           strcasestr(info->platform_name, select))
            return i;
    }
    return -1;
}

static bool is_pocl(const struct rn_device_info *info)
{
    return strcasestr(info->platform_name, "Portable Computing Language");
}

/* RUNNEL_FORM=bytes,rows,local_x,local_y selects another form, for measurements and tests. */
static int read_form(struct rn_form *form)
{
    const char *text = getenv("RUNNEL_FORM"), *rest = text;
    int v[4] = {0};
    for (int i = 0; rest && i < 4; i++) {
        v[i] = number_at(&rest);
        bool good = v[i] > 0 && v[i] <= 1024 && *rest == (i < 3 ? ',' : '\0');
        if (!good || (i == 0 && (v[0] & (v[0] - 1))))
            return rn_fail(RN_EUSAGE,
                           "RUNNEL_FORM='%s' is not BYTES,ROWS,LOCAL_X,LOCAL_Y, each 1..1024 and "
                           "the first a power of two",
                           text);
        rest++;
    }
    if (text)
        *form = (struct rn_form){v[0], v[1], v[2], v[3], form->clang_vectors};
    return 0;
}

static int choose_form(struct rn_device *dev, const int side[2])
{
    struct rn_form *form = &dev->form;
    if (!strcmp(dev->info.type, "gpu"))
        *form = (struct rn_form){.bytes = 8, .rows = 2, .local_x = 32, .local_y = 4};
    else if (is_pocl(&dev->info))
        *form = (struct rn_form){
            .bytes = 64, .rows = 16, .local_x = 1, .local_y = 1, .clang_vectors = true};
    else
        *form = (struct rn_form){.bytes = 16, .rows = 4, .local_x = 4, .local_y = 2};
    int err = read_form(form);
    form->local_x = form->local_x > side[0] ? side[0] : form->local_x;
    form->local_y = form->local_y > side[1] ? side[1] : form->local_y;
    while (form->local_x * form->local_y > dev->info.max_work_group && form->local_x > 1)
        form->local_x /= 2;
    while (form->local_x * form->local_y > dev->info.max_work_group && form->local_y > 1)
        form->local_y /= 2;
    return err;
}

static void CL_CALLBACK on_context_error(const char *text, const void *data, size_t size,
                                         void *user)
{
    rn_log(RN_LOG_DEBUG, "OpenCL: %s", text);
}

/* And the context, unless it is another part's. What was made is released by rn_device_close. */
static int open_queues(struct rn_device *dev)
{
    cl_int code = 0;
    cl_context_properties props[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)dev->platform, 0};
    enum rn_stall outer = rn_stall_enter(RN_STALL_BUILD);
    if (dev->owner == dev)
        dev->context = clCreateContext(props, (cl_uint)dev->nbuilt_for, dev->built_for,
                                       on_context_error, NULL, &code);
    else if (!(code = clRetainContext(dev->owner->context)))
        dev->context = dev->owner->context;
    rn_stall_leave(outer);
    if (code)
        return rn_cl_check(code, "creating a context");
    rn_count(dev, 1);
    cl_command_queue *queues[] = {&dev->up, &dev->run, &dev->down};
    for (int i = 0; i < 3; i++) {
        *queues[i] = clCreateCommandQueue(dev->context, dev->id, CL_QUEUE_PROFILING_ENABLE, &code);
        if (code)
            return rn_cl_check(code, "creating a queue");
        rn_count(dev, 1);
    }
    return 0;
}

cl_int rn_device_finish(struct rn_device *dev)
{
    cl_command_queue queues[] = {dev->up, dev->run, dev->down};
    cl_int code = 0;
    enum rn_stall outer = rn_stall_enter(RN_STALL_DEVICE);
    for (int i = 0; i < 3; i++) { /* all of them: they may use what the caller frees next */
        cl_int finished = queues[i] ? clFinish(queues[i]) : 0;
        code = code ? code : finished;
    }
    rn_stall_leave(outer);
    return code;
}

static struct rn_device *allocate(void)
{
    struct rn_device *dev = calloc(1, sizeof *dev);
    if (!dev)
        return NULL;
    pthread_mutex_init(&dev->lock, NULL);
    pthread_mutex_init(&dev->building, NULL);
    return dev;
}

static int open_found(struct rn_device *dev, const struct found *found)
{
    dev->platform = found->platform;
    dev->id = found->id;
    dev->info = found->info;
    dev->owner = dev;
    dev->built_for[0] = dev->id;
    dev->nbuilt_for = 1;
    if (found->unanswered)
        return rn_fail(RN_EDEVICE,
                       "'%s' gives no answer to %s that can be true (%s): take another device "
                       "with -d, or -d none",
                       found->info.name, found->unanswered,
                       found->why ? rn_cl_name(found->why) : "it says 0");
    int err = choose_form(dev, found->side);
    dev->exact_sqrt =
        get_number(found->id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    return err ? err : open_queues(dev);
}

int rn_device_open(struct rn_device **dev, const char *select)
{
    RN_NEED(RN_EUSAGE, "dev", dev);
    struct found found[MAX_DEVICES];
    const char *why;
    *dev = NULL;
    if (select && !strcasecmp(select, "none"))
        return 0;
    int n = find_devices(found, &why);
    int i = choose(found, n, select);
    if (i < 0 && select && *select)
        return n ? rn_fail(RN_EDEVICE, "no OpenCL device fits '%s'; `runnel devices` lists them",
                           select)
                 : rn_fail(RN_EDEVICE, "no OpenCL device fits '%s': %s", select, why);
    if (i >= 0 && is_pocl(&found[i].info) && !rn_path_has("ld")) { /* PoCL would abort the run */
        why = "PoCL finds no linker 'ld' in PATH; the package binutils has it";
        if (select && *select)
            return rn_fail(RN_EDEVICE, "%s", why);
        i = -1;
    }
    if (i < 0) {
        rn_log(RN_LOG_WARNING, "%s; running the C reference path, same pixels, slower", why);
        return 0;
    }
    *dev = allocate();
    int err = *dev ? open_found(*dev, &found[i]) : rn_fail_memory();
    if (err)
        rn_device_close(dev);
    return err;
}

int rn_device_close(struct rn_device **devp)
{
    RN_NEED(RN_EUSAGE, "dev", devp);
    struct rn_device *dev = rn_take_owned(devp);
    if (!dev)
        return 0;
    rn_programs_release(dev);
    rn_device_finish(dev);
    cl_command_queue queues[] = {dev->up, dev->run, dev->down};
    for (int i = 0; i < 3; i++)
        if (queues[i]) {
            clReleaseCommandQueue(queues[i]);
            rn_count(dev, -1);
        }
    if (dev->context) {
        clReleaseContext(dev->context);
        rn_count(dev, -1);
    }
    int live = rn_device_live(dev);
    pthread_mutex_destroy(&dev->lock);
    pthread_mutex_destroy(&dev->building);
    free(dev);
    return live ? rn_fail(RN_EINTERNAL, "%d OpenCL objects were not released", live) : 0;
}

const struct rn_device_info *rn_device_info(const struct rn_device *dev)
{
    RN_NEED(NULL, "dev", dev);
    return &dev->info;
}

/* ---- parts of a device, as devices of their own (sub-devices) */

/* All sub-devices made so far. They are used again and never released: a thread of PoCL may still
 * access one after its commands are complete and its queues are released. */
struct made {
    struct made *next;
    cl_device_id whole;
    int units;
    cl_uint n;
    cl_device_id id[];
};
static struct made *made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Divides a device into parts of so many units and adds them to made. NULL: it cannot be divided in
 * this way, or there is no memory. */
static struct made *divide(cl_device_id whole, int units)
{
    const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY, units, 0};
    cl_uint n = 0;
    if (clCreateSubDevices(whole, how, 0, NULL, &n) || n < 2)
        return NULL;
    RN_OWNED(rn_free_owned) struct made *m = calloc(1, sizeof *m + n * sizeof m->id[0]);
    if (!m || clCreateSubDevices(whole, how, n, m->id, NULL))
        return NULL;
    m->next = made;
    m->whole = whole;
    m->units = units;
    m->n = n;
    made = rn_take_owned(&m);
    return made;
}

/* Gets the sub-devices of `units` compute units each. Returns their number, 0 if there are none. */
static cl_uint sub_devices(cl_device_id whole, int units, cl_device_id **ids)
{
    RN_LOCKED(&lock);
    struct made *m = made;
    while (m && (m->whole != whole || m->units != units))
        m = m->next;
    m = m ? m : divide(whole, units);
    *ids = m ? m->id : NULL;
    return m ? m->n : 0;
}

static int open_part(struct rn_device **out, const struct rn_device *whole, cl_device_id id,
                     int units, struct rn_device *first)
{
    struct rn_device *dev = *out = allocate();
    if (!dev)
        return rn_fail_memory();
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
        err = open_queues(part[i]);
    return err;
}

int rn_device_beside(const struct rn_device *dev, struct rn_device **beside)
{
    RN_NEED(RN_EUSAGE, "dev beside", dev, beside);
    int err = open_part(beside, dev, dev->id, dev->info.compute_units, dev->owner);
    err = err ? err : open_queues(*beside);
    if (err)
        rn_device_close(beside);
    return err;
}
