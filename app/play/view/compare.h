/* Compares the filtered picture with another picture of the same frame, called the original: across
 * a split line, side by side, or in its place; or shows their difference, amplified, with figures.
 */
#ifndef RN_APP_PLAY_VIEW_COMPARE_H
#define RN_APP_PLAY_VIEW_COMPARE_H

#include "app/play/view/figures.h"
#include "app/play/view/scan_window.h"
#include "io/pixels/display.h"
#include "ui/window.h"

struct rn_play;

#define RN_COMPARE_GAIN 64 /* at most */

/* The kinds of original. All but the input come from the second runner (pair.h). */
enum rn_play_original {
    RN_ORIGINAL_INPUT,
    RN_ORIGINAL_STAGE, /* the picture before the selected stage */
    RN_ORIGINAL_CHAIN, /* that of the chain that is not tuned: --versus */
};

/* Zeroed before the first use, but for split_at and gain. */
struct rn_play_compare {
    enum rn_ui_arrangement layout;
    double split_at; /* see window.h */
    enum rn_play_original original;
    bool difference;
    int gain; /* 1, 2, 4 .. RN_COMPARE_GAIN */

    struct rn_chain *versus; /* NULL: no --versus */
    bool swapped;            /* it is that of -f, and the one of --versus is tuned */
    int delay;               /* the longest of a second runner so far, frames */
    bool opening;            /* the second runner of the original is being opened */

    struct rn_pix_display *show_other; /* what the second runner makes */
    struct rn_geom other;              /* that it was made for */
    struct rn_play_scan_window scan;   /* of it */
    bool anew;                         /* it makes other pictures than before */
    struct rn_play_distance_view distances;
    struct rn_play_figures figures;
    bool measured;        /* they are of what is shown... */
    bool of_three;        /* ...with three views, which have another original, or without */
    double measure_after; /* time of rn_clock before which nothing is measured while playing */
    char label[2][160];
    char figures_text[512];
};

/* Functions return 0 or an error (logged) unless stated otherwise. */

/* Reads the chain of --versus; checks it for the input; returns the number of slots that a runner
 * needs with it. */
int rn_play_read_versus(struct rn_play *p);
int rn_play_check_versus(struct rn_play *p);
int rn_play_slots(const struct rn_play *p);

/* Executes a command of comparison. count: hundredths of the width, or 1 for a larger gain, -1 for
 * a smaller one. */
enum rn_play_comparing {
    RN_COMPARE_BYPASS, /* the original alone, or not */
    RN_COMPARE_SPLIT,  /* split view, or not */
    RN_COMPARE_BESIDE, /* side by side, or not */
    RN_COMPARE_DIFFERENCE,
    RN_COMPARE_ORIGINAL, /* the next picture to compare with */
    RN_COMPARE_SWAP,     /* the other chain is tuned */
    RN_COMPARE_AMPLIFY,
    RN_COMPARE_MOVE_LINE,
};
int rn_play_compare_act(struct rn_play *p, enum rn_play_comparing what, int count);

/* Swaps the two chains back after the device refused the tuned one: it is compared with again, as
 * it is now. The caller puts the settings that play in force. */
void rn_play_swap_back(struct rn_play *p);

/* Gives the second runner the current original, which may take a while. The second function redraws
 * the picture when the runner is ready. */
int rn_play_accompany(struct rn_play *p);
void rn_play_poll_second(struct rn_play *p);

/* Whether the runner of the original is being opened. */
bool rn_play_compare_is_busy(const struct rn_play *p);

/* Reloads changed kernel files of the original. */
int rn_play_reread_original(struct rn_play *p);

/* The current layout; whether figures are shown that must be measured first. */
enum rn_ui_arrangement rn_play_layout(const struct rn_play *p);
bool rn_play_wants_figures(const struct rn_play *p);

/* Fill in the pictures of the scene and their names, unless the window has them (screen: what they
 * refer to); and the figures, if differences are shown. */
int rn_play_pictures(struct rn_play *p, struct rn_ui_scene *scene, struct rn_screen screen[2]);
int rn_play_show_figures(struct rn_play *p, struct rn_ui_scene *scene);

/* The figures as a table, cells parted by \t; NULL: no differences are shown. */
const char *rn_play_told_figures(const struct rn_play *p);

/* The current chain of -f, or that of --versus, whichever of them the keys tune. */
struct rn_play_tuned {
    const struct rn_chain *chain; /* borrowed; NULL: there is no --versus */
    bool changed;                 /* it was, since the start, even if that was undone */
};
struct rn_play_tuned rn_play_tuned_state(const struct rn_play *p, bool versus);

/* Release what was made for an input; release everything. */
void rn_play_compare_leave(struct rn_play *p);
void rn_play_compare_free(struct rn_play *p);

#endif
