/* SPDX-License-Identifier: MIT */
/* OME-XML: which images there are, and where their planes stand. */
#include "tests/fuzz.h"

#include "io/volumes/tiff/tiff_list.h"

static void check(const struct rn_vol_ome *ome)
{
    int64_t all = ome->n[0] * ome->n[1] * ome->n[2];
    for (int64_t i = 0; i < all; i++)
        FUZZ_CHECK(ome->plane[i].file >= -1 && ome->plane[i].file <= ome->files.n &&
                   ome->plane[i].page >= 0);
    FUZZ_CHECK((1 << ome->axis_order[0] | 1 << ome->axis_order[1] | 1 << ome->axis_order[2]) == 7);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const series[] = {NULL, "2", "preview"};
    OWNED(rn_free_owned) char *text = rn_fuzz_text(data, size);
    bool known = false;
    for (int i = 0; i < 3; i++) {
        struct rn_vol_ome ome;
        if (!rn_vol_ome_read(&ome, text, strlen(text), "x.tif", series[i]) && ome.known)
            check(&ome);
        known = known || ome.known;
        rn_vol_ome_free(&ome);
    }
    return known ? 0 : -1;
}
