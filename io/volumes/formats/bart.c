/* SPDX-License-Identifier: MIT */
/* Reads BART's .cfl of complex floats, and its .hdr: the sizes of up to 16 dimensions, whose
 * meanings are fixed. */
#include "io/volumes/layout.h"

#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "io/common/av.h"

#include <libavformat/avformat.h>

#define MAX_DIM    16
#define MAX_LISTED 20

static const char first_line[] = "# Dimensions\n";

static bool bart_match(const char *path, const uint8_t *head, size_t n)
{
    return av_match_ext(path, "cfl") ||
           (n > sizeof first_line && !memcmp(head, first_line, sizeof first_line - 1));
}

enum { READ, PHASE_1, PHASE_2, COIL, MAPS, TE, TIME = 10, SLICE = 13 };

static const char *const names[MAX_DIM] = {"READ",  "PHS1",   "PHS2", "COIL",   "MAPS", "TE",
                                           "COEFF", "COEFF2", "ITER", "CSHIFT", "TIME", "TIME2",
                                           "LEVEL", "SLICE",  "AVG",  "BATCH"};

static int read_sizes(const struct rn_vol_layout *l, char *head, int64_t size[MAX_DIM])
{
    const char *line;
    double number[MAX_DIM] = {0}, product = 1;
    while ((line = rn_vol_line_next(&head)) != NULL && strcmp(line, "# Dimensions") != 0)
        ;
    line = rn_vol_line_next(&head);
    int dims = line ? rn_vol_numbers_parse(line, " ", number, MAX_DIM) : 0;
    for (int i = 0; i < MAX_DIM && product < 1e15; i++) {
        double one = i < dims ? number[i] : 1;
        product *= one >= 1 ? one : 0;
        size[i] = one >= 1 && one < 1e15 ? (int64_t)one : 0;
    }
    return dims >= 2 && dims <= MAX_DIM && product >= 1 && product < 1e15
               ? 0
               : rn_fail(RN_EINPUT, "'%s' (BART): the header beside it gives no 2 to %d sizes",
                         l->input, MAX_DIM);
}

/* Gives a dimension of more than one to an axis that has none. */
static void take_axis(struct rn_vol_layout *l, enum rn_vol_axis axis, const int64_t step[MAX_DIM],
                      int64_t size[MAX_DIM], int dim)
{
    if (size[dim] == 1 || l->volume.n[axis] > 1)
        return;
    l->volume.n[axis] = size[dim];
    l->axis_step[axis] = step[dim];
    size[dim] = 1;
}

static int refuse_series(const struct rn_vol_layout *l, const int64_t size[MAX_DIM], int64_t all,
                         int err)
{
    RN_IO_TEXT(text);
    for (int64_t k = 0; k < all && k < MAX_LISTED; k++) {
        int64_t rest = k;
        av_bprintf(&text, "%s  %d:", k ? "\n" : "", (int)k + 1);
        for (int i = 0; i < MAX_DIM; i++) {
            if (size[i] > 1)
                av_bprintf(&text, " %s %d", names[i], (int)(rest % size[i]) + 1);
            rest /= size[i];
        }
    }
    if (all > MAX_LISTED)
        av_bprintf(&text, "\n  ...");
    return rn_fail_lines(
        err, text.str,
        "'%s' (BART) has more dimensions than slices, channels and times, %lld of what "
        "these are: choose with --series N",
        l->input, (long long)all);
}

/* Selects one series: dimensions that are neither slices, channels nor times. */
static int take_series(struct rn_vol_layout *l, const int64_t step[MAX_DIM],
                       const int64_t size[MAX_DIM])
{
    int64_t all = 1;
    long long number;
    for (int i = 0; i < MAX_DIM; i++)
        all *= size[i];
    if (all == 1)
        return 0;
    l->series_used = true;
    if (!l->series || !rn_number_whole(l->series, 1, all, &number))
        return refuse_series(l, size, all, l->series ? RN_EUSAGE : RN_EINPUT);
    int64_t rest = number - 1;
    for (int i = 0; i < MAX_DIM; i++) {
        l->offset += rest % size[i] * step[i];
        rest /= size[i];
    }
    return 0;
}

/* Assigns dimensions to axes. Channels are coils, or else maps. Times are the first dimension of
 * more than one: TIME, TE, then the others in their order. */
static int take_sizes(struct rn_vol_layout *l, uint8_t *head)
{
    struct rn_vol *v = &l->volume;
    int64_t size[MAX_DIM], step[MAX_DIM], all = 8;
    int err = read_sizes(l, (char *)head, size);
    if (err)
        return err;
    for (int i = 0; i < MAX_DIM; i++) {
        step[i] = all;
        all *= size[i];
    }
    l->all = all;
    v->w = size[READ] <= RN_MAX_SIDE ? (int)size[READ] : 0;
    v->h = size[PHASE_1] <= RN_MAX_SIDE ? (int)size[PHASE_1] : 0;
    size[READ] = size[PHASE_1] = 1;
    for (int a = 0; a < RN_AXES; a++)
        l->axis_step[a] = 8;
    take_axis(l, RN_AXIS_SLICE, step, size, PHASE_2);
    take_axis(l, RN_AXIS_SLICE, step, size, SLICE);
    take_axis(l, RN_AXIS_CHANNEL, step, size, COIL);
    take_axis(l, RN_AXIS_CHANNEL, step, size, MAPS);
    take_axis(l, RN_AXIS_TIME, step, size, TIME);
    for (int i = TE; i < MAX_DIM; i++)
        take_axis(l, RN_AXIS_TIME, step, size, i);
    return take_series(l, step, size);
}

static int bart_parse(struct rn_vol_layout *l, uint8_t *head, size_t n)
{
    RN_OWNED(av_freep) uint8_t *own = NULL;
    const char *path = l->input;
    if (av_match_ext(path, "cfl")) {
        RN_OWNED(av_freep) char *header = rn_vol_partner(path, "hdr");
        own = header ? rn_vol_head(header, RN_HEAD_SIZE, &n, &l->packed) : NULL;
        if (header && !own)
            rn_fail(RN_EINPUT, "'%s' (BART): its header '%s' cannot be read", path, header);
        if (!own)
            return RN_EINPUT;
        head = own;
    } else if (!(l->path = rn_vol_partner(path, "cfl"))) {
        return RN_EINPUT;
    }
    l->type = RN_STORED_F32;
    l->complex = true;
    l->swapped = rn_vol_is_swapped(false);
    return take_sizes(l, head);
}

const struct rn_vol_format rn_vol_bart_format = {
    .name = "BART",
    .extensions = "",
    .match = bart_match,
    .parse = bart_parse,
};
