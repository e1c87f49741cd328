/* SPDX-License-Identifier: MIT */
#include "io/dicom/series_internal.h"

#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "io/common/av.h"

/* A last rule behind the marks of a place. */
enum { BY_NUMBER = RN_DICOM_MARKS, RULES };

static const char *const names[] = {
    [RN_DICOM_TEMPORAL] = "temporal position",
    [RN_DICOM_TRIGGER] = "trigger time",
    [RN_DICOM_B_VALUE] = "b-value",
    [RN_DICOM_ECHO] = "echo",
    [RN_DICOM_ECHO_TIME] = "echo time",
    [RN_DICOM_ACQUISITION] = "acquisition",
    [RN_DICOM_ACQUISITION_TIME] = "acquisition time",
    [RN_DICOM_TYPE] = "image type",
    [BY_NUMBER] = "instance number",
};

struct phases {
    double *value; /* of each picture; then the distinct ones, ascending */
    int n;         /* phases; a picture's group is its phase, from 0 */
    int rule;      /* the attribute that tells phases apart */
};

static bool is_echo(int rule)
{
    return rule == RN_DICOM_ECHO || rule == RN_DICOM_ECHO_TIME;
}

/* Pictures that the rule tells apart are read as a whole, unasked. */
static bool is_time(int rule)
{
    return is_echo(rule) || rule == RN_DICOM_TEMPORAL || rule == RN_DICOM_TRIGGER ||
           rule == RN_DICOM_ACQUISITION || rule == RN_DICOM_ACQUISITION_TIME;
}

static double value_of(const struct rn_dicom_picture *p, int rule)
{
    if (rule == BY_NUMBER)
        return p->file->head.has_number ? (double)p->file->head.number : (double)NAN;
    return p->place->mark[rule];
}

static int by_text(const void *pa, const void *pb)
{
    return strcmp(*(const char *const *)pa, *(const char *const *)pb);
}

/* Sets the mark of each file to the index of its Image Type. */
static int number_types(struct rn_dicom_pictures *pictures)
{
    int n = 0;
    RN_OWNED(av_freep) const char **type = av_malloc_array((size_t)pictures->n, sizeof *type);
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

static int by_place_and_value(const void *pa, const void *pb)
{
    const struct rn_dicom_picture *a = pa, *b = pb;
    int order = rn_dicom_by_value(&a->at, &b->at);
    return order ? order : rn_dicom_by_value(&a->value, &b->value);
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

static int phase_of(const struct phases *ph, double value)
{
    const double *at = bsearch(&value, ph->value, (size_t)ph->n, sizeof value, rn_dicom_by_value);
    return at ? (int)(at - ph->value) : 0;
}

/* Sets the values of the rule. Returns false if a picture has none. */
static bool take_values(struct rn_dicom_pictures *pictures, int rule, struct phases *ph)
{
    ph->rule = rule;
    for (int k = 0; k < pictures->n; k++)
        ph->value[k] = pictures->list[k].value = value_of(&pictures->list[k], rule);
    for (int k = 0; k < pictures->n; k++)
        if (isnan(ph->value[k]))
            return false;
    return true;
}

/* Numbers the phases of positions that lack some by the ranges that values have at the others: a
 * time ends before the next begins. Returns false if ranges overlap. */
static bool split_by_ranges(struct rn_dicom_pictures *pictures, struct phases *ph)
{
    RN_OWNED(av_freep) double *low = av_malloc_array((size_t)ph->n, 2 * sizeof *low);
    double *high = low + ph->n;
    bool apart = low != NULL;
    for (int k = 0; apart && k < ph->n; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0, end; apart && i < pictures->n; i = end) {
        end = end_of(pictures, i);
        for (int k = i; k < end && end - i == ph->n; k++) {
            low[k - i] = fmin(low[k - i], pictures->list[k].value);
            high[k - i] = fmax(high[k - i], pictures->list[k].value);
        }
    }
    for (int k = 1; apart && k < ph->n; k++) {
        apart = high[k - 1] < low[k];
        low[k - 1] = (high[k - 1] + low[k]) / 2; /* the border */
    }
    for (int k = 0; apart && k < pictures->n; k++) {
        struct rn_dicom_picture *p = &pictures->list[k];
        for (p->group = 0; p->group < ph->n - 1 && p->value > low[p->group];)
            p->group++;
        apart = !k || p[-1].at < p->at || p[-1].group < p->group;
    }
    return apart;
}

/* Numbers the phases by the rule. If each value is a phase, phases may lack slices. If values
 * differ from slice to slice, as times do, pictures are ranked at each position. */
static bool split_by_rule(struct rn_dicom_pictures *pictures, int rule, struct phases *ph)
{
    bool full = true;
    if (!take_values(pictures, rule, ph))
        return false;
    qsort(pictures->list, (size_t)pictures->n, sizeof *pictures->list, by_place_and_value);
    ph->n = most_at_one(pictures);
    for (int i = 0, end; i < pictures->n; i = end) {
        end = end_of(pictures, i);
        full = full && end - i == ph->n;
        for (int k = i; k < end; k++) {
            pictures->list[k].group = k - i;
            if (k > i && !(pictures->list[k].value > pictures->list[k - 1].value))
                return false;
        }
    }
    int n = distinct(ph->value, pictures->n), most = ph->n;
    for (int k = 0; k < pictures->n && n == most; k++) /* each value is a phase */
        pictures->list[k].group = phase_of(ph, pictures->list[k].value);
    return n == most || full || split_by_ranges(pictures, ph);
}

/* ---- phases that moved a little in between */

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
    if (!take_values(pictures, rule, ph))
        return false;
    ph->n = distinct(ph->value, pictures->n);
    for (int k = 0; k < pictures->n; k++)
        pictures->list[k].group = phase_of(ph, pictures->list[k].value);
    int changes = 0; /* as many as phases: one comes again after others, so their ranges overlap */
    for (int i = 1; i < pictures->n; i++)
        changes += pictures->list[i].group != pictures->list[i - 1].group;
    return ph->n > 1 && ph->n <= pictures->n / 3 && changes >= ph->n;
}

/* ---- phases as points in time */

/* Orders the pictures by phase, then by position, and adds those that are absent. */
static int arrange(struct rn_dicom_pictures *pictures, int phases, int slices)
{
    const size_t n = (size_t)phases * (size_t)slices;
    struct rn_dicom_picture *grid = av_calloc(n, sizeof *grid);
    if (!grid)
        return rn_fail_memory();
    for (int i = 0, end, slice = 0; i < pictures->n; i = end, slice++) {
        end = end_of(pictures, i);
        for (int k = i; k < end; k++)
            grid[pictures->list[k].group * slices + slice] = pictures->list[k];
        for (int phase = 0; phase < phases; phase++) {
            struct rn_dicom_picture *p = &grid[phase * slices + slice];
            if (p->file)
                continue;
            *p = pictures->list[i];
            p->absent = true;
        }
    }
    for (int i = 0; i < (int)n; i++) {
        int first = i / slices * slices;
        while (grid[first].absent)
            first++;
        grid[i].value = grid[i].absent ? grid[first].value : grid[i].value;
    }
    av_free(pictures->list);
    pictures->list = grid;
    pictures->n = (int)n;
    pictures->times = phases;
    return 0;
}

/* Counts times that lack all slices by holes in the temporal positions, which have one step. */
static bool find_absent_times(struct rn_dicom_pictures *pictures)
{
    const int n = pictures->times, slices = pictures->n / n;
    struct rn_dicom_picture *list = pictures->list;
    double step = INFINITY;
    int absent = 0;
    for (int t = 1; t < n; t++)
        step = fmin(step, list[t * slices].value - list[(t - 1) * slices].value);
    for (int t = 1; t < n && slices > 1; t++) {
        double gap = (list[t * slices].value - list[(t - 1) * slices].value) / step - 1;
        bool lost = gap > 0 && gap < n && fabs(gap - rint(gap)) < 1e-6;
        list[t * slices].missing = lost ? (int)rint(gap) * slices : 0;
        absent += lost;
    }
    return absent > 0;
}

/* Returns true if a clock has other values at other times. *step: of them; 0: not always the same.
 */
static bool measure_clock(const struct rn_dicom_pictures *pictures, int mark, double *step)
{
    const int slices = pictures->n / pictures->times;
    double low = INFINITY, high = -INFINITY, sum = 0;
    int n = 0;
    for (int i = slices; i < pictures->n; i++) {
        const struct rn_dicom_picture *p = &pictures->list[i], *before = p - slices;
        double d = p->place->mark[mark] - before->place->mark[mark];
        if (isnan(d))
            return false;
        if (p->absent || before->absent)
            continue;
        low = fmin(low, d);
        high = fmax(high, d);
        sum += d;
        n++;
    }
    /* Clocks are written in whole milliseconds, or nearly so. */
    double mean = n ? sum / n : 0, ms = mark == RN_DICOM_TRIGGER ? 1 : 1e-3;
    *step = mean > 0 && high - low <= 0.02 * mean + ms ? mean : 0;
    return low < 0 || high > 0;
}

/* Sets interval, or note. */
static void describe_times(struct rn_dicom_pictures *pictures, const struct phases *ph)
{
    static const int clocks[] = {RN_DICOM_TRIGGER, RN_DICOM_ACQUISITION_TIME};
    static const int others[] = {RN_DICOM_B_VALUE, RN_DICOM_ECHO_TIME, RN_DICOM_ECHO,
                                 RN_DICOM_TYPE};
    const struct rn_dicom_picture *list = pictures->list;
    const int slices = pictures->n / pictures->times;
    bool lacks = ph->rule == RN_DICOM_TEMPORAL && find_absent_times(pictures), runs = false;
    char *note = pictures->note;
    const size_t size = sizeof pictures->note;
    if (is_echo(ph->rule)) {
        bool known = !isnan(value_of(list, RN_DICOM_ECHO_TIME));
        int mark = known ? RN_DICOM_ECHO_TIME : RN_DICOM_ECHO;
        snprintf(note, size, "its %d echoes are read as points in time without a step (", ph->n);
        for (int t = 0; t < ph->n && strlen(note) < size - 40; t++)
            av_strlcatf(note, size, "%s%g", t ? ", " : "", value_of(&list[t * slices], mark));
        av_strlcat(note, known ? " ms)" : ")", size);
        return;
    }
    if (!is_time(ph->rule)) {
        snprintf(note, size, "its %d points in time are told apart by their %s, which is lost",
                 ph->n, names[ph->rule]);
        return;
    }
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks && !runs; i++) {
        runs = measure_clock(pictures, clocks[i], &pictures->interval);
        pictures->interval *= clocks[i] == RN_DICOM_TRIGGER ? 1e-3 : 1;
    }
    double declared = list->file->head.time_step / 1000;
    if (!runs && ph->rule == RN_DICOM_TEMPORAL && isfinite(declared) && declared > 0)
        pictures->interval = declared;
    pictures->interval = lacks ? 0 : pictures->interval;
    if (lacks || (runs && !(pictures->interval > 0)))
        snprintf(note, size, "its %d points in time are not evenly spaced: their step is left out",
                 ph->n);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bool differ = false;
        for (int t = 1; t < pictures->times; t++)
            differ |= value_of(&list[t * slices], others[i]) > value_of(list, others[i]) ||
                      value_of(&list[t * slices], others[i]) < value_of(list, others[i]);
        if (differ) {
            av_strlcatf(note, size, "%sits points in time differ in %s, too, which is lost",
                        *note ? "; " : "", names[others[i]]);
            return;
        }
    }
}

/* ---- selecting a phase */

static int refuse(const struct rn_dicom_pictures *pictures, const struct phases *ph, int err)
{
    RN_IO_TEXT(text);
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
    return rn_fail_lines(
        err, text.str,
        "'%s' holds %d pictures at the same positions or between each other's, told "
        "apart by their %s: choose with --time N",
        pictures->input, ph->n, names[ph->rule]);
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
    if (!time || !strcmp(time, "1") || !strcmp(time, "all"))
        return 0;
    return rn_fail(RN_EUSAGE, "--time: '%s' has one picture at each of its positions",
                   pictures->input);
}

static int take_phases(struct rn_dicom_pictures *pictures, const struct phases *ph,
                       const char *time, bool same_places)
{
    long long number;
    int slices = 0;
    for (int i = 0; i < pictures->n; i = end_of(pictures, i))
        slices++;
    bool whole = same_places && 3LL * pictures->n > 2LL * slices * ph->n;
    if (whole && (time || is_time(ph->rule))) {
        int err = arrange(pictures, ph->n, slices);
        if (!err)
            describe_times(pictures, ph);
        return err;
    }
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
    int err = number_types(pictures), rule = 0;
    int rules = same_places ? RULES : BY_NUMBER;
    while (
        !err && rule < rules &&
        !(same_places ? split_by_rule(pictures, rule, ph) : split_interleaved(pictures, rule, ph)))
        rule++;
    if (err)
        return err;
    if (rule < rules)
        return take_phases(pictures, ph, time, same_places);
    return same_places ? refuse_unknown(pictures) : refuse_time(pictures, time);
}

/* Pictures at one position are a film, in the order of their times or else as they are sorted. */
static int order_film(struct rn_dicom_pictures *pictures, struct phases *ph)
{
    RN_OWNED(av_freep)
    struct rn_dicom_picture *sorted =
        av_memdup(pictures->list, (size_t)pictures->n * sizeof *sorted);
    int err = sorted ? number_types(pictures) : rn_fail_memory(), rule = 0;
    while (!err && rule < RULES && !(is_time(rule) && split_by_rule(pictures, rule, ph)))
        rule++;
    pictures->times = pictures->n;
    if (!err && rule < RULES)
        describe_times(pictures, ph);
    else if (sorted)
        FFSWAP(struct rn_dicom_picture *, sorted, pictures->list);
    return err;
}

int rn_dicom_choose_time_point(struct rn_dicom_pictures *pictures, const char *time)
{
    int most = pictures->placed ? most_at_one(pictures) : 1;
    bool one_each = most == 1, one_place = most == pictures->n && most > 1;
    pictures->times = 1;
    if (one_each && (!pictures->placed || pictures->n == 1 || is_even(pictures)))
        return refuse_time(pictures, time);
    RN_OWNED(av_freep) double *value = av_calloc((size_t)pictures->n, sizeof *value);
    struct phases ph = {.value = value};
    return !value      ? rn_fail_memory()
           : one_place ? order_film(pictures, &ph)
                       : choose(pictures, &ph, time, !one_each);
}
