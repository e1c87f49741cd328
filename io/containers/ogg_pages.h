/* Looks for pages that an Ogg file has lost. */
#ifndef RN_IO_CONTAINERS_OGG_PAGES_H
#define RN_IO_CONTAINERS_OGG_PAGES_H

#include <stdbool.h>

/* Are the pages of every stream, behind its headers, numbered without a gap, does one page follow
 * the other up to the end, and has every stream its last page if one has? True also for what is no
 * file that can be read. Reads the headers of all pages. Any thread. */
bool rn_container_ogg_has_all_pages(const char *path);

#endif
