/* What the preview sets beside the filtered picture, and how: another picture of the same frame,
 * called the original, parted from it by a line, in the other half of the window or in its place;
 * or how far the two differ, amplified, with figures. */
#ifndef RN_PLAY_COMPARE_H
#define RN_PLAY_COMPARE_H

#include "app/play/figures.h"
#include "app/play/history.h"
#include "app/play/scan_window.h"
#include "io/pixels/display.h"
#include "ui/window.h"

#define RN_COMPARE_GAIN 64 /* at most */

/* What the original is; all but the input come from the companion (companion.h). */
enum rn_original {
    RN_ORIGINAL_INPUT,
    RN_ORIGINAL_STAGE, /* the picture before the selected stage */
    RN_ORIGINAL_CHAIN, /* that of the chain that is not tuned: --versus */
};

/* Zeroed before the first use, but for split_at and gain. */
struct rn_compare {
    enum rn_layout layout;
    double split_at; /* see window.h */
    enum rn_original original;
    bool difference;
    int gain; /* 1, 2, 4 .. RN_COMPARE_GAIN */

    struct rn_chain *versus;   /* NULL: no --versus */
    bool swapped;              /* it is that of -f, and the one of --versus is tuned */
    struct rn_history history; /* of versus */
    int delay;                 /* the longest of a companion so far, frames */

    struct rn_display *show_other; /* what the companion makes */
    struct rn_geom other;          /* that it was made for */
    struct rn_scan_window scan;    /* of it */
    bool anew;                     /* it makes other pictures than before */
    struct rn_display *show_apart; /* differences, that is */
    struct rn_image apart;
    struct rn_figures figures;
    bool measured; /* they are of what is shown */
    double rest;   /* while it plays the next ones are measured at this time of rn_clock */
    char label[2][160];
    char told[512]; /* the figures */
};

#endif
