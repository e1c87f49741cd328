/* SPDX-License-Identifier: MIT */
#include "io/volumes/formats/nifti_header.h"

#include "io/volumes/fields.h"

const struct rn_vol_nifti_field rn_vol_nifti_dim = {{40, 16}, {RN_STORED_S16, RN_STORED_S64}};
const struct rn_vol_nifti_field rn_vol_nifti_vox_offset = {{108, 168},
                                                           {RN_STORED_F32, RN_STORED_S64}};
const struct rn_vol_nifti_field rn_vol_nifti_datatype = {{70, 12}, {RN_STORED_S16, RN_STORED_S16}};
const struct rn_vol_nifti_field rn_vol_nifti_bitpix = {{72, 14}, {RN_STORED_S16, RN_STORED_S16}};
const struct rn_vol_nifti_field rn_vol_nifti_pixdim = {{76, 104}, {RN_STORED_F32, RN_STORED_F64}};
const struct rn_vol_nifti_field rn_vol_nifti_xyzt_units = {{123, 500},
                                                           {RN_STORED_U8, RN_STORED_S32}};
const struct rn_vol_nifti_field rn_vol_nifti_slope = {{112, 176}, {RN_STORED_F32, RN_STORED_F64}};
const struct rn_vol_nifti_field rn_vol_nifti_intercept = {{116, 184},
                                                          {RN_STORED_F32, RN_STORED_F64}};
const struct rn_vol_nifti_field rn_vol_nifti_cal_max = {{124, 192}, {RN_STORED_F32, RN_STORED_F64}};
const struct rn_vol_nifti_field rn_vol_nifti_cal_min = {{128, 200}, {RN_STORED_F32, RN_STORED_F64}};
const struct rn_vol_nifti_field rn_vol_nifti_qform = {{252, 344}, {RN_STORED_S16, RN_STORED_S32}};
const struct rn_vol_nifti_field rn_vol_nifti_sform = {{254, 348}, {RN_STORED_S16, RN_STORED_S32}};
const struct rn_vol_nifti_field rn_vol_nifti_quatern = {{256, 352}, {RN_STORED_F32, RN_STORED_F64}};
const struct rn_vol_nifti_field rn_vol_nifti_qoffset = {{268, 376}, {RN_STORED_F32, RN_STORED_F64}};
const struct rn_vol_nifti_field rn_vol_nifti_srow = {{280, 400}, {RN_STORED_F32, RN_STORED_F64}};
const struct rn_vol_nifti_field rn_vol_nifti_magic = {{344, 4}, {RN_STORED_U8, RN_STORED_U8}};
const struct rn_vol_nifti_field rn_vol_nifti_descrip = {{148, 240}, {RN_STORED_U8, RN_STORED_U8}};
const struct rn_vol_nifti_field rn_vol_nifti_intent = {{328, 508}, {RN_STORED_U8, RN_STORED_U8}};

const struct rn_vol_nifti_kept rn_vol_nifti_kept[] = {
    {"intent_code", {{68, 504}, {RN_STORED_S16, RN_STORED_S32}}, 1, 0, 0},
    {"intent_p1", {{56, 80}, {RN_STORED_F32, RN_STORED_F64}}, 1, 0, 0},
    {"intent_p2", {{60, 88}, {RN_STORED_F32, RN_STORED_F64}}, 1, 0, 0},
    {"intent_p3", {{64, 96}, {RN_STORED_F32, RN_STORED_F64}}, 1, 0, 0},
    {"dim_info", {{39, 524}, {RN_STORED_U8, RN_STORED_U8}}, 1, RN_CHANGED_TURN, 0},
    {"slice_start", {{74, 224}, {RN_STORED_S16, RN_STORED_S64}}, 1, RN_CHANGED_SLICES, 0},
    {"slice_end", {{120, 232}, {RN_STORED_S16, RN_STORED_S64}}, 1, RN_CHANGED_SLICES, 0},
    {"slice_code", {{122, 496}, {RN_STORED_U8, RN_STORED_S32}}, 1, RN_CHANGED_SLICES, 0},
    {"slice_duration", {{132, 208}, {RN_STORED_F32, RN_STORED_F64}}, 1, RN_CHANGED_SLICES, 0},
    {"toffset", {{136, 216}, {RN_STORED_F32, RN_STORED_F64}}, 1, RN_CHANGED_TIMES, 0},
    {"pixdim[5]", {{96, 144}, {RN_STORED_F32, RN_STORED_F64}}, 1, RN_CHANGED_CHANNELS, 1},
    {"pixdim[6]", {{100, 152}, {RN_STORED_F32, RN_STORED_F64}}, 1, 0, 1},
    {"pixdim[7]", {{104, 160}, {RN_STORED_F32, RN_STORED_F64}}, 1, 0, 1},
    {"qform_code", {{252, 344}, {RN_STORED_S16, RN_STORED_S32}}, 1, 0, 1},
    {"sform_code", {{254, 348}, {RN_STORED_S16, RN_STORED_S32}}, 1, 0, 1},
    {"aux_file", {{228, 320}, {RN_STORED_U8, RN_STORED_U8}}, 24, RN_NIFTI_TEXT, 0},
    {"unused_str", {{RN_NIFTI_NONE, 525}, {RN_STORED_U8, RN_STORED_U8}}, 15, RN_NIFTI_TEXT, 0},
    {"data_type", {{4, RN_NIFTI_NONE}, {RN_STORED_U8, RN_STORED_U8}}, 10, RN_NIFTI_TEXT, 0},
    {"db_name", {{14, RN_NIFTI_NONE}, {RN_STORED_U8, RN_STORED_U8}}, 18, RN_NIFTI_TEXT, 0},
    {"extents", {{32, RN_NIFTI_NONE}, {RN_STORED_S32, RN_STORED_S32}}, 1, 0, 16384},
    {"session_error", {{36, RN_NIFTI_NONE}, {RN_STORED_S16, RN_STORED_S16}}, 1, 0, 0},
    {"regular", {{38, RN_NIFTI_NONE}, {RN_STORED_U8, RN_STORED_U8}}, 1, 0, 'r'},
    {"glmax", {{140, RN_NIFTI_NONE}, {RN_STORED_S32, RN_STORED_S32}}, 1, RN_CHANGED_VALUES, 0},
    {"glmin", {{144, RN_NIFTI_NONE}, {RN_STORED_S32, RN_STORED_S32}}, 1, RN_CHANGED_VALUES, 0},
    /* These are read where no member of struct rn_vol takes them. */
    {"cal_max", {{124, 192}, {RN_STORED_F32, RN_STORED_F64}}, 1, RN_CHANGED_VALUES, 0},
    {"cal_min", {{128, 200}, {RN_STORED_F32, RN_STORED_F64}}, 1, RN_CHANGED_VALUES, 0},
    {"pixdim[4]", {{92, 136}, {RN_STORED_F32, RN_STORED_F64}}, 1, RN_CHANGED_TIMES, 1},
    {"pixdim[1]", {{80, 112}, {RN_STORED_F32, RN_STORED_F64}}, 1, RN_CHANGED_GRID, 1},
    {"pixdim[2]", {{84, 120}, {RN_STORED_F32, RN_STORED_F64}}, 1, RN_CHANGED_GRID, 1},
    {"pixdim[3]", {{88, 128}, {RN_STORED_F32, RN_STORED_F64}}, 1, 0, 1},
    {.name = NULL},
};

/* A name, the offset, and the type of a number with what it is where it says nothing, or the bytes
 * of a text. */
#define NUMBER(name, at, type, common)                                                             \
    {                                                                                              \
        name, {{at, RN_NIFTI_NONE}, {RN_STORED_##type, RN_STORED_##type}}, 1, 0, common            \
    }
#define WORDS(name, at, size)                                                                      \
    {                                                                                              \
        name, {{at, RN_NIFTI_NONE}, {RN_STORED_U8, RN_STORED_U8}}, size, RN_NIFTI_TEXT, 0          \
    }
const struct rn_vol_nifti_kept rn_vol_nifti_analyze_kept[] = {
    WORDS("data_type", 4, 10),         WORDS("db_name", 14, 18),
    NUMBER("extents", 32, S32, 16384), NUMBER("session_error", 36, S16, 0),
    NUMBER("regular", 38, U8, 'r'),    NUMBER("hkey_un0", 39, U8, '0'),
    WORDS("cal_units", 60, 8),         NUMBER("unused1", 68, S16, 0),
    NUMBER("dim_un0", 74, S16, 0),     NUMBER("pixdim[4]", 92, F32, 1),
    NUMBER("pixdim[5]", 96, F32, 1),   NUMBER("pixdim[6]", 100, F32, 1),
    NUMBER("pixdim[7]", 104, F32, 1),  NUMBER("funused3", 120, F32, 0),
    NUMBER("compressed", 132, F32, 0), NUMBER("verified", 136, F32, 0),
    NUMBER("glmax", 140, S32, 0),      NUMBER("glmin", 144, S32, 0),
    WORDS("aux_file", 228, 24),        NUMBER("orient", 252, U8, 0),
    WORDS("generated", 263, 10),       WORDS("scannum", 273, 10),
    WORDS("patient_id", 283, 10),      WORDS("exp_date", 293, 10),
    WORDS("exp_time", 303, 10),        NUMBER("views", 316, S32, 0),
    NUMBER("vols_added", 320, S32, 0), NUMBER("start_field", 324, S32, 0),
    NUMBER("field_skip", 328, S32, 0), NUMBER("omax", 332, S32, 0),
    NUMBER("omin", 336, S32, 0),       NUMBER("smax", 340, S32, 0),
    NUMBER("smin", 344, S32, 0),       {.name = NULL}};
#undef NUMBER
#undef WORDS
const struct rn_vol_nifti_field rn_vol_nifti_originator = {
    {253, RN_NIFTI_NONE}, {RN_STORED_S16, RN_STORED_S16}}; /* of SPM */
const struct rn_vol_nifti_field rn_vol_nifti_vox_units = {{56, RN_NIFTI_NONE},
                                                          {RN_STORED_U8, RN_STORED_U8}};
