/* Which pictures of the files belong together.
 *
 * A stack is what can lie in one space: pictures of one series, of the same size and samples, with
 * the same directions, or all without. Which of several is read follows from a rule or is asked
 * for, so that nothing is mixed or left out in silence. */
#ifndef RN_IO_DICOM_STACKS_H
#define RN_IO_DICOM_STACKS_H

#include "io/dicom/listing.h"

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
int rn_dicom_choose_stack(struct rn_dicom_pictures *pictures, const struct rn_dicom_files *files,
                          const char *wanted, struct rn_losses *losses);

#endif
