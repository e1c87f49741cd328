/* SPDX-License-Identifier: MIT */
/* Messages between the program and its decoder process.
 *
 * Each message is one packet of a socket. A request carries the file as a descriptor; pixels are
 * returned through shared memory. */
#pragma once

#include "io/dicom/file.h"

#define RN_DICOM_WORKER_WORD "dicom-worker"    /* argv[1] of a worker */
#define RN_DICOM_PROTOCOL    6                 /* changes with the messages */
#define RN_DICOM_MODULE      "runnel-dicom.so" /* which a worker is, in the folder of the halves */

struct rn_dicom_request {
    uint32_t number;
    enum { RN_DICOM_DESCRIBE, RN_DICOM_DECODE, RN_DICOM_COPY } what;
    int frame;          /* to be decoded */
    unsigned changed;   /* of RN_DICOM_COPY: as in rn_gdcm_copy */
    bool again;         /* the previous request was for the same file */
    uint64_t file_size; /* bytes */
    uint64_t memory;    /* bytes of shared memory, for pixels or elements */
    struct rn_dicom_header header;
};

struct rn_dicom_reply {
    enum { RN_DICOM_HELLO, RN_DICOM_TAKEN, RN_DICOM_PART, RN_DICOM_DONE } kind;
    uint32_t number; /* of the request; of a hello, RN_DICOM_PROTOCOL */
    bool filtered;   /* of a hello: system calls are filtered; entry.why: what is missing, or "" */
    uint64_t size;   /* of the answer to RN_DICOM_COPY: bytes of elements */
    /* RN_DICOM_DONE: the answer; of a decode request only result and why. RN_DICOM_PART, sent any
     * number of times before: as rn_dicom_part receives it. */
    struct rn_dicom_entry entry;
};
