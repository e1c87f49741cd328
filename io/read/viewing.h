/* SPDX-License-Identifier: MIT */
/* Describes how an input's pictures are to be shown. Call it before frames are read: it reads the
 * headers, which then belong to the reader. */
#pragma once

#include "io/pixels/display.h"
#include "io/read/source.h"

/* The caller adds the properties of its screen. */
void rn_read_viewing(const struct rn_read_source *source, struct rn_pix_viewing *viewing);

/* Writes for users how the pictures are shown and why: lines of a name, a tab and a text; "" if
 * there is nothing to say. Returns buf. */
char *rn_read_viewing_tell(const struct rn_read_source *source,
                           const struct rn_pix_viewing *viewing, char *buf, size_t size);
