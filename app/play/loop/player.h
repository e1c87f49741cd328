/* SPDX-License-Identifier: MIT */
/* The player's state and its parts; the command and its loop are in play.c.
 *
 * The player's thread submits frames, waits for them and draws. Beside it run the reader, ahead,
 * and the compiler. A part that needs a runner requests one (runners.h) and shows what there is
 * until it is ready. So a changed parameter reaches the next frame shown, whatever is in flight. */
#pragma once

#include "app/play/loop/loop.h"
#include "app/play/loop/reader.h"
#include "app/play/overlay/overlay.h"
#include "app/run/session.h"
#include "io/pixels/display.h"
#include "ui/window.h"

#define RN_PLAYER_SLOTS    8     /* sound travels with the frames and needs this much ahead */
#define RN_PLAYER_BUSY     0.001 /* seconds until the device is asked again */
#define RN_PLAYER_BUILDING 0.01  /* likewise the compiler */

/* Upper bound on slots: chains with temporal filters hold their neighbours too. */
#define RN_PLAYER_MOST (RN_PLAYER_SLOTS + 2 * RN_SLICES_MAX * RN_MAX_STAGES)

/* The way of a change: a key (rn_ui_next_event -> rn_ui_keyboard_down -> on_key -> here
 * rn_play_handle_event -> rn_play_run_command), or a request of a script (rn_play_run_request) -> a
 * command (edit_selected, in its row) -> rn_play_edit, which changes a copy of the chain's settings
 * (edit_value -> rn_level_step) -> rn_play_apply_settings -> the runner, which takes them
 * (rn_runner_try), or a pending one. Then the frames in hand are marked as stale, and the loop, in
 * rn_play_refresh, has them filtered again (filter_again -> rn_play_runners_again ->
 * rn_runner_again -> rn_frames_submit, which gives a slot the revision of the settings ->
 * advance_stage -> rn_fields_stage -> device_stage -> enqueue_plane -> the filter's enqueue
 * function -> rn_launch -> set_args, where settings become arguments of kernels) and draws them
 * (draw, in playback.c).
 * The way of a frame: reader -> ahead -> runner -> next -> shown -> window.
 *
 * Each part owns its state, as its header says, and includes the headers of those that it calls. */

/* What follows the frame on the screen. */
enum rn_play_playback {
    RN_PLAYBACK_GOES_ON,
    RN_PLAYBACK_CUT,    /* the end mark: the frames in hand are the last ones */
    RN_PLAYBACK_AT_CUT, /* the last one before the mark is shown */
    RN_PLAYBACK_AT_END, /* the last one of the input is shown */
};

/* How the player gets to a frame other than the next one. */
enum rn_play_seeking {
    RN_SEEKING_NOT,
    RN_SEEKING_READER, /* the reader has not finished the seek */
    RN_SEEKING_FRAME,  /* the next frame is shown at once: the first one, after a seek or a step */
};

/* Whether the pictures in hand have the current settings. */
enum rn_play_picture {
    RN_PICTURE_CURRENT,
    RN_PICTURE_STALE,           /* the frames in hand must be filtered again */
    RN_PICTURE_FILTERING,       /* they are being filtered; the one on the screen is not done */
    RN_PICTURE_FILTERING_STALE, /* likewise, and then once more */
};

/* Whether the frame that is shown was drawn. One with former settings is not: drawing it would only
 * delay the picture that has those of now. */
enum rn_play_visibility {
    RN_VISIBILITY_SEEN,
    RN_VISIBILITY_UNSEEN,         /* to be drawn once it has the settings */
    RN_VISIBILITY_UNSEEN_FOLLOWS, /* likewise, as one that follows the one before */
};

/* What must be drawn. */
enum rn_play_drawing {
    RN_DRAWING_NOTHING,
    RN_DRAWING_OVERLAYS,
    RN_DRAWING_PICTURES, /* the pictures have changed, too */
};

struct rn_play {
    struct rn_app_cli *cli; /* the command line, with the current input as its first operand */
    struct rn_app_session *session;
    struct rn_ui_window *window;
    struct rn_ui_keymap *keys; /* before the window is opened */

    /* The frames: which are read and shown, and when (loop.h, reader.h). */
    struct rn_play_playlist *playlist;
    struct rn_play_reader *reader;
    struct rn_play_transport *transport;
    struct rn_play_sound *sound;
    struct rn_slot *shown;                 /* on the screen */
    struct rn_slot *next;                  /* complete, waits for its time */
    struct rn_slot *ahead[RN_PLAYER_MOST]; /* read, and their sound is on its way */
    int nahead;
    int64_t drawn, dropped;
    enum rn_play_playback playback;
    enum rn_play_seeking seeking;
    enum rn_play_picture picture;
    enum rn_play_drawing drawing;
    enum rn_play_visibility visibility;
    bool paused, bypass, loop, quit;
    bool scripted;       /* changes are those of a script: the user of the window types none */
    bool prints_options; /* the chain is printed at the end */

    /* The settings: how they change, and what is kept of them (edit/); what opens runners for them
     * (runners/). */
    struct rn_play_cursor *cursor;
    struct rn_play_edits *edits;
    struct rn_play_history *history;        /* of session->chain and snapshots */
    struct rn_play_history *versus_history; /* of compare->versus */
    struct rn_play_snapshots *snapshots;
    struct rn_play_kept *kept;
    struct rn_play_jobs *jobs; /* opens runners, builds kernels */
    struct rn_play_build *build;
    struct rn_play_pending *rebuild; /* of the kernels of the session's runner; NULL: none */

    /* What is shown: samples (view/, stacks/), other states (view/, runners/), texts over the
     * picture (overlay/), what the mouse operates (panel/). */
    struct rn_pix_viewing viewing;
    char viewing_told[256]; /* lines of the overlay */
    struct rn_pix_display *show_in, *show_out;
    struct rn_play_presentation *presentation;
    struct rn_play_slices *slices;
    struct rn_play_three *three;
    struct rn_play_probe *probe;
    struct rn_play_region *region;
    struct rn_play_compare *compare;
    struct rn_play_difference *difference;
    struct rn_play_reference *reference;
    struct rn_play_scopes *scopes;
    struct rn_play_sheet_presets *sheet_presets;
    struct rn_play_runners *runners;
    struct rn_play_message *message;
    struct rn_play_panel *panel;
    struct rn_play_bar *bar;
    struct rn_play_times *times;

    /* What goes out: outputs and clients (export/, remote/). */
    struct rn_app_record *record;
    struct rn_play_recording *recording; /* what is made of it, and --replay */
    struct rn_write_sink *hashes;        /* --md5 */
    struct rn_play_render_queue *renders;
    struct rn_play_remote *remote; /* NULL: no --ipc */
};
_Static_assert(sizeof(struct rn_play) <= 8192, "what is large is a part of its own");

static inline bool rn_play_at_end(const struct rn_play *p)
{
    return p->playback >= RN_PLAYBACK_AT_CUT;
}

static inline bool rn_play_is_cut(const struct rn_play *p)
{
    return p->playback == RN_PLAYBACK_CUT || p->playback == RN_PLAYBACK_AT_CUT;
}

static inline bool rn_play_is_stale(const struct rn_play *p)
{
    return p->picture == RN_PICTURE_STALE || p->picture == RN_PICTURE_FILTERING_STALE;
}

static inline bool rn_play_is_filtering(const struct rn_play *p)
{
    return p->picture >= RN_PICTURE_FILTERING;
}

/* After a change of settings: has the frames in hand filtered again. */
static inline void rn_play_mark_stale(struct rn_play *p)
{
    p->picture = rn_play_is_filtering(p) ? RN_PICTURE_FILTERING_STALE : RN_PICTURE_STALE;
}

/* Has the window drawn again: the overlays, or the pictures as well. */
static inline void rn_play_redraw(struct rn_play *p)
{
    p->drawing = p->drawing ? p->drawing : RN_DRAWING_OVERLAYS;
}

static inline void rn_play_redraw_pictures(struct rn_play *p)
{
    p->drawing = RN_DRAWING_PICTURES;
}

/* ---- playback.c: frames at their times, from the reader through the runner to the window. All
 * functions return 0 or an error that ends all (logged). */

/* Prepares the next frame, shows it when it is due. *wait: seconds until the next call at most. */
int rn_play_advance(struct rn_play *p, double *wait);

/* Updates the screen after changes of settings or overlays: once for many keys. Waits for no
 * device: with a slow chain a later call shows the picture. */
int rn_play_refresh(struct rn_play *p);

/* Waits until the picture on the screen has the current settings. */
int rn_play_finish_filtering(struct rn_play *p);

/* Moves the frames in hand to another runner of the same input, which has at least as many slots.
 * The frame on the screen comes first and is shown again. Call while the reader is paused. */
int rn_play_move(struct rn_play *p, struct rn_runner *runner);
