/* SPDX-License-Identifier: MIT */
/* An AVIOContext that passes everything on and keeps the beginning, for outputs that cannot be read
 * again, such as pipes. */
#pragma once

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

/* Replaces *pb, which is open for writing, by a tee that owns it. rn_write_tee_close closes both.
 * Returns 0 or libav's error code; *pb does not change then. */
int rn_write_tee_open(struct rn_write_tee **tee, AVIOContext **pb);

/* Flushes and closes both, and sets *tee and *pb to NULL; NULL is legal. *head gets what was kept,
 * unless head is NULL; the caller frees head->data with av_free. Returns 0 or libav's error
 * code. */
int rn_write_tee_close(struct rn_write_tee **tee, AVIOContext **pb, struct rn_write_head *head);
