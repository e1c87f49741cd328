/* How an input's pictures are to be shown, as the input says. */
#ifndef RN_READ_VIEWING_H
#define RN_READ_VIEWING_H

#include "io/pixels/display.h"
#include "io/read/source.h"

/* What draws the screens is the caller's to add. */
void rn_source_viewing(const struct rn_source *source, struct rn_viewing *viewing);

/* Writes what the viewing does, and why, for people: lines of a name, a tab and a text. buf is empty
 * where there is nothing to say. Returns buf. */
char *rn_viewing_tell(const struct rn_viewing *viewing, char *buf, size_t size);

#endif
