/* Takes the rights from a process that decoding a file does not need, so that a hostile file gains
 * nothing. Call it in a decoder process (child.h). Linux only; sanitizers need more rights and keep
 * most. */
#ifndef RN_IO_PROCESS_CONFINE_H
#define RN_IO_PROCESS_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* Confines the calling process: it writes no file, dumps no core, has at most max_files descriptors
 * and sends through `socket` alone. It may only make the system calls of decoders: no open(), no
 * new process. Call it before any thread runs. Returns true if system calls are filtered, which
 * needs libseccomp and a kernel with seccomp filters. */
bool rn_io_confine(int socket, int max_files);

/* Limits the memory that the process may allocate after rn_io_confine, for a file of file_size
 * bytes with `pixels` bytes of samples. Allocations beyond the limit fail. */
void rn_io_confine_memory(uint64_t file_size, uint64_t pixels);

#endif
