/* SPDX-License-Identifier: MIT */
/* Selects the pictures that form one stack, and sorts them.
 *
 * A stack is what can form one volume: pictures of one series with the same size, samples and
 * directions (or all without). If there are several, a rule or the user selects one, so that
 * nothing is mixed or skipped silently. */
#pragma once

#include "io/dicom/file_list.h"

struct rn_losses;

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
bool rn_dicom_has_place(const struct rn_dicom_picture *picture);

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

/* ---- order of the pictures (sort_pictures.c, time_points.c) */

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
