/* SPDX-License-Identifier: MIT */
#define SIDE 3
#include "convolution_rows.clh"
