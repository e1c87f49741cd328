/* SPDX-License-Identifier: MIT */
/* Reads MATLAB's .mat files through libmatio in a child process.
 *
 * libmatio and HDF5 parse untrusted files, and a hostile file can crash the process. So a child
 * (io/process/child.h) opens the file, gives up its rights, and sends either the list of arrays or
 * the samples of one. Only the child loads the two libraries, which bring forty more. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "io/process/child.h"

/* The main function of a worker: runnel-mat.so. Returns the exit status. */
int rn_vol_mat_worker_main(int argc, char **argv);

#define RN_MAT_WORD "mat-worker" /* argv[1] of a worker */

/* Allows starting workers: this program knows the hidden command. */
void rn_vol_mat_worker_allow(void);

#define RN_MAT_RANK       8
#define RN_MAT_NAME       64
#define RN_MAT_MAX_ARRAYS 1000 /* listed arrays of a file */

enum rn_vol_mat_kind { RN_MAT_NUMBERS, RN_MAT_OTHER /* text, cells, structs, sparse... */ };

/* One array of a file. */
struct rn_vol_mat_array {
    char name[RN_MAT_NAME]; /* cut off if it is longer */
    int32_t kind;
    int32_t type;    /* enum rn_vol_sample_type of sent samples */
    int32_t complex; /* samples are sent in pairs */
    int32_t rank;    /* at least 2; may exceed RN_MAT_RANK */
    int64_t size[RN_MAT_RANK];
    int64_t surplus; /* bytes behind its samples, or behind all arrays, that are no part of any */
};

/* Lists the arrays of a file. free() *list. Returns 0, RN_EINPUT or RN_EINTERNAL (logged). */
int rn_vol_mat_list(const char *path, struct rn_vol_mat_array **list, int *n);

/* The samples of one array, in MATLAB's order. One thread at a time. */
struct rn_vol_mat_stream {
    const char *path; /* borrowed */
    int variable;     /* the array's index in the list */
    int64_t picture;  /* bytes of one */
    struct rn_io_child child;
    int64_t at; /* offset of the next byte; -1: no process, as at first */
};

/* Reads n bytes from offset `at`, forward; an earlier or distant offset starts a new process at its
 * picture. Returns the bytes read. */
size_t rn_vol_mat_read(struct rn_vol_mat_stream *stream, int64_t at, void *to, size_t n);

/* The head of a list; n arrays follow. */
struct rn_vol_mat_reply {
    char magic[8]; /* RN_MAT_MAGIC */
    int32_t n;
    int32_t missing; /* libmatio is not installed */
    char why[112];   /* the reason, if n is 0 */
};

#define RN_MAT_MAGIC "rnmat 1"

/* Checks n untrusted bytes of a worker. Returns the arrays, which lie in data, or NULL with the
 * reason in why. */
struct rn_vol_mat_array *rn_vol_mat_check_reply(uint8_t *data, size_t n, int *count, char why[128]);
