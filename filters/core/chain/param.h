/* SPDX-License-Identifier: MIT */
/* Parameter tables. A stage describes each parameter in one row; parsing, printing, stepping with
 * keys, help, chain files and tests follow from the rows.
 *
 * The values live in a plain struct of the stage (int, float, or const char * fields), so a
 * snapshot is a memcpy. Text values are interned for the life of the process: never freed, safe to
 * copy. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "filters/base/api.h"

RN_API_BEGIN

enum rn_ptype {
    RN_INT,    /* int field; min, max, step, def */
    RN_FLOAT,  /* float field; likewise */
    RN_CHOICE, /* int or enum field: index into choices */
    RN_TEXT,   /* const char * field, never NULL; def_text */
};

/* Whether a text parameter names a file, and what the stage does with that file. RN_FILE_RUN: it is
 * read, and its contents are code, which runs in this process: see rn_chain_check_code.
 * RN_FILE_PGM: it is read, and is a picture for rn_pgm_parse. RN_FILE_MODEL: it is read, and need
 * not be text. */
enum rn_file_use {
    RN_FILE_NONE,
    RN_FILE_READ,
    RN_FILE_WRITTEN,
    RN_FILE_RUN,
    RN_FILE_PGM,
    RN_FILE_MODEL
};

/* Numbers closer to 0, but not 0, are no values of RN_FLOAT: devices may take them for 0. */
#define RN_FLOAT_LEAST 1e-30

/* Of RN_FLOAT: a plain number in a float field, or a level in a struct rn_level: a value of
 * samples, or a difference of such values. filters/core/chain/level.h says how levels are given. */
enum rn_level_kind { RN_NO_LEVEL, RN_POSITION, RN_DISTANCE };

enum rn_scale { RN_SCALE_PLAIN, RN_SCALE_8BIT, RN_SCALE_NATIVE, RN_SCALE_UNIT };

struct rn_level {
    float value;
    int scale;        /* enum rn_scale */
    const char *unit; /* RN_SCALE_UNIT: interned; else "" */
};

/* Of RN_INT: a count in an int field, or a length in a struct rn_length: of rows and columns within
 * a picture, or of slices. filters/core/chain/length.h says how lengths are given. */
enum rn_length_kind { RN_NO_LENGTH, RN_WITHIN, RN_ACROSS };

struct rn_length {
    int samples; /* or frames */
    float mm;    /* if not 0, it counts instead */
};

struct rn_param {
    const char *name; /* NULL ends a table */
    const char *unit; /* "px", "8-bit units", or "" */
    const char *help; /* one sentence without a full stop */
    enum rn_ptype type;
    enum rn_level_kind level;   /* RN_FLOAT; min, max, step and def are in 8-bit units */
    enum rn_length_kind length; /* RN_INT; min, max, step and def are in samples or frames */
    bool fixed;                 /* cannot change while running (every text; formats) */
    size_t off;                 /* offset of the field in the stage's struct */
    double min, max;            /* declared range; results are right on all of it */
    double step, def;           /* def is a whole number of steps above min */
    const char *const *choices; /* RN_CHOICE: names, NULL at the end */
    const char *def_text;       /* RN_TEXT */
    enum rn_file_use file;      /* RN_TEXT: what the stage does with the file of this name, unless
                                 * the text is empty; a written "-" is stdout */
    size_t contents; /* RN_FILE_READ, _RUN, _PGM, _MODEL: offset of the const char * field for
                                 * the contents of the file ("" without a file), which are read
                                 * when the row is set */
};

/* Rows. The compiler checks the type of the field. */
#define RN_OFF(T, field, type) _Generic(((T *)0)->field, type : offsetof(T, field))
/* An enum is compatible with int or unsigned, at the compiler's choice; both are read as int. */
#define RN_OFF_ENUM(T, field)                                                                      \
    _Generic(((T *)0)->field, int : offsetof(T, field), unsigned : offsetof(T, field))
#define RN_P_INT(T, field, min_, max_, step_, def_, unit_, help_)                                  \
    RN_P_ROW(RN_INT, #field, unit_, help_, RN_OFF(T, field, int), min_, max_, step_, def_)
#define RN_P_LENGTH(T, field, min_, max_, step_, def_, unit_, help_)                               \
    RN_P_ROW(RN_INT, #field, unit_, help_, RN_OFF(T, field, struct rn_length), min_, max_, step_,  \
             def_, .length = RN_WITHIN)
#define RN_P_FLOAT(T, field, min_, max_, step_, def_, unit_, help_)                                \
    RN_P_ROW(RN_FLOAT, #field, unit_, help_, RN_OFF(T, field, float), min_, max_, step_, def_)
#define RN_P_LEVEL(T, field, kind, min_, max_, step_, def_, help_)                                 \
    RN_P_ROW(RN_FLOAT, #field, "8-bit units", help_, RN_OFF(T, field, struct rn_level), min_,      \
             max_, step_, def_, .level = kind)
/* names: an array of strings that ends with NULL; count: how many there are. FIXED_CHOICE: it
 * cannot change while running. */
#define RN_P_CHOICE(T, field, names, count, def_, help_)                                           \
    RN_P_ROW(RN_CHOICE, #field, "", help_, RN_OFF_ENUM(T, field), 0, (count)-1, 1, def_,           \
             .choices = names)
#define RN_P_FIXED_CHOICE(T, field, names, count, def_, help_)                                     \
    RN_P_ROW(RN_CHOICE, #field, "", help_, RN_OFF_ENUM(T, field), 0, (count)-1, 1, def_,           \
             .choices = names, .fixed = true)
#define RN_P_ROW(type_, name_, unit_, help_, off_, min_, max_, step_, ...)                         \
    {                                                                                              \
        .name = name_, .unit = unit_, .help = help_, .type = type_, .off = off_, .min = min_,      \
        .max = max_, .step = step_, .def = __VA_ARGS__                                             \
    }
#define RN_P_TEXT(T, field, def_, help_) RN_P_TEXT_(T, field, def_, RN_FILE_NONE, help_)
/* Rows that name a file which the stage reads, runs or writes; "" means no file. */
#define RN_P_READS(T, field, contents_, help_) RN_P_IN_(T, field, contents_, RN_FILE_READ, help_)
#define RN_P_RUNS(T, field, contents_, help_)  RN_P_IN_(T, field, contents_, RN_FILE_RUN, help_)
#define RN_P_MODEL(T, field, contents_, help_) RN_P_IN_(T, field, contents_, RN_FILE_MODEL, help_)
#define RN_P_IN_(T, field, contents_, file_, help_)                                                \
    RN_P_TEXT_ROW(#field, help_, RN_OFF(T, field, const char *), "", file_,                        \
                  .contents = RN_OFF(T, contents_, const char *))
#define RN_P_WRITES(T, field, help_) RN_P_TEXT_(T, field, "", RN_FILE_WRITTEN, help_)
#define RN_P_TEXT_(T, field, def_, file_, help_)                                                   \
    RN_P_TEXT_ROW(#field, help_, RN_OFF(T, field, const char *), def_, file_)
#define RN_P_TEXT_ROW(name_, help_, off_, def_, ...)                                               \
    {                                                                                              \
        .name = name_, .unit = "", .help = help_, .type = RN_TEXT, .fixed = true, .off = off_,     \
        .def_text = def_, .file = __VA_ARGS__                                                      \
    }
#define RN_P_END                                                                                   \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* The rows shared by all filters (planes) and all neighbourhood filters (border). T has the fields
 * int planes and enum rn_border border. */
extern const char *const rn_border_names[]; /* clamp zero mirror wrap ignore NULL */
#define RN_P_PLANES(T)                                                                             \
    RN_P_INT(T, planes, 0, 15, 1, 0, "mask",                                                       \
             "sum of planes: first 1, second 2, third 4; 0 = gray or luma, or all of RGB")
#define RN_P_BORDER(T)                                                                             \
    RN_P_CHOICE(T, border, rn_border_names, 4, RN_CLAMP, "pixels outside the image")
#define RN_P_BORDER_MORPH(T)                                                                       \
    RN_P_CHOICE(T, border, rn_border_names, 5, RN_IGNORE, "pixels outside the image")

#define RN_SLICES_MAX 7 /* the most frames that a filter reaches in each direction */

/* The row for filters that reach across frames; T has the field struct rn_length slices. */
#define RN_P_SLICES(T)                                                                             \
    RN_P_ROW(RN_INT, "slices", "frames",                                                           \
             "reach across frames, for stacks of scans; 0 = each frame by itself",                 \
             RN_OFF(T, slices, struct rn_length), 0, RN_SLICES_MAX, 1, 0, .length = RN_ACROSS,     \
             .fixed = true)

/* The field of a row in a struct of values; the caller knows its type from the row. */
#define RN_FIELD(type, row, values) ((type *)(void *)((char *)(size_t)(values) + (row)->off))

/* Writes the defaults of all rows into values. */
void rn_params_defaults(const struct rn_param *table, void *values);

/* Writes the default of one row. */
void rn_param_reset(const struct rn_param *row, void *values);

/* The value of a row that is RN_INT, of a length in samples, or RN_CHOICE. */
int rn_param_int(const struct rn_param *row, const void *values);

/* The value of a row that is not RN_TEXT: a number, or the index of a choice. A length in mm counts
 * as its samples; whether it is one. */
double rn_param_number(const struct rn_param *row, const void *values);
bool rn_param_in_mm(const struct rn_param *row, const void *values);

/* The value of a row that is RN_TEXT; never NULL. */
const char *rn_param_text(const struct rn_param *row, const void *values);

/* Row i of a table, from 0; NULL: there is none. */
const struct rn_param *rn_param_at(const struct rn_param *table, int i);

/* Finds a row by name; NULL if there is none of that name. */
const struct rn_param *rn_param_find(const struct rn_param *table, const char *name);

/* Parses text into the row's field: the whole text must be valid, finite and in range. A level that
 * is not in 8-bit units is checked by rn_level_check, when the input is known. For a row that names
 * a file to read, reads the file's contents too. owner: name of the stage, for messages.
 * Returns 0, RN_EUSAGE (logged in one line, with the range or the valid names) or RN_EINTERNAL;
 * after an error the field is unchanged. */
int rn_param_parse(const struct rn_param *row, const char *owner, const char *text, void *values);

/* Writes the value as text that rn_param_parse reads back to the same value. size: of buf, >= 32; a
 * longer RN_TEXT is cut off. Returns buf. */
char *rn_param_format(const struct rn_param *row, const void *values, char *buf, size_t size);

/* The unit of the value; "" where the text of the value says it. */
const char *rn_param_unit(const struct rn_param *row, const void *values);

/* True if the field holds the default. */
bool rn_param_is_default(const struct rn_param *row, const void *values);

/* True if the field holds the same value in two structs. */
bool rn_param_equal(const struct rn_param *row, const void *a, const void *b);

/* Gives the contents that were read for a row in one struct of values to another; the row has
 * some. */
void rn_param_take_contents(const struct rn_param *row, const void *from, void *to);

/* The first row of a table that is fixed and has different values in two structs; NULL: none. */
const struct rn_param *rn_params_fixed_apart(const struct rn_param *table, const void *a,
                                             const void *b);

/* Moves the value by n steps; it stays on the grid min + k * step, or at the ends of the range
 * (choices wrap around). Texts do not move. A length in mm moves by 0.1 mm. */
void rn_param_step(const struct rn_param *row, void *values, int n);

/* Describes the range: "1..31", "clamp|zero|mirror|wrap", "text". Returns buf. */
char *rn_param_range(const struct rn_param *row, char *buf, size_t size);

/* A copy of a table that lives as long as the process, for rows made at run time; equal tables,
 * whose texts must be interned, share one copy. NULL when out of memory. */
const struct rn_param *rn_params_intern(const struct rn_param *table);

/* A copy of text that lives as long as the process; equal texts share one copy. NULL when
 * out of memory. */
const char *rn_intern(const char *text);

/* Frees all that was interned, for tests that run without end. No stage, chain or runner may exist
 * any more. */
void rn_intern_reset(void);

RN_API_END

/* rn_intern for any bytes. A NUL follows the copy. */
const char *rn_intern_bytes(const void *bytes, size_t size);

/* The bytes of what either has given. */
size_t rn_intern_size(const char *interned);

/* Reads the file of this name for a row that has contents. *contents: interned. Returns 0;
 * RN_EUSAGE, with why (RN_TEXT_WHY bytes); or RN_EINTERNAL (logged). */
int rn_param_read(const struct rn_param *row, const char *path, const char **contents, char *why);
