/* SPDX-License-Identifier: MIT */
/* The fields of the header of NIfTI-1 and -2, and of Analyze 7.5, which NIfTI-1 was made from: they
 * are at fixed offsets. For nifti.c. */
#pragma once

#include "io/volumes/layout.h"

#define RN_VOL_NIFTI "NIfTI"

enum { RN_NIFTI_SIZE_1 = 348, RN_NIFTI_SIZE_2 = 540 };

/* A field of the header: its offset and the type of its numbers, in NIfTI-1 and -2. */
struct rn_vol_nifti_field {
    int offset[2];
    enum rn_vol_sample_type type[2];
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
