/* SPDX-License-Identifier: MIT */
/* Counts in messages: "1 frame", "2 frames". */
#pragma once

/* The ending of a noun, and the verb, of which there are n. */
static inline const char *rn_plural(long long n)
{
    return n == 1 ? "" : "s";
}

static inline const char *rn_is_or_are(long long n)
{
    return n == 1 ? "is" : "are";
}
