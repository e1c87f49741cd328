/* SPDX-License-Identifier: MIT */
/* The fields of a header that struct rn_vol has no member for. A reader keeps them under the names
 * of its format; a writer of the same format stores those that still hold, and the loss report
 * names all others. A field that has the value by which its format says "not set" is not kept. */
#pragma once

#include "io/volumes/volume.h"

/* What must be as in the input for a field to hold: bits of rn_vol.changed. */
enum {
    RN_CHANGED_CROP = 1,
    RN_CHANGED_TURN = 2,
    RN_CHANGED_SCALE = 4,
    RN_CHANGED_GRID = RN_CHANGED_CROP | RN_CHANGED_TURN | RN_CHANGED_SCALE, /* columns, rows */
    RN_CHANGED_SLICES = 8, /* only some of them are there */
    RN_CHANGED_CHANNELS = 16,
    RN_CHANGED_TIMES = 32,
    RN_CHANGED_PICTURES = RN_CHANGED_SLICES | RN_CHANGED_CHANNELS | RN_CHANGED_TIMES,
    RN_CHANGED_VALUES = 64, /* a filter was applied to the samples */
    /* In rn_vol_field.needs: it means nothing outside its format; no output can hold it. */
    RN_FIELD_FORMAL = 128,
    RN_FIELD_LOST = 256,
    RN_CHANGED_OWN = 1 << 16, /* this bit and those above it: by the rules of a format */
};

struct rn_vol_field {
    const char *name; /* as its format calls it; several fields may have the same */
    const void *data; /* as the header stores it, and a zero behind it that size does not count */
    size_t size;      /* bytes */
    unsigned needs;   /* what of the input must not have changed */
    unsigned tag;     /* its number, if its format numbers fields; set by the reader */
    int64_t owner;    /* 0: all pictures; else 1 + its picture, which never falls */
};

struct rn_vol_fields {
    const char *format; /* rn_vol_format.name, or another constant text */
    int n;
    struct rn_vol_field *field;
};

/* Adds a field to v, whose reader frees all of them. Its name and data are copied; all fields of a
 * volume have one format. Returns 0 or RN_EINTERNAL (logged). */
int rn_vol_fields_add(struct rn_vol *v, const char *format, struct rn_vol_field field);

void rn_vol_fields_free(struct rn_vol *v);

/* Returns the field behind `last` (NULL: the first one) that a header of `format` holds for v; NULL
 * at the end. */
const struct rn_vol_field *rn_vol_fields_next(const struct rn_vol *v, const char *format,
                                              const struct rn_vol_field *last);

/* Finds such a field of all pictures by its name and tag; NULL: there is none. */
const struct rn_vol_field *rn_vol_fields_find(const struct rn_vol *v, const char *format,
                                              const char *name, unsigned tag);

/* Counts the fields with a meaning that a header of `format` (NULL: of no volume) does not hold,
 * those of one name as one, and names them, as far as size lets: "intent_code,
 * slice_code, ... (4 more)". */
int rn_vol_fields_lost(const struct rn_vol *v, const char *format, char *text, size_t size);
