/* Watches whether pictures that else follow each other regularly leave gaps: time that no picture
 * covers, which no packet and no decoder tells of.
 *
 * What a gap means depends on the container. In those that carry a clock of constant rate (MPEG-PS,
 * MXF, GXF, DV and what is made of them) the pictures fill the time, so a gap, or pictures that
 * stand on the time of others, is a loss. MPEG-TS carries one, too, but counts its packets
 * (continuity.h): as long as none is missing, a recording of variable rate paused. In all others
 * each picture has a time of its own and the next one may come when it likes: screen and camera
 * recordings pause. There a gap alone is no loss, it is counted and said; it is one if bytes
 * without packets lie at its place (holes.h), or if the container lists more packets than came
 * (announced.h). Pictures that go back behind others are wrong everywhere. Streams of variable rate
 * are not judged: their gaps are meant. */
#ifndef RN_IO_READ_DECODE_CADENCE_H
#define RN_IO_READ_DECODE_CADENCE_H

#include <stdbool.h>
#include <stdint.h>

#define RN_CADENCE_TAIL 16 /* no coding moves a picture behind more others than that */

struct rn_read_cadence {
    bool begun;
    int64_t pts, duration;       /* of the last picture */
    int64_t regular, irregular;  /* steps from a picture to the next one */
    int64_t excess;              /* irregular steps less the durations of their pictures */
    int64_t gaps, gap;           /* steps that are too long, and by how much in all */
    int64_t worst, worst_at;     /* the longest gap or overlap and the pts before it */
    int64_t crowded, crowded_by; /* pictures that had to be moved behind others, and how far */
    int64_t steps;
    int64_t tail[RN_CADENCE_TAIL]; /* by how much step n was too long, at n modulo its size */
};

/* Takes back the gaps among the last n steps: a stream that was cut where it is decoded ends with
 * pictures shown behind some that were cut off. n: how many pictures may be decoded before another
 * and shown behind it. */
void rn_read_cadence_forget_tail(struct rn_read_cadence *c, int n);

/* Learns of the next picture; all times in one time base. behind: by how much it came too early to
 * stand behind the one before; 0: not at all. */
void rn_read_cadence_add(struct rn_read_cadence *c, int64_t pts, int64_t duration, int64_t behind);

/* Pictures that the gaps would hold (> 0) or that stand on the time of others (< 0), as far as the
 * steps tell; 0 for less than two, and at a variable rate. */
int64_t rn_read_cadence_excess(const struct rn_read_cadence *c);

/* Pictures that had to be moved behind others, where that makes more than a second. second: in the
 * time base. */
int64_t rn_read_cadence_crowded(const struct rn_read_cadence *c, int64_t second);

#endif
