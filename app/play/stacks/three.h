/* Three views of a stack, each across the others: the slice that is shown, and the planes along its
 * rows and its columns through all slices, with a cross where they meet. Slices of the planes come
 * from a sweep (sweep.h) with the settings of now, as they are done; what is not there yet is dark.
 *
 * The slice stays as it is read. The planes have a slice in each row: the first one at the top, but
 * at the bottom where slices go to the head, so that the head is at the top. */
#ifndef RN_APP_PLAY_STACKS_THREE_H
#define RN_APP_PLAY_STACKS_THREE_H

#include "app/play/view/figures.h"
#include "app/play/view/mask.h"
#include "app/play/stacks/reslice.h"
#include "app/play/view/scan_window.h"
#include "app/play/stacks/slices.h"
#include "app/play/runners/sweep.h"
#include "ui/window.h"

#define RN_THREE_NOTE 512 /* bytes */

/* Of one plane, what shows it. */
struct rn_play_three_view {
    struct rn_pix_display *display[2]; /* filtered, source; NULL: none yet */
    struct rn_play_mask_view mask;
    struct rn_play_distance_view distances;
    struct rn_screen screen;
};

/* Zeroed before the first use; the worker is set before rn_play_three_work. */
struct rn_play_three {
    bool on;
    struct rn_play_worker *worker; /* opens runners */
    int pane;                      /* where the pointer is */
    bool aimed;                    /* the cross was set: */
    int x, y;                      /* at this column and row of the slices */
    struct rn_play_sweep *sweep;   /* NULL: not open */
    struct rn_chain *chain;        /* that it has begun with, or was refused with; NULL: none yet */
    bool renew, restart;     /* the sweep is to begin anew: with files as they are now; at all */
    bool failed, done;       /* it has ended: in vain; with all slices */
    bool refused;            /* in vain with these settings: others may be taken */
    int64_t channel, moment; /* of the frames that are put in the planes */
    struct rn_play_reslice planes;
    struct rn_play_three_view view[2]; /* enum rn_play_across */
    struct rn_geom of[2];              /* the geometries that they show: filtered, source */
    bool changed;                      /* the planes have, since they were drawn */
    double drawn_at;                   /* rn_clock when they were drawn */
    char label[3][16], side[3][4][4], note[RN_THREE_NOTE];
};

/* How the planes are to be drawn. */
struct rn_play_three_look {
    const struct rn_play_scan_window *scan;
    const struct rn_play_mask *mask; /* NULL: none */
    int gain;     /* of the differences that are shown in place of filtered pictures; 0: none */
    double limit; /* the distance that is white then (figures.h) */
    bool source;
};

/* Puts the cross at a sample that was pointed at in pane 0..2. Returns the slice to go to, or -1:
 * the one that is shown stays. */
int64_t rn_play_three_point(struct rn_play_three *three, const struct rn_play_slices *slices,
                            int pane, int x, int y);

/* Moves the cross by count samples along the normal of pane 1 or 2. */
void rn_play_three_step(struct rn_play_three *three, const struct rn_geom *geom, int pane,
                        int count);

/* The images of a plane, filtered and source, and the sample of the slices that is at x, y of its
 * picture in pane 1 or 2. Returns false where that slice is not there yet. */
bool rn_play_three_sample(const struct rn_play_three *three, const struct rn_play_slices *slices,
                          int pane, int x, int y, int at[2], int64_t *slice);

/* The files of filters are others: the planes begin anew. */
void rn_play_three_renew(struct rn_play_three *three);

/* Goes on with the planes, for the settings of now and frames of the stack of `shown`. *drawn: they
 * are to be drawn anew; *busy: there is more to do. Returns 0 or an error that ends all (logged);
 * an input that fails does not, and is told in the note. */
int rn_play_three_work(struct rn_play_three *three, struct rn_app_session *session,
                       const struct rn_play_slices *slices, const struct rn_frame *shown,
                       bool *drawn, bool *busy);

/* Fills the scene but for the picture of pane 0; index: of the frame that is shown there, readout:
 * a text of it, for the note. draws: the pictures, too. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_three_show(struct rn_play_three *three, const struct rn_play_three_look *look,
                       const struct rn_play_slices *slices, int64_t index, const char *readout,
                       bool draws, struct rn_ui_scene *scene);

void rn_play_three_free(struct rn_play_three *three);

#endif
