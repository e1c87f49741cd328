/* SPDX-License-Identifier: MIT */
#include "filters/bench/bench.h"

#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct rn_times rn_times_of(const double *values, int n)
{
    double sorted[RN_MAX_TIMES];
    if (n < 1)
        return (struct rn_times){0, 0, 0};
    memcpy(sorted, values, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    return (struct rn_times){sorted[0], (sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[n - 1]};
}

void rn_times_scale(struct rn_times *times, double factor)
{
    times->min *= factor;
    times->median *= factor;
    times->max *= factor;
}

double rn_timings_kernels(const struct rn_timings *t)
{
    double sum = 0;
    for (int i = 0; i < RN_MAX_STAGES; i++)
        sum += t->stage[i];
    return sum;
}

struct rn_timings rn_timings_between(const struct rn_timings *before, const struct rn_timings *now)
{
    struct rn_timings t = *now;
    t.frames -= before->frames;
    t.timed -= before->timed;
    t.by_field -= before->by_field;
    t.upload -= before->upload;
    t.download -= before->download;
    t.uploaded -= before->uploaded;
    t.downloaded -= before->downloaded;
    double was = before->frames ? (double)before->timed / (double)before->frames : 0;
    double is = now->frames ? (double)now->timed / (double)now->frames : 0;
    for (int i = 0; i < RN_MAX_STAGES; i++) {
        double timed = now->stage[i] * is - before->stage[i] * was; /* in the frames in between */
        double each = t.timed ? timed / (double)t.timed : now->stage[i] / (double)now->frames;
        t.stage[i] = now->frames && each > 0 ? each * (double)t.frames : 0;
    }
    return t;
}
