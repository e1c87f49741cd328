#include "app/play/marks.h"

#include <inttypes.h>

void rn_marks_begin(struct rn_marks *marks, int64_t index, double time)
{
    marks->a = (struct rn_mark){true, index, time};
    if (marks->e.set && marks->e.index < index)
        marks->e.set = false;
}

void rn_marks_end(struct rn_marks *marks, int64_t index, double time)
{
    marks->e = (struct rn_mark){true, index, time};
    if (marks->a.set && marks->a.index > index)
        marks->a.set = false;
}

bool rn_marks_cross(const struct rn_marks *marks, int64_t from, int64_t to)
{
    return marks->e.set && from <= marks->e.index && to > marks->e.index;
}

/* --to is exclusive. */
char *rn_marks_options(const struct rn_marks *marks, int64_t shift, char *buf)
{
    int n = 0;
    *buf = '\0';
    if (marks->a.set)
        n = snprintf(buf, RN_MARKS_TEXT, "--from %" PRId64 "f%s", marks->a.index + shift,
                     marks->e.set ? " " : "");
    if (marks->e.set)
        snprintf(buf + n, RN_MARKS_TEXT - (size_t)n, "--to %" PRId64 "f",
                 marks->e.index + shift + 1);
    return buf;
}
