/* SPDX-License-Identifier: MIT */
/* A picture through a chain: example CHAIN [DEVICE] prints eight samples before and after. */
#include <runnel/runnel.h>
#include <stdio.h>

static void show(const char *what, const struct rn_plane *plane)
{
    printf("%s", what);
    for (int x = 0; x < 8; x++)
        printf(" %d", rn_plane_get(plane, 1, x, 0));
    printf("\n");
}

int main(int argc, char **argv)
{
    struct rn_device *device = NULL; /* stays NULL without any: the C reference path */
    struct rn_chain *chain = NULL;
    struct rn_runner *runner = NULL;
    struct rn_geom gray = {RN_SIZED(struct rn_geom), .fmt = {.model = RN_GRAY, .depth = 8}, .w = 64,
                           .h = 48};
    int err = rn_device_open(&device, argc > 2 ? argv[2] : NULL);
    err = err ? err : rn_chain_parse(&chain, argc > 1 ? argv[1] : "invert");
    err = err ? err : rn_runner_open(&runner, device, chain, &gray, 1);
    if (!err) {
        struct rn_slot *slot = rn_runner_slot(runner, 0);
        for (int i = 0; i < gray.w * gray.h; i++)
            rn_plane_put(&slot->in.plane[0], 1, i % gray.w, i / gray.w, 4 * (i % gray.w));
        show("in ", &slot->in.plane[0]);
        err = rn_runner_submit(runner, slot);
        err = err ? err : rn_runner_wait(runner, slot);
        if (!err)
            show("out", &slot->out.plane[0]);
    }
    rn_runner_close(&runner);
    rn_chain_destroy(&chain);
    int closed = rn_device_close(&device);
    return -(err ? err : closed);
}
