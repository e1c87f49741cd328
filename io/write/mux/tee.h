/* An AVIOContext that passes everything on and keeps the beginning, for outputs that cannot be read
 * again, such as pipes. */
#ifndef RN_IO_WRITE_MUX_TEE_H
#define RN_IO_WRITE_MUX_TEE_H

#include <stddef.h>
#include <stdint.h>

#include <libavformat/avio.h>

#define RN_MAX_HEAD ((size_t)1 << 20)

/* The first bytes, up to RN_MAX_HEAD. */
struct rn_write_head {
    uint8_t *data;
    size_t size;
};

struct rn_write_tee;

/* Puts itself before *pb, which is open for writing, and takes it over; *pb is then its own. Both
 * are closed by rn_write_tee_close. Returns 0 or libav's error code; *pb stays the caller's then.
 * */
int rn_write_tee_open(struct rn_write_tee **tee, AVIOContext **pb);

/* Flushes and closes both; *tee and *pb are NULL afterwards. *tee may be NULL: then *pb alone is
 * closed, which may be NULL, too. Keeps in head, if that is not NULL, what was kept: the caller
 * releases it with av_free(head->data). Returns 0 or libav's error code. */
int rn_write_tee_close(struct rn_write_tee **tee, AVIOContext **pb, struct rn_write_head *head);

#endif
