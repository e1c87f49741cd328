/* SPDX-License-Identifier: MIT */
#include "io/dicom/series_internal.h"

#include "filters/base/log.h"
#include "io/common/read_at.h"

#include <limits.h>
#include <sys/stat.h>

#include <libavutil/mem.h>

static int by_number(const void *pa, const void *pb)
{
    const struct rn_dicom_picture *a = pa, *b = pb;
    const struct rn_dicom_header *h = &a->file->head, *o = &b->file->head;
    if (h->has_number && o->has_number && h->number != o->number)
        return h->number < o->number ? -1 : 1;
    return a->file_order - b->file_order;
}

static int by_position(const void *pa, const void *pb)
{
    const struct rn_dicom_picture *a = pa, *b = pb;
    int order = rn_dicom_by_value(&a->at, &b->at);
    return order ? order : by_number(a, b);
}

static void sort(struct rn_dicom_pictures *pictures)
{
    struct rn_dicom_picture *list = pictures->list;
    size_t n = (size_t)pictures->n;
    bool numbered = true;
    double normal[3], at = -INFINITY;
    rn_dicom_normal(list[0].place, normal);
    for (int i = 0; i < pictures->n; i++) {
        numbered = numbered && list[i].file->head.has_number;
        if (pictures->placed)
            list[i].at = rn_vol_dot(list[i].place->origin, normal);
    }
    if (pictures->placed) {
        qsort(list, n, sizeof *list, by_position);
        for (int i = 0; i < pictures->n; i++) { /* positions that differ by rounding become equal */
            at = list[i].at - at > RN_DICOM_SAME_PLACE ? list[i].at : at;
            list[i].at = at;
        }
    }
    if (pictures->placed || numbered) /* otherwise they stay in the order of their names */
        qsort(list, n, sizeof *list, pictures->placed ? by_position : by_number);
    rn_log(RN_LOG_DEBUG, "'%s': %d pictures in the order of their %s", pictures->input, pictures->n,
           pictures->placed ? "positions"
           : numbered       ? "instance numbers"
                            : "names");
}

static bool same_bytes(const char *a, const char *b)
{
    char of_a[4096], of_b[4096];
    RN_OWNED(rn_close_owned) int fa = open(a, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    RN_OWNED(rn_close_owned) int fb = open(b, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    bool same = fa >= 0 && fb >= 0;
    ssize_t n = 1;
    for (off_t at = 0; same && n > 0; at += n) {
        n = rn_io_read_all(fa, of_a, sizeof of_a, at);
        same = n >= 0 && n == rn_io_read_all(fb, of_b, sizeof of_b, at) &&
               !memcmp(of_a, of_b, (size_t)n);
    }
    return same;
}

/* A UID alone is not enough: some writers give several pictures the same one. Files of different
 * lengths may hold the same picture in different encodings. */
static bool is_duplicate(const struct rn_dicom_picture *a, const struct rn_dicom_picture *b)
{
    const struct rn_dicom_header *h = &a->file->head, *o = &b->file->head;
    const double *p = a->place->origin, *q = b->place->origin;
    struct stat of_a, of_b;
    if (a->file == b->file || a->frame != b->frame || !*h->instance ||
        strcmp(h->instance, o->instance) != 0 || h->number != o->number || h->frames != o->frames)
        return false;
    for (int i = 0; i < 3; i++)
        if (!(fabs(p[i] - q[i]) <= RN_DICOM_SAME_PLACE))
            return false;
    if (stat(a->file->path, &of_a) || stat(b->file->path, &of_b))
        return false;
    return of_a.st_size != of_b.st_size || same_bytes(a->file->path, b->file->path);
}

static int by_instance(const void *pa, const void *pb)
{
    const struct rn_dicom_picture *a = *(struct rn_dicom_picture *const *)pa;
    const struct rn_dicom_picture *b = *(struct rn_dicom_picture *const *)pb;
    int c = strcmp(a->file->head.instance, b->file->head.instance);
    if (!c && a->frame != b->frame)
        c = a->frame < b->frame ? -1 : 1;
    return c ? c : by_number(a, b);
}

static int drop_duplicates(struct rn_dicom_pictures *pictures)
{
    const struct rn_dicom_picture *first = NULL, *of = NULL;
    RN_OWNED(av_freep)
    struct rn_dicom_picture **sorted = av_malloc_array((size_t)pictures->n, sizeof *sorted);
    if (!sorted)
        return rn_fail_memory();
    for (int i = 0; i < pictures->n; i++) {
        sorted[i] = &pictures->list[i];
        sorted[i]->group = 0;
    }
    qsort(sorted, (size_t)pictures->n, sizeof *sorted, by_instance);
    int found = 0;
    for (int i = 1, original = 0; i < pictures->n; i++) {
        if (!is_duplicate(sorted[original], sorted[i])) {
            original = i;
            continue;
        }
        sorted[i]->group = 1;
        if (!found++) {
            first = sorted[i];
            of = sorted[original];
        }
    }
    if (!found)
        return 0;
    rn_log(RN_LOG_WARNING, "'%s': %d picture%s twice and %s read once: '%s' is '%s'",
           pictures->input, found, found > 1 ? "s are there" : " is there",
           found > 1 ? "are" : "is", first->file->path, of->file->path);
    rn_dicom_keep_group(pictures, 0);
    return 0;
}

/* Returns the median distance of slices; 0: too few slices. */
static double usual_distance(const struct rn_dicom_pictures *pictures)
{
    int n = pictures->n - 1;
    RN_OWNED(av_freep)
    double *distance = n > 1 ? av_malloc_array((size_t)n, sizeof *distance) : NULL;
    if (!distance)
        return 0;
    for (int i = 0; i < n; i++)
        distance[i] = pictures->list[i + 1].at - pictures->list[i].at;
    qsort(distance, (size_t)n, sizeof *distance, rn_dicom_by_value);
    return distance[(n - 1) / 2];
}

/* Finds missing slices where the distance to the previous one is too large. Warns of uneven
 * distances, and of those that contradict headers. Returns false if slices have none. */
static bool find_gaps(struct rn_dicom_pictures *pictures)
{
    double usual = pictures->placed ? usual_distance(pictures) : 0, least = usual, most = usual;
    if (!(usual > 0))
        return false;
    for (int i = 1; i < pictures->n; i++) {
        struct rn_dicom_picture *p = &pictures->list[i];
        double distance = p->at - pictures->list[i - 1].at;
        if (distance > 1.5 * usual) {
            p->missing = (int)fmin(rint(distance / usual) - 1, 1e6);
            continue;
        }
        least = fmin(least, distance);
        most = fmax(most, distance);
    }
    double declared = pictures->list[0].file->head.between;
    if (most - least > 0.1 * most)
        rn_log(RN_LOG_WARNING,
               "'%s': neighbouring slices are %g to %g mm apart, not always the same",
               pictures->input, least, most);
    else if (declared > 0 && least > 1.5 * declared)
        rn_log(RN_LOG_WARNING,
               "'%s': slices are %g mm apart, and the headers say %g: are there more of them "
               "elsewhere?",
               pictures->input, least, declared);
    return true;
}

/* ---- Instance Numbers of pictures without positions, or at a single one */

/* Returns the common step of Instance Numbers: a series may begin at any number and count by any
 * step. 0: no common step, so gaps do not mean missing pictures. */
static long common_step(const struct rn_dicom_pictures *pictures)
{
    long usual = LONG_MAX;
    int regular = 0, n = pictures->n - 1;
    for (int i = 0; i <= n; i++) {
        const struct rn_dicom_header *h = &pictures->list[i].file->head;
        if (!h->has_number || h->frames > 1 || h->number > INT32_MAX || h->number < INT32_MIN)
            return 0;
        long step = i ? h->number - pictures->list[i - 1].file->head.number : LONG_MAX;
        if (step <= 0)
            return 0;
        usual = step < usual ? step : usual;
    }
    for (int i = 1; i <= n; i++) {
        long step = pictures->list[i].file->head.number - pictures->list[i - 1].file->head.number;
        if (step % usual)
            return 0;
        regular += step == usual;
    }
    return regular >= 2 && regular >= 2 * (n - regular) ? usual : 0;
}

/* Counts pictures of the series outside this stack whose numbers lie between a and b. */
static int count_others(const struct rn_dicom_file_list *files, const struct rn_dicom_header *a,
                        const struct rn_dicom_header *b, long step)
{
    int n = 0;
    for (int i = 0; i < files->n; i++) {
        const struct rn_dicom_header *h = &files->file[i].head;
        n += h->has_number && !strcmp(h->series, a->series) && h->number > a->number &&
             h->number < b->number && (h->number - a->number) % step == 0;
    }
    return n;
}

/* A gap larger than the series is no loss of pictures: a new block of numbers begins. */
static void find_number_gaps(struct rn_dicom_pictures *pictures,
                             const struct rn_dicom_file_list *files)
{
    long step = pictures->n > 2 ? common_step(pictures) : 0;
    for (int i = 1; step && i < pictures->n; i++) {
        struct rn_dicom_picture *p = &pictures->list[i];
        const struct rn_dicom_header *a = &p[-1].file->head, *b = &p->file->head;
        long gap = (b->number - a->number) / step - 1;
        if (gap > pictures->n)
            rn_log(RN_LOG_WARNING,
                   "'%s': instance numbers go from %ld to %ld: pictures may be missing between",
                   pictures->input, a->number, b->number);
        else if (gap > 0)
            p->missing = (int)gap - count_others(files, a, b, step);
        p->missing = p->missing < 0 ? 0 : p->missing;
    }
}

int rn_dicom_sort_pictures(struct rn_dicom_pictures *pictures,
                           const struct rn_dicom_file_list *files, const char *time)
{
    sort(pictures);
    int err = drop_duplicates(pictures);
    err = err ? err : rn_dicom_choose_time_point(pictures, time);
    if (err)
        return err;
    struct rn_dicom_pictures first = *pictures; /* of one time: each lacks the same slices */
    const int slices = pictures->n / pictures->times;
    first.n = slices > 1 ? slices : pictures->n;
    if (!find_gaps(&first))
        find_number_gaps(&first, files);
    for (int i = slices; slices > 1 && i < pictures->n; i++)
        pictures->list[i].missing += i % slices ? pictures->list[i % slices].missing : 0;
    return 0;
}
