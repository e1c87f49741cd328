/* SPDX-License-Identifier: MIT */
/* MD5 (RFC 1321), which tells data apart, as text. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define RN_DIGEST 33 /* 32 hexadecimal digits, and the end */

void rn_io_digest(const void *data, size_t size, char text[RN_DIGEST]);

/* The same of a whole file. Returns 0 or RN_EINPUT (logged). */
int rn_io_digest_file(const char *path, char text[RN_DIGEST]);

/* The text of a sum. */
void rn_io_digest_text(const uint8_t sum[16], char text[RN_DIGEST]);

/* The version of the library that encodes: FFmpeg's libavcodec. */
const char *rn_io_library(void);
