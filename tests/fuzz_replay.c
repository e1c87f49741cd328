/* SPDX-License-Identifier: MIT */
/* Records of changes, replayed. */
#include "tests/fuzz.h"

#include "app/run/recording/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rn_app_replay *replay = NULL;
    struct rn_chain *chain = NULL;
    const char *text = NULL;
    if (rn_app_replay_open(&replay, rn_fuzz_file(data, size), &text))
        return 0;
    bool own = strchr(text, '/') != NULL; /* the files of the folder suffice */
    int err = own || rn_chain_parse(&chain, text) || rn_app_replay_bind(replay, chain);
    static const int64_t frames[] = {0, 1, 2, 3, 100, INT64_MAX};
    for (int i = 0; i < COUNT(frames) && !err; i++) {
        bool changed;
        err = rn_app_replay_frame(replay, &chain, frames[i], &changed);
    }
    OWNED(rn_free_owned) char *printed = err ? NULL : rn_chain_format(chain);
    rn_chain_destroy(&chain);
    if (printed)
        FUZZ_CHECK(!rn_chain_parse(&chain, printed));
    rn_chain_destroy(&chain);
    rn_app_replay_close(&replay);
    rn_intern_reset();
    return own ? -1 : 0;
}
