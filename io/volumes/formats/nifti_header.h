/* SPDX-License-Identifier: MIT */
/* The fields of the header of NIfTI-1 and -2, and of Analyze 7.5, which NIfTI-1 was made from: they
 * are at fixed offsets. For nifti.c alone. */
#pragma once

#include "io/volumes/fields.h"
#include "io/volumes/layout.h"

#define RN_VOL_NIFTI "NIfTI"

enum { RN_NIFTI_SIZE_1 = 348, RN_NIFTI_SIZE_2 = 540 };

/* A field of the header: its offset and the type of its numbers, in NIfTI-1 and -2. NONE: it is not
 * in this version. */
#define NONE (-1)
struct rn_vol_nifti_field {
    int offset[2];
    enum rn_vol_sample_type type[2];
};

#define FIELD(at_1, type_1, at_2, type_2)                                                          \
    {                                                                                              \
        {at_1, at_2},                                                                              \
        {                                                                                          \
            RN_STORED_##type_1, RN_STORED_##type_2                                                 \
        }                                                                                          \
    }

static const struct rn_vol_nifti_field nifti_dim = FIELD(40, S16, 16, S64);
static const struct rn_vol_nifti_field nifti_vox_offset = FIELD(108, F32, 168, S64);
static const struct rn_vol_nifti_field nifti_datatype = FIELD(70, S16, 12, S16);
static const struct rn_vol_nifti_field nifti_bitpix = FIELD(72, S16, 14, S16);
static const struct rn_vol_nifti_field nifti_pixdim = FIELD(76, F32, 104, F64);
static const struct rn_vol_nifti_field nifti_xyzt_units = FIELD(123, U8, 500, S32);
static const struct rn_vol_nifti_field nifti_slope = FIELD(112, F32, 176, F64);
static const struct rn_vol_nifti_field nifti_intercept = FIELD(116, F32, 184, F64);
static const struct rn_vol_nifti_field nifti_cal_max = FIELD(124, F32, 192, F64);
static const struct rn_vol_nifti_field nifti_cal_min = FIELD(128, F32, 200, F64);
static const struct rn_vol_nifti_field nifti_qform = FIELD(252, S16, 344, S32);
static const struct rn_vol_nifti_field nifti_sform = FIELD(254, S16, 348, S32);
static const struct rn_vol_nifti_field nifti_quatern = FIELD(256, F32, 352, F64);
static const struct rn_vol_nifti_field nifti_qoffset = FIELD(268, F32, 376, F64);
static const struct rn_vol_nifti_field nifti_srow = FIELD(280, F32, 400, F64);
static const struct rn_vol_nifti_field nifti_magic = FIELD(344, U8, 4, U8);
static const struct rn_vol_nifti_field nifti_descrip = FIELD(148, U8, 240, U8);
static const struct rn_vol_nifti_field nifti_intent = FIELD(328, U8, 508, U8);
static const struct rn_vol_nifti_field nifti_originator = FIELD(253, S16, NONE, S16); /* of SPM */
static const struct rn_vol_nifti_field nifti_vox_units = FIELD(56, U8, NONE, U8);

/* The fields that no member of struct rn_vol stands for. `common` says nothing, as 0 does. */
enum { RN_NIFTI_TEXT = 1024 /* in `needs`: `size` bytes, no number */ };

struct rn_vol_nifti_kept {
    const char *name;
    struct rn_vol_nifti_field field;
    int size;
    unsigned needs;
    double common;
};

/* A number of version 1 alone, and what it is where it says nothing; the bytes of a text. */
#define NUMBER(name, at, type, common)                                                             \
    {                                                                                              \
        name, FIELD(at, type, NONE, type), 1, 0, common                                            \
    }
#define WORDS(name, at_1, at_2, size)                                                              \
    {                                                                                              \
        name, FIELD(at_1, U8, at_2, U8), size, RN_NIFTI_TEXT, 0                                    \
    }

/* Both end with a row without a name. */
static const struct rn_vol_nifti_kept nifti_kept[] = {
    {"intent_code", FIELD(68, S16, 504, S32), 1, 0, 0},
    {"intent_p1", FIELD(56, F32, 80, F64), 1, 0, 0},
    {"intent_p2", FIELD(60, F32, 88, F64), 1, 0, 0},
    {"intent_p3", FIELD(64, F32, 96, F64), 1, 0, 0},
    {"dim_info", FIELD(39, U8, 524, U8), 1, RN_CHANGED_TURN, 0},
    {"slice_start", FIELD(74, S16, 224, S64), 1, RN_CHANGED_SLICES, 0},
    {"slice_end", FIELD(120, S16, 232, S64), 1, RN_CHANGED_SLICES, 0},
    {"slice_code", FIELD(122, U8, 496, S32), 1, RN_CHANGED_SLICES, 0},
    {"slice_duration", FIELD(132, F32, 208, F64), 1, RN_CHANGED_SLICES, 0},
    {"toffset", FIELD(136, F32, 216, F64), 1, RN_CHANGED_TIMES, 0},
    {"pixdim[5]", FIELD(96, F32, 144, F64), 1, RN_CHANGED_CHANNELS, 1},
    {"pixdim[6]", FIELD(100, F32, 152, F64), 1, 0, 1},
    {"pixdim[7]", FIELD(104, F32, 160, F64), 1, 0, 1},
    {"qform_code", FIELD(252, S16, 344, S32), 1, 0, 1},
    {"sform_code", FIELD(254, S16, 348, S32), 1, 0, 1},
    WORDS("aux_file", 228, 320, 24),
    WORDS("unused_str", NONE, 525, 15),
    WORDS("data_type", 4, NONE, 10),
    WORDS("db_name", 14, NONE, 18),
    NUMBER("extents", 32, S32, 16384),
    NUMBER("session_error", 36, S16, 0),
    NUMBER("regular", 38, U8, 'r'),
    {"glmax", FIELD(140, S32, NONE, S32), 1, RN_CHANGED_VALUES, 0},
    {"glmin", FIELD(144, S32, NONE, S32), 1, RN_CHANGED_VALUES, 0},
    /* These are read where no member of struct rn_vol takes them. */
    {"cal_max", FIELD(124, F32, 192, F64), 1, RN_CHANGED_VALUES, 0},
    {"cal_min", FIELD(128, F32, 200, F64), 1, RN_CHANGED_VALUES, 0},
    {"pixdim[4]", FIELD(92, F32, 136, F64), 1, RN_CHANGED_TIMES, 1},
    {"pixdim[1]", FIELD(80, F32, 112, F64), 1, RN_CHANGED_GRID, 1},
    {"pixdim[2]", FIELD(84, F32, 120, F64), 1, RN_CHANGED_GRID, 1},
    {"pixdim[3]", FIELD(88, F32, 128, F64), 1, 0, 1},
    {.name = NULL},
};

/* Fields of Analyze, which are named as lost. */
static const struct rn_vol_nifti_kept nifti_analyze_kept[] = {
    WORDS("data_type", 4, NONE, 10),    WORDS("db_name", 14, NONE, 18),
    NUMBER("extents", 32, S32, 16384),  NUMBER("session_error", 36, S16, 0),
    NUMBER("regular", 38, U8, 'r'),     NUMBER("hkey_un0", 39, U8, '0'),
    WORDS("cal_units", 60, NONE, 8),    NUMBER("unused1", 68, S16, 0),
    NUMBER("dim_un0", 74, S16, 0),      NUMBER("pixdim[4]", 92, F32, 1),
    NUMBER("pixdim[5]", 96, F32, 1),    NUMBER("pixdim[6]", 100, F32, 1),
    NUMBER("pixdim[7]", 104, F32, 1),   NUMBER("funused3", 120, F32, 0),
    NUMBER("compressed", 132, F32, 0),  NUMBER("verified", 136, F32, 0),
    NUMBER("glmax", 140, S32, 0),       NUMBER("glmin", 144, S32, 0),
    WORDS("aux_file", 228, NONE, 24),   NUMBER("orient", 252, U8, 0),
    WORDS("generated", 263, NONE, 10),  WORDS("scannum", 273, NONE, 10),
    WORDS("patient_id", 283, NONE, 10), WORDS("exp_date", 293, NONE, 10),
    WORDS("exp_time", 303, NONE, 10),   NUMBER("views", 316, S32, 0),
    NUMBER("vols_added", 320, S32, 0),  NUMBER("start_field", 324, S32, 0),
    NUMBER("field_skip", 328, S32, 0),  NUMBER("omax", 332, S32, 0),
    NUMBER("omin", 336, S32, 0),        NUMBER("smax", 340, S32, 0),
    NUMBER("smin", 344, S32, 0),        {.name = NULL}};
#undef FIELD
#undef NUMBER
#undef WORDS
