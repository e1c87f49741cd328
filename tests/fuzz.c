/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz.h"

#include <sys/mman.h>

#include "filters/base/log.h"

static void drop(void *user, enum rn_log_level level, const char *text)
{
    (void)user, (void)level, (void)text;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    rn_log_set_level(RN_LOG_DEBUG);
    rn_log_set_sink(drop, NULL);
    rn_io_init();
    return 0;
}

char *rn_fuzz_text(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size);
    FUZZ_CHECK(text);
    return text;
}

const char *rn_fuzz_file(const uint8_t *data, size_t size)
{
    static char path[40];
    static int fd = -1;
    if (fd < 0) {
        FUZZ_CHECK((fd = memfd_create("input", MFD_CLOEXEC)) >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    FUZZ_CHECK(!ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size);
    return path;
}

static void read_pictures(struct rn_read_source *source, int most)
{
    const struct rn_geom *geom = &rn_read_stream_of(source)->geom;
    OWNED(rn_image_free) struct rn_image img = {.geom.w = 0};
    struct rn_frame frame;
    if ((int64_t)geom->w * geom->h > 1 << 20 || rn_image_alloc(&img, geom))
        return;
    int err = 0;
    for (int64_t last = INT64_MIN; most > 0 && !err; most--) {
        err = rn_read_read(source, &img, &frame);
        if (!err)
            FUZZ_CHECK(frame.pts > last);
        last = frame.pts;
        rn_io_frame_release(&frame);
    }
    FUZZ_CHECK(err <= 0 || err == RN_END);
}

void rn_fuzz_choice(const char *input, const struct rn_io_read_opts *opts)
{
    OWNED(rn_read_close) struct rn_read_source *source = NULL;
    struct rn_io_ledger ledger;
    if (rn_read_open(&source, input, opts))
        return;
    read_pictures(source, 64);
    if (!rn_read_seek(source, 0.1))
        read_pictures(source, 4);
    rn_read_ledger(source, &ledger);
    FUZZ_CHECK(ledger.in.damage.damaged >= 0 && ledger.in.damage.missing >= 0);
}

void rn_fuzz_source(const char *input)
{
    struct rn_io_read_opts opts = {.frames = -1, .threads = 1};
    rn_fuzz_choice(input, &opts);
}
