/* SPDX-License-Identifier: MIT */
/* The words of NRRD's header: its fields, types, spaces and units. For nrrd.c alone. */
#pragma once

#include "io/volumes/fields.h"
#include "io/volumes/layout.h"

#define RN_VOL_NRRD         "NRRD"
#define RN_VOL_NRRD_MAX_DIM 16

/* From RN_NRRD_CONTENT to RN_NRRD_SPACE_ORIGIN the values are kept as they are; from
 * RN_NRRD_SPACE_DIRECTIONS on there is a word for each axis. */
enum rn_vol_nrrd_field {
    RN_NRRD_TYPE,
    RN_NRRD_DIMENSION,
    RN_NRRD_SIZES,
    RN_NRRD_NUMBER,
    RN_NRRD_ENCODING,
    RN_NRRD_ENDIAN,
    RN_NRRD_DATA_FILE,
    RN_NRRD_LINE_SKIP,
    RN_NRRD_BYTE_SKIP,
    RN_NRRD_CONTENT,
    RN_NRRD_BLOCK_SIZE,
    RN_NRRD_OLD_MIN,
    RN_NRRD_OLD_MAX,
    RN_NRRD_SAMPLE_UNITS,
    RN_NRRD_MEASUREMENT_FRAME,
    RN_NRRD_SPACE,
    RN_NRRD_SPACE_DIMENSION,
    RN_NRRD_SPACE_UNITS,
    RN_NRRD_SPACE_ORIGIN,
    RN_NRRD_SPACE_DIRECTIONS,
    RN_NRRD_KINDS,
    RN_NRRD_SPACINGS,
    RN_NRRD_AXIS_MINS,
    RN_NRRD_AXIS_MAXS,
    RN_NRRD_UNITS,
    RN_NRRD_THICKNESSES,
    RN_NRRD_CENTERS,
    RN_NRRD_LABELS,
    RN_NRRD_FIELDS
};

static const char *const nrrd_field_names[] = {
    "type",        "dimension",       "sizes",       "number",       "encoding",
    "endian",      "data file",       "line skip",   "byte skip",    "content",
    "block size",  "old min",         "old max",     "sample units", "measurement frame",
    "space",       "space dimension", "space units", "space origin", "space directions",
    "kinds",       "spacings",        "axis mins",   "axis maxs",    "units",
    "thicknesses", "centers",         "labels"};
_Static_assert(sizeof nrrd_field_names / sizeof *nrrd_field_names == RN_NRRD_FIELDS,
               "each field has a name");

/* What an axis is. Slices, channels and times are RN_NRRD_SLICE + enum rn_vol_axis. */
enum rn_vol_nrrd_axis {
    RN_NRRD_COLOUR,
    RN_NRRD_COLUMN,
    RN_NRRD_ROW,
    RN_NRRD_SLICE,
    RN_NRRD_CHANNEL,
    RN_NRRD_TIME,
    RN_NRRD_AXES
};

/* rn_vol_field.tag: data is the value, a whole line, or the word of an axis. */
enum { RN_NRRD_VALUE, RN_NRRD_LINE, RN_NRRD_WORD /* + enum rn_vol_nrrd_axis */ };

/* For each sample type its names, parted by commas, of which the first one is written; the keys of
 * this program. */
static const char *const nrrd_types[RN_STORED_TYPES] = {
    [RN_STORED_U8] = "uint8,uchar,unsigned char,uint8_t",
    [RN_STORED_S8] = "signed char,int8,int8_t",
    [RN_STORED_U16] = "uint16,ushort,unsigned short,unsigned short int,uint16_t",
    [RN_STORED_S16] = "int16,short,short int,signed short,signed short int,int16_t",
    [RN_STORED_U32] = "uint,unsigned int,uint32,uint32_t",
    [RN_STORED_S32] = "int,signed int,int32,int32_t",
    [RN_STORED_U64] = "ulonglong,unsigned long long,unsigned long long int,uint64,uint64_t",
    [RN_STORED_S64] = "longlong,long long,long long int,signed long long,int64,int64_t",
    [RN_STORED_F32] = "float",
    [RN_STORED_F64] = "double",
};
static const char *const nrrd_own_names[RN_VOL_KEYS] = {
    "rescale slope", "rescale intercept", "rescale unit", "window", "range", NULL, "made by"};
