#include "io/dicom/worker.h"
#include "io/dicom/file.h"

#include "filters/base/err.h"
#include "filters/base/image.h"
#include "filters/base/log.h"
#include "filters/base/path.h"
#include "io/pixels/convert.h"
#include "io/read/names.h"
#include "io/read/packets.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

/* ---- which inputs these are */

static bool has_dicom_name(const char *path)
{
    return av_match_ext(path, "dcm,dicom,ima");
}

/* "DICM" behind 128 bytes of anything. Files of before 1993 lack it: those go by their name. 1, 0,
 * or -1 if it cannot be told (errno). */
static int is_dicom(const char *path)
{
    struct stat st;
    char magic[132];
    int found = rn_path_look(path, &st);
    if (found <= 0 || !S_ISREG(st.st_mode))
        return found < 0 ? -1 : 0;
    FILE *f = fopen(path, "rb");
    bool whole = f && fread(magic, 1, sizeof magic, f) == sizeof magic;
    bool failed = !f || ferror(f);
    int cause = errno;
    if (f)
        fclose(f);
    errno = cause;
    if (failed)
        return -1;
    return (whole && !memcmp(magic + 128, "DICM", 4)) || (st.st_size > 0 && has_dicom_name(path));
}

/* The same, where one that cannot be read is for the reader of its name to say so. */
static bool looks_like_dicom(const char *path)
{
    int is = is_dicom(path);
    return is > 0 || (is < 0 && has_dicom_name(path));
}

/* A folder with images of other kinds is not a series: those are read then. */
static bool is_series(const char *folder)
{
    DIR *dir = opendir(folder);
    bool some = false, others = false;
    for (struct dirent *e; dir && !others && (e = readdir(dir));) {
        char *path = av_asprintf("%s/%s", folder, e->d_name);
        if (path && e->d_name[0] != '.') {
            some = some || looks_like_dicom(path);
            others = rn_name_is_image(e->d_name);
        }
        av_free(path);
    }
    if (dir)
        closedir(dir);
    return some && !others;
}

bool rn_dicom_match(const char *input)
{
    struct stat st;
    int found = rn_path_look(input, &st);
    if (found)
        return found > 0 && S_ISDIR(st.st_mode) ? is_series(input) : looks_like_dicom(input);
    return has_dicom_name(input) && strpbrk(input, "*?[%");
}

#ifndef RN_HAVE_GDCM

int rn_dicom_open(struct rn_packets **packets, const char *input, const struct rn_source_opts *opts,
                  atomic_bool *stop)
{
    (void)packets, (void)opts, (void)stop;
    return rn_fail(RN_EINPUT,
                   "'%s' is DICOM, which this runnel was built without: install the packages "
                   "libgdcm-dev and g++, then build it again",
                   input);
}

#else

/* One file. Its pictures follow each other. */
struct slice {
    const char *path; /* of series.names */
    struct rn_dicom_header head;
    int first; /* index of its first picture */
    dev_t dev;
    ino_t ino;
    bool bad;  /* counted already */
    bool like; /* has what most have in common */
};

struct series {
    struct rn_packets base;
    const char *input;
    bool folder;
    struct rn_names names;
    struct slice *slice; /* in the order of the space */
    int nslices, n;      /* files; pictures */
    int begin, end, next;
    struct rn_dicom_header like; /* what all pictures have in common, and their scale */
    enum AVPixelFormat fmt;
    int depth, bits; /* of a sample; those of them that are used */
    struct rn_dicom_worker *worker;
    const uint8_t *pixels; /* of slice `loaded`: the worker's */
    int loaded;
    bool scaled; /* the files have scales of their own, and samples are converted to one */
    AVCodecParameters *par;
    atomic_bool *stop;
};

/* ---- the files */

static int list_files(struct series *s)
{
    struct rn_pattern pattern;
    struct stat st;
    int err = 0, found = rn_path_look(s->input, &st);
    s->folder = found > 0 && S_ISDIR(st.st_mode);
    if (found < 0) {
        err = rn_fail(RN_EINPUT, "cannot look at '%s': %s", s->input, strerror(errno));
    } else if (s->folder) {
        err = rn_names_of_folder(s->input, true, &s->names);
    } else if (found) {
        err = rn_names_of_file(s->input, &s->names);
    } else if (rn_is_pattern(s->input)) {
        err = rn_pattern_parse(s->input, &pattern) ? rn_names_of_pattern(&pattern, &s->names)
                                                   : rn_fail_memory();
        rn_pattern_free(&pattern);
    } else {
        err = rn_names_of_glob(s->input, &s->names);
    }
    if (!err && !s->names.n)
        err = rn_fail(RN_EINPUT, "no DICOM file is named '%s'", s->input);
    return err;
}

static void mark_bad(struct series *s, const char *path, int pictures, const char *why)
{
    s->base.corrupt += pictures;
    rn_damage_note(&s->base.damage, "'%s' %s", path, why);
}

static void take_entry(struct series *s, const char *path, struct rn_dicom_entry *entry)
{
    struct stat st;
    if (entry->result == RN_DICOM_UNREADABLE)
        mark_bad(s, path, 1, entry->why);
    if (entry->result != RN_DICOM_OK)
        return;
    if (!rn_dicom_can_hold(path, &entry->header)) {
        entry->result = RN_DICOM_UNREADABLE;
        snprintf(entry->why, sizeof entry->why, "says that it holds %d pictures, which it cannot",
                 entry->header.frames);
        mark_bad(s, path, 1, entry->why);
        return;
    }
    struct slice *slice = &s->slice[s->nslices++];
    slice->path = path;
    slice->head = entry->header;
    if (rn_path_look(path, &st) > 0) {
        slice->dev = st.st_dev;
        slice->ino = st.st_ino;
    } else { /* it might be written over */
        s->nslices--;
        mark_bad(s, path, 1, "cannot be looked at");
    }
}

/* Reads all headers. In a folder there may be other things beside the pictures. */
static int read_headers(struct series *s)
{
    int n = 0;
    char why[120] = "is no DICOM file", cannot[120];
    for (int i = 0; i < s->names.n; i++) { /* the others stay behind the end, to be freed */
        char *path = s->names.path[i];
        int is = is_dicom(path);
        if (is < 0 && !has_dicom_name(path)) { /* else its reader says so */
            snprintf(cannot, sizeof cannot, "cannot be read: %s", strerror(errno));
            mark_bad(s, path, 1, cannot);
        }
        if (is < 0 ? !has_dicom_name(path) : !is)
            continue;
        s->names.path[i] = s->names.path[n];
        s->names.path[n++] = path;
    }
    s->slice = av_calloc((size_t)n + 1, sizeof *s->slice);
    int err = s->slice ? rn_dicom_worker_start(&s->worker) : rn_fail_memory();
    for (int i = 0; i < n && !err; i++) {
        struct rn_dicom_entry entry;
        rn_dicom_describe(s->worker, s->names.path[i], &entry);
        take_entry(s, s->names.path[i], &entry);
        if (entry.result != RN_DICOM_OK && !s->nslices)
            snprintf(why, sizeof why, "%s", entry.why);
    }
    if (!err && !s->nslices)
        err = rn_fail(RN_EINPUT, "'%s' %s%s", s->input, s->folder ? "has no picture; a file " : "",
                      why);
    return err;
}

/* Two acquisitions have no common order. */
static int check_series(const struct series *s)
{
    for (int i = 1; i < s->nslices; i++)
        if (strcmp(s->slice[i].head.series, s->slice[0].head.series) != 0)
            return rn_fail(RN_EINPUT,
                           "'%s' holds several series, '%s' and '%s' are of different ones; name "
                           "the files of one with a glob",
                           s->input, s->slice[0].path, s->slice[i].path);
    return 0;
}

static bool alike(const struct rn_dicom_header *a, const struct rn_dicom_header *b)
{
    return a->w == b->w && a->h == b->h && a->colours == b->colours && a->bits == b->bits &&
           a->is_signed == b->is_signed && a->is_inverted == b->is_inverted;
}

/* Most files say what all are, as a scout or a report in pictures may come first. */
static int choose_like(struct series *s)
{
    int kinds = 0, most = 0;
    struct kind {
        int slice, n;
    } *kind = av_calloc((size_t)s->nslices, sizeof *kind);
    if (!kind)
        return rn_fail_memory();
    for (int i = 0, k; i < s->nslices; i++) {
        for (k = 0; k < kinds && !alike(&s->slice[kind[k].slice].head, &s->slice[i].head);)
            k++;
        if (k == kinds)
            kind[kinds++].slice = i;
        kind[k].n++;
    }
    for (int k = 1; k < kinds; k++)
        most = kind[k].n > kind[most].n ? k : most;
    s->like = s->slice[kind[most].slice].head;
    for (int i = 0; i < s->nslices; i++)
        s->slice[i].like = alike(&s->slice[i].head, &s->like);
    av_free(kind);
    return 0;
}

/* What will be left out has its position on another axis. */
static int by_position(const void *pa, const void *pb)
{
    const struct slice *a = pa, *b = pb;
    if (a->like != b->like)
        return a->like ? -1 : 1;
    if (a->head.position < b->head.position || a->head.position > b->head.position)
        return a->head.position < b->head.position ? -1 : 1;
    if (a->head.number != b->head.number)
        return a->head.number < b->head.number ? -1 : 1;
    return a->first - b->first;
}

static int by_number(const void *pa, const void *pb)
{
    const struct slice *a = pa, *b = pb;
    if (a->head.number != b->head.number)
        return a->head.number < b->head.number ? -1 : 1;
    return a->first - b->first;
}

static bool parallel(const double a[3], const double b[3])
{
    double d = 0;
    for (int i = 0; i < 3; i++)
        d += a[i] * b[i];
    return d > 0.999; /* unit vectors */
}

/* A slice that lies further from the one before than others do lacks its neighbour. */
static void check_spacing(const struct series *s)
{
    double least = INFINITY;
    for (int i = 1; i < s->nslices && s->slice[i].like; i++) {
        double d = s->slice[i].head.position - s->slice[i - 1].head.position;
        least = d > 1e-3 && d < least ? d : least;
    }
    for (int i = 1; i < s->nslices && s->slice[i].like; i++) {
        double d = s->slice[i].head.position - s->slice[i - 1].head.position;
        if (d > 1.5 * least) {
            rn_log(RN_LOG_WARNING,
                   "between '%s' and '%s' are %g mm, elsewhere %g: slices may be "
                   "missing",
                   s->slice[i - 1].path, s->slice[i].path, d, least);
            return;
        }
    }
}

/* By position in space where all files have one, else by Instance Number, else by name. */
static int sort_slices(struct series *s)
{
    bool position = true, number = true;
    for (int i = 0; i < s->nslices; i++) {
        const struct rn_dicom_header *h = &s->slice[i].head;
        s->slice[i].first = i;
        if (s->slice[i].like)
            position = position && h->has_position && parallel(h->normal, s->like.normal);
        number = number && h->has_number;
    }
    if (position || number)
        qsort(s->slice, (size_t)s->nslices, sizeof *s->slice, position ? by_position : by_number);
    if (position)
        check_spacing(s);
    rn_log(RN_LOG_DEBUG, "'%s': %d files in the order of their %s", s->input, s->nslices,
           position ? "positions"
           : number ? "instance numbers"
                    : "names");
    int64_t n = 0;
    for (int i = 0; i < s->nslices && n <= INT32_MAX; i++) {
        s->slice[i].first = (int)n;
        n += s->slice[i].head.frames;
    }
    if (n > INT32_MAX)
        return rn_fail(RN_EINPUT, "'%s' holds more than %d pictures", s->input, INT32_MAX);
    s->n = (int)n;
    return 0;
}

/* ---- samples */

/* The depth that holds so many bits as they are. */
static int depth_for(int bits)
{
    return bits <= 8 ? 8 : bits == 11 ? 12 : bits == 13 ? 14 : bits == 15 ? 16 : bits;
}

static bool same_scale(const struct rn_dicom_header *a, const struct rn_dicom_header *b)
{
    return a->slope == b->slope && a->intercept == b->intercept;
}

/* What is done to the values, for people: with it, sample values can be read as they were meant. */
static void tell_scale(const struct series *s)
{
    if (s->scaled)
        return; /* done already */
    const struct rn_dicom_header *h = &s->like;
    char stored[64] = "", rescaled[96] = "";
    int half = 1 << (h->bits - 1), max = 2 * half - 1;
    if (h->is_signed && h->is_inverted)
        snprintf(stored, sizeof stored, "stored value = %d - sample", half - 1);
    else if (h->is_inverted)
        snprintf(stored, sizeof stored, "stored value = %d - sample", max);
    else if (h->is_signed)
        snprintf(stored, sizeof stored, "stored value = sample - %d", half);
    if (h->slope < 1 || h->slope > 1 || h->intercept < 0 || h->intercept > 0)
        snprintf(rescaled, sizeof rescaled, "rescaled value = %g * stored value %+g", h->slope,
                 h->intercept);
    if (*stored || *rescaled)
        rn_log(RN_LOG_INFO, "'%s': %s%s%s", s->input, stored, *stored && *rescaled ? "; " : "",
               rescaled);
}

/* What the rescaled values of all files are, as their headers tell, and their steps. */
struct span {
    double least, most, finest, coarsest;
};

static struct span span_of(const struct series *s)
{
    struct span span = {INFINITY, -INFINITY, INFINITY, 0};
    int values = 1 << s->like.bits, least = s->like.is_signed ? -values / 2 : 0;
    for (int i = 0; i < s->nslices; i++) {
        const struct rn_dicom_header *h = &s->slice[i].head;
        if (!s->slice[i].like)
            continue;
        double a = h->slope * least + h->intercept, step = fabs(h->slope);
        double b = h->slope * (least + values - 1) + h->intercept;
        span.least = fmin(span.least, fmin(a, b));
        span.most = fmax(span.most, fmax(a, b));
        span.finest = step > 0 ? fmin(span.finest, step) : span.finest;
        span.coarsest = fmax(span.coarsest, step);
    }
    return span;
}

static bool is_whole(double x)
{
    return fabs(x - rint(x)) < 1e-6;
}

/* Do all stored values become samples without rounding? */
static bool is_exact(const struct series *s)
{
    bool exact = true;
    for (int i = 0; i < s->nslices && exact; i++) {
        const struct rn_dicom_header *h = &s->slice[i].head;
        exact = !s->slice[i].like || (is_whole(h->slope / s->like.slope) &&
                                      is_whole((h->intercept - s->like.intercept) / s->like.slope));
    }
    return exact;
}

/* Where files have scales of their own, one that holds the values of all: with the finest of their
 * steps if 16 bits suffice for that, else with the coarsest, else with that of 16 bits. */
static void choose_scale(struct series *s)
{
    enum { MOST = 0xFFFF };
    const double hair = 1e-6; /* steps are read from decimals */
    bool differ = false;
    s->bits = s->like.bits;
    for (int i = 0; i < s->nslices && s->like.colours == 1; i++)
        differ = differ || (s->slice[i].like && !same_scale(&s->slice[i].head, &s->like));
    if (!differ)
        return;
    struct span span = span_of(s);
    double width = span.most - span.least, step = span.finest;
    bool fits = width / step <= MOST + hair;
    if (!fits)
        step = fmax(span.coarsest, width / MOST);
    if (!isfinite(width) || !isfinite(step)) {
        rn_log(RN_LOG_WARNING,
               "'%s': the files have scales that have nothing in common; stored values are kept",
               s->input);
        return;
    }
    s->scaled = true;
    s->like.slope = step;
    s->like.intercept = span.least;
    for (s->bits = 1; (1 << s->bits) - 1 < width / step - hair;)
        s->bits++;
    double sign = s->like.is_inverted ? -1 : 1;
    double offset = span.least + (s->like.is_inverted ? step * ((1 << s->bits) - 1) : 0);
    rn_log(RN_LOG_WARNING,
           "'%s': the files have scales of their own; all are converted to one%s: rescaled value = "
           "%g * sample %+g",
           s->input,
           !fits          ? ", rounded, as 16 bits cannot hold them all"
           : !is_exact(s) ? ", rounded"
                          : "",
           sign * step, offset);
}

static int choose_format(struct series *s)
{
    choose_scale(s);
    s->depth = s->like.colours == 3 ? 8 : depth_for(s->bits);
    struct rn_format fmt = {.model = RN_GRAY, .depth = s->depth};
    s->fmt = s->like.colours == 3 ? AV_PIX_FMT_RGB24 : rn_format_to_av(&fmt);
    if (s->like.w > RN_MAX_SIDE || s->like.h > RN_MAX_SIDE ||
        (int64_t)s->like.w * s->like.h * (s->depth > 8 ? 2 : 3) > INT32_MAX / 2)
        return rn_fail(RN_EINPUT, "'%s': pictures of %dx%d are too large", s->input, s->like.w,
                       s->like.h);
    if (s->like.colours == 1)
        tell_scale(s);
    s->par = avcodec_parameters_alloc();
    if (!s->par)
        return rn_fail_memory();
    s->par->codec_type = AVMEDIA_TYPE_VIDEO;
    s->par->codec_id = AV_CODEC_ID_RAWVIDEO;
    s->par->format = s->fmt;
    s->par->width = s->like.w;
    s->par->height = s->like.h;
    s->base.par = s->par;
    if (s->like.pixel_w > 0)
        s->base.aspect = av_d2q(s->like.pixel_w / s->like.pixel_h, 1 << 16);
    return 0;
}

/* The stored value: sign and all, without what stands in the other bits. */
static int stored_value(const struct rn_dicom_header *h, unsigned raw)
{
    unsigned v = raw & ((1u << h->bits) - 1);
    bool negative = h->is_signed && v >> (h->bits - 1);
    return negative ? (int)v - (1 << h->bits) : (int)v;
}

static int convert_value(const struct series *s, const struct rn_dicom_header *h, unsigned raw)
{
    int v = stored_value(h, raw), max = (1 << s->bits) - 1;
    if (s->scaled) {
        double x = (h->slope * v + h->intercept - s->like.intercept) / s->like.slope;
        v = (int)rint(fmin(fmax(x, 0), max)); /* all fit: the bounds are for what is no number */
    } else if (s->like.is_signed) {
        v += 1 << (s->like.bits - 1);
    }
    return s->like.is_inverted ? max - v : v;
}

static void convert_picture(const struct series *s, const struct rn_dicom_header *h,
                            const uint8_t *from, uint8_t *to)
{
    size_t n = (size_t)h->w * (size_t)h->h * (size_t)h->colours;
    if (h->colours == 3) {
        memcpy(to, from, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        unsigned raw = h->bytes == 1 ? from[i] : ((const uint16_t *)(const void *)from)[i];
        int v = convert_value(s, h, raw);
        if (s->depth == 8)
            to[i] = (uint8_t)v;
        else
            ((uint16_t *)(void *)to)[i] = (uint16_t)v;
    }
}

/* ---- reading */

/* Room for the largest file that is not left out. */
static int reserve_memory(struct series *s)
{
    size_t size = 0;
    for (int i = 0; i < s->nslices; i++)
        if (s->slice[i].like)
            size = FFMAX(size, rn_dicom_size(&s->slice[i].head));
    return rn_dicom_worker_reserve(s->worker, size);
}

static int slice_of(const struct series *s, int picture)
{
    int lo = 0, hi = s->nslices - 1;
    while (lo < hi) {
        int mid = lo + (hi - lo + 1) / 2;
        if (s->slice[mid].first <= picture)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

static bool check_like(const struct series *s, const struct slice *slice, char *why, size_t size)
{
    const struct rn_dicom_header *a = &s->like, *h = &slice->head;
    if (slice->like)
        return true;
    snprintf(why, size, "is left out: it is %dx%d of %d bits%s, others are %dx%d of %d bits%s",
             h->w, h->h, h->bits, h->is_signed ? " with sign" : "", a->w, a->h, a->bits,
             a->is_signed ? " with sign" : "");
    return false;
}

static bool load(struct series *s, int i)
{
    struct slice *slice = &s->slice[i];
    char why[200] = "is cut off at its end";
    if (s->loaded == i)
        return s->pixels != NULL;
    s->pixels = NULL;
    s->loaded = i;
    if (check_like(s, slice, why, sizeof why) && rn_dicom_is_complete(slice->path))
        s->pixels = rn_dicom_decode(s->worker, slice->path, &slice->head, s->stop, why, sizeof why);
    if (s->pixels)
        return true;
    if (atomic_load(s->stop)) {
        s->loaded = -1; /* it may be good */
        return false;
    }
    int first = slice->first, end = first + slice->head.frames;
    if (!slice->bad)
        mark_bad(s, slice->path, FFMIN(end, s->end) - FFMAX(first, s->begin), why);
    slice->bad = true;
    return false;
}

static int series_next(struct rn_packets *p, AVPacket *pkt)
{
    struct series *s = (struct series *)p;
    while (s->next < s->end && !atomic_load(s->stop)) {
        int picture = s->next++, i = slice_of(s, picture);
        if (!load(s, i)) { /* none of its pictures will do better */
            s->next = s->slice[i].first + s->slice[i].head.frames;
            continue;
        }
        const struct rn_dicom_header *h = &s->slice[i].head;
        size_t samples = (size_t)h->w * (size_t)h->h * (size_t)h->colours;
        if (av_new_packet(pkt, (int)(samples * (s->depth > 8 ? 2 : 1))) < 0)
            return rn_fail_memory();
        size_t frame = (size_t)(picture - s->slice[i].first);
        convert_picture(s, h, s->pixels + frame * samples * (size_t)h->bytes, pkt->data);
        pkt->pts = pkt->dts = picture;
        pkt->duration = 1;
        pkt->flags |= AV_PKT_FLAG_KEY;
        return 0;
    }
    return RN_END;
}

static int series_seek(struct rn_packets *p, int64_t target, bool again)
{
    struct series *s = (struct series *)p;
    if (again)
        return RN_END;
    s->next = target >= s->end ? s->end : target < s->begin ? s->begin : (int)target;
    return 0;
}

static void series_finish(struct rn_packets *p)
{
    (void)p;
}

static const char *series_name(const struct rn_packets *p, int64_t pts, int64_t *number)
{
    const struct series *s = (const struct series *)p;
    *number = -1;
    return s->slice[slice_of(s, (int)pts)].path;
}

static int64_t series_index(const struct rn_packets *p, int64_t pts)
{
    (void)p;
    return pts;
}

static bool series_is_file(const struct rn_packets *p, const struct stat *st)
{
    const struct series *s = (const struct series *)p;
    for (int i = 0; i < s->nslices; i++)
        if (s->slice[i].dev == st->st_dev && s->slice[i].ino == st->st_ino)
            return true;
    return false;
}

static void series_close(struct rn_packets *p)
{
    struct series *s = (struct series *)p;
    rn_dicom_worker_stop(&s->worker);
    av_freep(&s->slice);
    rn_names_free(&s->names);
    avcodec_parameters_free(&s->par);
    rn_frame_data_destroy(&p->data);
    av_free(s);
}

static const struct rn_packets_ops series_ops = {
    .next = series_next,
    .finish = series_finish,
    .name = series_name,
    .seek = series_seek,
    .index = series_index,
    .is_file = series_is_file,
    .close = series_close,
};

int rn_dicom_open(struct rn_packets **packets, const char *input, const struct rn_source_opts *opts,
                  atomic_bool *stop)
{
    struct series *s = av_mallocz(sizeof *s);
    if (!s)
        return rn_fail_memory();
    s->input = input;
    s->stop = stop;
    s->loaded = -1;
    rn_indexed_begin(&s->base, &series_ops, opts);
    int err = s->base.data ? 0 : rn_fail_memory();
    if (err || (err = list_files(s)) != 0 || (err = read_headers(s)) != 0 ||
        (err = check_series(s)) != 0 || (err = choose_like(s)) != 0 || (err = sort_slices(s)) != 0)
        goto fail;
    err = rn_indexed_range(&s->base, opts, s->n, "pictures", &s->begin, &s->end);
    s->next = s->begin;
    if (!err)
        err = choose_format(s);
    if (!err)
        err = reserve_memory(s);
    if (err)
        goto fail;
    *packets = &s->base;
    return 0;
fail:
    series_close(&s->base);
    return err;
}

#endif
