#include "filters/bench/timing.h"

#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct rn_times rn_times_of(const double *values, int n)
{
    double sorted[RN_TIMES_MOST];
    if (n < 1)
        return (struct rn_times){0, 0, 0};
    memcpy(sorted, values, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    return (struct rn_times){sorted[0], (sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[n - 1]};
}
