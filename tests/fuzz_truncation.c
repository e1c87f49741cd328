/* SPDX-License-Identifier: MIT */
/* Is a file whole? The first byte says what it is taken for. */
#include "tests/fuzz.h"

#include "io/containers/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const demuxers[] = {"mov", "matroska", "avi", "mpegts", "nut",
                                           "ogg", "flv",      "asf", "gif"};
    static const enum AVCodecID codecs[] = {AV_CODEC_ID_PNG, AV_CODEC_ID_MJPEG};
    enum { DEMUXERS = COUNT(demuxers), CODECS = 2 };
    unsigned kind = size ? data[0] % (DEMUXERS + CODECS) : 0;
    if (!size)
        return -1;
    if (kind < DEMUXERS) {
        const AVInputFormat *demuxer = av_find_input_format(demuxers[kind]);
        FUZZ_CHECK(demuxer);
        rn_container_file_is_complete(rn_container_of_demuxer(demuxer),
                                      rn_fuzz_file(data + 1, size - 1));
        return 0;
    }
    OWNED(rn_free_owned) uint8_t *exact = malloc(size); /* what is read beyond its end is seen */
    FUZZ_CHECK(exact);
    for (size_t i = 1; i < size; i++)
        exact[i - 1] = data[i];
    exact = realloc(exact, size - 1 ? size - 1 : 1);
    FUZZ_CHECK(exact);
    rn_container_image_is_complete(codecs[kind - DEMUXERS], exact, size - 1);
    return 0;
}
