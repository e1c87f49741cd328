/* SPDX-License-Identifier: MIT */
/* Calls that may never return: a driver waits for broken hardware, a decoder loops. A thread says
 * when it enters such a call, when the call goes on, and when it leaves it; one thread of the
 * process looks how long each has not gone on. Where nobody looks, this costs two atomic stores. */
#pragma once

#include <stdbool.h>

enum rn_stall {
    RN_STALL_NONE,   /* in no such call */
    RN_STALL_PAUSED, /* waits, inside of one, for something that may take any time: a terminal */
    RN_STALL_INPUT,  /* reads a file */
    RN_STALL_LIVE,   /* reads what may come at any time: a pipe, an address, a generator */
    RN_STALL_DEVICE, /* waits for a device */
    RN_STALL_WRITE,  /* writes a regular file, or encodes */
    RN_STALL_BUILD,  /* loads a driver, compiles, or runs a kernel for the first time */
    RN_STALL_KINDS,
};

/* Enters a call. Within another one this only says that it goes on, unless either is paused or
 * writes. Returns what rn_stall_leave takes. */
enum rn_stall rn_stall_enter(enum rn_stall kind);
void rn_stall_leave(enum rn_stall before);

/* The call that the thread is in goes on. Legal outside of any. */
void rn_stall_beat(void);

/* The call that the thread is in begins, or ends, to read what a file says of itself, before any
 * picture. Legal outside of any. */
void rn_stall_header(bool begins);

/* Adds `seconds` since the last look, and gets for each kind how long the call has not gone on that
 * has been without a beat for longest. *header: the seconds of a processor that reading a header
 * took, less those that its beats justify, in the thread where it took most. One thread alone. */
void rn_stall_look(double seconds, double still[RN_STALL_KINDS], double *header);
