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
 * survives whatever ends the program. Only the last line may be incomplete: without a newline at
 * its end it was not written to its end, and is left out. */
#ifndef RN_RECORD_H
#define RN_RECORD_H

#include "filters/core/chain_internal.h"

struct rn_record;

/* Begins a record at path. Returns 0 or RN_EOUTPUT (logged). */
int rn_record_create(struct rn_record **record, const char *path, const struct rn_chain *chain);

/* Notes that frame was shown with the parameters of now. follows: those between it and the frame
 * shown before were dropped, not jumped over. Of a frame that is shown again the last time counts.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_record_frame(struct rn_record *record, const struct rn_chain *chain, int64_t frame,
                    bool follows);

/* Writes the record and gives it its name, or, unless keep, leaves no file. Sets *record to NULL;
 * NULL is legal. Returns 0 or RN_EOUTPUT (logged). */
int rn_record_close(struct rn_record **record, bool keep);

struct rn_replay;

/* Reads a record. *chain_text: the chain that it begins with, never "@FILE"; lives as long as the
 * replay. Returns 0 or RN_EUSAGE (logged, with the line). */
int rn_replay_open(struct rn_replay **replay, const char *path, const char **chain_text);
void rn_replay_close(struct rn_replay **replay);

/* Applies to chain what was changed up to frame. *changed: whether anything was. Frames come in
 * rising order. Returns 0 or RN_EUSAGE (logged). */
int rn_replay_frame(struct rn_replay *replay, struct rn_chain *chain, int64_t frame, bool *changed);

#endif
