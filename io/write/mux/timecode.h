/* The timecode that an input's tags give its first picture. */
#ifndef RN_IO_WRITE_MUX_TIMECODE_H
#define RN_IO_WRITE_MUX_TIMECODE_H

#include "io/common/media.h"

/* Where the output starts later than the input: sets the tag `timecode` in metadata, if there is
 * one that can be read, to the timecode of the first picture of the output. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_write_timecode_shift(const struct rn_io_media *media, AVDictionary **metadata);

#endif
