/* Several pictures at the same positions: phases of a beating heart, echoes, b-values... Such ones,
 * too, that moved a little in between. */
#ifndef RN_IO_DICOM_PHASES_H
#define RN_IO_DICOM_PHASES_H

#include "io/dicom/stacks.h"

#define RN_DICOM_SAME_PLACE 1e-3 /* mm along the normal: nearer ones are at one position */

/* Keeps the pictures of one of them: time is its number from 1, NULL if none was asked for. The
 * pictures are in the order of their positions, if they have any. Returns 0, RN_EINPUT with the
 * list of them, RN_EUSAGE (both logged) or RN_EINTERNAL. */
int rn_dicom_choose_phase(struct rn_dicom_pictures *pictures, const char *time);

#endif
