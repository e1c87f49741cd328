/* The player's state and its parts: frames in their time (player.c), other frames than the next one
 * (seek.c), sound (sound.c), what events ask for (act.c), what they do in the chain (edit.c) and
 * with snapshots (recall.c), kernels for another chain (build.h), renders beside (export.c), what
 * is drawn (view.c), compared (compare.h), shown of values (windowing.h) and told of them
 * (readout.h), slices (stacks.h), what outlives the player (kept.h). The command and its loop are
 * in play.c.
 *
 * This thread submits, waits and draws; only reading is ahead of it, and compilers are beside it:
 * whoever wants a runner requests a binding (binding.h), and shows meanwhile what there is. So a
 * turned knob reaches the next frame that is shown, whatever is in flight. */
#ifndef RN_APP_PLAY_LOOP_PLAYER_H
#define RN_APP_PLAY_LOOP_PLAYER_H

#include "filters/core/chain/stage.h"
#include "app/play/loop/clock.h"
#include "app/play/loop/reader.h"
#include "filters/core/runner/runner.h"
#include "io/pixels/display.h"
#include "ui/window.h"

/* The parts: each is known to those who include its header. */
struct rn_app_cli;
struct rn_app_record;
struct rn_app_session;
struct rn_pix_display;
struct rn_play_autosave;
struct rn_play_autosave_own;
struct rn_play_bar;
struct rn_play_bob;
struct rn_play_build;
struct rn_play_companion;
struct rn_play_compare;
struct rn_play_history;
struct rn_play_inputs;
struct rn_play_marks;
struct rn_play_mask;
struct rn_play_mask_view;
struct rn_play_opening;
struct rn_play_panel;
struct rn_play_probe;
struct rn_play_region;
struct rn_play_job;
struct rn_play_remote;
struct rn_play_render_queue;
struct rn_play_scan_window;
struct rn_play_slices;
struct rn_play_snapshots;
struct rn_play_three;
struct rn_play_times;
struct rn_play_tuner;
struct rn_read_audio;
struct rn_ui_keymap;
struct rn_ui_speaker;
struct rn_ui_window;
struct rn_write_sink;

#define RN_PLAYER_SLOTS    8 /* sound travels with the frames and needs this much ahead */
#define RN_PLAYER_SEEN     1024
#define RN_PLAYER_BUSY     0.001 /* seconds until the device is asked again */
#define RN_PLAYER_BUILDING 0.01  /* likewise the compiler */
#define RN_STEPS_MOST      10    /* frames to be stepped that may wait */

/* The most slots of any chain, whose frames need those beside them. */
#define RN_PLAYER_MOST (RN_PLAYER_SLOTS + 2 * RN_SLICES_MAX * RN_MAX_STAGES)

/* Where somebody is on the way to. */
struct rn_play_sought {
    bool wanted; /* it is not shown yet */
    struct rn_play_goal goal;
    bool alone; /* see rn_play_rewind */
};

struct rn_play {
    struct rn_app_cli *cli; /* the command line, with the input of now as its first operand */
    struct rn_play_inputs *inputs;
    struct rn_app_session *session;
    struct rn_play_reader *reader;
    struct rn_ui_keymap *keys; /* before the window is opened */
    struct rn_ui_window *window;
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
    struct rn_play_companion *companion;
    struct rn_read_audio *audio;
    struct rn_ui_speaker *speaker;
    struct rn_app_record *record;
    struct rn_write_sink *hashes; /* --md5 */
    struct rn_play_tuner *tuner;
    struct rn_play_history *history; /* of session.chain and snapshots */
    struct rn_play_build *build;
    struct rn_play_opening *opening;
    struct rn_play_job *rebuild; /* of the kernels of the session's runner; NULL: none */
    struct rn_play_snapshots *snapshots;
    struct rn_play_render_queue *renders;
    struct rn_play_panel *panel;
    struct rn_play_bar *bar;
    struct rn_play_times *times;
    bool refused; /* the last change was, or nothing changed */
    bool moved;   /* the movement of the mouse that goes on has changed the chain */

    struct rn_play_remote *remote;     /* NULL: no --ipc */
    struct rn_play_autosave *autosave; /* NULL: the input cannot be found again */
    struct rn_play_autosave_own *own;  /* of all inputs */
    char *input;                       /* its name there */
    bool greeted;                      /* the first frame of the input was shown */
    bool tuned;                        /* since the last rn_play_save */
    struct {
        char *path, *date; /* date NULL: unknown */
        char *chain[2];    /* texts, of -f and of --versus; NULL: none, or that of the start */
    } offer;               /* what was kept when the player started */

    struct rn_slot *shown;                 /* on the screen */
    struct rn_slot *next;                  /* complete, waits for its time */
    struct rn_slot *ahead[RN_PLAYER_MOST]; /* read, and their sound is on its way */
    int nahead;
    double lead_in; /* frames before this time only lead in the sought one; NAN */
    bool plays;     /* the chain is being tuned: it is told at the end */
    bool paused, bypass, loop, muted, quit;
    bool hurry; /* show the next frame at once: the first, after a seek, a step */
    bool at_end;
    bool cut;            /* playing has ended behind what is shown, by a mark */
    bool skipped;        /* what would follow it has come too late, and is gone */
    bool stale, redraw;  /* the frames in hand are to be filtered again; the window drawn again */
    bool refiltered;     /* they are being: the picture of shown is not there yet */
    bool fresh;          /* what is shown is not what the window has */
    bool seeking;        /* the reader has not told yet what became of a seek */
    bool locating;       /* the next frame that is read only tells its time */
    bool carries;        /* the last seek was told to bring the sound */
    double goal;         /* time that is being sought, until a frame of it is shown; NAN */
    bool stepped;        /* the sound is behind the picture */
    int steps;           /* frames to step, as soon as those before are shown */
    double before, span; /* looking for the frame before this time (NAN), span seconds back */
    double volume;

    bool seekable; /* the input; asked before the reader has it */
    struct rn_play_sought sought;
    struct rn_play_marks *marks;
    bool begin_soon, end_soon;         /* to be set where the frame comes that is sought */
    struct rn_play_stream_clock clock; /* sound corrects it */
    int pace;         /* its speed, in steps from the normal one (rn_play_speed_of) */
    double sound_end; /* time in the stream behind what was pushed */
    int rate;         /* of the sound, samples per second */
    bool sounding;

    struct rn_play_seen {
        double time, before;
    } * seen; /* RN_PLAYER_SEEN frames that followed each other, to step back along */
    int nseen;
    double last_time; /* of the frame read last; NAN after a seek */

    int help; /* page that is shown, from 1; 0: none */
    char message[256];
    double message_until;
    bool message_seen; /* it was in what was drawn last */
    int64_t drawn, dropped;
};
_Static_assert(sizeof(struct rn_play) <= 8192, "what is large is a part of its own");

/* Shows a message for two seconds; that something was refused, as an error that was logged says it
 * (where that is long, only its beginning); or the selected parameter. */
void rn_play_say(struct rn_play *p, const char *text);
void rn_play_say_refused(struct rn_play *p, const char *error);
void rn_play_say_parameter(struct rn_play *p);

/* Draws everything anew. Returns 0 or an error, as all functions here (logged). */
int rn_play_draw(struct rn_play *p);

/* Stops or starts the clock and the sound. */
void rn_play_pause(struct rn_play *p, bool paused);

/* The sound comes back to the picture where that has gone on without it. */
void rn_play_resume_sound(struct rn_play *p);

/* Seconds from frame to frame, on average. */
double rn_play_frame_duration(const struct rn_play *p);

/* Forgets all frames but the one on the screen. */
int rn_play_drop_frames(struct rn_play *p);

/* Gives the frames in hand to another runner for the same input, with as many slots at least; the
 * one on the screen comes first and is shown again. While the reader holds. */
int rn_play_move(struct rn_play *p, struct rn_runner *runner);

/* Brings the screen up to date, if the parameters (stale) or what is drawn over the picture
 * (redraw) have changed: once for many keys. Waits for no device: with a chain that takes long the
 * picture comes with a later call. */
int rn_play_refresh(struct rn_play *p);

/* Waits until the picture on the screen has the parameters of now. */
int rn_play_catch_up(struct rn_play *p);

/* Brings the next frame, and shows it when its time has come. *wait: how long, in seconds, nothing
 * is to be done. */
int rn_play_advance(struct rn_play *p, double *wait);

/* A copy of settings to go to: where the filters are those of now, files stay as they were read
 * last. *selected: the place in the list of what differs first; unchanged if nothing does. The
 * caller destroys it. NULL: out of memory (logged). */
struct rn_chain *rn_play_draft(const struct rn_play *p, const struct rn_chain *there,
                               int *selected);

/* Changes the chain as an event asks for; goes to the settings before the last change (-1), or
 * forth again (1). What is refused is said, and changes nothing. */
int rn_play_edit(struct rn_play *p, const struct rn_ui_event *event);
int rn_play_undo(struct rn_play *p, int direction);

/* Says why settings were refused, err. Returns 0, or the error if it ends all. */
int rn_play_refused(struct rn_play *p, int err);

/* Goes to other settings by one change; the selection stays if it can. said: the message, unless
 * they are refused. */
int rn_play_adopt(struct rn_play *p, const struct rn_chain *there, const char *said);

/* What keys do with snapshots; place: see snapshots.h. The last one puts back what a snapshot held
 * before the change that the history has in that direction. */
int rn_play_store(struct rn_play *p, int place);
int rn_play_recall(struct rn_play *p, int place);
int rn_play_flip(struct rn_play *p);
int rn_play_compare(struct rn_play *p);
int rn_play_undo_store(struct rn_play *p, int direction);

/* Applies settings by themselves: takes draft, in any case. *before: the settings that were left,
 * now the caller's; NULL: the draft was refused, which is said. Returns an error that ends all. */
int rn_play_apply(struct rn_play *p, struct rn_chain *draft, struct rn_chain **before);

/* Renders what is marked, or all, with the chain of now, in the background; takes what has become
 * of that. */
void rn_play_export(struct rn_play *p);
void rn_play_poll_renders(struct rn_play *p);

/* Somebody wants to quit: may it end? Not the first time while something is rendered, which is
 * said. */
bool rn_play_may_quit(struct rn_play *p);

/* Does what an event asks for. */
int rn_play_act(struct rn_play *p, const struct rn_ui_event *event);

/* Does the player know the action? All are to be known. */
bool rn_play_can_act(enum rn_ui_action action);

#endif
