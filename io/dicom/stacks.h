/* Which pictures of the files belong together.
 *
 * A stack is what can lie in one space: pictures of one series, of the same size and samples, with
 * the same directions, or all without. Which of several is read follows from a rule or is asked
 * for, so that nothing is mixed or left out in silence. */
#ifndef RN_IO_DICOM_STACKS_H
#define RN_IO_DICOM_STACKS_H

#include "io/dicom/file_list.h"

struct rn_losses;

struct rn_dicom_picture {
    struct rn_dicom_file *file;
    int frame; /* in the file */
    const struct rn_dicom_place *place;
    int stack;   /* its number in the list, from 0 */
    int came;    /* its place in the order of the files */
    double at;   /* mm along the normal of all, if they have positions */
    int missing; /* how many are missing in front of it */
};

struct rn_dicom_pictures {
    const char *input;
    struct rn_dicom_picture *list;
    int n;
    bool placed; /* all have positions, and the same directions */
};

/* Does the picture have a position of its own? */
bool rn_dicom_has_place(const struct rn_dicom_picture *picture);

/* Takes the pictures of one stack. wanted: the number of a stack in the list, from 1, or the UID of
 * a series; NULL: the only series. Of a series with several stacks the one that more than half of
 * its pictures belong to is taken, and the others are a loss (losses NULL: a warning). Where there
 * is no such one, or there are several series, the run is refused with the list of what there is.
 * Returns 0, RN_EINPUT, RN_EUSAGE where nothing is as wanted (both logged), or RN_EINTERNAL. files:
 * has pictures; borrowed. pictures: zeroed before; av_free() its list in any case. */
int rn_dicom_choose_stack(struct rn_dicom_pictures *pictures,
                          const struct rn_dicom_file_list *files, const char *wanted,
                          struct rn_losses *losses);

/* ---- how its pictures follow each other (sort_pictures.c, time_points.c) */

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
int rn_dicom_sort_pictures(struct rn_dicom_pictures *pictures,
                           const struct rn_dicom_file_list *files, const char *time);

/* Several pictures may lie at the same positions: phases of a beating heart, echoes, b-values...
 * Such ones, too, that moved a little in between. */

#define RN_DICOM_SAME_PLACE 1e-3 /* mm along the normal: nearer ones are at one position */

/* Keeps the pictures of one of them: time is its number from 1, NULL if none was asked for. The
 * pictures are in the order of their positions, if they have any. Returns 0, RN_EINPUT with the
 * list of them, RN_EUSAGE (both logged) or RN_EINTERNAL. */
int rn_dicom_choose_time_point(struct rn_dicom_pictures *pictures, const char *time);

#endif
