/* A process that reads DICOM files through GDCM.
 *
 * GDCM's assertions, which are compiled into the distributions' packages, end the process on files
 * that it did not expect, and its parsers read what strangers wrote. So another process decodes
 * (io/process/child.h). One that died is replaced when the next file is asked for.
 *
 * The worker opens nothing: each request hands it one file, open for reading. It bounds its own
 * memory by the size of that file and of its pictures, and its system calls to those that decoding
 * needs (io/process/confine.h). It ends when its parent ends. */
#ifndef RN_IO_DICOM_WORKER_H
#define RN_IO_DICOM_WORKER_H

#include "io/dicom/file.h"

#include <stdatomic.h>
#include <stdint.h>

/* Call first thing in main(). Returns true if this process was started as a worker: it has done its
 * work, and main() returns *status. Otherwise the program has now promised that it comes here when
 * it is executed once more, and workers can be started from it. */
bool rn_dicom_worker_main(int argc, char **argv, int *status);

/* For programs that do not call rn_dicom_worker_main: names an executable that does, such as an
 * installed runnel of the same version. Call before other threads run. Returns 0 or RN_EUSAGE
 * (logged) if it cannot be executed. */
int rn_dicom_worker_set_program(const char *path);

/* Belongs to one thread at a time. */
struct rn_dicom_worker;

/* Starts a worker, which can describe files. Returns 0 or RN_EINTERNAL (logged), also where the
 * program has called neither of the functions above. */
int rn_dicom_worker_start(struct rn_dicom_worker **worker);

/* Ends its process, whatever that is at. *worker may be NULL, and is NULL afterwards. */
void rn_dicom_worker_stop(struct rn_dicom_worker **worker);

/* Describes a file, whose header it reads: sets all of entry. take, which may be NULL, is called in
 * between with arg. */
void rn_dicom_describe(struct rn_dicom_worker *worker, const char *path,
                       struct rn_dicom_entry *entry, rn_dicom_part *take, void *arg);

/* Gives what a file says that a derived one says too: calls take with parts that have an attribute.
 * Returns false if the file cannot be read. */
bool rn_dicom_read_attributes(struct rn_dicom_worker *worker, const char *path, rn_dicom_part *take,
                              void *arg);

/* Makes room for the pixels of frames of up to size bytes (rn_dicom_frame_size). Call once, before
 * the first rn_dicom_decode. Returns 0 or RN_EINTERNAL (logged). */
int rn_dicom_worker_reserve(struct rn_dicom_worker *worker, size_t size);

/* Reads the values of a frame, from 0, of a file that was described: interleaved colours, native
 * endian; bits above header->bits may hold anything. They are the worker's, and valid until its
 * next call. again: the last call was of the same file. NULL on failure, with the reason in why
 * (size bytes) and whether other frames may be better in *others; or once stop is set, which
 * another thread may do: it reads nothing more then. */
const uint8_t *rn_dicom_decode(struct rn_dicom_worker *worker, const char *path,
                               const struct rn_dicom_header *header, int frame, bool again,
                               const atomic_bool *stop, bool *others, char *why, size_t size);

#endif
