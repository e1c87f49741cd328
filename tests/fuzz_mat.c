/* SPDX-License-Identifier: MIT */
/* What the process that reads a .mat sends, which a hostile file may have taken over. */
#include "tests/fuzz.h"

#include "io/volumes/mat/mat_worker.h"
#include "io/volumes/volume.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OWNED(rn_free_owned)
    uint8_t *copy = malloc(size + 1); /* so that what is read behind it is seen */
    char why[128];
    int n;
    if (!copy)
        return -1;
    memcpy(copy, data, size);
    const struct rn_vol_mat_array *list = rn_vol_mat_check_reply(copy, size, &n, why);
    FUZZ_CHECK((n > 0) == (list != NULL) && memchr(why, 0, sizeof why));
    for (int i = 0; i < n; i++)
        FUZZ_CHECK(strlen(list[i].name) < sizeof list[i].name && list[i].type >= 0 &&
                   list[i].type < RN_STORED_TYPES && list[i].rank >= 0);
    return list ? 0 : -1;
}
