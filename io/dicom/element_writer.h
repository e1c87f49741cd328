/* SPDX-License-Identifier: MIT */
/* Writes DICOM files to memory, in explicit VR little endian (PS3.5 7.1, PS3.10 7.1). GDCM writes a
 * sequence from its own objects alone, so that those of another file would have to be parsed in
 * this process; here they are bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct rn_dicom_element {
    uint32_t tag; /* group and element */
    char vr[3];
    int depth; /* 0: the main data set */
    /* Of a sequence: items as a file has them, before one of the deeper elements that follow. */
    const void *value;
    uint32_t size; /* bytes; even */
};

/* Returns bytes that suffice for a file of n elements. */
size_t rn_dicom_elements_max_size(const struct rn_dicom_element *elements, int n);

/* Writes a file of n elements, those of the main data set in any order; of those with one tag it
 * takes the last. class, instance: UIDs. Returns its bytes; 0: out of memory. */
size_t rn_dicom_elements_write(const struct rn_dicom_element *elements, int n, const char *class,
                               const char *instance, uint8_t *to);
