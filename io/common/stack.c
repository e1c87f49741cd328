/* SPDX-License-Identifier: MIT */
#include "io/common/stack.h"

#include <string.h>

#include "io/common/media.h"
#include "io/volumes/volume.h"

void rn_io_media_stack(const struct rn_io_media *media, struct rn_io_stack *s)
{
    const struct rn_io_stream *stream = &media->stream;
    *s = (struct rn_io_stack){.turn = 1};
    if (media->fmt || stream->frames < 2)
        return;
    s->known = true;
    s->first = media->first_number;
    s->end = s->first + stream->frames;
    s->base = media->first_index - media->first_number;
    s->n = s->base + s->end;
    s->turn = stream->geom.turns > 1 ? stream->geom.turns : 1;
    const struct rn_vol *v = media->volume;
    if (v) {
        s->space = v->n[RN_AXIS_SLICE] > 1;
        s->n = v->n[rn_vol_along(v)];
        s->times = v->n[RN_AXIS_TIME];
        s->time_turn = 1;
        for (int k = 0; v->axis_order[k] != RN_AXIS_TIME; k++)
            s->time_turn *= v->n[v->axis_order[k]];
        s->volume = v;
        s->placed = v->placed;
        s->origins = s->placed ? NULL : v->origins;
        memcpy(s->origin, v->origin, sizeof s->origin);
        memcpy(s->direction, v->direction, sizeof s->direction);
        memcpy(s->shift, v->shift, sizeof s->shift);
    }
    memcpy(s->spacing, v ? v->spacing : stream->geom.spacing, sizeof s->spacing);
}

/* Steps along an axis of n pictures, `turn` frames apart, from picture `at`. */
static int64_t step(const struct rn_io_stack *s, int64_t index, int64_t at, int64_t n, int64_t turn,
                    int64_t count)
{
    int64_t to = at + count;
    to = to < 0 ? 0 : to < n ? to : n - 1;
    index += (to - at) * turn;
    if (index < s->first)
        index += (s->first - index + turn - 1) / turn * turn;
    if (index >= s->end)
        index -= (index - s->end) / turn * turn + turn;
    return index;
}

int64_t rn_io_stack_step(const struct rn_io_stack *s, int64_t index, int64_t count)
{
    return step(s, index, rn_io_stack_slice(s, index), s->n, s->turn, count);
}

int64_t rn_io_stack_step_time(const struct rn_io_stack *s, int64_t index, int64_t count)
{
    if (s->times < 2)
        return index;
    return step(s, index, rn_io_stack_time(s, index), s->times, s->time_turn, count);
}

bool rn_io_stack_seconds(const struct rn_io_stack *s, int64_t index, double *seconds)
{
    bool known = s->times > 1 && s->volume && s->volume->interval > 0;
    *seconds = known ? rn_vol_seconds(s->volume, rn_io_stack_time(s, index)) : 0;
    return known;
}

static void origin_of(const struct rn_io_stack *s, int64_t slice, double at[3])
{
    for (int i = 0; i < 3; i++)
        at[i] = s->origins ? s->origins[slice][i] + s->shift[i]
                           : s->origin[i] + (double)slice * s->spacing[2] * s->direction[2][i];
}

bool rn_io_stack_depth(const struct rn_io_stack *s, int64_t slice, double *mm)
{
    const double *r = s->direction[0], *c = s->direction[1];
    const double normal[3] = {r[1] * c[2] - r[2] * c[1], r[2] * c[0] - r[0] * c[2],
                              r[0] * c[1] - r[1] * c[0]};
    double at[3];
    *mm = (double)slice * s->spacing[2];
    if (s->space && (s->placed || s->origins)) {
        origin_of(s, slice, at);
        *mm = rn_vol_dot(normal, at) + 0.0; /* no -0 */
        return true;
    }
    return s->space && s->spacing[2] > 0;
}

enum rn_io_located rn_io_stack_place(const struct rn_io_stack *s, double x, double y, int64_t slice,
                                     double mm[3])
{
    bool flat = s->spacing[0] > 0 && s->spacing[1] > 0;
    if (flat && (s->placed || s->origins)) {
        origin_of(s, s->space ? slice : 0, mm);
        for (int i = 0; i < 3; i++)
            mm[i] += x * s->spacing[0] * s->direction[0][i] +
                     y * s->spacing[1] * s->direction[1][i] + 0.0;
        return RN_LOCATED_IN_PATIENT;
    }
    mm[0] = x * s->spacing[0];
    mm[1] = y * s->spacing[1];
    mm[2] = s->space ? (double)slice * s->spacing[2] : 0;
    return flat && (!s->space || s->spacing[2] > 0) ? RN_LOCATED_IN_STACK : RN_LOCATED_NOWHERE;
}

void rn_io_stack_letters(const struct rn_io_stack *s, int axis, bool backwards, char letters[4])
{
    static const char to[3][2] = {{'R', 'L'}, {'A', 'P'}, {'I', 'S'}};
    const double *v = s->direction[axis];
    int n = 0;
    bool used[3] = {false};
    for (int i = 0; (s->placed || s->origins) && i < 3; i++) {
        int largest = 0;
        for (int k = 1; k < 3; k++)
            if (used[largest] || (!used[k] && fabs(v[k]) > fabs(v[largest])))
                largest = k;
        used[largest] = true;
        if (fabs(v[largest]) >= 0.2)
            letters[n++] = to[largest][(v[largest] > 0) != backwards];
    }
    letters[n] = '\0';
}
