/* SPDX-License-Identifier: MIT */
/* What stands over the picture for the user: messages, times, samples and a region of it. */
#pragma once

#include "filters/core/runner/runner.h"
#include "filters/parts/measure.h"
#include "ui/keys/keymap.h"

struct rn_play;
struct rn_play_region;
struct rn_ui_event;
struct rn_ui_scene;
struct rn_ui_scene_region;

/* ---- message.c: messages that the window shows for a moment, and what is being built */

/* Show for four seconds: a message, with numbers as rn_number_print has them; a logged error as the
 * reason for a refusal (its beginning if it is long); the selected parameter. */
void rn_play_say(struct rn_play *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rn_play_say_refused(struct rn_play *p, const char *error);
void rn_play_say_parameter(struct rn_play *p);

/* Writes the key for a command with its usual argument, as messages name it. Returns buf. */
char *rn_play_key(const struct rn_play *p, const char *name, char buf[RN_KEY_NAME]);

/* Shows the current message for some seconds more. */
void rn_play_extend_message(struct rn_play *p, double seconds);

/* Shows a text for as long as something is built; "": nothing is. */
void rn_play_say_building(struct rn_play *p, const char *text);

/* The latest message, shown or not. */
const char *rn_play_latest_message(const struct rn_play *p);

/* Writes what is shown, a line each: renders, the message, what is built. */
void rn_play_write_messages(struct rn_play *p, const char *renders, char *buf, size_t size);

/* Hints for whoever is new come one after another below the messages, each until it was done once
 * or some seconds are over. How many are over is kept in the folder of the state: none comes again.
 * Tells that a command is done. */
void rn_play_hint_done(struct rn_play *p, const char *command);

/* Redraws the window when the time of the message, or of a hint, is over. */
void rn_play_poll_message(struct rn_play *p);

/* ---- times.c: which frame is shown and what it took */

#define RN_TIMES_TEXT 1024 /* bytes of the overlay */

/* Zeroed before the first use. */
struct rn_play_times {
    bool on;
    bool awaited;                /* the kernels of other stages are being built */
    double since;                /* when the current second began (rn_clock) */
    double fps;                  /* drawn in the last full second */
    struct rn_timings per_frame; /* seconds per frame in that second */
    int64_t drawn;               /* frames, when the current second began */
    struct rn_timings previous;  /* of the runner, likewise */
    double changed;              /* when settings changed that no picture is made with; 0: never */
    double begun;                /* that of the picture that is being made */
    double response;             /* milliseconds from a change to its picture, the last time */
};

/* Settings have changed; a picture with them is being made; it is shown. */
void rn_play_times_change(struct rn_play_times *times);
void rn_play_times_begin(struct rn_play_times *times);
void rn_play_times_end(struct rn_play_times *times);

/* Restart the times for other stages or another input; hide them while kernels are built. */
void rn_play_times_renew(struct rn_play_times *times);
void rn_play_times_await(struct rn_play_times *times, bool awaited);

/* Updates the averages once a second. */
void rn_play_count_second(struct rn_play *p);

/* Writes the lines, cells separated by \t. A frame must be shown. Returns buf. */
char *rn_play_tell_times(const struct rn_play *p, char *buf, size_t size);

/* ---- probe.c: samples under the pointer, before and after, as stored and in the input's unit */

#define RN_PROBE_TEXT 2048 /* bytes of the texts below */

/* Zeroed before the first use. */
struct rn_play_probe {
    bool on;         /* the values are shown */
    bool on_picture; /* the pointer is: */
    int pane, x, y;  /* at this pixel of the first plane */
};

/* Sets the position of the pointer, and redraws values that it changes. */
void rn_play_point(struct rn_play *p, const struct rn_ui_event *event);

/* Writes the samples under the pointer, one line per plane: name, before, after, separated by \t. A
 * subsampled plane gives the sample that covers the pixel. Returns false if the pointer is on no
 * picture. A frame must be shown. */
bool rn_play_describe_samples(const struct rn_play *p, char *buf, size_t size);

/* The same for pixel x, y as it is stored; "" without it. Returns buf. */
char *rn_play_describe_pixel(const struct rn_play *p, int x, int y, char *buf, size_t size);

/* ---- region.c: statistics of a region of the picture: mean, standard deviation, minimum, maximum
 * and a histogram of every plane, before and after the chain. They are measured as `stats` measures
 * whole planes (filters/parts/measure.h): sums of integers are exact, values are in the input's
 * unit if it has a rescale slope, NaN does not count. */

/* Whether there is a region; whether it is to be measured; removes it. */
bool rn_play_region_is_on(const struct rn_play_region *region);
bool rn_play_region_needs_samples(const struct rn_play_region *region);
void rn_play_region_clear(struct rn_play_region *region);

/* The picture has changed. */
void rn_play_region_outdate(struct rn_play_region *region);

/* Begins a region of one pixel at the pointer, moves its other corner there, or ends it, as the
 * event says. */
void rn_play_region_act(struct rn_play *p, const struct rn_ui_event *event);

/* Whether drags set the region of the selected stage instead; begins or ends that; sets it, and
 * returns 0 or an error that ends the player (logged). */
bool rn_play_region_limits(const struct rn_play_region *region);
void rn_play_region_toggle_limit(struct rn_play *p);
int rn_play_region_limit(struct rn_play *p, const struct rn_ui_event *event);

/* Fills `to` with the outline of the region of the selected stage and adds it to the scene, while
 * drags set it, or beside the panel. */
void rn_play_region_outline(struct rn_play *p, struct rn_ui_scene *scene,
                            struct rn_ui_scene_region *to);

/* Measures the region unless that was done. slot: was waited for. Of a subsampled plane the samples
 * that cover the region count. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_measure(struct rn_play_region *region, const struct rn_slot *slot);

/* Measures the region, if there is one, fills `to` and adds it to the scene. A frame must be shown,
 * filtered with the current parameters. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_show(struct rn_play *p, struct rn_ui_scene *scene,
                        struct rn_ui_scene_region *to);

/* After rn_play_region_measure: writes the table and the histograms, cells separated by \t, for
 * each bin the value it begins at and its samples. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_write(const struct rn_play_region *region, FILE *f);

/* Measures the whole of plane p. to: without a histogram. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_measure_whole(struct rn_measure *to, const struct rn_image *img, int p);
