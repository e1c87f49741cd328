/* SPDX-License-Identifier: MIT */
/* Threefry-2x32 with 13 rounds (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as
 * 1, 2, 3", SC'11): 64 random bits that depend on nothing but key and counter. It only adds,
 * rotates and xors. */
#pragma once

#include <stdint.h>

static inline void rn_threefry(const uint32_t key[2], const uint32_t counter[2], uint32_t out[2])
{
    static const int by[8] = {13, 15, 26, 6, 17, 29, 16, 24};
    const uint32_t k[3] = {key[0], key[1], 0x1bd11bda ^ key[0] ^ key[1]};
    uint32_t a = counter[0] + k[0], b = counter[1] + k[1];
    for (int i = 0; i < 13; i++) {
        a += b;
        b = (b << by[i % 8] | b >> (32 - by[i % 8])) ^ a;
        if (i % 4 == 3) {
            uint32_t n = (uint32_t)i / 4 + 1;
            a += k[n % 3];
            b += k[(n + 1) % 3] + n;
        }
    }
    out[0] = a;
    out[1] = b;
}
