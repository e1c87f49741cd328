/* How the pictures of a stack follow each other. */
#ifndef RN_IO_DICOM_ORDER_H
#define RN_IO_DICOM_ORDER_H

#include "io/dicom/stacks.h"

/* Sorts the pictures by their positions in space where they have them, else by Instance Number,
 * else as their files came; and sets at and missing.
 *
 * A file that holds the same as another is left out, which is said. Several pictures at the same
 * positions are phases, echoes, b-values...: time, the number of one from 1, says which is read;
 * without it the run is refused with the list of them. Where all lie at one position they follow
 * each other in time. Slices that are missing between others are seen by their distances; where
 * there are none, by the Instance Numbers, if these have a step in common, between which no other
 * picture of files has one.
 *
 * Returns 0, RN_EINPUT, or RN_EUSAGE where time is no such number (logged), or RN_EINTERNAL. */
int rn_dicom_order(struct rn_dicom_pictures *pictures, const struct rn_dicom_files *files,
                   const char *time);

#endif
