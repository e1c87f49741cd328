/* A part of the player whose fields its own file alone knows. play.c makes all parts, zeroed, at
 * the start, and releases them at the end. */
#ifndef RN_APP_PLAY_LOOP_PART_H
#define RN_APP_PLAY_LOOP_PART_H

#include <stddef.h>

struct rn_play_part_type {
    size_t size;
    void (*begin)(void *part);   /* sets what is not zero; NULL: nothing */
    void (*release)(void *part); /* frees what the part owns; NULL: nothing */
};

#endif
