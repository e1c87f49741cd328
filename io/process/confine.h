/* SPDX-License-Identifier: MIT */
/* Takes the rights from a process that decoding a file does not need, so that a hostile file gains
 * nothing. Call it in a decoder process (child.h). Linux only; sanitizers need more rights and keep
 * most.
 *
 * What the kernel, or the build, does not have at all is done without: the file is read all the
 * same, and rn_io_confinement tells. What it has, and this process cannot get, is a refusal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum rn_io_confined {
    RN_CONFINED_FILES = 1, /* by Landlock: no file, program or connection */
    RN_CONFINED_CALLS = 2, /* by seccomp: the system calls of decoders alone */
};

/* What can be had here: a mask of enum rn_io_confined. */
unsigned rn_io_confinement(void);

/* Confines the calling process: it writes no file, dumps no core, has at most max_files descriptors
 * and sends through `socket` alone. It may only make the system calls of decoders: no open(), no
 * new process. Call it before any thread runs. opens: a file that a library is still to open by its
 * name; call it again, with NULL, when that is done. NULL: none. Returns NULL, or what could not be
 * had, in a few words: the process must not read then. */
const char *rn_io_confine(int socket, int max_files, const char *opens);

/* Limits the memory that the process may allocate after rn_io_confine, for a file of file_size
 * bytes with `pixels` bytes of samples. Allocations beyond the limit fail. */
void rn_io_confine_memory(uint64_t file_size, uint64_t pixels);
