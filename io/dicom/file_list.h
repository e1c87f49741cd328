/* Which DICOM files an input is, and what their headers say. */
#ifndef RN_IO_DICOM_FILE_LIST_H
#define RN_IO_DICOM_FILE_LIST_H

#include <sys/stat.h>

#include "io/dicom/file.h"
#include "io/read/images/names.h"

struct rn_dicom_worker;
struct rn_read_input;

/* A file with pictures. */
struct rn_dicom_file {
    const char *path; /* of rn_dicom_file_list.names */
    struct rn_dicom_header head;
    struct rn_dicom_place *places; /* of its frames, if head.has_places; else NULL */
    dev_t dev;
    ino_t ino;
    int given; /* pictures of it that were read */
    bool bad;  /* the others cannot be decoded, which was counted */
};

struct rn_dicom_file_list {
    const char *input; /* borrowed */
    bool folder;       /* it is one */
    struct rn_read_names names;
    struct rn_dicom_file *file; /* in natural order of their names */
    int n;
};

/* Lists the files of input, which is a folder with all below it, a DICOMDIR, a file, a glob or a
 * pattern, and reads their headers. Those that cannot be read are counted as damaged, those that a
 * DICOMDIR names and nobody finds as missing in p; what is no DICOM is said. Returns 0, or
 * RN_EINPUT or RN_EINTERNAL (logged) if there are no pictures. files: zeroed before; free it in any
 * case. */
int rn_dicom_file_list_read(struct rn_dicom_file_list *files, const char *input,
                            struct rn_dicom_worker *worker, struct rn_read_input *p);
void rn_dicom_file_list_free(struct rn_dicom_file_list *files);

#endif
