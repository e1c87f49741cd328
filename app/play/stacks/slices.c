/* SPDX-License-Identifier: MIT */
#include "app/play/stacks/stacks.h"

#include "app/play/loop/part.h"
#include "filters/base/text/number.h"

#include <math.h>
#include <string.h>

struct rn_play_slices {
    struct rn_io_stack stack;
    bool going;     /* to the frame with the index `wanted` */
    int64_t wanted; /* valid while going */
    int64_t sought; /* the index of the latest seek on the way; -1: none yet */
    int64_t shown;  /* the index at the latest call of rn_play_slices_has_changed */
};

const struct rn_play_part_type rn_play_slices_part = {.size = sizeof(struct rn_play_slices)};

void rn_play_slices_begin(struct rn_play_slices *s, const struct rn_io_stack *stack)
{
    *s = (struct rn_play_slices){.stack = *stack, .shown = -1};
}

const struct rn_io_stack *rn_play_slices_stack(const struct rn_play_slices *s)
{
    return s->stack.known ? &s->stack : NULL;
}

int64_t rn_play_slices_shown(const struct rn_play_slices *s)
{
    return s->shown < 0 ? 0 : s->shown;
}

bool rn_play_slices_has_changed(struct rn_play_slices *s, int64_t shown)
{
    bool changed = s->shown != shown;
    s->shown = shown;
    return changed;
}

static void want(struct rn_play_slices *s, int64_t index)
{
    s->wanted = index;
    s->sought = s->going ? s->sought : -1;
    s->going = true;
}

void rn_play_slices_step(struct rn_play_slices *s, int64_t shown, int64_t count)
{
    want(s, rn_io_stack_step(&s->stack, s->going ? s->wanted : shown, count));
}

int64_t rn_play_slices_step_time(struct rn_play_slices *s, int64_t shown, int64_t count)
{
    want(s, rn_io_stack_step_time(&s->stack, s->going ? s->wanted : shown, count));
    return s->wanted;
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

char *rn_play_slices_describe(const struct rn_io_stack *s, int64_t index, char *buf, size_t size)
{
    int64_t slice = rn_io_stack_slice(s, index);
    double mm, seconds;
    bool film = s->times > 1 && !s->space;
    *buf = '\0';
    if (!film)
        snprintf(buf, size, "slice %lld/%lld", (long long)slice + 1, (long long)s->n);
    size_t n = strlen(buf);
    if (rn_io_stack_depth(s, slice, &mm))
        rn_number_print(buf + n, size - n, "  z = %.10g mm", rounded(mm));
    n = strlen(buf);
    if (s->times > 1)
        snprintf(buf + n, size - n, "%stime %lld/%lld", film ? "" : "  ",
                 (long long)rn_io_stack_time(s, index) + 1, (long long)s->times);
    n = strlen(buf);
    if (rn_io_stack_seconds(s, index, &seconds))
        rn_number_print(buf + n, size - n, "  %.6g s", seconds);
    return buf;
}

char *rn_play_slices_place(const struct rn_io_stack *s, double x, double y, int64_t slice,
                           char *buf, size_t size)
{
    double mm[3];
    enum rn_io_located place =
        s && s->known ? rn_io_stack_place(s, x, y, slice, mm) : RN_LOCATED_NOWHERE;
    *buf = '\0';
    if (place != RN_LOCATED_NOWHERE)
        rn_number_print(buf, size, "%.10g %.10g %.10g mm%s", rounded(mm[0]), rounded(mm[1]),
                        rounded(mm[2]), place == RN_LOCATED_IN_PATIENT ? " LPS" : "");
    return buf;
}
