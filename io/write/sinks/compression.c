/* SPDX-License-Identifier: MIT */
#include "io/write/sinks/compression.h"

#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "io/common/av.h"

static const struct {
    const char *name;
    int levels; /* 1..levels; 0: none */
} kinds[] = {
    [RN_COMPRESSION_DEFAULT] = {"", 0},          [RN_COMPRESSION_NONE] = {"none", 0},
    [RN_COMPRESSION_PACKBITS] = {"packbits", 0}, [RN_COMPRESSION_LZW] = {"lzw", 0},
    [RN_COMPRESSION_DEFLATE] = {"deflate", 9},   [RN_COMPRESSION_ZSTD] = {"zstd", 22},
};

bool rn_write_compression_parse(const char *text, struct rn_write_compression *compression)
{
    size_t length = strcspn(text, ":");
    for (int i = RN_COMPRESSION_NONE; i <= RN_COMPRESSION_ZSTD; i++) {
        if (strlen(kinds[i].name) != length || strncmp(text, kinds[i].name, length) != 0)
            continue;
        long long level = 0;
        bool ok = !text[length] || (kinds[i].levels &&
                                    rn_number_whole(text + length + 1, 1, kinds[i].levels, &level));
        *compression = (struct rn_write_compression){(enum rn_write_compression_kind)i, (int)level};
        return ok;
    }
    return false;
}

const char *rn_write_compression_name(enum rn_write_compression_kind kind)
{
    return kinds[kind].name;
}

#define NONE    (1u << RN_COMPRESSION_NONE)
#define DEFLATE (1u << RN_COMPRESSION_DEFLATE)
#define OLD     (1u << RN_COMPRESSION_PACKBITS | 1u << RN_COMPRESSION_LZW)
#define ZSTD    (1u << RN_COMPRESSION_ZSTD)

static const struct format {
    const char *name;
    unsigned kinds;
    bool levels;
} formats[] = {
    {"TIFF", NONE | OLD | DEFLATE | ZSTD, true},
    {"TIFF of Y'CbCr", NONE | OLD | DEFLATE, false}, /* libav's encoder */
    {"PNG", NONE | DEFLATE, true},
    {"NRRD", NONE | DEFLATE, true},
    {"MetaImage", NONE | DEFLATE, true},
    {"NIfTI (.nii.gz)", DEFLATE, true},
    {"NIfTI (.nii)", NONE, false},
    {"npy", NONE, false},
};

int rn_write_compression_check(const struct rn_write_compression *c, const char *format,
                               const char *output)
{
    const struct format *f = NULL;
    char takes[100] = "";
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (!strcmp(formats[i].name, format))
            f = &formats[i];
    if (!c->kind || (f && f->kinds & 1u << c->kind && (f->levels || !c->level)))
        return 0;
    if (!f)
        return rn_fail(RN_EUSAGE,
                       "--compression is for TIFF, PNG, NRRD, MetaImage and NIfTI files, not for "
                       "'%s'",
                       output);
    for (int i = RN_COMPRESSION_NONE; i <= RN_COMPRESSION_ZSTD; i++) {
        bool more = f->kinds >> i > 1;
        if (f->kinds >> i & 1)
            av_strlcatf(takes, sizeof takes, "%s%s",
                        !*takes ? ""
                        : more  ? ", "
                                : " or ",
                        kinds[i].name);
    }
    return rn_fail(RN_EUSAGE, "'%s': %s takes --compression %s%s, not %s%s", output, f->name, takes,
                   f->levels ? "" : " (no level)", kinds[c->kind].name,
                   c->level ? " with a level" : "");
}
