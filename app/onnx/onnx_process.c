/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include "app/onnx/onnx.h"

#include "filters/base/log.h"
#include "filters/base/output/textout.h"
#include "filters/base/owned.h"
#include "filters/base/text/printable.h"
#include "filters/parts/network/network.h"
#include "io/process/child.h"

#include <limits.h>
#include <sys/mman.h>
#include <sys/socket.h>

/* An ONNX file begins with its version, a model with 8 bytes of length, the last 0, and a head. */
static bool is_onnx(const char *contents, size_t size)
{
    return size > 8 && contents[0] == 0x08 && (contents[7] || contents[8] != '{');
}

/* Starts a worker on a file of size bytes. Returns 0 or an errno. */
static int start(struct rn_io_child *child, const char *contents, size_t size)
{
    char name[] = "runnel", word[] = RN_ONNX_WORD, *argv[] = {name, word, NULL};
    RN_OWNED(rn_close_owned) int memory = rn_io_child_lift(memfd_create(name, MFD_CLOEXEC));
    int cause = memory < 0 ? errno : rn_write_all(memory, contents, size);
    return cause ? cause
                 : rn_io_child_start(child, rn_io_child_own_program(), argv, SOCK_STREAM, memory);
}

int rn_onnx_import(char **contents, size_t *size, char why[RN_TEXT_WHY])
{
    struct rn_io_child child = {.socket = -1};
    char part[PATH_MAX];
    if (!is_onnx(*contents, *size))
        return 0;
    if (rn_io_child_beside(RN_ONNX_MODULE, part) && access(part, R_OK) != 0) {
        snprintf(why, RN_TEXT_WHY,
                 "ONNX files are not read by this build: install libprotobuf-c-dev and "
                 "protobuf-c-compiler, and build anew");
        return RN_EUSAGE;
    }
    RN_OWNED(rn_free_owned) char *answer = malloc(RN_NETWORK_BYTES + 2);
    if (!answer)
        return rn_fail_memory();
    int cause = start(&child, *contents, *size);
    size_t n = cause ? 0 : rn_io_child_receive(&child, answer, RN_NETWORK_BYTES + 1);
    rn_io_child_end(&child);
    if (n && *answer == RN_ONNX_MODEL) {
        memmove(answer, answer + 1, n);
        free(*contents);
        *contents = rn_take_owned(&answer);
        *size = n - 1;
        return 0;
    }
    answer[n] = '\0';
    bool told = n > 1 && *answer == RN_ONNX_WHY;
    snprintf(why, RN_TEXT_WHY, "%s",
             cause  ? strerror(cause)
             : told ? rn_printable(answer, false) + 1
                    : "the process that read it has died of it");
    return RN_EUSAGE;
}
