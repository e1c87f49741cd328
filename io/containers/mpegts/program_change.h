/* MPEG-TS in which a program goes on under other PIDs: recordings that were joined with cat, and
 * what broadcasters do between two shows. To libav the pictures and the sound would end, and new
 * streams begin. Here the packets get the PIDs back under which the program began, before libav
 * sees them: each takes the place of a stream of its type that is no longer listed. */
#ifndef RN_IO_CONTAINERS_MPEGTS_PROGRAM_CHANGE_H
#define RN_IO_CONTAINERS_MPEGTS_PROGRAM_CHANGE_H

#include <stdint.h>

struct rn_container_program_change;

/* Returns NULL when out of memory. */
struct rn_container_program_change *rn_container_program_change_create(void);

/* Learns of the next packet (188 bytes), which stands at pos in the file, and gives it the PID that
 * libav is to see, which is returned. */
int rn_container_program_change_pass(struct rn_container_program_change *change, uint8_t *packet,
                                     int64_t pos);

/* The next packet stands at pos, or behind it. */
void rn_container_program_change_seek(struct rn_container_program_change *change, int64_t pos);

/* NULL is legal; *change is NULL afterwards. */
void rn_container_program_change_destroy(struct rn_container_program_change **change);

#endif
