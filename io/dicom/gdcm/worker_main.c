/* SPDX-License-Identifier: MIT */
/* The process that reads DICOM: runnel-dicom.so, which front.c loads instead of a half. */
#define _GNU_SOURCE /* F_GET_SEALS */
#include "io/dicom/worker.h"

#include "filters/base/log.h"
#include "io/dicom/gdcm/gdcm.h"
#include "io/dicom/gdcm/worker_messages.h"
#include "io/process/child.h"
#include "io/process/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The socket closes when the parent ends. PR_SET_PDEATHSIG is no substitute: its signal comes when
 * the thread ends that started this process, and not at all if that was before the call. */
static void *end_with_parent(void *arg)
{
    struct pollfd end = {.fd = RN_CHILD_SOCKET, .events = 0};
    while (poll(&end, 1, -1) < 0 && errno == EINTR)
        continue;
    _exit(1);
}

/* Receives a request and the descriptor of its file (-1: missing). Returns false at the end. */
static bool receive(struct rn_dicom_request *request, int *file)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec data = {request, sizeof *request};
    struct msghdr m = {.msg_iov = &data,
                       .msg_iovlen = 1,
                       .msg_control = control.bytes,
                       .msg_controllen = sizeof control.bytes};
    if (recvmsg(RN_CHILD_SOCKET, &m, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof *request)
        return false;
    const struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    *file = -1;
    if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof *file))
        memcpy(file, CMSG_DATA(c), sizeof *file);
    return true;
}

static void answer(const struct rn_dicom_reply *reply)
{
    if (send(RN_CHILD_SOCKET, reply, sizeof *reply, MSG_NOSIGNAL) < 0)
        _exit(1);
}

/* Maps the shared memory, which the parent sizes before the first request that uses it. */
static uint8_t *map_pixels(size_t size)
{
    static uint8_t *pixels;
    if (pixels)
        return pixels;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, RN_CHILD_MEMORY, 0);
    if (memory != MAP_FAILED)
        pixels = memory;
    return pixels;
}

/* Blocks while the socket is full. */
static void send_part(void *reply, const struct rn_dicom_entry *part)
{
    struct rn_dicom_reply *r = reply;
    r->kind = RN_DICOM_PART;
    r->entry = *part;
    answer(r);
}

static void read_file(const struct rn_dicom_request *request, int file,
                      struct rn_dicom_reply *reply)
{
    struct rn_dicom_reply part = *reply;
    bool decodes = request->what == RN_DICOM_DECODE, copies = request->what == RN_DICOM_COPY;
    rn_io_confine_memory(request->file_size, decodes ? rn_dicom_size(&request->header) : 0);
    struct rn_dicom_entry *e = &reply->entry;
    uint8_t *pixels = decodes || copies ? map_pixels((size_t)request->memory) : NULL;
    if (copies && pixels)
        reply->size = rn_gdcm_copy(file, request->changed, pixels, request->memory);
    else if (pixels)
        e->result = rn_gdcm_read(file, &request->header, request->frame, request->again, pixels,
                                 e->why, sizeof e->why);
    else if (decodes || copies)
        snprintf(e->why, sizeof e->why, "cannot be decoded: %s", strerror(errno));
    else
        rn_gdcm_describe(file, e, send_part, &part);
}

/* Returns true if this program started the process: it left these two descriptors. */
static bool has_parent(void)
{
    int type = 0, domain = 0;
    socklen_t size = sizeof type;
    return !getsockopt(RN_CHILD_SOCKET, SOL_SOCKET, SO_TYPE, &type, &size) &&
           !getsockopt(RN_CHILD_SOCKET, SOL_SOCKET, SO_DOMAIN, &domain, &size) &&
           type == SOCK_SEQPACKET && domain == AF_UNIX && fcntl(RN_CHILD_MEMORY, F_GET_SEALS) >= 0;
}

int rn_dicom_worker_main(int argc, char **argv)
{
    struct rn_dicom_request request;
    struct rn_dicom_reply reply;
    pthread_t watch;
    if (argc != 2 || !has_parent())
        return -rn_fail(RN_EUSAGE, "'%s' is for the program's own use: it starts it to read DICOM",
                        RN_DICOM_WORKER_WORD);
    prctl(PR_SET_NAME, "runnel-dicom"); /* the default would be "exe" */
    memset(&reply, 0, sizeof reply);
    reply.kind = RN_DICOM_HELLO;
    reply.number = RN_DICOM_PROTOCOL;
    reply.filtered = rn_io_confinement() & RN_CONFINED_CALLS;
    const char *missing = rn_io_confine(RN_CHILD_SOCKET, RN_CHILD_FIRST_FREE + 3, NULL);
    snprintf(reply.entry.why, sizeof reply.entry.why, "%s", missing ? missing : "");
    if (pthread_create(&watch, NULL, end_with_parent, NULL) != 0)
        return -RN_EINTERNAL;
    answer(&reply);
    for (int file; receive(&request, &file);) {
        memset(&reply, 0, sizeof reply);
        reply.number = request.number;
        reply.kind = RN_DICOM_TAKEN;
        answer(&reply);
        read_file(&request, file, &reply);
        reply.kind = RN_DICOM_DONE;
        answer(&reply);
    }
    _exit(0);
}
