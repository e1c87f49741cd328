/* Changes of parameters over time: written while playing, applied again while rendering.
 *
 * A recording is JSON lines, each an object, in the order in which things happened. The first is
 * {"chain":TEXT}, the chain at the start. Every other line has "frame":N, N >= 0, and may have
 * "to":M, M >= N. It first changes the values, and then gives those of now, with all changes so
 * far, to frames:
 *     {"frame":N,"stage":I,"param":NAME,"value":TEXT}   the frames from N on, to the end
 *     {"frame":N,"to":M,...}                            the frames N to M, both included
 *     {"frame":N}, {"frame":N,"to":M}                   likewise; the values did not change
 * I counts the filters of the chain from 0. NAME may be "enable", as in a chain; old recordings
 * have "on":BOOL instead of "param" and "value".
 *
 * Lines may have any frames in any order: somebody who seeks goes back. Of what several lines say
 * about a frame the last one holds; a frame of which none says anything has the values of the
 * chain at the start. So each prefix of whole lines is a recording: it can be appended to, and
 * survives whatever ends the program. Only the last line may be incomplete, without a newline: it
 * was not written to its end, and is left out. */
#ifndef RN_APP_RUN_RECORD_H
#define RN_APP_RUN_RECORD_H

#include "filters/core/chain/chain.h"

struct rn_app_record;

/* Begins a record, under a temporary name beside path. Returns 0, RN_EOUTPUT or RN_EINTERNAL
 * (logged). */
int rn_app_record_create(struct rn_app_record **record, const char *path,
                         const struct rn_chain *chain);

/* Notes that frame was shown with the parameters of now. follows: those between it and the frame
 * shown before were dropped, not jumped over. Of a frame that is shown again the last time counts.
 * The first call gives the file its name; what a call changes is in the file when it returns.
 * Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged); after an error the file ends with its last whole
 * line, and further calls do nothing and return 0. */
int rn_app_record_frame(struct rn_app_record *record, const struct rn_chain *chain, int64_t frame,
                        bool follows);

/* Ends the record; where no frame was noted no file stays. Sets *record to NULL; NULL is legal.
 * Returns 0, or the first error of the record (logged). */
int rn_app_record_close(struct rn_app_record **record);

struct rn_app_replay;

/* Reads a record, 64 MiB at most. A last line that is cut off, as where the program that wrote it
 * was killed, is left out with a warning. *chain_text: the chain that it begins with, never
 * "@FILE"; lives as long as the replay. Returns 0 or RN_EUSAGE (logged, with the line). */
int rn_app_replay_open(struct rn_app_replay **replay, const char *path, const char **chain_text);
void rn_app_replay_close(struct rn_app_replay **replay);

/* Looks through all lines, before the first frame; chain: as parsed from *chain_text. Returns 0,
 * RN_EUSAGE (logged, with the line) or RN_EINTERNAL. */
int rn_app_replay_bind(struct rn_app_replay *replay, const struct rn_chain *chain);

/* Tries all settings of the record, in order of their frames, before the first frame. chain: as
 * for rn_app_replay_bind; fits: returns 0 or an error (logged) for a chain in force. Returns 0 or
 * the first error. */
typedef int rn_app_fits_fn(void *arg, const struct rn_chain *chain);
int rn_app_replay_check(const struct rn_app_replay *replay, const struct rn_chain *chain,
                        rn_app_fits_fn *fits, void *arg);

/* Gives chain the values that frame was recorded with. *changed: whether any is another. Frames
 * come in rising order. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_app_replay_frame(struct rn_app_replay *replay, struct rn_chain *chain, int64_t frame,
                        bool *changed);

/* The number of changes for frames whose number is `frames` or higher. */
long long rn_app_replay_beyond(const struct rn_app_replay *replay, int64_t frames);

#endif
