/* SPDX-License-Identifier: MIT */
/* Compares two states of the frame, the left one, called the original, and the right one, the
 * filtered picture unless another one is chosen: across a split line, side by side, or in its
 * place; or shows their difference, amplified, with figures. */
#pragma once

#include "io/pixels/display.h"
#include "ui/window.h"

struct rn_chain;
struct rn_play;
struct rn_play_figures;
struct rn_play_sheet_presets;
struct rn_slot;

/* ---- states.c: the pictures that can be looked at together, of one frame. Each is the input, a
 * frame of another file, or what a chain makes of the frame. */

enum rn_play_state_kind {
    RN_STATE_INPUT,
    RN_STATE_BEFORE,    /* before the selected stage */
    RN_STATE_VERSUS,    /* of the chain that is not tuned: --versus */
    RN_STATE_REFERENCE, /* the frame of --reference */
    RN_STATE_SNAPSHOT,  /* n: its place; RN_SNAPSHOTS: the chain before the last recall */
    RN_STATE_PRESET,    /* n: its place in the sheet of presets (rn_play_sheet_preset) */
    RN_STATE_AFTER,     /* n: a stage, from 0 */
    RN_STATE_NOW,       /* of the chain that is tuned */
};

struct rn_play_state {
    enum rn_play_state_kind kind;
    int n;
};

/* Whether a runner beside the session's makes it. */
bool rn_play_state_is_made(struct rn_play_state state);

/* Whether there is such a state now. */
bool rn_play_state_exists(const struct rn_play *p, struct rn_play_state state);

/* Reads "input", "before", "now", "versus", "reference", "A" to "D", or the number of a stage from
 * 1. Returns false if there is no such state. */
bool rn_play_state_parse(const struct rn_play *p, const char *text, struct rn_play_state *state);

/* The next that exists, by the order of kinds; after the last the first. without: one left out. */
struct rn_play_state rn_play_state_next(const struct rn_play *p, struct rn_play_state state,
                                        enum rn_play_state_kind without);

/* The settings that make it, in which nothing measures. The caller destroys them. NULL (logged):
 * its chain names code that is not allowed, or out of memory. */
struct rn_chain *rn_play_state_chain(const struct rn_play *p, struct rn_play_state state);

/* A name for people. beside: the other one that is shown. Returns buf. */
char *rn_play_state_name(const struct rn_play *p, struct rn_play_state state,
                         struct rn_play_state beside, char *buf, size_t size);

/* Preset i, from 0, until others are loaded; NULL: there is none. */
const struct rn_chain *rn_play_sheet_preset(const struct rn_play_sheet_presets *presets, int i,
                                            const char **name);

/* ---- contact sheets: up to four snapshots, or presets, of the frame on the screen, to choose one
 * from. compare.h shows them. */

/* Shows a sheet of all snapshots, and the chain if these are fewer than four; or what was compared
 * before. The second function: of the next four presets (help.h), after the last ones likewise. */
void rn_play_toggle_sheet(struct rn_play *p);
void rn_play_next_presets(struct rn_play *p);

/* ---- reference.c: a frame of another file, --reference, beside each frame of the input: that of
 * the same index. The file is read with the options of the input, in a thread (reader.h), and only
 * while it is compared. Then the figures of each frame that is shown are collected: those of the
 * latest settings, or with a recording of each frame's own. */

/* Opens the file, if the command line names one. The input is open. Returns 0 or an error (logged):
 * RN_EUSAGE if it has another size or another number of frames. */
int rn_play_reference_open(struct rn_play *p);

/* Whether there is one; a file that lacks a frame is left, which is said. */
bool rn_play_reference_exists(const struct rn_play *p);

/* Whether the frame of a slot of the input need not be waited for: it is held now, or not compared.
 * Waits up to timeout seconds for it. */
bool rn_play_reference_fetch(struct rn_play *p, const struct rn_slot *slot, double timeout);

/* That of the frame on the screen; NULL: it is not held. */
const struct rn_image *rn_play_reference_picture(const struct rn_play *p);

/* Adds figures of the frame on the screen. NULL: forgets all. Returns 0 or RN_EINTERNAL. */
int rn_play_reference_note(struct rn_play *p, const struct rn_play_figures *figures);

/* Writes all as a table, to a new file. Returns 0 or an error (logged). */
int rn_play_reference_write(const struct rn_play *p, const char *path);

/* Has the seek bar show PSNR in place of another curve. length: of the bar, seconds. */
void rn_play_reference_draw(struct rn_play *p, double length, struct rn_ui_scene_bar *bar);

/* ---- compare.c */

/* Functions return 0 or an error (logged) unless stated otherwise. */

/* Reads the chain of --versus; checks it for the input; returns the number of slots that a runner
 * needs with it. */
int rn_play_read_versus(struct rn_play *p);
int rn_play_check_versus(struct rn_play *p);
int rn_play_slots(const struct rn_play *p);

/* Show the original alone, or not; a layout (an rn_ui_arrangement), or one picture. */
void rn_play_toggle_bypass(struct rn_play *p);
void rn_play_toggle_layout(struct rn_play *p, int layout);

/* Compares two states, which exist; the next one on the left (side 0) or on the right (1). */
void rn_play_set_states(struct rn_play *p, struct rn_play_state left, struct rn_play_state right);
void rn_play_next_state(struct rn_play *p, int side);

/* Shows the chain on the right where nothing shows it; alone: only if a single picture is shown,
 * and says so. Returns whether something else was shown. */
bool rn_play_show_chain(struct rn_play *p, bool alone);

/* Compares the snapshot that a flip goes to, or comes from, with the chain, and says in words what
 * differs in their settings; when that is shown already, shows the chain alone. */
void rn_play_compare_snapshot(struct rn_play *p);

/* Shows the chain alone where two pictures are shown; chosen: not where these are the original and
 * the chain. Returns whether they were. */
bool rn_play_leave_comparison(struct rn_play *p, bool chosen);

/* Shows n states, up to RN_SCENE_PANES, in place of the two: a contact sheet. Leaves it, for the
 * two of before; false: there is none. Tells what a pane of it shows; false: none is there. */
void rn_play_show_sheet(struct rn_play *p, const struct rn_play_state *sheet, int n);
bool rn_play_leave_sheet(struct rn_play *p);
bool rn_play_sheet_state(const struct rn_play *p, int pane, struct rn_play_state *state);

/* The picture of a side, 0 = left, 1 = right, of the frame on the screen. */
const struct rn_image *rn_play_side_image(const struct rn_play *p, int side);

/* Whether figures of the two sides can be measured; whether two pictures are shown that are others
 * than usual. */
bool rn_play_can_measure(const struct rn_play *p);
bool rn_play_compares_chosen(const struct rn_play *p);

/* Whether there is a split view; sets its line (window.h); moves it by hundredths of the width. */
bool rn_play_is_split(const struct rn_play *p);
void rn_play_set_split(struct rn_play *p, double at);
void rn_play_move_split(struct rn_play *p, int count);

/* Tunes the other chain, and compares with the one tuned so far. */
int rn_play_swap_chains(struct rn_play *p);

/* Whether there is a chain of --versus; whether it is tuned, and the one of -f compared with. */
bool rn_play_has_versus(const struct rn_play *p);
bool rn_play_is_swapped(const struct rn_play *p);

/* Swaps the two chains back after the device refused the tuned one: it is compared with again, as
 * it is now. The caller puts the settings that play in force. */
void rn_play_swap_back(struct rn_play *p);

/* Gives the runners of the group the current states, which may take a while. */
int rn_play_accompany(struct rn_play *p);

/* Whether a side is the reference. */
bool rn_play_compares_reference(const struct rn_play *p);

/* Whether a runner of the group is being opened, or the frame of the reference is not there yet. */
bool rn_play_compare_is_busy(const struct rn_play *p);

/* Reloads the group's changed kernel files; redraws when a runner, or the reference, is ready. */
int rn_play_poll_original(struct rn_play *p);

/* The current layout. */
enum rn_ui_arrangement rn_play_layout(const struct rn_play *p);

/* Fills in the pictures of the scene and their names, unless the window has them. screen: what they
 * refer to. */
int rn_play_pictures(struct rn_play *p, struct rn_ui_scene *scene,
                     struct rn_screen screen[RN_SCENE_PANES]);

/* Shows the next scope of both sides (scopes.c): waveform, vectorscope, histogram, none; adds it to
 * the scene: of the pictures that are to be drawn, or the one of before. */
void rn_play_next_scope(struct rn_play *p);
void rn_play_show_scope(struct rn_play *p, struct rn_ui_scene *scene);

/* The current chain of -f, or that of --versus, whichever of them the keys tune. */
struct rn_play_tuned {
    const struct rn_chain *chain; /* borrowed; NULL: there is no --versus */
    bool changed;                 /* it was, since the start, even if that was undone */
};
struct rn_play_tuned rn_play_tuned_state(const struct rn_play *p, bool versus);

/* ---- difference.c: the difference of the two sides, amplified, and its figures */

/* Shows it, or not; doubles its gain (count 1) or halves it. */
void rn_play_toggle_difference(struct rn_play *p);
void rn_play_amplify(struct rn_play *p, int count);

/* The gain of the difference shown, and the distance of samples that is white; 0: none is shown. */
int rn_play_shown_gain(const struct rn_play *p, double *limit);

/* The samples of a geometry that are shown black and white. */
void rn_play_shown_range(const struct rn_play *p, const struct rn_geom *geom, double range[2]);

/* Measures the two sides. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_measure_sides(const struct rn_play *p, struct rn_play_figures *figures);

/* Whether figures are shown that must be measured first; fills them in, if differences are shown.
 * The second function returns 0 or an error (logged). */
bool rn_play_wants_figures(const struct rn_play *p);
int rn_play_show_figures(struct rn_play *p, struct rn_ui_scene *scene);

/* The picture has changed, and its figures. at_once: they are measured while it plays, too. */
void rn_play_outdate_figures(struct rn_play *p, bool at_once);

/* Writes the figures of two chosen states in a line, or why there are none; "": nothing to tell. */
void rn_play_tell_figures(const struct rn_play *p, char *buf, size_t size);

/* The figures as a table, cells separated by \t; NULL: no differences are shown. */
const char *rn_play_figures_text(const struct rn_play *p);

/* ---- figures.c: how much two pictures of one geometry differ, in the usual figures.
 *
 * PSNR is 10 log10(peak^2 / MSE) in dB. Sums over integer samples are exact. The peak of integers
 * is the largest distance of two values of their format, 2^depth - 1, whatever the range of the
 * video; that of floats the range that the samples of the first picture cover. Over all planes MSE
 * and SSIM are the means over the planes weighted by their samples. Samples that are NaN or
 * infinite in either picture do not count.
 *
 * SSIM (Wang, Bovik, Sheikh and Simoncelli, 2004) has the form that FFmpeg's filter ssim computes,
 * so that the two can be compared: windows of 8 x 8 samples, 4 apart in both directions, all of one
 * weight, K1 = 0.01, K2 = 0.03; the variances are those of samples (divided by 63), and C1 is 1/64
 * of (K1 peak)^2. The samples right of and below the last whole block of 4 x 4 do not count. It is
 * the mean over all windows, at most 1, which is that of equal planes; NAN where none fits in, or
 * none is without NaN or infinite samples. */

#define RN_FIGURES_BINS 64

struct rn_play_figures_plane {
    double mse, psnr; /* psnr: HUGE_VAL for equal samples; NAN: none to compare, or no peak */
    double ssim;      /* NAN: smaller than one window, or no peak */
    double max;       /* largest distance of two samples */
};

struct rn_play_figures {
    int planes;
    struct rn_play_figures_plane plane[RN_MAX_PLANES], all;
    double peak;
    int64_t samples, differing; /* of one picture, all planes; those of other values, NaN counts */
    /* Of the distances of all planes but alpha: RN_FIGURES_BINS equal parts of 0 to a limit, which
     * the last one goes beyond. */
    uint64_t bins[RN_FIGURES_BINS];
};

/* Whether two pictures can be compared: they have one size and format. */
bool rn_play_figures_fit(const struct rn_geom *a, const struct rn_geom *b);

/* Measures the pictures a and b. limit: of the histogram, a distance of samples, > 0. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_play_figures_measure(struct rn_play_figures *figures, const struct rn_image *a,
                            const struct rn_image *b, double limit);

/* The number of planes without alpha. */
int rn_play_figures_shown(const struct rn_format *fmt);

/* A picture of the differences of two pictures, for the eye: of 8 bits and full range. 0 stands for
 * equal samples, 255 for a difference of a limit or more; chroma starts at 128. NaN counts as 0.
 * Zeroed before the first use. */
struct rn_play_distance_view {
    struct rn_pix_display *display; /* NULL: none yet */
    struct rn_image image;
};

/* Makes it from a and b, of one geometry, for rn_pix_display_show. limit: above 0. viewing: used by
 * the first call, and whenever the geometry changes. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_distance_view_make(struct rn_play_distance_view *view, const struct rn_image *a,
                               const struct rn_image *b, double limit,
                               const struct rn_pix_viewing *viewing);

void rn_play_distance_view_free(struct rn_play_distance_view *view);
