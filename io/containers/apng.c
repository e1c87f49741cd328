#include "io/containers/apng.h"

#include <stdio.h>
#include <string.h>

#include <libavutil/intreadwrite.h>

int64_t rn_container_apng_images(const char *path)
{
    uint8_t head[4096];
    FILE *f = fopen(path, "rbe");
    size_t size = f ? fread(head, 1, sizeof head, f) : 0;
    int64_t n = 0;
    for (size_t pos = 8; pos + 12 <= size && !n; pos += 12 + (size_t)AV_RB32(head + pos))
        if (!memcmp(head + pos + 4, "acTL", 4))
            n = AV_RB32(head + pos + 8);
    if (f)
        fclose(f);
    return n;
}
