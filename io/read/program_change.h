/* MPEG-TS in which a program goes on under other PIDs: recordings that were joined with cat, and
 * what broadcasters do between two shows. To libav the pictures and the sound would end, and new
 * streams begin. Here the packets get the PIDs back under which the program began, before libav
 * sees them: each takes the place of a stream of its type that is no longer listed. */
#ifndef RN_PROGRAM_CHANGE_H
#define RN_PROGRAM_CHANGE_H

#include <libavformat/avio.h>

struct rn_program_change;

/* Reads MPEG-TS of io, which stands at its beginning, can seek, and is the caller's to close, later
 * than this. Returns NULL if it is no such file, or without memory. */
struct rn_program_change *rn_program_change_open(AVIOContext *io);

/* What libav is to read instead of io. */
AVIOContext *rn_program_change_io(const struct rn_program_change *change);

void rn_program_change_close(struct rn_program_change **change);

#endif
