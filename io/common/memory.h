/* SPDX-License-Identifier: MIT */
/* The memory that a run may take (--memory), so that a file that claims large pictures cannot take
 * the whole machine. A source counts its decoder's frames, the pool those in flight: both take
 * fewer if memory is short, and the run is refused if the least does not fit.
 *
 * Functions without state, for any thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

/* Returns three quarters of what the machine has available or the control groups (v1, v2) allow, or
 * half of RLIMIT_AS or RLIMIT_DATA: the least of these, in bytes; INT64_MAX if all are unknown.
 * root: "", in tests a folder that holds proc and sys. */
int64_t rn_io_memory_share(const char *root);

/* Returns the bytes that a run over the input may take: `given` by the user, or, if 0, the share. A
 * coded file gets no more than its size justifies: no lossless picture is 8,256 times as large as
 * its deflated file, with 1-bit samples. input: NULL for one whose size says nothing. */
int64_t rn_io_memory_budget(int64_t given, const char *input);

/* Returns the bytes that frames in flight may take beyond the least of them: what the file can be
 * unpacked to, of which a header may announce more. given, input: as above. */
int64_t rn_io_memory_in_flight(int64_t given, const char *input);

/* Logs that pictures of w x h need more than the budget, and returns RN_EINPUT. */
int rn_io_memory_refuse(const char *input, int w, int h, int64_t needed, int64_t budget);

/* Limits the private memory of this process to what it has, the budget, and the stacks of
 * `threads`, so that allocations fail before the machine suffers. Not while a driver of OpenCL
 * loads, whose memory nobody can foresee. Returns true if the limit was set: set *previous again
 * with setrlimit when the work is done. */
bool rn_io_memory_confine(int64_t budget, int threads, struct rlimit *previous);
