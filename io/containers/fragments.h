/* Looks for fragments that an MP4 or MOV has lost: of such files no table lists all pictures. */
#ifndef RN_IO_CONTAINERS_FRAGMENTS_H
#define RN_IO_CONTAINERS_FRAGMENTS_H

#include <stdint.h>

/* How many fragments (moof boxes) of the file at path are damaged inside, or missing by the numbers
 * of those that are there, or by the index behind them. 0 also for what is not in fragments, and
 * for no file that can be read. Any thread. */
int64_t rn_container_fragments_lost(const char *path);

#endif
