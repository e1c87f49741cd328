/* Changes of parameters over time: written while playing, applied again while rendering.
 *
 * A record is JSON lines: first {"chain":TEXT}, the chain at the start; then, per change,
 * {"frame":N,"stage":I,"param":NAME,"value":TEXT} or {"frame":N,"stage":I,"on":BOOL}: from frame N
 * on. Frames rise from line to line. */
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

/* Reads a record, 64 MiB at most. A last line that is cut off, as where the program that wrote it
 * was killed, is left out with a warning. *chain_text: the chain that it begins with, never
 * "@FILE"; lives as long as the replay. Returns 0 or RN_EUSAGE (logged, with the line). */
int rn_replay_open(struct rn_replay **replay, const char *path, const char **chain_text);
void rn_replay_close(struct rn_replay **replay);

/* Applies to chain what was changed up to frame. *changed: whether anything was. Frames come in
 * rising order. Returns 0 or RN_EUSAGE (logged). */
int rn_replay_frame(struct rn_replay *replay, struct rn_chain *chain, int64_t frame, bool *changed);

/* The number of changes for frames behind the first `frames` ones. */
long long rn_replay_beyond(const struct rn_replay *replay, int64_t frames);

#endif
