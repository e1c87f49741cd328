/* SPDX-License-Identifier: MIT */
/* The words of NRRD's header: its fields, types, units and axes. For nrrd.c, which reads, and
 * nrrd_write.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/volumes/fields.h"
#include "io/volumes/layout.h"
#include "io/volumes/text.h"

#define RN_VOL_NRRD         "NRRD"
#define RN_VOL_NRRD_MAX_DIM 16

/* From CONTENT to SPACE_ORIGIN the values are kept as they are; from SPACE_DIRECTIONS on there is a
 * word for each axis. */
enum rn_vol_nrrd_field {
    TYPE,
    DIMENSION,
    SIZES,
    NUMBER,
    ENCODING,
    ENDIAN,
    DATA_FILE,
    LINE_SKIP,
    BYTE_SKIP,
    CONTENT,
    BLOCK_SIZE,
    OLD_MIN,
    OLD_MAX,
    SAMPLE_UNITS,
    MEASUREMENT_FRAME,
    SPACE,
    SPACE_DIMENSION,
    SPACE_UNITS,
    SPACE_ORIGIN,
    SPACE_DIRECTIONS,
    KINDS,
    SPACINGS,
    AXIS_MINS,
    AXIS_MAXS,
    UNITS,
    THICKNESSES,
    CENTERS,
    LABELS,
    FIELDS
};

extern const char *const rn_vol_nrrd_field_names[];

/* What an axis is. Slices, channels and times are SLICE + enum rn_vol_axis. */
enum rn_vol_nrrd_axis { COLOUR, COLUMN, ROW, SLICE, CHANNEL, TIME, AXES };

/* rn_vol_field.tag: data is the value, a whole line, or the word of an axis. */
enum { VALUE, LINE, WORD /* + enum rn_vol_nrrd_axis */ };

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

/* Sets axis to the stored axes, the fastest first, and returns their number. planes: of a picture.
 */
int rn_vol_nrrd_list_axes(const struct rn_vol *v, int planes, enum rn_vol_nrrd_axis axis[AXES]);

/* The kind of an axis that this program writes. */
const char *rn_vol_nrrd_own_kind(enum rn_vol_nrrd_axis axis, int planes, bool complex);

/* ---- nrrd_write.c: members of struct rn_vol_format */

char *rn_vol_nrrd_samples(const char *output, bool packed);
size_t rn_vol_nrrd_header(const struct rn_vol_heading *h, char *to, size_t size);
