/* SPDX-License-Identifier: MIT */
/* The ImageDescription of a TIFF: ImageJ's lines, read, written and read again. */
#include "tests/fuzz.h"

#include "io/volumes/tiff/tiff_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rn_geom geom = {RN_SIZED(struct rn_geom), .fmt = {.model = RN_GRAY, .depth = 16}, .w = 3,
                           .h = 2};
    struct rn_vol_tiff_text told, again;
    struct rn_vol v, w;
    OWNED(rn_free_owned) char *given = rn_fuzz_text(data, size), *text = NULL;
    rn_vol_init(&v, &geom, 1);
    rn_vol_tiff_text_read(&told, given, 2, 4, &v);
    if (!told.known)
        return -1;
    for (int a = 0; a < RN_AXES; a++)
        FUZZ_CHECK(v.n[a] >= 1);
    text = rn_vol_tiff_text_write(&v);
    FUZZ_CHECK(text);
    rn_vol_init(&w, &geom, 1);
    rn_vol_tiff_text_read(&again, text, 2, 4, &w);
    FUZZ_CHECK(again.pictures == rn_vol_pictures(&v));
    rn_vol_fields_free(&v);
    rn_vol_fields_free(&w);
    return 0;
}
