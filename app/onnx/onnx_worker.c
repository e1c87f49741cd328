/* SPDX-License-Identifier: MIT */
#include "app/onnx/onnx.h"

#include "filters/base/log.h"
#include "io/process/child.h"
#include "io/process/confine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((noreturn)) static void answer(enum rn_onnx_answer kind, const char *data, size_t n)
{
    char first = (char)kind;
    bool sent = rn_io_child_send(&first, 1) && rn_io_child_send(data, n);
    _exit(sent ? 0 : 1); /* closes nothing: the file may have corrupted memory */
}

int rn_onnx_worker_main(int argc, char **argv)
{
    struct stat st;
    char why[RN_TEXT_WHY], *model = NULL;
    size_t n = 0;
    if (argc != 2 || fstat(RN_CHILD_SOCKET, &st) || !S_ISSOCK(st.st_mode) ||
        fstat(RN_CHILD_MEMORY, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0)
        return -rn_fail(RN_EUSAGE, "'%s' is for the program's own use: it starts it to read ONNX",
                        RN_ONNX_WORD);
    prctl(PR_SET_NAME, "runnel-onnx");
    const char *missing = rn_io_confine(RN_CHILD_SOCKET, RN_CHILD_FIRST_FREE + 3, NULL);
    if (missing) {
        snprintf(why, sizeof why, "its process would not be confined: %s", missing);
        answer(RN_ONNX_WHY, why, strlen(why));
    }
    rn_io_confine_memory((uint64_t)st.st_size, 0);
    const uint8_t *data =
        mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, RN_CHILD_MEMORY, 0);
    FILE *f = data != MAP_FAILED ? open_memstream(&model, &n) : NULL;
    bool done = f && rn_onnx_convert(data, (size_t)st.st_size, f, why);
    if (!f || fclose(f))
        answer(RN_ONNX_WHY, "there is no memory for it", sizeof "there is no memory for it" - 1);
    answer(done ? RN_ONNX_MODEL : RN_ONNX_WHY, done ? model : why, done ? n : strlen(why));
}
