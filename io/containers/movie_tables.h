/* Looks whether the tables of an MP4 or MOV agree on how many samples it has: libav goes by the
 * shortest, without a word. */
#ifndef RN_IO_CONTAINERS_MOVIE_TABLES_H
#define RN_IO_CONTAINERS_MOVIE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

/* How many samples of a track are missing by the tables of the file at path: the difference between
 * the table that has most of them and the one that has fewest, of the track where it is greatest; 0
 * also for what is no such file or cannot be read. Any thread. */
int64_t rn_container_movie_tables_lack(const char *path);

/* Do the samples, of so many bytes in all, fill the media data of the file at path but for a few
 * bytes? Any thread. */
bool rn_container_movie_is_filled(const char *path, int64_t bytes);

/* Are they more than that? False also where it is unknown how much there is. Any thread. */
bool rn_container_movie_is_short(const char *path, int64_t bytes);

#endif
