/* A process that reads MATLAB's .mat files through libmatio.
 *
 * libmatio, and HDF5 behind it, read what strangers wrote, and a file that was made to can end the
 * process that reads it. So another process does (io/process/child.h). It opens the one file, gives
 * up all that reading does not need, and then sends what was asked for: what arrays there are, or
 * the samples of one. Both libraries are loaded there alone: they bring forty more. */
#ifndef RN_IO_VOLUMES_MAT_MAT_WORKER_H
#define RN_IO_VOLUMES_MAT_MAT_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Call at the beginning of main(). Returns true if this process was started as a worker: it has
 * done its work, and main() returns *status. Otherwise workers can be started from now on. */
bool rn_vol_mat_worker_main(int argc, char **argv, int *status);

#define RN_MAT_WORD "mat-worker" /* argv[1] of a worker */

/* From now on workers can be started: this program knows the hidden command. */
void rn_vol_mat_worker_allow(void);

#define RN_MAT_RANK 8
#define RN_MAT_NAME 64
#define RN_MAT_MOST 1000 /* arrays that are listed of one file */

enum rn_vol_mat_kind { RN_MAT_NUMBERS, RN_MAT_OTHER }; /* other: text, cells, structs, sparse... */

/* One array of a file. */
struct rn_vol_mat_array {
    char name[RN_MAT_NAME]; /* cut off if it is longer */
    int32_t kind;
    int32_t type;    /* enum rn_vol_sample_type: what is sent */
    int32_t complex; /* pairs of them are sent */
    int32_t rank;    /* at least 2; as it is, also beyond RN_MAT_RANK */
    int64_t size[RN_MAT_RANK];
};

/* Lists the arrays of a file: *list is to be freed with free(). Returns 0, RN_EINPUT or
 * RN_EINTERNAL (logged). */
int rn_vol_mat_list(const char *path, struct rn_vol_mat_array **list, int *n);

/* The samples of one array, in MATLAB's order. One thread at a time. */
struct rn_vol_mat_stream;

/* Opens the array of this number in the list, whose pictures have so many bytes each. Returns 0 or
 * an errno. */
int rn_vol_mat_open(struct rn_vol_mat_stream **stream, const char *path, int variable,
                    int64_t picture);
void rn_vol_mat_close(struct rn_vol_mat_stream **stream);

/* Reads n bytes from place `at` on, forward; another place further on or back starts a new process
 * at its picture. Returns how many there are. */
size_t rn_vol_mat_read(struct rn_vol_mat_stream *stream, int64_t at, void *to, size_t n);

/* What the worker sends where it lists: this, and so many arrays behind it. */
struct rn_vol_mat_reply {
    char magic[8]; /* RN_MAT_MAGIC */
    int32_t n;
    int32_t missing; /* libmatio is not there */
    char why[112];   /* where n is 0 */
};

#define RN_MAT_MAGIC "rnmat 1"

/* Checks what a worker sent, which may be anything: of n bytes. Returns the arrays, which lie in
 * data, or NULL with the reason in why. */
struct rn_vol_mat_array *rn_vol_mat_check_reply(uint8_t *data, size_t n, int *count, char why[128]);

#endif
