/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the reader of DICOM: series.c, which reads a volume, and those below. */
#pragma once

#include "io/dicom/file.h"
#include "io/read/images/names.h"
#include "io/volumes/volume.h"

struct rn_dicom_worker;
struct rn_losses;
struct rn_read_input;

/* ---- file_list.c: lists the files of an input and reads their headers */

/* A file with pictures. */
struct rn_dicom_file {
    const char *path; /* of rn_dicom_file_list.names */
    struct rn_dicom_header head;
    struct rn_dicom_place *places; /* of its frames; NULL: none (head.has_places) */
    int counted;                   /* pictures that were read, or counted as corrupt */
    int64_t surplus;               /* bytes behind its frames that were counted */
    bool bad;                      /* the others cannot be decoded, and were counted */
};

struct rn_dicom_file_list {
    const char *input; /* borrowed */
    bool folder;       /* input is a folder */
    struct rn_read_names names;
    struct rn_dicom_file *file; /* in natural order of their names */
    int n;
};

/* Lists the files of input: a folder with its subfolders, a DICOMDIR, a file, a glob or a pattern;
 * and reads their headers. p: counts unreadable files as corrupt, and files that only a DICOMDIR
 * names as missing. Other files are reported. Returns 0, or RN_EINPUT or RN_EINTERNAL (logged) if
 * there are no pictures. files: zeroed by the caller, who frees it in any case. */
int rn_dicom_file_list_read(struct rn_dicom_file_list *files, const char *input,
                            struct rn_dicom_worker *worker, struct rn_read_input *p);
void rn_dicom_file_list_free(struct rn_dicom_file_list *files);

/* ---- stacks.c: selects the pictures that form one stack
 *
 * A stack is what can form one volume: pictures of one series with the same size, samples and
 * directions (or all without). If there are several, a rule or the user selects one, so that
 * nothing is mixed or skipped silently. */

struct rn_dicom_picture {
    struct rn_dicom_file *file;
    int frame; /* in the file, from 0 */
    const struct rn_dicom_place *place;
    int group;      /* what rn_dicom_keep_group selects by */
    int file_order; /* its index in the order of the files */
    double at;      /* mm along the common normal, if pictures have positions */
    double value;   /* of the attribute that tells pictures at one position apart */
    int missing;    /* missing pictures in front of it */
    bool absent;    /* no file has it; the others are those of another time at its position */
    bool counted;   /* as absent */
};

struct rn_dicom_pictures {
    const char *input;
    struct rn_dicom_picture *list;
    int n;
    bool placed;     /* all have positions and the same directions */
    int times;       /* points in time, each with n / times slices, one after the other */
    double interval; /* s from one to the next; 0: unknown, or not always the same */
    char note[200];  /* why it is not known; "" = nothing to say */
};

/* Returns true if the picture has its own position. */
static inline bool rn_dicom_has_place(const struct rn_dicom_picture *p)
{
    return p->place->has_position && (p->file->places || p->file->head.frames == 1);
}

/* Keeps the pictures of a group, in their order. */
void rn_dicom_keep_group(struct rn_dicom_pictures *pictures, int group);

/* Keeps the pictures of one stack. requested: the number of a stack in the list, from 1, or a
 * Series Instance UID; NULL: the only series. Of a series with several stacks, the one with more
 * than half of the pictures is kept; the others are reported to losses (NULL: as a warning).
 * Without such a stack, or with several series, the run is refused with the list of stacks. Returns
 * 0, RN_EINPUT, RN_EUSAGE if nothing is as requested (both logged), or RN_EINTERNAL. files: has
 * pictures; borrowed. pictures: zeroed by the caller, who frees its list (av_free) in any case. */
int rn_dicom_choose_stack(struct rn_dicom_pictures *pictures,
                          const struct rn_dicom_file_list *files, const char *requested,
                          struct rn_losses *losses);

/* ---- sort_pictures.c, time_points.c: the order of the pictures */

/* Sorts the pictures by position if they have one, else by Instance Number, else by file; sets at,
 * missing, times and interval.
 *
 * - Duplicates of a picture are dropped, with a warning.
 * - Several pictures at the same positions are points in time (echoes, too). Absent ones are added.
 * - If b-values, image types or instance numbers alone tell them apart, or more than a third is
 *   absent, the run is refused with their list, unless time is given.
 * - If all pictures share one position, they are ordered by time.
 * - Missing slices are found by distance; without positions, by gaps in Instance Numbers that have
 *   a common step, unless another picture of files has the number.
 *
 * time: --time, or NULL; if times is 1 afterwards, nothing is left to select. Returns 0, RN_EINPUT,
 * RN_EUSAGE if time is no such number (logged), or RN_EINTERNAL. */
int rn_dicom_sort_pictures(struct rn_dicom_pictures *pictures,
                           const struct rn_dicom_file_list *files, const char *time);

#define RN_DICOM_SAME_PLACE 1e-3 /* mm along the normal: pictures that near share a position */

/* If several pictures share positions, orders them by time, then by position. If they moved a
 * little in between, keeps those of one time: its number from 1, or NULL. Pictures with positions
 * are sorted by them. Returns 0, RN_EINPUT with the list, RN_EUSAGE (both logged) or RN_EINTERNAL.
 */
int rn_dicom_choose_time_point(struct rn_dicom_pictures *pictures, const char *time);

/* Compares two doubles, for qsort and bsearch. */
int rn_dicom_by_value(const void *a, const void *b);

/* ---- rescale.c: converts the stored values of files to samples
 *
 * Values are kept: signed ones become signed samples, MONOCHROME1 is not inverted, and the rescale
 * is kept beside them. If pictures have different scales, one common scale holds all values
 * exactly, or samples are rescaled values as floats. */

struct rn_dicom_rescale {
    struct rn_format fmt;
    struct rn_rescale rescale;
    double low, high;           /* RN_NUMBER_FLOAT: the range of samples by the headers */
    enum AVPixelFormat carrier; /* of frames; signed samples are carried as unsigned */
    bool has_common_scale;      /* pictures have different scales; samples have one: */
    double step, offset;        /* rescaled value = step * sample + offset */
};

/* Chooses the format for pictures (at least one) and logs it. Returns 0 or RN_EINPUT (logged). */
int rn_dicom_rescale_choose(struct rn_dicom_rescale *values,
                            const struct rn_dicom_pictures *pictures);

/* Converts a picture from rn_dicom_decode's values. Returns 0, or RN_EINPUT (logged) if a 32-bit
 * integer needs more than the 24 bits of a float. */
int rn_dicom_rescale_convert(const struct rn_dicom_rescale *values,
                             const struct rn_dicom_picture *picture, const uint8_t *from,
                             uint8_t *to);

/* ---- derived_file.c */

/* The source of derived pictures. Owned by the reader. */
struct rn_dicom_source_attributes {
    rn_dicom_source_texts text; /* of the first picture */
    const struct rn_dicom_pictures *pictures;
};
