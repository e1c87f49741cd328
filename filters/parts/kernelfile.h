/* SPDX-License-Identifier: MIT */
/* A user's kernel file: its text, and the declarations in lines such as
 *
 *     //@param NAME MIN MAX STEP DEFAULT [help]    a parameter, available by its name as a float
 *     //@reach N                                   how far PIXEL reaches from its sample, 0..64
 *
 * A PIXEL with numbers beyond the reach is an error; without a line any but PIXEL(0, 0). */
#pragma once

#include <stdint.h>

#define RN_MAX_DECLARED   16  /* parameters */
#define RN_MAX_REACH      64  /* samples */
#define RN_KERNELFILE_WHY 512 /* bytes of a message */

struct rn_declared {
    const char *name, *help; /* interned */
    double min, max, step, def;
};

struct rn_kernel_file {
    uint64_t hash; /* of the text, FNV-1a */
    int n;
    struct rn_declared param[RN_MAX_DECLARED];
    int reach;
};

/* Parses the declarations in text. file: overwritten. path: of the file, for messages. Returns 0;
 * RN_EUSAGE, with the reason in why (RN_KERNELFILE_WHY bytes, one line, "FILE:LINE: ..."); or
 * RN_EINTERNAL (logged). */
int rn_kernel_file_parse(struct rn_kernel_file *file, const char *path, const char *text,
                         char *why);
