/* SPDX-License-Identifier: MIT */
/* Trains a network (parts/network/network.h) with pairs of pictures in memory.
 *
 * Each step takes a batch of patches from the pictures to learn from, at places and in one of eight
 * orientations that Threefry draws by seed, step and patch alone, and changes the weights by Adam
 * (Kingma, Ba: "Adam: a method for stochastic optimization", ICLR 2015), in double precision, at a
 * rate that falls like a cosine, and is larger for what gives logits. Weights begin as He et al.
 * propose ("Delving deep into rectifiers", ICCV 2015), uniform; those of the last layer are 0, so
 * that the network begins as one that changes nothing. The pictures held out are judged in tiles.
 * So the same pictures, settings and steps give the same floats on every device.
 *
 * RN_LEARN_SELF is done as by Krull et al. ("Noise2Void: learning denoising from single noisy
 * images", CVPR 2019): in 2 % of a patch's samples the network sees another sample from within two
 * rows and columns, and learns to tell what was there. */
#pragma once

#include "filters/core/device/device.h"
#include "filters/parts/network/network.h"

/* What is learned from: the target's picture of the same number; of the input itself the other one
 * of each two; or the same. */
enum rn_learn_from { RN_LEARN_TARGET, RN_LEARN_PAIR, RN_LEARN_SELF };

struct rn_learn_setup {
    struct rn_network net; /* low and high: see rn_network_range */
    int64_t steps;         /* until the rate is 0 */
    uint32_t seed;
    bool l1; /* the size of an error counts, not its square; of a probability cross-entropy does */
    enum rn_learn_from from;
    /* Borrowed, n of each, all of one geometry, but targets twice as wide and high where the
     * network doubles the size; a mask is the first plane of pictures of one size. target: of
     * RN_LEARN_TARGET alone. Pictures from `held` on are held out; held == n: all are judged. */
    const struct rn_image *input, *target;
    int n, held;
    float mask_white; /* of a mask: the value of the target that counts as 1 */
};

struct rn_learn {
    struct rn_learn_setup s;
    /* The steps so far; weights, and Adam's two means, rn_network_floats of each. The caller may
     * set them, to go on from there. */
    int64_t steps;
    float *floats[3];
    struct rn_gradient *gradient;
    unsigned planes;
    float low, scale;
    float *change;
    struct rn_learn_patch *tile;
    int ntiles;
};

/* learn: zeroed but for its setup. Returns 0 or an error (logged). The caller closes it, in any
 * case. */
int rn_learn_open(struct rn_learn *learn, struct rn_device *dev);
void rn_learn_close(struct rn_learn *learn);

/* One step. Returns 0 or an error (logged). */
int rn_learn_step(struct rn_learn *learn);

/* Judges what is held out, of RN_LEARN_SELF what was hidden of it. pictures: what a filter made of
 * these, from the first of them on; NULL: what the network makes. *figure: the PSNR in dB; of a
 * mask Dice's coefficient. Returns 0 or an error (logged). */
int rn_learn_judge(struct rn_learn *learn, const struct rn_image *pictures, double *figure);
