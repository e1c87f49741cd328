/* What a stack of pictures is in space, and what its files say of it beside the samples. */
#ifndef RN_IO_DICOM_SPACE_H
#define RN_IO_DICOM_SPACE_H

#include "io/dicom/stacks.h"
#include "io/dicom/values.h"

/* Places are in mm in the patient's coordinates: to the left, to the back, to the head. */
struct rn_dicom_volume {
    struct rn_format fmt;
    int size[3];            /* columns, rows, slices */
    double spacing[3];      /* mm from column to column, row to row, slice to slice; 0 = unknown */
    bool placed;            /* origin and direction are known, and the slices evenly apart */
    double origin[3];       /* the middle of the first sample */
    double direction[3][3]; /* unit vectors along rows, columns, slices */
    struct rn_rescale rescale;
    bool ranged; /* RN_NUMBER_FLOAT: low and high are samples that are black and white */
    double low, high;
    bool windowed; /* window is known: Window Center and Width, of rescaled values */
    double window_center, window_width;
    bool inverted;    /* the smallest value is white */
    double thickness; /* mm; 0 = unknown */
    /* As in the headers; "" = not given. */
    char series[RN_DICOM_TEXT], study[RN_DICOM_TEXT], frame_of_reference[RN_DICOM_TEXT];
    char modality[RN_DICOM_TEXT], description[RN_DICOM_TEXT], patient[RN_DICOM_TEXT];
};

/* Describes pictures, of which there are some, in their order. */
void rn_dicom_volume_describe(struct rn_dicom_volume *volume,
                              const struct rn_dicom_pictures *pictures,
                              const struct rn_dicom_values *values);

#endif
