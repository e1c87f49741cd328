/* SPDX-License-Identifier: MIT */
/* Numbers: a parameter of a filter, which the last byte chooses, is read from the text, printed and
 * read back. */
#include "tests/fuzz.h"

#include "filters/base/text/number.h"
#include "filters/core/chain/stage.h"

static void try_row(const struct rn_stage *stage, const struct rn_param *row, const char *text)
{
    char printed[64];
    if (row->type == RN_TEXT || rn_param_parse(row, "fuzz", text, stage->params))
        return;
    void *copy = malloc(stage->desc->params_size);
    FUZZ_CHECK(copy);
    memcpy(copy, stage->params, stage->desc->params_size);
    rn_param_format(row, copy, printed, sizeof printed);
    FUZZ_CHECK(!rn_param_parse(row, "fuzz", printed, stage->params));
    FUZZ_CHECK(rn_param_equal(row, copy, stage->params));
    free(copy);
    for (int by = -2; by <= 2; by++) {
        rn_param_step(row, stage->params, by);
        rn_param_format(row, stage->params, printed, sizeof printed);
        FUZZ_CHECK(!rn_param_parse(row, "fuzz", printed, stage->params));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OWNED(rn_free_owned) char *text = rn_fuzz_text(data, size ? size - 1 : 0);
    char *end, printed[64];
    double v = rn_number_parse(text, &end);
    FUZZ_CHECK(end >= text && end <= text + strlen(text));
    rn_number_print(printed, sizeof printed, "%.17g", v);
    FUZZ_CHECK(isnan(v) || rn_number_parse(printed, NULL) == v);
    for (int i = 0, left = size ? data[size - 1] : 0; rn_registry[i] && left >= 0; i++) {
        const struct rn_param *row = rn_registry[i]->params;
        for (; row->name && left; row++)
            left--;
        if (!row->name)
            continue;
        struct rn_stage *stage = rn_stage_create(rn_registry[i]);
        FUZZ_CHECK(stage);
        try_row(stage, row, text);
        rn_stage_destroy(&stage);
        left = -1;
    }
    return 0;
}
