/* SPDX-License-Identifier: MIT */
#include "io/common/digest.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "io/common/av.h"

#include <libavcodec/avcodec.h>
#include <libavutil/md5.h>

void rn_io_digest_text(const uint8_t sum[16], char text[RN_DIGEST])
{
    for (int i = 0; i < 16; i++)
        snprintf(text + 2 * i, 3, "%02x", sum[i]);
}

void rn_io_digest(const void *data, size_t size, char text[RN_DIGEST])
{
    uint8_t sum[16];
    av_md5_sum(sum, data, size);
    rn_io_digest_text(sum, text);
}

int rn_io_digest_file(const char *path, char text[RN_DIGEST])
{
    uint8_t buf[4096], sum[16];
    const char *why;
    RN_OWNED(rn_close_file_owned) FILE *f = rn_path_open(path, &why);
    RN_OWNED(av_freep) struct AVMD5 *md5 = av_md5_alloc();
    int err = !f    ? rn_fail(RN_EINPUT, "cannot read '%s': %s", path, why)
              : md5 ? 0
                    : rn_fail_memory();
    if (!err)
        av_md5_init(md5);
    for (size_t n = sizeof buf; !err && n == sizeof buf;) {
        n = fread(buf, 1, sizeof buf, f);
        av_md5_update(md5, buf, n);
        if (ferror(f))
            err = rn_fail(RN_EINPUT, "cannot read '%s': %s", path, strerror(errno));
    }
    if (!err) {
        av_md5_final(md5, sum);
        rn_io_digest_text(sum, text);
    }
    return err;
}

const char *rn_io_library(void)
{
    static char text[48];
    unsigned v = avcodec_version();
    snprintf(text, sizeof text, "libavcodec %u.%u.%u", AV_VERSION_MAJOR(v), AV_VERSION_MINOR(v),
             AV_VERSION_MICRO(v));
    return text;
}
