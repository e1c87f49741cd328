/* SPDX-License-Identifier: MIT */
/* What a function holds is released where its scope ends, by whichever return. Brings the C
 * library's memory, strings, files and errors, which that is about. */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In front of a variable that is set where it is declared: its scope ends with release(&variable),
 * such as av_freep. */
#define RN_OWNED(release) __attribute__((cleanup(release)))

/* Releases what malloc gave. pointer: the address of one. */
static inline void rn_free_owned(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}

/* Returns what a pointer holds, to give it away: its scope no longer releases it. */
static inline void *rn_take_owned(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    memset(pointer, 0, sizeof memory);
    return memory;
}

/* Makes room for so many items of some bytes in an array of malloc's, of which array has the
 * address. Returns false, and leaves all as it was, without memory. */
static inline bool rn_reserve(void *array, size_t *room, size_t items, size_t bytes)
{
    void *memory;
    if (items <= *room)
        return true;
    memcpy(&memory, array, sizeof memory);
    void *larger = realloc(memory, 2 * items * bytes);
    if (!larger)
        return false;
    memcpy(array, &larger, sizeof larger);
    *room = 2 * items;
    return true; /* cppcheck-suppress memleak */
}

/* Closes a descriptor; -1: there is none. errno stays. */
static inline void rn_close_owned(const int *fd)
{
    int cause = errno;
    if (*fd >= 0)
        close(*fd);
    errno = cause;
}

/* The error of two calls of which the later one, such as a closing, is made in any case. */
static inline int rn_first_error(int err, int later)
{
    return err ? err : later;
}

/* Closes a file that was read; NULL: there is none. */
static inline void rn_close_file_owned(FILE *const *file)
{
    if (*file)
        fclose(*file);
}
