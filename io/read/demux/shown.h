/* Which packets become pictures of their own. Most do; some only help to decode others, and some
 * are half a picture. Known without decoding, for counting pictures. */
#ifndef RN_IO_READ_DEMUX_SHOWN_H
#define RN_IO_READ_DEMUX_SHOWN_H

#include <stdbool.h>

#include <libavcodec/avcodec.h>

struct rn_read_shown;

/* For packets of a stream with these parameters. Returns NULL when out of memory. */
struct rn_read_shown *rn_read_shown_create(const AVCodecParameters *par);
/* NULL is legal; *shown is NULL afterwards. */
void rn_read_shown_destroy(struct rn_read_shown **shown);

/* Is every packet of such a stream a picture, unless it is marked as discarded? */
bool rn_read_shown_all(const AVCodecParameters *par);

/* The next packet need not follow the last one: a picture begins with it. */
void rn_read_shown_restart(struct rn_read_shown *shown);

/* Does pkt, the next of the stream, begin a picture that is shown? */
bool rn_read_shown_take(struct rn_read_shown *shown, const AVPacket *pkt);

#endif
