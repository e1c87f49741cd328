/* SPDX-License-Identifier: MIT */
/* What the player does with time and inputs: transport, sound, recording, list of inputs. */
#pragma once

#include "filters/core/chain/chain.h"
#include "io/read/source.h"

struct rn_play;
struct rn_play_recording_edit;
struct rn_play_transport;
struct rn_slot;
struct rn_ui_scene_bar;

/* ---- transport.c: pause, speed, seeks to times and frames, steps, marks: a range of the input */

/* Zeroed: not set. */
struct rn_play_mark {
    bool set;
    int64_t index; /* rn_frame.index */
    double time;   /* rn_frame.time */
};

struct rn_play_marks {
    struct rn_play_mark a, e; /* begin and end; the range includes both */
};

/* A range of the input as values of the options --from, --to and --frames; "": not given. */
struct rn_play_range {
    char from[32], to[32], frames[32];
};

enum { RN_RANGE_TEXT = 128 };

/* Set one mark. The other one is cleared if the range would be empty. */
void rn_play_marks_begin(struct rn_play_marks *marks, int64_t index, double time);
void rn_play_marks_end(struct rn_play_marks *marks, int64_t index, double time);

/* Whether playing passes the end of the range between two successive frames. */
bool rn_play_marks_cross(const struct rn_play_marks *marks, int64_t from, int64_t to);

/* The marked range as values of options. opts: the range that is played; first: the number of its
 * first frame (rn_io_media.first_index). Returns false and an empty range if there is no mark. */
bool rn_play_marks_range(const struct rn_play_marks *marks, const struct rn_io_read_opts *opts,
                         int64_t first, struct rn_play_range *range);

/* Writes a range as options, "--from 150f --to 176f", or "". Returns buf (RN_RANGE_TEXT bytes). */
char *rn_play_range_options(const struct rn_play_range *range, char *buf);

/* ---- time, seeks and steps */

#define RN_STEPS_MOST  10 /* pending */
#define RN_SPEED_STEPS 22 /* of 10 %: from 1 to 8, and to 1/8 */

/* At wall time `anchor` it was `anchored` in the stream; seconds. */
struct rn_play_stream_clock {
    double anchor, anchored;
    double speed; /* seconds of the stream in one of the wall; > 0 */
};

/* The time in the stream at a wall time. */
double rn_play_stream_clock_time(const struct rn_play_stream_clock *clock, double wall);

/* Sets the time in the stream. */
void rn_play_stream_clock_set(struct rn_play_stream_clock *clock, double wall, double time);

/* The speed after `steps` steps from normal: 1.1^steps, within 1/8..8. */
double rn_play_speed_of(int steps);

/* Resets the transport for another input, from its first frame; keeps the speed. seekable: the
 * input is; known before the reader starts. */
void rn_play_transport_begin(struct rn_play_transport *transport, bool seekable);

/* Whether the input can seek; the speed, 1: normal; the marks of the range. */
bool rn_play_can_seek(const struct rn_play *p);
double rn_play_speed(const struct rn_play *p);
const struct rn_play_marks *rn_play_marks(const struct rn_play *p);

/* Stops or starts the clock and the sound. */
void rn_play_pause(struct rn_play *p, bool paused);

/* The average frame duration in seconds; the current stream time; sets the stream time. */
double rn_play_frame_duration(const struct rn_play *p);
double rn_play_time(const struct rn_play *p);
void rn_play_set_time(struct rn_play *p, double time);

/* Seeks to the first frame at or after time; to the frame with this rn_frame.index. */
void rn_play_seek_time(struct rn_play *p, double time);
void rn_play_seek_frame(struct rn_play *p, int64_t index);

/* Seek on request of the user, and drop pending steps and slices: to a time (the last frame if that
 * is beyond the end), to a frame, to the last frame. */
void rn_play_go(struct rn_play *p, double time);
void rn_play_go_frame(struct rn_play *p, int64_t index);
void rn_play_go_last(struct rn_play *p);

/* Seeks by seconds from the current frame, or from the pending target. */
void rn_play_seek_by(struct rn_play *p, double seconds);

/* Pauses, and queues steps by count frames; sets how many steps are pending. */
void rn_play_step(struct rn_play *p, int count);
void rn_play_set_steps(struct rn_play *p, int count);

/* Says that the last frame is shown, and how to go on; the second function only once for it. */
void rn_play_say_end(struct rn_play *p);
void rn_play_reach_end(struct rn_play *p);

/* Whether a seek or a step is under way. */
bool rn_play_transport_is_busy(const struct rn_play *p);

/* Notes that the frame after the one on the screen was dropped, too late: a step has to seek it. */
void rn_play_note_skipped(struct rn_play_transport *transport);

/* Starts the next queued step, if there is one. */
void rn_play_take_step(struct rn_play *p);

/* Seeks to the first mark, or the beginning of the input. */
void rn_play_rewind(struct rn_play *p);

/* After frames went to another runner: repeats a pending seek, or its target is lost; without one,
 * if the current filters miss neighbours, reads the frame on the screen again with them. */
void rn_play_find_neighbours(struct rn_play *p, bool missing);

/* Called for each frame that was read. Returns whether to show it, not only to locate another. */
bool rn_play_look(struct rn_play *p, const struct rn_slot *slot);

/* Whether a frame is read only as a neighbour of the target of a seek. */
bool rn_play_leads_in(const struct rn_play *p, const struct rn_slot *slot);

/* Called when the reader has done the seek, or refused it; when a frame is shown, which is the
 * target, if there is one, and gets its pending marks; when the input ends before the target. */
void rn_play_end_seek(struct rn_play *p, bool done);
void rn_play_reach_target(struct rn_play *p);
void rn_play_drop_target(struct rn_play *p);

/* Sets the begin mark (1) or end mark (-1) at this frame or the pending target; 0 clears both. */
void rn_play_set_mark(struct rn_play *p, int which);

/* The marked range, and the same as options of render. The first function returns whether there is
 * one, the second buf, of RN_RANGE_TEXT bytes. */
bool rn_play_marked_range(const struct rn_play *p, struct rn_play_range *part);
char *rn_play_range(const struct rn_play *p, char *buf);

/* Says what is rendered: the marked range, or all. */
void rn_play_say_part(struct rn_play *p);

/* Whether a mark ends playing between the frame on the screen and this one. */
bool rn_play_is_beyond(const struct rn_play *p, const struct rn_slot *slot);

/* Changes the speed by steps; 0: back to normal. */
void rn_play_pace(struct rn_play *p, int count);

/* ---- sound.c: the sound of the preview. While it is heard, the clock follows it. */

/* Zeroed before the first use, but for the volume. */
struct rn_play_sound {
    struct rn_read_audio *audio; /* NULL: the input has none, or there is no speaker */
    struct rn_ui_speaker *speaker;
    double volume; /* 0..1 */
    double end;    /* time in the stream after what was pushed */
    int rate;      /* samples per second */
    bool muted;
    bool sounding; /* some of what was pushed was not heard yet */
    bool stepped;  /* the picture has gone on without it */
};

/* Opens the sound of the input, where it can be heard: a picture without sound is better than none.
 * Closes it. */
void rn_play_open_sound(struct rn_play *p);
void rn_play_close_sound(struct rn_play *p);

/* Seeks to the picture, which has gone on without sound. */
void rn_play_resume_sound(struct rn_play *p);

/* Sets the clock to the sound that is heard: the picture follows. */
void rn_play_follow_sound(struct rn_play *p);

/* Queues the sound of a frame. Only the normal speed has sound. */
void rn_play_push_sound(struct rn_play *p, const struct rn_frame *frame);

/* Drops the queue. */
void rn_play_forget_sound(struct rn_play *p);

/* Sets the volume, 0..1. */
void rn_play_sound_level(struct rn_play_sound *sound, double volume, bool muted);

/* Changes the volume by steps of 5 %, and says it; 0: mutes or unmutes. */
void rn_play_set_volume(struct rn_play *p, int count);

/* Whether the input has sound at the current speed. */
bool rn_play_is_heard(const struct rn_play *p);

/* ---- recording.c: the recording as a timeline: its changes as marks of the seek bar, edits of
 * them, and playing with the settings that it has.
 *
 * A change is a run of frames that each have other settings than the one before: one new value, or
 * the values of a held key or a ramp. The change of the frame on the screen is the last one up to
 * it. Edits are written to --record, and undone by the history.
 *
 * A recording that is followed (--replay) gives each frame its settings before it is filtered. A
 * value that the user changes meanwhile stays as the user has it, whatever the recording says of
 * it, until the next seek; all others go on. What is shown is recorded, so a second pass over a
 * recording tunes one parameter alone. */

/* Begins --record, which goes on from --replay, if there is one. Returns 0 or an error (logged). */
int rn_play_recording_begin(struct rn_play *p);

/* ---- following it */

/* Where frames are shown from, after a seek (-1: unknown yet): those before are only neighbours. */
void rn_play_recording_shown_from(struct rn_play *p, int64_t frame);

/* Gives the settings those of a frame. *changed: they were others. *waits: other filters are being
 * built for it: try again later. Returns 0, or an error that ends the player (logged). */
int rn_play_recording_follow(struct rn_play *p, int64_t frame, bool *changed, bool *waits);

/* A frame is shown. follows: those since the one before were dropped: what the user has changed is
 * recorded of them, too. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_recording_fill(struct rn_play *p, int64_t frame, bool follows);

/* The recording has other filters from here on, so the frames in hand go to another runner. The one
 * on the screen comes out of that first; it is not shown twice (rn_play_recording_was_shown). */
void rn_play_recording_skip_next(struct rn_play *p, int64_t shown);
bool rn_play_recording_was_shown(struct rn_play *p, int64_t frame);

bool rn_play_recording_is_followed(const struct rn_play *p);

/* The user has changed the settings from these. */
void rn_play_recording_touch(struct rn_play *p, const struct rn_chain *before);

/* A seek of the user: the recording has all values again. */
void rn_play_recording_leave(struct rn_play *p);

/* Follows it, or no more. */
void rn_play_recording_toggle(struct rn_play *p);

/* ---- edits; where there is nothing to edit, they say so. Return 0, or an error as above. */

/* Goes to the next (1) or previous (-1) change. */
void rn_play_recording_go(struct rn_play *p, int count);

/* Removes the change: its values are those from before it, each until another change sets it; other
 * filters, up to the next change. */
int rn_play_recording_remove(struct rn_play *p);

/* Moves the change by frames, not beyond its neighbours. */
int rn_play_recording_shift(struct rn_play *p, int frames);

/* Lets all numbers go from the change to the next one: in equal steps (1), or smoothly (2). */
int rn_play_recording_ramp(struct rn_play *p, int way);

/* Undoes (-1) or redoes (1) the edit that the history has next; frees one of the history. */
int rn_play_recording_undo(struct rn_play *p, int direction);
void rn_play_recording_forget(struct rn_play_recording_edit **edit);

/* ---- on the screen */

/* Fills the marks of the changes, and the curve of the selected parameter. */
void rn_play_recording_draw(struct rn_play *p, double length, struct rn_ui_scene_bar *bar);

/* ---- playlist.c: the list of inputs, which are played one after another with one chain, and the
 * request for another one: its file, decoder and kernels are opened in the job thread. The current
 * input plays on until the requested one is ready; a later request replaces it. What is tuned
 * meanwhile is in force for the new input, or it is not taken. */

struct rn_play_inputs {
    char **name;
    int n, index; /* index: of the current input, from 0 */
};

/* The current list. */
const struct rn_play_inputs *rn_play_inputs(const struct rn_play *p);

/* Adds an input at the end, copied. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_add_input(struct rn_play *p, const char *name);

/* Requests number `at` of the list; if that cannot be opened, which is said, the next ones in a
 * direction (1, -1; 0: none). Returns false, and says so, if no other input can be played. */
bool rn_play_request_input(struct rn_play *p, int at, int direction);

/* Requests the next input (1) or the previous one (-1) that can be opened. The current one stays at
 * the end of the list, unless that is looped, and if none can be opened. */
void rn_play_next_input(struct rn_play *p, int direction);

/* Opens the requested input, and plays it once it is ready. *replaced: it has replaced the current
 * one. Returns 0 or an error that ends all (logged). */
int rn_play_playlist_poll(struct rn_play *p, bool *replaced);

/* Whether an input is requested; drops the request. */
bool rn_play_playlist_is_busy(const struct rn_play *p);
void rn_play_cancel_input(struct rn_play *p);

/* Called when the input's last frame was shown for its time. Returns whether another follows; still
 * pictures never end. *wait: as of rn_play_advance. The second function requests that input. */
bool rn_play_input_ended(struct rn_play *p, double *wait);
void rn_play_follow(struct rn_play *p);

/* Takes a file that was dropped onto the window: a chain file as the chain, by one change; any
 * other as the input, in place of the list. i: its index among the files of the drop; those after
 * the first are added to the list. *done: it was taken, or is being opened; if not, that is said.
 * Returns 0 or an error that ends all (logged). */
int rn_play_take_dropped(struct rn_play *p, const char *path, int i, bool *done);

/* ---- what lives as long as one input, while the window stays
 *
 * Reader, sound, displays, times, saved settings. */

/* Opens the window for the input of the session, or shows the new input in the open one. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_play_open_window(struct rn_play *p);

/* Starts reading, once the session has a runner for its input. Shows nothing yet. Returns 0 or an
 * error (logged). */
int rn_play_open_input(struct rn_play *p);

/* Ends reading and filtering, and completes the files of the input. err: of the run so far; the
 * first error counts. The second function releases the rest. */
int rn_play_end_input(struct rn_play *p, int err);
void rn_play_free_input(struct rn_play *p);

/* ---- parts of the player whose fields their own files alone know: play.c makes them, zeroed, at
 * the start, and releases them at the end */

struct rn_play_part_type {
    size_t size;
    void (*release)(void *part); /* frees what the part owns; NULL: nothing */
    void (*leave)(void *part);   /* likewise, what was made for an input; before release, too */
};

/* The input ends: all parts leave it. */
void rn_play_leave_parts(const struct rn_play *p);

/* Each is defined at the end of its file. */
extern const struct rn_play_part_type rn_play_bar_part, rn_play_build_part, rn_play_compare_part,
    rn_play_difference_part, rn_play_edits_part, rn_play_kept_part, rn_play_message_part,
    rn_play_runners_part, rn_play_panel_part, rn_play_playlist_part, rn_play_presentation_part,
    rn_play_recording_part, rn_play_reference_part, rn_play_region_part, rn_play_renders_part,
    rn_play_scopes_part, rn_play_sheet_presets_part, rn_play_slices_part, rn_play_three_part,
    rn_play_transport_part, rn_play_cursor_part;
