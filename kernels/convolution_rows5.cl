/* SPDX-License-Identifier: MIT */
#define SIDE 5
#include "convolution_rows.clh"
