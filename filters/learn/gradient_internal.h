/* SPDX-License-Identifier: MIT */
/* The gradient in plain C (plain_gradient.c), which is the reference of the device's. The functions
 * are those of gradient.h. */
#pragma once

#include "filters/learn/gradient.h"
#include "filters/parts/network/layers.h"

struct rn_plain_gradient;

int rn_plain_gradient_open(struct rn_plain_gradient **plain, const struct rn_gradient_setup *setup);
void rn_plain_gradient_close(struct rn_plain_gradient **plain);
int rn_plain_gradient_compute(struct rn_plain_gradient *plain, const float *floats,
                              const float *input, const float *target, const float *weight,
                              float *to);
int rn_plain_gradient_forward(struct rn_plain_gradient *plain, const float *floats,
                              const float *input, float *net);
