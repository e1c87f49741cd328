/* Changes of parameters over time: written while playing, applied again while rendering.
 *
 * A recording is JSON lines, each an object, in the order of events. The first is {"chain":TEXT},
 * the chain at the start. Every other line has "frame":N, N >= 0, and may have "to":M, M >= N. It
 * changes a value, and then assigns the current values, with all changes so far, to frames:
 *     {"frame":N,"stage":I,"param":NAME,"value":TEXT}   the frames from N on, to the end
 *     {"frame":N,"to":M,...}                            the frames N to M, both included
 *     {"frame":N}, {"frame":N,"to":M}                   likewise, without a change
 * I counts the filters of the chain from 0. NAME may be "enable", as in a chain; old recordings
 * have "on":BOOL instead of "param" and "value".
 *
 * Lines may have frames in any order, because users seek. The last line about a frame counts; a
 * frame without a line has the values at the start. So each prefix of whole lines is a recording,
 * which survives a crash. A last line without a newline may be incomplete and is then ignored. */
#ifndef RN_APP_RUN_RECORD_H
#define RN_APP_RUN_RECORD_H

#include "filters/core/pool/pool.h"

struct rn_app_record;

/* Begins a record under a temporary name in the folder of path. Returns 0, RN_EOUTPUT or
 * RN_EINTERNAL (logged). */
int rn_app_record_create(struct rn_app_record **record, const char *path,
                         const struct rn_chain *chain);

/* Notes that frame is computed with the current parameters: when it is shown, they may be others.
 */
void rn_app_record_compute(struct rn_app_record *record, const struct rn_chain *chain,
                           int64_t frame);

/* Records that frame was shown with the parameters that it was last computed with, of those frames
 * that rn_app_record_compute told last. follows: the frames since the previous call were dropped,
 * not skipped by a seek. A frame that is shown again replaces its record.
 * The first call gives the file its name; the file is up to date when a call returns. Returns 0,
 * RN_EOUTPUT or RN_EINTERNAL (logged); after an error the file ends with its last whole line, and
 * further calls do nothing and return 0. */
int rn_app_record_frame(struct rn_app_record *record, int64_t frame, bool follows);

/* Ends the record; a record without a frame leaves no file. Sets *record to NULL; NULL is legal.
 * Returns 0, or the first error of the record (logged). */
int rn_app_record_close(struct rn_app_record **record);

struct rn_app_replay;

#define RN_APP_RECORD_MAX ((size_t)16 << 20) /* bytes; parsed, up to thirty times as many */

/* Reads a record of up to RN_APP_RECORD_MAX. Ignores an incomplete last line, with a warning.
 * *chain_text: the chain at the start, never "@FILE"; lives as long as the replay. Returns 0 or
 * RN_EUSAGE (logged, with the line). */
int rn_app_replay_open(struct rn_app_replay **replay, const char *path, const char **chain_text);
void rn_app_replay_close(struct rn_app_replay **replay);

/* Checks all lines, before the first frame. chain: as parsed from *chain_text. Returns 0, RN_EUSAGE
 * (logged, with the line) or RN_EINTERNAL. */
int rn_app_replay_bind(struct rn_app_replay *replay, const struct rn_chain *chain);

/* Checks that each state of the record fits the pool, in frame order, before the first frame.
 * chain: as for rn_app_replay_bind. Returns 0 or the first error (logged). */
int rn_app_replay_check(const struct rn_app_replay *replay, const struct rn_chain *chain,
                        const struct rn_pool *pool);

/* Sets the values of chain to those of frame. *changed: whether any changed. Frames must come in
 * rising order. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_app_replay_frame(struct rn_app_replay *replay, struct rn_chain *chain, int64_t frame,
                        bool *changed);

/* The number of changes for frames from index `frames` on. */
long long rn_app_replay_beyond(const struct rn_app_replay *replay, int64_t frames);

#endif
