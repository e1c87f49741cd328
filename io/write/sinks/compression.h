/* SPDX-License-Identifier: MIT */
/* The lossless compression of image files and volumes that the user requests (--compression). */
#pragma once

#include <stdbool.h>

enum rn_write_compression_kind {
    RN_COMPRESSION_DEFAULT, /* the format's own */
    RN_COMPRESSION_NONE,
    RN_COMPRESSION_PACKBITS,
    RN_COMPRESSION_LZW,
    RN_COMPRESSION_DEFLATE,
    RN_COMPRESSION_ZSTD,
};

struct rn_write_compression {
    enum rn_write_compression_kind kind;
    int level; /* 0: the library's default */
};

/* Reads NAME or NAME:LEVEL. Returns false if it is none of those. */
bool rn_write_compression_parse(const char *text, struct rn_write_compression *compression);

/* The name of a kind; "" for the default. */
const char *rn_write_compression_name(enum rn_write_compression_kind kind);

/* Checks whether files of a format ("TIFF", "PNG", "NRRD"...; others have no compression) can be
 * compressed so. output: the name of the file, for the message, which lists the choices. Returns 0
 * or RN_EUSAGE (logged). */
int rn_write_compression_check(const struct rn_write_compression *compression, const char *format,
                               const char *output);
