/* Takes from a process what decoding a file does not need, so that a file made to attack the
 * decoder gains nothing. Linux; elsewhere, and under sanitizers, which need more, little is taken.
 */
#ifndef RN_IO_PROCESS_CONFINE_H
#define RN_IO_PROCESS_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* From now on the calling process writes no file, dumps no core, has at most max_files descriptors,
 * sends through `socket` alone, and may only make the system calls of decoders: no open(), no other
 * process. Call it before any thread runs. Returns true if the system calls are filtered, which
 * needs libseccomp when this is built and a kernel that takes filters. */
bool rn_io_confine(int socket, int max_files);

/* Bounds the memory that the process may have beside what it had when it was confined, for a file
 * of so many bytes that holds so many bytes of pixels. What goes beyond fails as if there were no
 * memory. */
void rn_io_confine_memory(uint64_t file_size, uint64_t pixels);

#endif
