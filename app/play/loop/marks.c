/* SPDX-License-Identifier: MIT */
#include "app/play/loop/marks.h"

#include <inttypes.h>
#include <string.h>

#include "filters/base/text/number.h"

void rn_play_marks_begin(struct rn_play_marks *marks, int64_t index, double time)
{
    marks->a = (struct rn_play_mark){true, index, time};
    if (marks->e.set && marks->e.index < index)
        marks->e.set = false;
}

void rn_play_marks_end(struct rn_play_marks *marks, int64_t index, double time)
{
    marks->e = (struct rn_play_mark){true, index, time};
    if (marks->a.set && marks->a.index > index)
        marks->a.set = false;
}

bool rn_play_marks_cross(const struct rn_play_marks *marks, int64_t from, int64_t to)
{
    return marks->e.set && from <= marks->e.index && to > marks->e.index;
}

/* ---- the range as options */

static void print_frame(int64_t number, char text[32])
{
    snprintf(text, 32, "%" PRId64 "f", number);
}

/* To the microsecond, the precision of --from. */
static void print_time(const struct rn_io_time *time, char text[32])
{
    if (time->kind == RN_TIME_FRAME)
        print_frame(time->frame, text);
    if (time->kind != RN_TIME_SECONDS)
        return;
    rn_number_print(text, 32, "%.6f", time->seconds);
    size_t n = strlen(text);
    while (text[n - 1] == '0')
        n--;
    text[text[n - 1] == '.' ? n - 1 : n] = '\0';
}

/* --to is exclusive. With one mark only, the other end is that of the range that is played. */
bool rn_play_marks_range(const struct rn_play_marks *marks, const struct rn_io_read_opts *opts,
                         int64_t first, struct rn_play_range *range)
{
    int64_t shift = opts->renumber ? first : 0;
    *range = (struct rn_play_range){.from = ""};
    if (!marks->a.set && !marks->e.set)
        return false;
    print_time(&opts->from, range->from);
    print_time(&opts->to, range->to);
    if (marks->a.set)
        print_frame(marks->a.index + shift, range->from);
    if (marks->e.set)
        print_frame(marks->e.index + shift + 1, range->to);
    else if (opts->frames >= 0)
        snprintf(range->frames, sizeof range->frames, "%" PRId64,
                 opts->frames - (marks->a.index + shift - first));
    return true;
}

char *rn_play_range_options(const struct rn_play_range *range, char *buf)
{
    const char *const option[][2] = {
        {"--from", range->from}, {"--to", range->to}, {"--frames", range->frames}};
    size_t n = 0;
    *buf = '\0';
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (*option[i][1])
            n += (size_t)snprintf(buf + n, RN_RANGE_TEXT - n, "%s%s %s", n ? " " : "", option[i][0],
                                  option[i][1]);
    return buf;
}
