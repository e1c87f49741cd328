#include "io/dicom/stacks.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/bprint.h>
#include <libavutil/mem.h>

/* A last rule behind the marks of a place. */
enum { BY_NUMBER = RN_DICOM_MARKS, RULES };

static const char *const names[] = {
    [RN_DICOM_TEMPORAL] = "temporal position",
    [RN_DICOM_TRIGGER] = "trigger time",
    [RN_DICOM_B_VALUE] = "b-value",
    [RN_DICOM_ECHO] = "echo",
    [RN_DICOM_ACQUISITION] = "acquisition",
    [RN_DICOM_TYPE] = "image type",
    [BY_NUMBER] = "instance number",
};

#define MAX_PHASES 1000 /* comparing all pictures at a position takes quadratic time */

struct phases {
    double *value; /* of each picture: the value of the rule */
    int n;         /* phases; a picture's group is its phase, from 0 */
    int rule;      /* the attribute that tells phases apart */
};

static double value_of(const struct rn_dicom_picture *p, int rule)
{
    if (rule == BY_NUMBER)
        return p->file->head.has_number ? (double)p->file->head.number : (double)NAN;
    return p->place->mark[rule];
}

/* ---- image types as numbers */

static int by_text(const void *pa, const void *pb)
{
    return strcmp(*(const char *const *)pa, *(const char *const *)pb);
}

/* Sets the mark of each file to the index of its Image Type. */
static int number_types(struct rn_dicom_pictures *pictures)
{
    int n = 0;
    const char **type = av_malloc_array((size_t)pictures->n, sizeof *type);
    if (!type)
        return rn_fail_memory();
    for (int i = 0; i < pictures->n; i++)
        type[i] = pictures->list[i].file->head.type;
    qsort(type, (size_t)pictures->n, sizeof *type, by_text);
    for (int i = 0; i < pictures->n; i++)
        if (!n || strcmp(type[n - 1], type[i]) != 0)
            type[n++] = type[i];
    for (int i = 0; i < pictures->n; i++) {
        struct rn_dicom_file *file = pictures->list[i].file;
        const char *own = file->head.type;
        const char **at = bsearch(&own, type, (size_t)n, sizeof *type, by_text);
        double mark = *own && at ? (double)(at - type) + 1 : (double)NAN;
        if (!file->places)
            file->head.place.mark[RN_DICOM_TYPE] = mark;
    }
    av_free(type);
    return 0;
}

/* ---- pictures at one position */

/* Returns the index behind the pictures at the position of picture i. */
static int end_of(const struct rn_dicom_pictures *pictures, int i)
{
    int end = i + 1;
    while (end < pictures->n &&
           pictures->list[end].at - pictures->list[i].at <= RN_DICOM_SAME_PLACE)
        end++;
    return end;
}

static int most_at_one(const struct rn_dicom_pictures *pictures)
{
    int most = 0;
    for (int i = 0, end; i < pictures->n; i = end) {
        end = end_of(pictures, i);
        most = end - i > most ? end - i : most;
    }
    return most;
}

/* ---- phases at the same positions */

/* Returns how many of the pictures i..end - 1 have a smaller value than picture k; -1: k has no
 * value, or another has the same. */
static int rank_of(const struct rn_dicom_pictures *pictures, int i, int end, int k, int rule)
{
    double value = value_of(&pictures->list[k], rule);
    int rank = 0;
    if (isnan(value))
        return -1;
    for (; i < end; i++) {
        double other = value_of(&pictures->list[i], rule);
        if (i != k && !(other < value || other > value))
            return -1;
        rank += other < value;
    }
    return rank;
}

int rn_dicom_by_value(const void *pa, const void *pb)
{
    const double *a = pa, *b = pb;
    return *a < *b ? -1 : *a > *b;
}

/* Sorts the distinct values to the front and returns their number. */
static int distinct(double *value, int n)
{
    int kept = 0;
    qsort(value, (size_t)n, sizeof *value, rn_dicom_by_value);
    for (int i = 0; i < n; i++)
        if (!kept || value[i] > value[kept - 1])
            value[kept++] = value[i];
    return kept;
}

/* Returns the index of a value among the distinct ones. */
static int phase_of(const struct phases *ph, double value)
{
    const double *at = bsearch(&value, ph->value, (size_t)ph->n, sizeof value, rn_dicom_by_value);
    return at ? (int)(at - ph->value) : 0;
}

/* Numbers the phases by the rule. If each value is a phase, phases may lack slices. If values
 * differ from slice to slice, as times do, pictures are ranked at each position, and all positions
 * must have the same number. */
static bool split_by_rule(struct rn_dicom_pictures *pictures, int rule, struct phases *ph)
{
    bool full = true;
    int most = most_at_one(pictures);
    for (int i = 0, end; i < pictures->n; i = end) {
        end = end_of(pictures, i);
        full = full && end - i == most;
        for (int k = i; k < end; k++) {
            pictures->list[k].group = rank_of(pictures, i, end, k, rule);
            ph->value[k] = value_of(&pictures->list[k], rule);
            if (pictures->list[k].group < 0)
                return false;
        }
    }
    ph->rule = rule;
    ph->n = most;
    int n = distinct(ph->value, pictures->n);
    for (int k = 0; k < pictures->n && n == most; k++) /* each value is a phase */
        pictures->list[k].group = phase_of(ph, value_of(&pictures->list[k], rule));
    return n == most || full;
}

/* ---- phases that moved a little in between */

/* Returns true if all neighbours have the same distance. */
static bool is_even(const struct rn_dicom_pictures *pictures)
{
    const struct rn_dicom_picture *list = pictures->list;
    double mean = (list[pictures->n - 1].at - list[0].at) / (pictures->n - 1);
    for (int i = 1; i < pictures->n; i++)
        if (fabs(list[i].at - list[i - 1].at - mean) > 0.1 * mean)
            return false;
    return true;
}

/* Numbers the phases if few phases interleave at uneven distances: they are not one volume. */
static bool split_interleaved(struct rn_dicom_pictures *pictures, int rule, struct phases *ph)
{
    for (int k = 0; k < pictures->n; k++) {
        ph->value[k] = value_of(&pictures->list[k], rule);
        if (isnan(ph->value[k]))
            return false;
    }
    ph->rule = rule;
    ph->n = distinct(ph->value, pictures->n);
    for (int k = 0; k < pictures->n; k++)
        pictures->list[k].group = phase_of(ph, value_of(&pictures->list[k], rule));
    int changes = 0; /* as many as phases: one comes again after others, so their ranges overlap */
    for (int i = 1; i < pictures->n; i++)
        changes += pictures->list[i].group != pictures->list[i - 1].group;
    return ph->n > 1 && ph->n <= pictures->n / 3 && changes >= ph->n;
}

/* ---- selecting a phase */

static int refuse(const struct rn_dicom_pictures *pictures, const struct phases *ph, int err)
{
    AVBPrint text;
    av_bprint_init(&text, 0, AV_BPRINT_SIZE_UNLIMITED);
    for (int phase = 0; phase < ph->n; phase++) {
        const struct rn_dicom_picture *first = NULL;
        int n = 0;
        for (int i = 0; i < pictures->n; i++) {
            if (pictures->list[i].group != phase)
                continue;
            first = first ? first : &pictures->list[i];
            n++;
        }
        av_bprintf(&text, "%s  %d: ", phase ? "\n" : "", phase + 1);
        if (first && ph->rule == RN_DICOM_TYPE)
            av_bprintf(&text, "%s %s", names[ph->rule], first->file->head.type);
        else if (first)
            av_bprintf(&text, "%s %g", names[ph->rule], value_of(first, ph->rule));
        av_bprintf(&text, ", %d picture%s, '%s'...", n, n == 1 ? "" : "s",
                   first ? first->file->path : "");
    }
    rn_fail_lines(err, text.str,
                  "'%s' holds %d pictures at the same positions or between each other's, told "
                  "apart by their %s: choose with --time N",
                  pictures->input, ph->n, names[ph->rule]);
    av_bprint_finalize(&text, NULL);
    return err;
}

static int refuse_unknown(const struct rn_dicom_pictures *pictures)
{
    int i = 0, end;
    while ((end = end_of(pictures, i)) == i + 1)
        i = end;
    return rn_fail(RN_EINPUT,
                   "'%s' holds several pictures at the same positions, and nothing tells which "
                   "belong together, such as '%s' and '%s': name those that are meant with a glob",
                   pictures->input, pictures->list[i].file->path, pictures->list[i + 1].file->path);
}

/* Fails if time is given and there is nothing to choose. */
static int refuse_time(const struct rn_dicom_pictures *pictures, const char *time)
{
    if (!time)
        return 0;
    return rn_fail(RN_EUSAGE,
                   "--time: '%s' is one picture at each of its positions, or at a single one",
                   pictures->input);
}

static int take_phase(struct rn_dicom_pictures *pictures, const struct phases *ph, const char *time)
{
    long long number;
    if (!time)
        return refuse(pictures, ph, RN_EINPUT);
    if (!rn_number_whole(time, 1, ph->n, &number))
        return refuse(pictures, ph, RN_EUSAGE);
    rn_dicom_keep_group(pictures, (int)number - 1);
    return 0;
}

static int choose(struct rn_dicom_pictures *pictures, struct phases *ph, const char *time,
                  bool same_places)
{
    bool many = same_places && most_at_one(pictures) > MAX_PHASES;
    int err = number_types(pictures), rule = 0;
    int rules = many ? 0 : same_places ? RULES : BY_NUMBER;
    while (
        !err && rule < rules &&
        !(same_places ? split_by_rule(pictures, rule, ph) : split_interleaved(pictures, rule, ph)))
        rule++;
    if (err)
        return err;
    if (rule < rules)
        return take_phase(pictures, ph, time);
    return same_places ? refuse_unknown(pictures) : refuse_time(pictures, time);
}

int rn_dicom_choose_time_point(struct rn_dicom_pictures *pictures, const char *time)
{
    int most = pictures->placed ? most_at_one(pictures) : 1;
    bool one_each = most == 1, one_place = most == pictures->n;
    if (one_place || (one_each && (!pictures->placed || is_even(pictures))))
        return refuse_time(pictures, time);
    struct phases ph = {.value = av_calloc((size_t)pictures->n, sizeof *ph.value)};
    int err = ph.value ? choose(pictures, &ph, time, !one_each) : rn_fail_memory();
    av_free(ph.value);
    return err;
}
