/* From when to when something is shown or heard. */
#ifndef RN_IO_WRITE_MUX_SPAN_H
#define RN_IO_WRITE_MUX_SPAN_H

#include <stdbool.h>
#include <stdint.h>

/* Microseconds; zeroed it holds nothing. */
struct rn_write_span {
    bool begun;
    int64_t first, end;        /* the earliest beginning, the latest end */
    int64_t last;              /* the latest beginning */
    int64_t n;                 /* how many */
    int64_t shortest, longest; /* that lasted any time; 0: none did */
};

static inline void rn_write_span_add(struct rn_write_span *s, int64_t at, int64_t duration)
{
    s->first = s->begun && s->first < at ? s->first : at;
    s->end = s->begun && s->end > at + duration ? s->end : at + duration;
    s->last = s->begun && s->last > at ? s->last : at;
    s->n++;
    s->shortest = duration > 0 && (!s->shortest || duration < s->shortest) ? duration : s->shortest;
    s->longest = duration > s->longest ? duration : s->longest;
    s->begun = true;
}

#endif
