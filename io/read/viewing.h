/* How an input's pictures are to be shown, as the input says. To be asked before frames are read:
 * it looks at the headers, which belong to the reader then. */
#ifndef RN_IO_READ_VIEWING_H
#define RN_IO_READ_VIEWING_H

#include "io/pixels/display.h"
#include "io/read/source.h"

/* What draws the screens is the caller's to add. */
void rn_read_viewing(const struct rn_read_source *source, struct rn_pix_viewing *viewing);

/* Writes how the pictures of source are shown, and why, for people: lines of a name, a tab and a
 * text. buf is empty where there is nothing to say. Returns buf. */
char *rn_read_viewing_tell(const struct rn_read_source *source,
                           const struct rn_pix_viewing *viewing, char *buf, size_t size);

#endif
