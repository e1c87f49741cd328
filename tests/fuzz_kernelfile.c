/* SPDX-License-Identifier: MIT */
/* Declarations in a user's kernel: what they allow can be set, printed, read back and stepped. */
#include "tests/fuzz.h"

#include "filters/core/chain/chain.h"
#include "filters/parts/kernelfile.h"

static void expect_round(struct rn_stage *stage, const struct rn_param *row)
{
    char text[64];
    OWNED(rn_free_owned) void *copy = malloc(stage->desc->params_size);
    FUZZ_CHECK(copy);
    memcpy(copy, stage->params, stage->desc->params_size);
    rn_param_format(row, copy, text, sizeof text);
    if (!rn_param_is_default(row, copy)) /* else it is not printed */
        FUZZ_CHECK(!rn_param_parse(row, "fuzz", text, stage->params));
    FUZZ_CHECK(rn_param_equal(row, copy, stage->params));
}

static void try_rows(struct rn_chain *chain)
{
    struct rn_stage *stage = rn_chain_stage(chain, 0);
    for (const struct rn_param *row = stage->table; row->name; row++) {
        if (row->type != RN_FLOAT)
            continue;
        static const int steps[] = {1, -1, 1000000, -1, -2000000, 1};
        for (int i = 0; i < COUNT(steps); i++) {
            rn_param_step(row, stage->params, steps[i]);
            expect_round(stage, row);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rn_kernel_file file;
    struct rn_chain *chain = NULL;
    OWNED(rn_free_owned) char *text = rn_fuzz_text(data, size);
    char why[RN_KERNELFILE_WHY];
    int err = rn_kernel_file_parse(&file, "kernel.cl", text, why);
    if (!err)
        FUZZ_CHECK(file.n >= 0 && file.n <= RN_MAX_DECLARED && file.reach >= 0 &&
                   file.reach <= RN_MAX_REACH);
    else
        FUZZ_CHECK(strlen(why) < sizeof why && !strchr(why, '\n'));
    if (!err && file.n && size == strlen(text)) {
        FUZZ_CHECK(!rn_chain_parse(&chain, "custom"));
        FUZZ_CHECK(!rn_chain_set(chain, 0, "file", rn_fuzz_file(data, size)));
        try_rows(chain);
        rn_chain_destroy(&chain);
    }
    rn_intern_reset();
    return 0;
}
