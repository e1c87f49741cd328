/* Chooses and opens the decoder of a source. */
#ifndef RN_IO_READ_DECODE_DECODER_H
#define RN_IO_READ_DECODE_DECODER_H

struct rn_read_source;

/* Makes src->dec, and the packet and frames that decoding needs, for src->packets, which is open.
 * What fails half-way is for rn_read_close to release. Returns 0, RN_EINPUT (no decoder for it,
 * or it cannot be opened) or RN_EINTERNAL (logged). */
int rn_read_decoder_open(struct rn_read_source *src);

#endif
