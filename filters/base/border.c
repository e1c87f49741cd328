/* SPDX-License-Identifier: MIT */
#include "filters/base/border.h"

#define RN_INLINE static inline
#include "kernels/border.clh"

int rn_border_index(enum rn_border border, int i, int n)
{
    return border_index((int)border, i, n);
}
