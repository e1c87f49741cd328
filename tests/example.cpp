/* SPDX-License-Identifier: MIT */
// What there is, and the mean of a picture as a number: example [DEVICE]
#include <cstdio>
#include <runnel/runnel.h>

static int show(void *, const rn_measure *m)
{
    return std::printf("mean %g, l2 %g of plane %d\n", m->mean, m->l2, m->plane) < 0 ? RN_EOUTPUT
                                                                                     : RN_OK;
}

int main(int argc, char **argv)
{
    int filters = 0, rows = 0;
    for (const rn_stage_desc *desc; (desc = rn_registry_at(filters)); filters++)
        for (int i = 0; rn_param_at(desc->params, i); i++)
            rows++;
    std::printf("%s %d: %d filters, %d parameters\n", rn_version(), rn_version_number(), filters,
                rows);

    rn_device *device = nullptr;
    rn_chain *chain = nullptr;
    rn_pool *pool = nullptr;
    rn_geom gray{};
    rn_pool_opts opts{};
    gray.size = sizeof gray;
    opts.size = sizeof opts;
    gray.fmt.depth = 8;
    gray.w = gray.h = 16;
    int err = rn_device_open(&device, argc > 1 ? argv[1] : "none");
    err = err ? err : rn_chain_parse(&chain, "invert,stats");
    err = err ? err : rn_pool_open(&pool, &device, device != nullptr, chain, &gray, &opts);
    err = err ? err : rn_pool_listen(pool, 1, show, nullptr);
    err = err ? err : rn_pool_start(pool);
    err = err ? err : rn_pool_submit(pool, rn_pool_slot(pool, 0));
    rn_slot *slot = err ? nullptr : rn_pool_ready(pool);
    err = err ? err : rn_pool_wait(pool, slot);
    err = err ? err : rn_pool_recycle(pool, slot);
    gray.size = 0; // refused, in one line
    rn_pool *none;
    bool refused = rn_pool_open(&none, nullptr, 0, chain, &gray, &opts) == RN_EUSAGE;
    std::printf("without a size: %s\n", refused ? "refused" : "taken");
    int closed = rn_pool_close(&pool);
    rn_chain_destroy(&chain);
    int released = rn_device_close(&device);
    return err || closed || released || !refused;
}
