/* The pictures that a seek decodes on the way, see rn_read_hold_passed. */
#ifndef RN_IO_READ_SEEK_PASSED_H
#define RN_IO_READ_SEEK_PASSED_H

#include <stddef.h>
#include <stdint.h>

struct rn_read_source;
struct rn_read_decoded;

struct rn_read_passed {
    struct rn_read_decoded *first, *last; /* in their order */
    size_t bytes, most;                   /* of all of them */
};

/* Adds src->frame, if it may be held. */
void rn_read_passed_add(struct rn_read_source *src);

/* Numbers them, as rn_frame.index does: next is the number of the picture behind the last one. */
void rn_read_passed_number(struct rn_read_source *src, int64_t next);

void rn_read_passed_clear(struct rn_read_source *src);

#endif
