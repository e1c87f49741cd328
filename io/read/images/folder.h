/* SPDX-License-Identifier: MIT */
/* A folder whose files are no sequence of one type: what lies in it. */
#pragma once

#include <stdbool.h>

/* The files of one type. */
struct rn_read_folder_kind {
    char name[16];      /* the extension in small letters; "" = none */
    int files;          /* >= 1 */
    char *first, *last; /* in natural order; names with the folder's */
    bool images;        /* as which a glob of them can be read */
};

struct rn_read_folder {
    struct rn_read_folder_kind *kind; /* the most files first */
    int n;
};

/* Fills folder with the files of input, without hidden ones and folders, if it is a folder that is
 * no DICOM series, no TIFF stack and no images of one type: returns 1. Returns 0 for every other
 * input, or an error (logged). Free it in any case. */
int rn_read_folder_take(struct rn_read_folder *folder, const char *input);
void rn_read_folder_free(struct rn_read_folder *folder);
