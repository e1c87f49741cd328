/* SPDX-License-Identifier: MIT */
/* Reads DICOM files through GDCM in a decoder process.
 *
 * GDCM parses untrusted files, and its assertions, which distributions compile in, abort the
 * process on unexpected ones. So a child process decodes (io/process/child.h). If it dies, the next
 * request starts a new one.
 *
 * The worker opens no file: each request passes one open descriptor. It limits its memory by the
 * size of the file and its pictures, and its system calls to those of decoding
 * (io/process/confine.h). It ends with its parent. */
#pragma once

#include "io/dicom/file.h"

#include <stdatomic.h>

/* The main function of a worker: runnel-dicom.so. Returns the exit status. */
int rn_dicom_worker_main(int argc, char **argv);

/* Sets the executable that workers are started with: this program, if it is runnel, or an installed
 * one of the same version. Call before other threads run. Returns 0, or RN_EUSAGE (logged) if it
 * cannot be executed. */
int rn_dicom_worker_set_program(const char *path);

/* Belongs to one thread at a time. */
struct rn_dicom_worker;

/* Starts a worker. Returns 0 or RN_EINTERNAL (logged), also if no program is set. */
int rn_dicom_worker_start(struct rn_dicom_worker **worker);

/* Kills the process. *worker may be NULL; sets it to NULL. */
void rn_dicom_worker_stop(struct rn_dicom_worker **worker);

/* Reads the header of a file and sets all of entry. take (or NULL) receives the parts, with arg. */
void rn_dicom_describe(struct rn_dicom_worker *worker, const char *path,
                       struct rn_dicom_entry *entry, rn_dicom_part *take, void *arg);

/* Shares memory for frames (rn_dicom_frame_size) or elements of up to size bytes. Call once, before
 * the first rn_dicom_decode or rn_dicom_copy. Returns 0 or RN_EINTERNAL (logged). */
int rn_dicom_worker_reserve(struct rn_dicom_worker *worker, size_t size);

/* Copies the elements of a file for a file that is derived from it, as rn_gdcm_copy does. They
 * belong to the worker and stay valid until its next call; nothing in them can be trusted. Returns
 * NULL if the file cannot be read. */
const uint8_t *rn_dicom_copy(struct rn_dicom_worker *worker, const char *path, unsigned changed,
                             size_t *size);

/* Decodes a frame, from 0, of a described file: interleaved colours, native endian; bits above
 * header->bits are undefined. again: the previous call was for the same file. The values belong to
 * the worker and stay valid until its next call. Returns NULL on failure, with the reason in why
 * (size bytes) and *others true if other frames may be readable; or after another thread sets stop.
 */
const uint8_t *rn_dicom_decode(struct rn_dicom_worker *worker, const char *path,
                               const struct rn_dicom_header *header, int frame, bool again,
                               const atomic_bool *stop, bool *others, char *why, size_t size);
