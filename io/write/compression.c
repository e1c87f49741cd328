#include "io/write/compression.h"

#include "filters/base/number.h"

#include <string.h>

static const struct {
    const char *name;
    int levels; /* 1 up to it; 0: it has none */
} kinds[] = {
    [RN_COMPRESSION_DEFAULT] = {"", 0},          [RN_COMPRESSION_NONE] = {"none", 0},
    [RN_COMPRESSION_PACKBITS] = {"packbits", 0}, [RN_COMPRESSION_LZW] = {"lzw", 0},
    [RN_COMPRESSION_DEFLATE] = {"deflate", 9},   [RN_COMPRESSION_ZSTD] = {"zstd", 22},
};

bool rn_compression_parse(const char *text, struct rn_compression *compression)
{
    size_t length = strcspn(text, ":");
    for (int i = RN_COMPRESSION_NONE; i <= RN_COMPRESSION_ZSTD; i++) {
        if (strlen(kinds[i].name) != length || strncmp(text, kinds[i].name, length) != 0)
            continue;
        long long level = 0;
        bool ok = !text[length] || (kinds[i].levels &&
                                    rn_number_whole(text + length + 1, 1, kinds[i].levels, &level));
        *compression = (struct rn_compression){(enum rn_compression_kind)i, (int)level};
        return ok;
    }
    return false;
}

const char *rn_compression_name(enum rn_compression_kind kind)
{
    return kinds[kind].name;
}
