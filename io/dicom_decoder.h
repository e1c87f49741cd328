/* A process that reads DICOM files through GDCM.
 *
 * GDCM's assertions, which are compiled into the distributions' packages, end the process on files
 * that it did not expect. So a worker process decodes, and a guard process starts another one when
 * that dies: whatever happens there is an unreadable file here. Both come of a fork, which is safe
 * only while no other thread can hold a lock: start it before any is at work. */
#ifndef RN_DICOM_DECODER_H
#define RN_DICOM_DECODER_H

#include "io/dicom_file.h"

#include <stdatomic.h>
#include <stdint.h>

struct rn_dicom_decoder;

/* Starts one that can decode files of up to max_size bytes (rn_dicom_size); 0: headers only.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_dicom_decoder_start(struct rn_dicom_decoder **decoder, size_t max_size);

/* Ends its processes, whatever they are at. *decoder may be NULL, and is NULL afterwards. */
void rn_dicom_decoder_stop(struct rn_dicom_decoder **decoder);

/* Describes a file, whose header it reads: sets all of entry. */
void rn_dicom_describe(struct rn_dicom_decoder *decoder, const char *path,
                       struct rn_dicom_entry *entry);

/* Reads the values of all frames of a file that was described: interleaved colours, native endian;
 * bits above header->bits may hold anything. They are the decoder's, and valid until its next
 * call. NULL on failure, with the reason in why (size bytes), or once stop is set, which another
 * thread may do: it reads nothing more then. */
const uint8_t *rn_dicom_decode(struct rn_dicom_decoder *decoder, const char *path,
                               const struct rn_dicom_header *header, const atomic_bool *stop,
                               char *why, size_t size);

#endif
