/* SPDX-License-Identifier: MIT */
/* The words of NRRD's header: its fields, types, spaces and units. For nrrd.c. */
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

extern const char *const rn_vol_nrrd_field_names[];

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
extern const char *const rn_vol_nrrd_types[RN_STORED_TYPES];
extern const char *const rn_vol_nrrd_own_names[RN_VOL_KEYS];

/* Splits at blanks outside of quotes and brackets. */
void rn_vol_nrrd_split(char *text, char *word[RN_VOL_NRRD_MAX_DIM]);

/* Sets the signs of a space's axes in LPS; false: it is unknown. */
bool rn_vol_nrrd_parse_space(const char *name, double sign[3]);

/* The mm or seconds of a unit in quotes; 0: it is none. */
double rn_vol_nrrd_unit_of(const char *word, bool time);

/* Sets mm to the units of the space's axes, and to 1 where one is not known. False: such a one. */
bool rn_vol_nrrd_parse_space_units(const char *text, double mm[3]);
