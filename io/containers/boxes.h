/* The outer boxes of an MP4 or MOV file. */
#ifndef RN_IO_CONTAINERS_BOXES_H
#define RN_IO_CONTAINERS_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Is the box at p, of which 8 bytes are there, of this type? type: four letters. */
static inline bool rn_container_box_is(const uint8_t *box, const char *type)
{
    return !memcmp(box + 4, type, 4);
}

/* Takes a box, its header first. Returns false to see no more of them. */
typedef bool rn_container_box_fn(void *arg, const uint8_t *box, size_t size);

/* Gives the outer boxes of this type in the file at path, in their order, to each; those of more
 * than most bytes, or for which there is no memory, are passed over. Returns false if what stands
 * in the file ceases to be boxes before its end. Any thread. */
bool rn_container_boxes_each(const char *path, const char *type, int64_t most,
                             rn_container_box_fn *each, void *arg);

/* How many bytes the outer boxes of this type have in all; 0 also where one reaches to the end of
 * the file without saying how many. Any thread. */
int64_t rn_container_boxes_size(const char *path, const char *type);

#endif
