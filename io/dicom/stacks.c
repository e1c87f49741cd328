/* SPDX-License-Identifier: MIT */
#include "io/dicom/series_internal.h"

#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "filters/base/text/plural.h"
#include "io/common/av.h"

#define MAX_STACKS   1000
#define MAX_PICTURES (1 << 22)

struct stack {
    const struct rn_dicom_picture *first;
    int n;
};

struct stacks {
    struct stack list[MAX_STACKS];
    int n;
};

static bool parallel(const double a[3], const double b[3])
{
    return rn_vol_dot(a, b) > 0.999; /* unit vectors */
}

static bool belong_together(const struct rn_dicom_picture *a, const struct rn_dicom_picture *b)
{
    const struct rn_dicom_header *h = &a->file->head, *o = &b->file->head;
    bool placed = rn_dicom_has_place(a);
    if (strcmp(h->series, o->series) != 0 || h->w != o->w || h->h != o->h ||
        h->colours != o->colours || h->bits != o->bits || h->bytes != o->bytes ||
        h->is_signed != o->is_signed || h->is_inverted != o->is_inverted)
        return false;
    return placed == rn_dicom_has_place(b) &&
           (!placed || (parallel(a->place->row, b->place->row) &&
                        parallel(a->place->column, b->place->column)));
}

static int list_pictures(struct rn_dicom_pictures *pictures, const struct rn_dicom_file_list *files)
{
    int64_t n = 0;
    for (int i = 0; i < files->n; i++)
        n += files->file[i].head.frames;
    if (n > MAX_PICTURES)
        return rn_fail(RN_EINPUT, "'%s' holds more than %d pictures", files->input, MAX_PICTURES);
    pictures->input = files->input;
    pictures->list = av_calloc((size_t)n, sizeof *pictures->list);
    if (!pictures->list)
        return rn_fail_memory();
    for (int i = 0; i < files->n; i++) {
        struct rn_dicom_file *file = &files->file[i];
        for (int frame = 0; frame < file->head.frames; frame++, pictures->n++)
            pictures->list[pictures->n] = (struct rn_dicom_picture){
                .file = file,
                .frame = frame,
                .place = file->places ? &file->places[frame] : &file->head.place,
                .file_order = pictures->n};
    }
    return 0;
}

static int find_stacks(struct stacks *stacks, struct rn_dicom_pictures *pictures)
{
    for (int i = 0, k = 0; i < pictures->n; i++) {
        struct rn_dicom_picture *p = &pictures->list[i];
        if (k >= stacks->n || !belong_together(stacks->list[k].first, p)) /* often the last one */
            for (k = 0; k < stacks->n && !belong_together(stacks->list[k].first, p);)
                k++;
        if (k == MAX_STACKS)
            return rn_fail(RN_EINPUT, "'%s' holds more than %d series or kinds of pictures",
                           pictures->input, MAX_STACKS);
        if (k == stacks->n)
            stacks->list[stacks->n++].first = p;
        stacks->list[k].n++;
        p->group = k;
    }
    return 0;
}

static const char *series_of(const struct stack *stack)
{
    return stack->first->file->head.series;
}

static const char *plane_of(const struct rn_dicom_picture *p)
{
    double normal[3];
    rn_dicom_normal(p->place, normal);
    static const char *const names[] = {", sagittal", ", coronal", ", axial"};
    for (int i = 0; i < 3 && rn_dicom_has_place(p); i++)
        if (fabs(normal[i]) > 0.9)
            return names[i];
    return rn_dicom_has_place(p) ? ", oblique" : "";
}

static void describe_samples(AVBPrint *text, const struct rn_dicom_header *h)
{
    av_bprintf(text, "%dx%d of %d bits%s", h->w, h->h, h->bits,
               h->colours > 1 ? " in three colours"
               : h->is_signed ? " with sign"
                              : "");
}

/* Fails with the numbered list of stacks. why: follows the name of the input. */
static int refuse(const struct stacks *stacks, const struct rn_dicom_pictures *pictures, int err,
                  const char *why)
{
    RN_IO_TEXT(text);
    for (int i = 0; i < stacks->n; i++) {
        const struct stack *stack = &stacks->list[i];
        const struct rn_dicom_header *h = &stack->first->file->head;
        av_bprintf(&text, "%s  %d: %s %s", i ? "\n" : "", i + 1,
                   *h->modality ? h->modality : "pictures",
                   *h->series ? h->series : "without a UID");
        if (*h->description)
            av_bprintf(&text, " \"%s\"", h->description);
        av_bprintf(&text, ", %d picture%s of ", stack->n, rn_plural(stack->n));
        describe_samples(&text, h);
        av_bprintf(&text, "%s, '%s'...", plane_of(stack->first), stack->first->file->path);
    }
    return rn_fail_lines(err, text.str, "'%s' %s: choose with --series N, or its UID",
                         pictures->input, why);
}

void rn_dicom_keep_group(struct rn_dicom_pictures *pictures, int group)
{
    int n = 0;
    for (int i = 0; i < pictures->n; i++)
        if (pictures->list[i].group == group)
            pictures->list[n++] = pictures->list[i];
    pictures->n = n;
}

/* Reports the skipped stacks of a series, and how to read them. */
static void report_skipped(const struct stacks *stacks, const struct rn_dicom_pictures *pictures,
                           int taken, struct rn_losses *losses)
{
    const struct stack *own = &stacks->list[taken];
    for (int i = 0; i < stacks->n; i++) {
        const struct stack *other = &stacks->list[i];
        if (i == taken || strcmp(series_of(other), series_of(own)) != 0)
            continue;
        AVBPrint text;
        av_bprint_init(&text, 0, AV_BPRINT_SIZE_AUTOMATIC);
        av_bprintf(&text,
                   "%d picture%s of the series left out (the rule: most are read, here %d): ",
                   other->n, rn_plural(other->n), own->n);
        describe_samples(&text, &other->first->file->head);
        av_bprintf(&text, "%s, most are ", plane_of(other->first));
        describe_samples(&text, &own->first->file->head);
        av_bprintf(&text, "%s; --series %d reads %s ('%s')", plane_of(own->first), i + 1,
                   other->n > 1 ? "them" : "it", other->first->file->path);
        if (losses)
            rn_losses_add(losses, "pictures", "'%s': %s", pictures->input, text.str);
        else
            rn_log(RN_LOG_WARNING, "'%s': %s", pictures->input, text.str);
    }
}

/* Returns the stack of more than half of a series' pictures; -1: none. */
static int main_stack(const struct stacks *stacks, const char *series)
{
    int most = -1, all = 0;
    for (int i = 0; i < stacks->n; i++) {
        if (strcmp(series_of(&stacks->list[i]), series) != 0)
            continue;
        all += stacks->list[i].n;
        if (most < 0 || stacks->list[i].n > stacks->list[most].n)
            most = i;
    }
    return most >= 0 && 2 * stacks->list[most].n > all ? most : -1;
}

static int take_series(const struct stacks *stacks, struct rn_dicom_pictures *pictures,
                       const char *series, struct rn_losses *losses)
{
    int stack = main_stack(stacks, series);
    if (stack < 0)
        return refuse(stacks, pictures, RN_EINPUT,
                      "holds pictures of several kinds in one series, none of them most");
    report_skipped(stacks, pictures, stack, losses);
    rn_dicom_keep_group(pictures, stack);
    return 0;
}

static int take_requested(const struct stacks *stacks, struct rn_dicom_pictures *pictures,
                          const char *requested, struct rn_losses *losses)
{
    long long number;
    if (rn_number_whole(requested, 1, stacks->n, &number)) {
        rn_dicom_keep_group(pictures, (int)number - 1);
        return 0;
    }
    for (int i = 0; i < stacks->n; i++)
        if (!strcmp(series_of(&stacks->list[i]), requested))
            return take_series(stacks, pictures, requested, losses);
    return refuse(stacks, pictures, RN_EUSAGE, "has no such series");
}

int rn_dicom_choose_stack(struct rn_dicom_pictures *pictures,
                          const struct rn_dicom_file_list *files, const char *requested,
                          struct rn_losses *losses)
{
    RN_OWNED(av_freep) struct stacks *stacks = av_mallocz(sizeof *stacks);
    int err = stacks ? list_pictures(pictures, files) : rn_fail_memory();
    err = err ? err : find_stacks(stacks, pictures);
    for (int i = 1; !err && !requested && i < stacks->n; i++)
        if (strcmp(series_of(&stacks->list[i]), series_of(&stacks->list[0])) != 0)
            err = refuse(stacks, pictures, RN_EINPUT, "holds several series");
    if (!err)
        err = requested ? take_requested(stacks, pictures, requested, losses)
                        : take_series(stacks, pictures, series_of(&stacks->list[0]), losses);
    pictures->placed = !err && rn_dicom_has_place(&pictures->list[0]);
    return err;
}
