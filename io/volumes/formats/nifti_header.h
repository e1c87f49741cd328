/* SPDX-License-Identifier: MIT */
/* The header of NIfTI-1 and -2, and of Analyze 7.5, which NIfTI-1 was made from: its fields, at
 * fixed offsets, and the numbers in them. For nifti.c, which reads, and nifti_write.c. */
#pragma once

#include "io/volumes/layout.h"

#define RN_VOL_NIFTI "NIfTI"

enum { RN_NIFTI_SIZE_1 = 348, RN_NIFTI_SIZE_2 = 540 };

enum rn_vol_nifti_type {
    RN_NIFTI_U8,
    RN_NIFTI_S16,
    RN_NIFTI_S32,
    RN_NIFTI_S64,
    RN_NIFTI_F32,
    RN_NIFTI_F64
};

extern const int rn_vol_nifti_bytes[]; /* of a number of each type */

/* A field of the header: its offset and the type of its numbers, in NIfTI-1 and -2. */
struct rn_vol_nifti_field {
    int offset[2];
    enum rn_vol_nifti_type type[2];
};

extern const struct rn_vol_nifti_field rn_vol_nifti_dim, rn_vol_nifti_vox_offset,
    rn_vol_nifti_datatype, rn_vol_nifti_bitpix, rn_vol_nifti_pixdim, rn_vol_nifti_xyzt_units,
    rn_vol_nifti_slope, rn_vol_nifti_intercept, rn_vol_nifti_cal_max, rn_vol_nifti_cal_min,
    rn_vol_nifti_qform, rn_vol_nifti_sform, rn_vol_nifti_quatern, rn_vol_nifti_qoffset,
    rn_vol_nifti_srow, rn_vol_nifti_magic, rn_vol_nifti_descrip, rn_vol_nifti_intent,
    rn_vol_nifti_originator, rn_vol_nifti_vox_units;

/* The fields that no member of struct rn_vol stands for. RN_NIFTI_NONE: not in this version.
 * `common` says nothing, as 0 does. */
enum { RN_NIFTI_NONE = -1, RN_NIFTI_TEXT = 1024 /* in `needs`: `size` bytes, no number */ };

struct rn_vol_nifti_kept {
    const char *name;
    struct rn_vol_nifti_field field;
    int size;
    unsigned needs;
    double common;
};

/* End with a row without a name. The second one: fields of Analyze, which are named as lost. */
extern const struct rn_vol_nifti_kept rn_vol_nifti_kept[], rn_vol_nifti_analyze_kept[];

enum {
    RN_NIFTI_M = 1,
    RN_NIFTI_MM = 2,
    RN_NIFTI_UM = 3,
    RN_NIFTI_S = 8,
    RN_NIFTI_MS = 16,
    RN_NIFTI_US = 24
};

/* The mm of a unit; the seconds of a unit of time, 0: it is none (frequencies and angles have some
 * of these codes). */
double rn_vol_nifti_unit_mm(int units);
double rn_vol_nifti_unit_seconds(int units);

/* ---- numbers in a header */

struct rn_vol_nifti {
    const uint8_t *head;
    bool two, swapped, analyze;
};

/* The bytes at an offset; number i of a field: doubles hold all valid values. */
uint64_t rn_vol_nifti_bits(const struct rn_vol_nifti *h, int at, int bytes);
double rn_vol_nifti_get(const struct rn_vol_nifti *h, const struct rn_vol_nifti_field *f, int i);

/* Sets *h to a header, which must outlive it; false: n bytes of head are none of NIfTI. */
bool rn_vol_nifti_identify(struct rn_vol_nifti *h, const uint8_t *head, size_t n);

/* ---- nifti_write.c: members of struct rn_vol_format */

bool rn_vol_nifti_refuses(const struct rn_vol *v, const char *output, char *why, size_t size);
bool rn_vol_nifti_packed(const char *output);
size_t rn_vol_nifti_header(const struct rn_vol_heading *h, char *to, size_t size);
void rn_vol_nifti_lacks(const struct rn_vol *v, char *text, size_t size);
