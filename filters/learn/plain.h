/* SPDX-License-Identifier: MIT */
/* The steps of a gradient in plain C, which are the reference of kernels/learn.cl. Planes are those
 * of layers.h, in the host's memory. */
#pragma once

#include "filters/learn/gradient.h"
#include "filters/parts/network/layers.h"

/* What the output of the last layer has to change by, for so many pictures. in: the plane that is
 * added to it. */
void rn_learn_plain_error(const struct rn_gradient_setup *setup,
                          const struct rn_network_planes *net, const struct rn_network_planes *in,
                          const struct rn_network_planes *target,
                          const struct rn_network_planes *to, int pictures);

/* Adds the gradient of a layer to its floats, picture after picture. in: what goes into it; change:
 * what its output, w x w samples, has to change by. */
void rn_learn_plain_gradient(const struct rn_network_planes *in, int inputs,
                             const struct rn_network_planes *change, int outputs, int w,
                             int pictures, float *to);
