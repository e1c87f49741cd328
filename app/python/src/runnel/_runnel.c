/* SPDX-License-Identifier: MIT */
/* The engine for Python: runners over arrays of any kind, by the buffer protocol and the limited
 * API, so that one build serves each Python from 3.11 on. What is checked here keeps memory safe
 * whatever comes; __init__.py, the only one that imports this, gives it a shape. What may take long
 * runs without the GIL; meanwhile its runner refuses other threads. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include <structmember.h>

#include "filters/runnel.h"

#define WITHOUT_GIL(work)                                                                          \
    do {                                                                                           \
        PyThreadState *state_ = PyEval_SaveThread();                                               \
        work;                                                                                      \
        PyEval_RestoreThread(state_);                                                              \
    } while (0)

static PyObject *error_class;
static PyTypeObject *slot_type;

/* ---- messages: the library's errors become exceptions, its warnings Python's */

/* In the main thread, between two of its instructions. */
static int warn(void *text)
{
    int err = PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "%s", (char *)text);
    free(text);
    return err;
}

/* In any thread, with the GIL or without. */
static void keep_warning(void *user, enum rn_log_level level, const char *text)
{
    char *copy = level == RN_LOG_WARNING ? strdup(text) : user;
    if (copy && Py_AddPendingCall(warn, copy))
        free(copy);
}

/* Raises runnel.Error and returns NULL. */
static void *fail(int code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    PyObject *text = PyUnicode_FromFormatV(fmt, args);
    PyObject *both = text ? Py_BuildValue("(Ni)", text, code) : NULL;
    va_end(args);
    if (both)
        PyErr_SetObject(error_class, both);
    Py_XDECREF(both);
    return NULL;
}

/* After a call of the library: 0, or -1 with an exception. */
static int said(int err)
{
    return err < 0 ? fail(-err, "%s", rn_log_last()), -1 : 0;
}

/* ---- devices and filters, as tuples in the order that runnel/__init__.py names */

/* Appends an item and owns it. Where it is NULL, after an exception, *list becomes NULL. */
static void append(PyObject **list, PyObject *item)
{
    if (*list && (!item || PyList_Append(*list, item)))
        Py_CLEAR(*list);
    Py_XDECREF(item);
}

static PyObject *list_devices(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none))
{
    struct rn_device_info *list = NULL;
    const char *why;
    int n;
    WITHOUT_GIL(n = rn_device_list(&list, &why));
    PyObject *all = PyList_New(0);
    for (int i = 0; i < n; i++) {
        const struct rn_device_info *d = &list[i];
        append(&all, Py_BuildValue("(iiisssssiLLLiO)", d->index, d->platform, d->device, d->type,
                                   d->name, d->platform_name, d->driver, d->version,
                                   d->compute_units, (long long)d->global_memory,
                                   (long long)d->max_allocation, (long long)d->local_memory,
                                   d->max_work_group, d->shared_memory ? Py_True : Py_False));
    }
    free(list);
    return all;
}

static void close_device(PyObject *capsule)
{
    struct rn_device *dev = PyCapsule_GetPointer(capsule, "device");
    rn_device_close(&dev);
}

/* None: plain C. */
static PyObject *open_device(PyObject *Py_UNUSED(module), PyObject *args)
{
    const char *select;
    struct rn_device *dev = NULL;
    int err;
    if (!PyArg_ParseTuple(args, "z:open_device", &select))
        return NULL;
    WITHOUT_GIL(err = rn_device_open(&dev, select));
    PyObject *device = dev ? PyCapsule_New(dev, "device", close_device) : Py_NewRef(Py_None);
    if (said(err))
        Py_CLEAR(device);
    return device;
}

static PyObject *row_of(const struct rn_stage *stage, const struct rn_param *row)
{
    char text[1024];
    PyObject *choices = PyList_New(0);
    for (int k = 0; row->type == RN_CHOICE && k <= (int)row->max; k++)
        append(&choices, PyUnicode_FromString(row->choices[k]));
    rn_param_format(row, rn_stage_values(stage, row), text, sizeof text);
    return Py_BuildValue("(sissOsdddN)", row->name, row->type, row->unit, row->help,
                         row->fixed ? Py_True : Py_False, text, row->min, row->max, row->step,
                         choices);
}

static PyObject *list_filters(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none))
{
    PyObject *all = PyList_New(0);
    const struct rn_stage_desc *desc;
    const struct rn_param *row;
    for (int i = 0; all && (desc = rn_registry_at(i)) != NULL; i++) {
        struct rn_stage *stage = rn_stage_create(desc);
        PyObject *rows = stage ? PyList_New(0) : PyErr_NoMemory();
        for (int k = 0; rows && (row = rn_stage_row(stage, k)) != NULL; k++)
            append(&rows, row_of(stage, row));
        rn_stage_destroy(&stage);
        append(&all, rows ? Py_BuildValue("(ssssN)", desc->name, desc->help, desc->about,
                                          desc->aliases ? desc->aliases : "", rows)
                          : NULL);
    }
    return all;
}

/* ---- samples */

static const char *const formats[RN_SAMPLES] = {"B", "H", "h", "f"};

static void copy_plane(char *to, const ptrdiff_t *to_step, const char *from,
                       const ptrdiff_t *from_step, int w, int h, int bytes)
{
    for (int y = 0; y < h; y++, to += to_step[0], from += from_step[0]) {
        if (to_step[1] == bytes && from_step[1] == bytes)
            memcpy(to, from, (size_t)w * (size_t)bytes);
        else
            for (int x = 0; x < w; x++)
                memcpy(to + x * to_step[1], from + x * from_step[1], (size_t)bytes);
    }
}

/* True if the two axes from `axis` on, and the samples, are those of a picture. */
static bool has_pixels(const Py_buffer *b, int axis, const struct rn_geom *geom)
{
    return b->shape[axis] == geom->h && b->shape[axis + 1] == geom->w &&
           strcmp(b->format ? b->format : "B", formats[rn_format_sample(&geom->fmt)]) == 0;
}

/* Copies between a picture and a buffer of (rows, columns[, components]) that fits it. */
static void copy_image(const struct rn_image *img, const Py_buffer *b, bool to_buffer)
{
    int n = rn_format_planes(&img->geom.fmt), bytes = rn_format_bytes(&img->geom.fmt);
    for (int c = 0; c < n; c++) {
        bool rgb = img->geom.fmt.model == RN_RGB && c < 3; /* whose planes are G B R */
        const struct rn_plane *p = &img->plane[rgb ? (c + 2) % 3 : c];
        const ptrdiff_t own[2] = {p->stride, bytes};
        char *data = (char *)p->data, *theirs = (char *)b->buf + (n > 1 ? c * b->strides[2] : 0);
        if (to_buffer)
            copy_plane(theirs, b->strides, data, own, p->w, p->h, bytes);
        else
            copy_plane(data, own, theirs, b->strides, p->w, p->h, bytes);
    }
}

/* ---- runners */

struct runner {
    PyObject_HEAD PyObject *device; /* None: plain C */
    struct rn_pool *pool;
    struct rn_geom in, out;
    int slots, free, exports;
    int components, sample; /* of an output */
    int *exported;          /* of each slot: the views of it that others have */
    int *turn; /* of each slot: grows when it changes hands, which makes objects of it stale */
    long long filled, waited, recycled; /* since the last drain */
    long long frame;                    /* the number of the next */
    bool drained, closed, busy;
    bool apart;     /* the device has memory of its own: many threads that copy are worth it */
    PyObject *rows; /* of the last frame: what was measured of each plane */
};

struct slot {
    PyObject_HEAD struct runner *runner;
    const struct rn_image *img;
    int i, turn;
    bool output;
    Py_ssize_t shape[2], strides[2];
};

static PyObject *number(double v, bool whole)
{
    return whole ? PyLong_FromDouble(v) : PyFloat_FromDouble(v);
}

/* In the thread that waits, which has left the GIL. */
static int take_row(void *arg, const struct rn_measure *m)
{
    struct runner *r = arg;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *dot = !m->has_previous ? Py_NewRef(Py_None)
                    : !m->whole      ? PyFloat_FromDouble(m->dot_prev)
                    : m->fmt->number == RN_NUMBER_SIGNED
                        ? PyLong_FromLongLong((long long)m->whole_dot)
                        : PyLong_FromUnsignedLongLong(m->whole_dot);
    PyObject *ncc = m->has_previous ? PyFloat_FromDouble(m->ncc_prev) : Py_NewRef(Py_None);
    append(&r->rows,
           Py_BuildValue("{sLsisdsdsNsNsNsdsdsNsdsNsNsKsKsdsdss}", "frame",
                         (long long)m->frame->index, "plane", m->plane, "mean", m->mean, "variance",
                         m->variance, "min", number(m->min, m->whole), "max",
                         number(m->max, m->whole), "l1", number(m->l1, m->whole), "l2", m->l2, "lp",
                         m->lp, "linf", number(m->linf, m->whole), "entropy", m->entropy,
                         "dot_prev", dot, "ncc_prev", ncc, "nan", (unsigned long long)m->nans,
                         "nonzero", (unsigned long long)m->nonzero, "area_mm2", m->area_mm2,
                         "volume_mm3", m->volume_mm3, "unit", m->unit));
    PyGILState_Release(state);
    return r->rows ? 0 : rn_fail_memory();
}

/* The last stage measures, if it is to; it is appended if it does not. */
static int open_pool(struct runner *r, struct rn_device *dev, const char *text,
                     const struct rn_pool_opts *opts, bool stats)
{
    struct rn_chain *chain = NULL;
    struct rn_analysis *analysis = malloc(sizeof *analysis);
    int err = analysis ? rn_geom_check(&r->in) : rn_fail_memory();
    err = err ? err : rn_chain_parse(&chain, text);
    int n = err ? 0 : rn_chain_count(chain);
    if (!err && stats && (!n || strcmp(rn_chain_stage(chain, n - 1)->desc->name, "stats") != 0))
        err = rn_chain_append(chain, "stats") ? n++, 0 : RN_EUSAGE;
    err = err ? err : rn_chain_check(chain, &r->in, analysis);
    if (!err && analysis->out.fmt.model == RN_YUV)
        err = rn_fail(RN_EUSAGE, "Y'CbCr is no array: end with format=gbrp or format=gray");
    if (!err) {
        r->out = analysis->out;
        r->components = rn_format_planes(&r->out.fmt);
        r->sample = (int)rn_format_sample(&r->out.fmt);
        err = rn_pool_open(&r->pool, &dev, dev != NULL, chain, &r->in, opts);
    }
    if (!err && stats)
        err = rn_pool_listen(r->pool, n - 1, take_row, r);
    err = err ? err : rn_pool_start(r->pool);
    rn_chain_destroy(&chain);
    free(analysis);
    return err;
}

/* One thread at a time. */
static bool enter(struct runner *r)
{
    if (r->closed || r->busy)
        fail(2, r->closed ? "the runner is closed" : "another thread uses the runner");
    else
        r->busy = true;
    return !PyErr_Occurred();
}

static PyObject *leave(struct runner *r, int err)
{
    r->busy = false;
    return said(err) || PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* Once nobody has a view of a slot. */
static int release(struct runner *r)
{
    int err = 0, closed = 0;
    if (!r->pool || r->exports)
        return 0;
    WITHOUT_GIL(err = rn_pool_stop(r->pool, r->waited == r->filled));
    WITHOUT_GIL(closed = rn_pool_close(&r->pool));
    return err ? err : closed;
}

static PyObject *runner_close(struct runner *r, PyObject *Py_UNUSED(none))
{
    if (r->closed)
        Py_RETURN_NONE;
    if (!enter(r))
        return NULL;
    r->closed = true;
    return leave(r, release(r));
}

static void destroy(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* For the garbage collector: a subclass's attributes may hold slots, which hold the runner. They
 * are what breaks a cycle: views of a slot may still be released. */
static int runner_traverse(struct runner *r, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)r));
    Py_VISIT(r->device);
    Py_VISIT(r->rows);
    return 0;
}

static void runner_free(struct runner *r)
{
    PyObject_GC_UnTrack(r);
    release(r);
    free(r->exported);
    Py_XDECREF(r->rows);
    Py_XDECREF(r->device);
    destroy((PyObject *)r);
}

static PyObject *runner_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(kw))
{
    struct rn_pool_opts opts = {RN_SIZED(struct rn_pool_opts)};
    struct rn_geom in = {RN_SIZED(struct rn_geom), .full_range = true, .scan = true};
    const char *chain, *unit;
    PyObject *device;
    int components, sample, stats, err;
    if (!PyArg_ParseTuple(args, "Oziiii(ff)(ddd)ddspi:Runner", &device, &chain, &in.h, &in.w,
                          &components, &sample, &in.low, &in.high, &in.spacing[2], &in.spacing[1],
                          &in.spacing[0], &in.rescale.slope, &in.rescale.intercept, &unit, &stats,
                          &opts.inflight))
        return NULL;
    if (sample < 0 || sample >= RN_SAMPLES || strlen(unit) >= sizeof in.rescale.unit)
        return fail(2, "unit='%s' has more than 15 bytes", unit);
    memcpy(in.rescale.unit, unit, strlen(unit) + 1);
    in.fmt = (struct rn_format){
        components > 1 ? RN_RGB : RN_GRAY, 8 * rn_sample_bytes((enum rn_sample)sample),
        .alpha = components == 4,
        .number =
            sample < RN_SAMPLE_S16 ? RN_NUMBER_UNSIGNED : (enum rn_number)(sample - RN_SAMPLE_U16)};
    struct rn_device *dev = device == Py_None ? NULL : PyCapsule_GetPointer(device, "device");
    struct runner *r = PyErr_Occurred() ? NULL : (struct runner *)PyType_GenericAlloc(type, 0);
    if (!r)
        return NULL;
    r->device = Py_NewRef(device);
    r->in = in;
    r->apart = dev && !rn_device_info(dev)->shared_memory;
    WITHOUT_GIL(err = open_pool(r, dev, chain, &opts, stats));
    r->slots = r->free = err ? 0 : rn_pool_nslots(r->pool);
    r->exported = calloc(2 * (size_t)r->slots + 1, sizeof *r->exported);
    r->turn = r->exported + r->slots;
    if (!said(err) && r->exported)
        return (PyObject *)r;
    Py_DECREF(r);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}

static PyObject *make_slot(struct runner *r, int i, bool output)
{
    struct slot *s = (struct slot *)PyType_GenericAlloc(slot_type, 0);
    struct rn_slot *slot = rn_pool_slot(r->pool, i);
    if (!s)
        return NULL;
    s->runner = (struct runner *)Py_NewRef((PyObject *)r);
    s->img = output ? &slot->out : &slot->in;
    s->i = i;
    s->turn = r->turn[i];
    s->output = output;
    const struct rn_plane *p = &s->img->plane[0];
    s->shape[0] = p->h;
    s->shape[1] = p->w;
    s->strides[0] = p->stride;
    s->strides[1] = rn_format_bytes(&s->img->geom.fmt);
    return (PyObject *)s;
}

/* A slot changes hands, unless somebody has a view of it. */
static bool pass_on(struct runner *r, int i)
{
    if (r->exported[i])
        PyErr_SetString(PyExc_BufferError, "an array still shows the slot: delete it");
    else
        r->turn[i]++;
    return !r->exported[i];
}

static bool is_live(const struct slot *s)
{
    bool live = !s->runner->closed && s->turn == s->runner->turn[s->i];
    return live || fail(2, "the slot is stale: it was %s", s->output ? "recycled" : "submitted");
}

static PyObject *runner_slot(struct runner *r, PyObject *Py_UNUSED(none))
{
    PyObject *slot = NULL;
    if (!enter(r))
        return NULL;
    if (r->drained && r->recycled == r->filled) { /* another input begins */
        r->drained = false;
        r->filled = r->waited = r->recycled = r->frame = 0;
    }
    if (r->drained || !r->free)
        fail(2, "no slot is free: wait() for frames first");
    else
        slot = make_slot(r, (int)(r->filled % r->slots), false);
    r->busy = false;
    return slot;
}

/* Only the slot that is to be filled next may be submitted: not one kept from an earlier input. */
static bool is_next(const struct slot *s)
{
    const struct runner *r = s->runner;
    return (!r->drained && s->i == (int)(r->filled % r->slots)) ||
           fail(2, "the slot is stale: slot() gives the one to be filled");
}

static PyObject *runner_submit(struct runner *r, PyObject *arg)
{
    struct slot *s = (struct slot *)arg;
    int err = 0;
    if (!PyObject_TypeCheck(arg, slot_type) || s->runner != r || s->output)
        return fail(2, "submit() takes what slot() of the same runner returned");
    if (!enter(r))
        return NULL;
    if (is_live(s) && is_next(s) && pass_on(r, s->i)) {
        struct rn_slot *slot = rn_pool_slot(r->pool, s->i);
        slot->frame = (struct rn_frame){.index = r->frame, .pts = r->frame, .first = !r->filled};
        r->filled++;
        r->free--;
        r->frame++;
        WITHOUT_GIL(err = rn_pool_submit(r->pool, slot));
        if (err)
            r->filled--, r->free++, r->frame--;
    }
    return leave(r, err);
}

static int recycle(struct runner *r)
{
    int i = (int)(r->recycled % r->slots), err;
    if (r->recycled == r->waited || !pass_on(r, i))
        return r->recycled == r->waited ? 0 : -1;
    r->recycled++;
    r->free++;
    WITHOUT_GIL(err = rn_pool_recycle(r->pool, rn_pool_slot(r->pool, i)));
    return said(err);
}

static PyObject *runner_wait(struct runner *r, PyObject *Py_UNUSED(none))
{
    PyObject *out = NULL;
    int err;
    if (!enter(r))
        return NULL;
    struct rn_slot *slot = recycle(r) ? NULL : rn_pool_ready(r->pool);
    if (slot) {
        PyObject *old = r->rows;
        r->rows = PyList_New(0);
        Py_XDECREF(old); /* runs code of the caller's, maybe, which may look at rows */
        WITHOUT_GIL(err = rn_pool_wait(r->pool, slot));
        int i = (int)(r->waited++ % r->slots);
        out = said(err) ? NULL : make_slot(r, i, true);
    }
    r->busy = false;
    return out || PyErr_Occurred() ? out : Py_NewRef(Py_None);
}

static PyObject *runner_drain(struct runner *r, PyObject *Py_UNUSED(none))
{
    if (!enter(r))
        return NULL;
    r->drained = r->filled > 0;
    return leave(r, r->drained ? rn_pool_drain(r->pool) : 0); /* which only hands over */
}

/* ---- stacks: other threads copy, several pictures at once */

/* True if the slices of b are pictures of one plane whose rows are rows of samples side by side. */
static bool is_stack_of(const Py_buffer *b, const struct rn_geom *geom)
{
    return b->ndim == 3 && rn_format_planes(&geom->fmt) == 1 && has_pixels(b, 1, geom) &&
           b->strides[2] == b->itemsize && b->strides[1] >= b->itemsize * b->shape[2];
}

static struct rn_image slice_of(const Py_buffer *b, const struct rn_geom *geom, Py_ssize_t i)
{
    uint8_t *data = (uint8_t *)b->buf + i * b->strides[0];
    return (struct rn_image){*geom, {{data, b->strides[1], geom->w, geom->h}}};
}

/* Between two pictures Python looks at signals. */
static int pass_stack(struct runner *r, const Py_buffer *from, const Py_buffer *to)
{
    struct rn_exchange *exchange = NULL;
    int err, closed;
    WITHOUT_GIL(err = rn_exchange_open(&exchange, r->pool, 0));
    for (Py_ssize_t i = 0; i < from->shape[0] && !err && !PyErr_CheckSignals(); i++) {
        struct rn_image in = slice_of(from, &r->in, i), out = slice_of(to, &r->out, i);
        const struct rn_frame frame = {.index = i, .pts = i, .first = !i};
        WITHOUT_GIL(err = rn_exchange_submit(exchange, &in, &out, &frame, NULL));
    }
    WITHOUT_GIL(closed = rn_exchange_close(&exchange));
    return err ? err : closed;
}

/* Filters a whole stack into another one, and closes the runner, which is new. Returns False, and
 * does nothing, where the arrays are others than is_stack_of wants. */
static PyObject *runner_pass(struct runner *r, PyObject *args)
{
    PyObject *in, *out, *done = NULL;
    Py_buffer from, to;
    if (!PyArg_ParseTuple(args, "OO:_pass", &in, &out) ||
        PyObject_GetBuffer(in, &from, PyBUF_RECORDS_RO))
        return NULL;
    if (PyObject_GetBuffer(out, &to, PyBUF_RECORDS)) {
        PyBuffer_Release(&from);
        return NULL;
    }
    bool fit = is_stack_of(&from, &r->in) && is_stack_of(&to, &r->out) &&
               from.shape[0] == to.shape[0] && !r->filled && !r->drained && !r->exports;
    if (!fit) {
        done = Py_NewRef(Py_False);
    } else if (enter(r)) {
        int err = pass_stack(r, &from, &to);
        r->closed = true;
        PyObject *left = leave(r, err ? err : release(r));
        done = left ? Py_NewRef(Py_True) : NULL;
        Py_XDECREF(left);
    }
    PyBuffer_Release(&to);
    PyBuffer_Release(&from);
    return done;
}

/* ---- slots: a picture of one plane is a buffer */

static int slot_traverse(struct slot *s, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)s));
    Py_VISIT(s->runner);
    return 0;
}

static void slot_free(struct slot *s)
{
    PyObject_GC_UnTrack(s);
    Py_DECREF(s->runner);
    destroy((PyObject *)s);
}

static int slot_export(struct slot *s, Py_buffer *view, int flags)
{
    const int c = PyBUF_C_CONTIGUOUS - PyBUF_STRIDES, f = PyBUF_F_CONTIGUOUS - PyBUF_STRIDES,
              any = PyBUF_ANY_CONTIGUOUS - PyBUF_STRIDES;
    const struct rn_format *fmt = &s->img->geom.fmt;
    view->obj = NULL;
    if (!is_live(s))
        return -1;
    if ((s->output && (flags & PyBUF_WRITABLE)) || (flags & PyBUF_STRIDES) != PyBUF_STRIDES ||
        (flags & (c | f | any)) || rn_format_planes(fmt) > 1) {
        PyErr_SetString(PyExc_BufferError,
                        "the slot is read only, or shows no single plane by rows");
        return -1;
    }
    *view = (Py_buffer){.buf = s->img->plane[0].data,
                        .obj = Py_NewRef((PyObject *)s),
                        .len = s->shape[0] * s->shape[1] * s->strides[1],
                        .itemsize = s->strides[1],
                        .readonly = s->output,
                        .ndim = 2,
                        .format = (char *)(intptr_t)formats[rn_format_sample(fmt)],
                        .shape = s->shape,
                        .strides = s->strides};
    s->runner->exported[s->i]++;
    s->runner->exports++;
    return 0;
}

static void slot_released(struct slot *s, Py_buffer *view)
{
    s->runner->exported[s->i]--;
    if (!--s->runner->exports && s->runner->closed)
        release(s->runner);
}

static PyObject *copy(struct slot *s, PyObject *other, bool out)
{
    Py_buffer b;
    if (s->output && !out)
        return fail(2, "what a runner has computed is read only");
    if (PyObject_GetBuffer(other, &b, out ? PyBUF_RECORDS : PyBUF_RECORDS_RO))
        return NULL;
    const struct rn_geom *geom = &s->img->geom;
    int n = rn_format_planes(&geom->fmt), sample = (int)rn_format_sample(&geom->fmt);
    if (b.ndim != (n > 1 ? 3 : 2) || !has_pixels(&b, 0, geom) || (n > 1 && b.shape[2] != n)) {
        fail(2, "the array is not %d x %d '%s', %d a pixel", geom->h, geom->w, formats[sample], n);
    } else if (is_live(s) && enter(s->runner)) {
        WITHOUT_GIL(copy_image(s->img, &b, out));
        s->runner->busy = false;
    }
    PyBuffer_Release(&b);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyObject *slot_take(struct slot *s, PyObject *to)
{
    return copy(s, to, true);
}

static int slot_assign(struct slot *s, PyObject *key, PyObject *from)
{
    PyObject *done = NULL;
    if (!from || (key != Py_Ellipsis && !PySlice_Check(key)))
        fail(2, "parts of a slot are filled through numpy.asarray(slot)");
    else if ((done = copy(s, from, false)) != NULL)
        Py_DECREF(done);
    return done ? 0 : -1;
}

/* ---- the module */

#define METHOD(fn) (PyCFunction)(void (*)(void))(fn)

static PyMethodDef runner_methods[] = {
    {"slot", METHOD(runner_slot), METH_NOARGS, "The slot to be filled next."},
    {"submit", METHOD(runner_submit), METH_O, "Hands a filled slot over."},
    {"wait", METHOD(runner_wait), METH_NOARGS, "The next complete frame; None: submit or drain."},
    {"drain", METHOD(runner_drain), METH_NOARGS, "Ends the input."},
    {"_pass", METHOD(runner_pass), METH_VARARGS, NULL},
    {"close", METHOD(runner_close), METH_NOARGS, "Releases everything."},
    {0}};
static PyMemberDef runner_members[] = {
    {"_h", T_INT, offsetof(struct runner, out.h), READONLY, NULL},
    {"_w", T_INT, offsetof(struct runner, out.w), READONLY, NULL},
    {"_components", T_INT, offsetof(struct runner, components), READONLY, NULL},
    {"_sample", T_INT, offsetof(struct runner, sample), READONLY, NULL},
    {"_apart", T_BOOL, offsetof(struct runner, apart), READONLY, NULL},
    {"rows", T_OBJECT, offsetof(struct runner, rows), READONLY, "what stats measured, by plane"},
    {"slots", T_INT, offsetof(struct runner, slots), READONLY, "how many there are"},
    {"free", T_INT, offsetof(struct runner, free), READONLY, "how many can be filled now"},
    {0}};
static PyMethodDef slot_methods[] = {
    {"take", METHOD(slot_take), METH_O, "Copies the slot into an array of its shape."}, {0}};
static PyMethodDef functions[] = {{"devices", METHOD(list_devices), METH_NOARGS, NULL},
                                  {"open_device", METHOD(open_device), METH_VARARGS, NULL},
                                  {"filters", METHOD(list_filters), METH_NOARGS, NULL},
                                  {0}};

static PyType_Slot runner_slots[] = {
    {Py_tp_new, (void *)runner_new},           {Py_tp_dealloc, (void *)runner_free},
    {Py_tp_traverse, (void *)runner_traverse}, {Py_tp_methods, (void *)runner_methods},
    {Py_tp_members, (void *)runner_members},   {0}};
static PyType_Slot slot_slots[] = {{Py_tp_dealloc, (void *)slot_free},
                                   {Py_tp_methods, (void *)slot_methods},
                                   {Py_tp_traverse, (void *)slot_traverse},
                                   {Py_mp_ass_subscript, (void *)slot_assign},
                                   {Py_bf_getbuffer, (void *)slot_export},
                                   {Py_bf_releasebuffer, (void *)slot_released},
                                   {0}};
static PyType_Spec runner_spec = {"runnel._runnel.Runner", sizeof(struct runner), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                                  runner_slots};
static PyType_Spec slot_spec = {
    "runnel.Slot", sizeof(struct slot), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_HAVE_GC, slot_slots};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_runnel", .m_size = -1,
                                        .m_methods = functions};

PyMODINIT_FUNC PyInit__runnel(void);

PyMODINIT_FUNC PyInit__runnel(void)
{
    PyObject *module = PyModule_Create(&definition), *errors = PyImport_ImportModule("runnel");
    PyObject *runner_type = PyType_FromSpec(&runner_spec);
    error_class = errors ? PyObject_GetAttrString(errors, "Error") : NULL;
    slot_type = (PyTypeObject *)PyType_FromSpec(&slot_spec);
    if (!module || !error_class || PyModule_AddObjectRef(module, "Runner", runner_type) ||
        PyModule_AddObjectRef(module, "Slot", (PyObject *)slot_type) ||
        PyModule_AddStringConstant(module, "version", rn_version()))
        return NULL;
    rn_log_set_sink(keep_warning, NULL);
    return module;
}
