/* TIFF: the reader of pages, whatever the file looks like to the program. */
#include "tests/fuzz_source.h"

#include <stdatomic.h>
#include <string.h>

#include "io/read/packets.h"

/* Files with one page would go through libav. */
static void read_pages(const char *path)
{
    struct rn_source_opts opts = {.frames = -1};
    struct rn_packets *packets = NULL;
    atomic_bool stop = false;
    AVPacket *pkt = av_packet_alloc();
    FUZZ_CHECK(pkt);
    if (!rn_tiff_open_stack(&packets, path, &opts, &stop)) {
        while (!packets->ops->next(packets, pkt))
            av_packet_unref(pkt);
        packets->ops->finish(packets);
        packets->ops->close(packets);
    }
    av_packet_free(&pkt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 8 || (memcmp(data, "II", 2) != 0 && memcmp(data, "MM", 2) != 0))
        return -1;
    const char *path = rn_fuzz_file(data, size);
    if (rn_tiff_match(path))
        rn_fuzz_source(path);
    else
        read_pages(path);
    return 0;
}
