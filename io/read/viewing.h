/* How an input's pictures are to be shown, as the input says. To be asked before frames are read:
 * it looks at the headers, which belong to the reader then. */
#ifndef RN_IO_READ_VIEWING_H
#define RN_IO_READ_VIEWING_H

#include "io/pixels/display.h"
#include "io/read/source.h"

/* What draws the screens is the caller's to add. */
void rn_source_viewing(const struct rn_source *source, struct rn_viewing *viewing);

/* "BT.709", or "BT.709 (assumed)" where the input does not say it. Static text. */
const char *rn_source_matrix(const struct rn_source *source);

/* Tells the user which matrix is assumed for colours that are converted by it; says nothing where
 * the input specifies it. */
void rn_source_announce_matrix(const struct rn_source *source);

/* Writes how the pictures of source are shown, and why, for people: lines of a name, a tab and a
 * text. buf is empty where there is nothing to say. Returns buf. */
char *rn_viewing_tell(const struct rn_source *source, const struct rn_viewing *viewing, char *buf,
                      size_t size);

#endif
