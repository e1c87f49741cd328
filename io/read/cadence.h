/* Watches whether the pictures of a stream of constant rate follow each other without gaps: time
 * that no picture covers, and pictures that stand on the time of others, are losses which no
 * packet and no decoder tells of. Streams of variable rate are not judged: their gaps are meant.
 * */
#ifndef RN_CADENCE_H
#define RN_CADENCE_H

#include <stdbool.h>
#include <stdint.h>

struct rn_cadence {
    bool begun;
    int64_t pts, duration;       /* of the last picture */
    int64_t regular, irregular;  /* steps from a picture to the next one */
    int64_t excess;              /* irregular steps less the durations of their pictures */
    int64_t gaps, gap;           /* steps that are too long, and by how much in all */
    int64_t worst, worst_at;     /* the longest gap or overlap and the pts before it */
    int64_t crowded, crowded_by; /* pictures that had to be moved behind others, and how far */
};

/* Learns of the next picture; all times in one time base. behind: by how much it came too early to
 * stand behind the one before; 0: not at all. */
void rn_cadence_add(struct rn_cadence *c, int64_t pts, int64_t duration, int64_t behind);

/* Pictures that are missing (> 0) or stand on the time of others (< 0), as far as the steps tell; 0
 * for less than two, and at a variable rate. second: in the time base. */
int64_t rn_cadence_loss(const struct rn_cadence *c, int64_t second);

#endif
