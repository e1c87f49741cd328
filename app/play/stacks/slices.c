#include "app/play/stacks/slices.h"

#include "filters/base/text/number.h"

#include <math.h>
#include <stdio.h>

void rn_play_slices_step(struct rn_play_slices *s, int64_t shown, int64_t count)
{
    s->wanted = rn_io_stack_step(&s->stack, s->going ? s->wanted : shown, count);
    s->sought = s->going ? s->sought : -1;
    s->going = true;
}

void rn_play_slices_go(struct rn_play_slices *s, int64_t shown, int64_t slice)
{
    s->going = false;
    rn_play_slices_step(s, shown, slice - rn_io_stack_slice(&s->stack, shown));
}

void rn_play_slices_stay(struct rn_play_slices *s)
{
    s->going = false;
}

int64_t rn_play_slices_next(struct rn_play_slices *s, int64_t shown)
{
    if (!s->going)
        return 0;
    s->going = s->wanted != shown && s->wanted != s->sought;
    s->sought = s->wanted;
    return s->going ? s->wanted - shown : 0;
}

/* Millimetres to the hundredth. */
static double rounded(double mm)
{
    return floor(mm * 100 + 0.5) / 100 + 0.0; /* no -0 */
}

char *rn_play_slices_describe(const struct rn_play_slices *s, int64_t index, char *buf, size_t size)
{
    int64_t slice = rn_io_stack_slice(&s->stack, index);
    double mm;
    int n = snprintf(buf, size, "slice %lld/%lld", (long long)slice + 1, (long long)s->stack.n);
    if (n > 0 && (size_t)n < size && rn_io_stack_depth(&s->stack, slice, &mm))
        rn_number_print(buf + n, size - (size_t)n, "  z = %.10g mm", rounded(mm));
    return buf;
}

char *rn_play_slices_place(const struct rn_play_slices *s, double x, double y, int64_t slice,
                           char *buf, size_t size)
{
    double mm[3];
    enum rn_io_located place =
        s->stack.known ? rn_io_stack_place(&s->stack, x, y, slice, mm) : RN_LOCATED_NOWHERE;
    *buf = '\0';
    if (place != RN_LOCATED_NOWHERE)
        rn_number_print(buf, size, "%.10g %.10g %.10g mm%s", rounded(mm[0]), rounded(mm[1]),
                        rounded(mm[2]), place == RN_LOCATED_IN_PATIENT ? " LPS" : "");
    return buf;
}
