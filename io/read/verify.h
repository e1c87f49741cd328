/* SPDX-License-Identifier: MIT */
/* Reads an output back (--verify): whether it has the pictures that were written, and whether a
 * lossless one has their samples. */
#pragma once

#include "filters/base/image.h"

/* What was written: 16 bytes for each picture. */
struct rn_read_verify;

/* Returns NULL when out of memory. The caller destroys it. */
struct rn_read_verify *rn_read_verify_create(void);
void rn_read_verify_destroy(struct rn_read_verify **verify);

/* Returns true if an output of this name can be read back: a file, or numbered files. */
bool rn_read_verify_can(const char *output);

/* Notes a picture before it is written. number: of its file, where they are numbered. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_read_verify_add(struct rn_read_verify *verify, const struct rn_image *img, int64_t number);

/* Reads output, which is complete. Returns 0; RN_EOUTPUT (logged) if it differs from what was
 * written; or RN_EINTERNAL (logged). */
int rn_read_verify_check(const struct rn_read_verify *verify, const char *output);
