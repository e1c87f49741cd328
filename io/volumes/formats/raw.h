/* Samples without any header, which --raw describes: WxHxN:TYPE[+OFFSET]. */
#ifndef RN_IO_VOLUMES_FORMATS_RAW_H
#define RN_IO_VOLUMES_FORMATS_RAW_H

#include "io/volumes/layout.h"

/* Fills layout from such a text. Returns 0, or RN_EUSAGE or RN_EINPUT (logged). */
int rn_vol_raw_layout(const char *text, const char *path, struct rn_vol_layout *layout);

#endif
