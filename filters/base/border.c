/* SPDX-License-Identifier: MIT */
#include "filters/base/border.h"

int rn_border_index(enum rn_border border, int i, int n)
{
    if (i >= 0 && i < n)
        return i;
    switch (border) {
    case RN_CLAMP:
        return i < 0 ? 0 : n - 1;
    case RN_WRAP:
        i %= n;
        return i < 0 ? i + n : i;
    case RN_MIRROR: {
        if (n == 1)
            return 0;
        int period = 2 * (n - 1);
        i %= period;
        if (i < 0)
            i += period;
        return i < n ? i : period - i;
    }
    case RN_ZERO:
    case RN_IGNORE:
        break;
    }
    return -1;
}
