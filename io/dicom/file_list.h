/* SPDX-License-Identifier: MIT */
/* Lists the DICOM files of an input and reads their headers. */
#pragma once

#include "io/dicom/file.h"
#include "io/read/images/names.h"

struct rn_dicom_worker;
struct rn_read_input;

/* A file with pictures. */
struct rn_dicom_file {
    const char *path; /* of rn_dicom_file_list.names */
    struct rn_dicom_header head;
    struct rn_dicom_place *places; /* of its frames; NULL: none (head.has_places) */
    int counted;                   /* pictures that were read, or counted as corrupt */
    int64_t surplus;               /* bytes behind its frames that were counted */
    bool bad;                      /* the others cannot be decoded, and were counted */
};

struct rn_dicom_file_list {
    const char *input; /* borrowed */
    bool folder;       /* input is a folder */
    struct rn_read_names names;
    struct rn_dicom_file *file; /* in natural order of their names */
    int n;
};

/* Lists the files of input: a folder with its subfolders, a DICOMDIR, a file, a glob or a pattern;
 * and reads their headers. p: counts unreadable files as corrupt, and files that only a DICOMDIR
 * names as missing. Other files are reported. Returns 0, or RN_EINPUT or RN_EINTERNAL (logged) if
 * there are no pictures. files: zeroed by the caller, who frees it in any case. */
int rn_dicom_file_list_read(struct rn_dicom_file_list *files, const char *input,
                            struct rn_dicom_worker *worker, struct rn_read_input *p);
void rn_dicom_file_list_free(struct rn_dicom_file_list *files);
