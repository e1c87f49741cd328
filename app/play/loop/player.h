/* The player's state and its parts: frames in their time (playback.c), other frames than the next
 * one (seek.c), sound (sound.c), what events ask for (commands/), what they do in the chain and
 * with snapshots (edit.c), kernels for another chain (build.h), renders beside (export.c), what is
 * drawn (view.c), compared (compare.h), shown of values (windowing.h) and told of them (readout.h),
 * slices (stacks.h), what outlives the player (kept.h). The command and its loop are in play.c.
 *
 * This thread submits, waits and draws; only reading is ahead of it, and compilers are beside it:
 * whoever wants a runner requests a binding (binding.h), and shows meanwhile what there is. So a
 * turned knob reaches the next frame that is shown, whatever is in flight. */
#ifndef RN_APP_PLAY_LOOP_PLAYER_H
#define RN_APP_PLAY_LOOP_PLAYER_H

#include "filters/core/chain/stage.h"
#include "app/play/loop/reader.h"
#include "filters/core/runner/runner.h"
#include "io/pixels/display.h"
#include "ui/window.h"

struct rn_play;
struct rn_play_change;

#define RN_PLAYER_SLOTS    8     /* sound travels with the frames and needs this much ahead */
#define RN_PLAYER_BUSY     0.001 /* seconds until the device is asked again */
#define RN_PLAYER_BUILDING 0.01  /* likewise the compiler */

/* The most slots of any chain, whose frames need those beside them. */
#define RN_PLAYER_MOST (RN_PLAYER_SLOTS + 2 * RN_SLICES_MAX * RN_MAX_STAGES)

/* The way of a change: an event of the window, or a request of a script -> a command -> the part
 * that it belongs to -> the settings of the chain (session->chain) -> the runner, which takes them
 * (rn_runner_try), or another one, by a binding -> the picture of the frame in hand (RN_PICTURE_*)
 * -> the window (view.h). The way of a frame: reader -> ahead -> runner -> next -> shown -> window.
 *
 * Each part owns its state, and is known to those who include its header:
 *     transport  clock and speed, marks, what is sought, steps           seek.h
 *     sound      the stream that is heard, and how loud                  sound.h
 *     inputs     the list, and where it is                               input.h
 *     tuner, history, snapshots, kept  settings, those before, autosave  edit/
 *     build, input_request, rebuild    runners that are being opened     runners/
 *     scan, mask, bob, slices, three   how samples are shown             view/, stacks/
 *     compare, pair                    the other picture, and its runner compare.h
 *     probe, region, times, message    what is told over the picture     view/, times.h
 *     panel, bar                       what the mouse can take           panel.h, bar.h
 *     renders, record, hashes, remote  what goes out                     export/, remote/
 * Parts include those below them; what they call of those above stands in rn_play_host. */

/* What comes behind the frame on the screen. */
enum rn_play_playback {
    RN_PLAYBACK_GOES_ON,
    RN_PLAYBACK_CUT,    /* a mark: frames in hand are the last ones */
    RN_PLAYBACK_AT_CUT, /* and they were shown */
    RN_PLAYBACK_AT_END, /* of the input */
};

/* How the player gets to another frame than the next one in its time. */
enum rn_play_seeking {
    RN_SEEKING_NOT,
    RN_SEEKING_READER, /* the reader was sent there, and has not told what became of that */
    RN_SEEKING_FRAME,  /* the next frame is shown at once: the first, behind a seek, of a step */
};

/* Whether the pictures in hand are of the settings of now. */
enum rn_play_picture {
    RN_PICTURE_CURRENT,
    RN_PICTURE_STALE,           /* the frames in hand are to be filtered again */
    RN_PICTURE_FILTERING,       /* they are being: that on the screen is not there yet */
    RN_PICTURE_FILTERING_STALE, /* and are to be once more */
};

/* What is to be drawn. */
enum rn_play_drawing {
    RN_DRAWING_NOTHING,
    RN_DRAWING_OVERLAYS,
    RN_DRAWING_PICTURES, /* the window has others than those that are shown */
};

/* What lower parts call of those that stand on them; each is described where it is declared. */
struct rn_play_host {
    int (*act)(struct rn_play *p, const struct rn_ui_event *event);     /* rn_play_act */
    int (*command)(struct rn_play *p, const struct rn_ui_event *event); /* rn_play_command_key */
    int (*edit)(struct rn_play *p, const struct rn_play_change *change);
    int (*apply)(struct rn_play *p, struct rn_chain *draft, struct rn_chain **before);
    void (*greet)(struct rn_play *p);
    bool (*builds)(const struct rn_play *p);
    bool (*ended)(struct rn_play *p, double *wait); /* rn_play_input_ended */
};

struct rn_play {
    const struct rn_play_host *host;
    struct rn_app_cli *cli; /* the command line, with the input of now as its first operand */
    struct rn_app_session *session;
    struct rn_ui_window *window;
    struct rn_ui_keymap *keys; /* before the window is opened */

    /* The frames: which are read and shown, and when. */
    struct rn_play_inputs *inputs;
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
    bool paused, bypass, loop, quit;
    bool skipped;        /* what would follow what is shown has come too late, and is gone */
    bool prints_options; /* the chain is printed at the end */

    /* The settings: how they change, and what is kept of them. */
    struct rn_play_tuner *tuner;
    struct rn_play_history *history;        /* of session->chain and snapshots */
    struct rn_play_history *versus_history; /* of compare->versus */
    struct rn_play_snapshots *snapshots;
    struct rn_play_kept *kept;
    struct rn_play_build *build;
    struct rn_play_input_request *input_request;
    struct rn_play_binding *rebuild; /* of the kernels of the session's runner; NULL: none */

    /* What is shown. */
    struct rn_pix_viewing viewing;
    char viewing_told[256]; /* lines of the overlay */
    struct rn_pix_display *show_in, *show_out;
    struct rn_play_scan_window *scan;
    struct rn_play_slices *slices;
    struct rn_play_three *three;
    struct rn_play_mask *mask;
    struct rn_play_mask_view *mask_view;
    struct rn_play_probe *probe;
    struct rn_play_bob *bob;
    struct rn_play_region *region;
    struct rn_play_compare *compare;
    struct rn_play_pair *pair;
    struct rn_play_message *message;
    struct rn_play_panel *panel;
    struct rn_play_bar *bar;
    struct rn_play_times *times;
    int help; /* page that is shown, from 1; 0: none */

    /* What goes out. */
    struct rn_app_record *record;
    struct rn_write_sink *hashes; /* --md5 */
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

/* The settings have changed: the frames in hand are filtered again. */
static inline void rn_play_outdate(struct rn_play *p)
{
    p->picture = rn_play_is_filtering(p) ? RN_PICTURE_FILTERING_STALE : RN_PICTURE_STALE;
}

/* The window is drawn again: what lies over the pictures, or these, too. */
static inline void rn_play_redraw(struct rn_play *p)
{
    p->drawing = p->drawing ? p->drawing : RN_DRAWING_OVERLAYS;
}

static inline void rn_play_redraw_pictures(struct rn_play *p)
{
    p->drawing = RN_DRAWING_PICTURES;
}

#endif
