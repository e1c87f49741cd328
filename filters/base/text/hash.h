/* SPDX-License-Identifier: MIT */
/* FNV-1a of 64 bits: tells texts apart that nobody makes alike on purpose. */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline uint64_t rn_hash(const void *data, size_t size)
{
    const unsigned char *byte = data;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        h = (h ^ byte[i]) * 0x100000001b3u;
    return h;
}
