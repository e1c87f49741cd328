/* SPDX-License-Identifier: MIT */
/* A change of the chain, by keys, the panel and scripts: host->edit of player.h makes it. */
#pragma once

#include <stdbool.h>

struct rn_play_change {
    enum rn_play_change_kind {
        RN_CHANGE_STEP,  /* the selected parameter by count steps */
        RN_CHANGE_SLIDE, /* it to a position, 0..1 of its range */
        RN_CHANGE_SET,   /* it to text */
        RN_CHANGE_RESET, /* it to its default */
        RN_CHANGE_RESET_ALL,
        RN_CHANGE_TOGGLE, /* the selected stage on or off */
        RN_CHANGE_REGION, /* its region to region */
        RN_CHANGE_SOLO,   /* the stages behind it off, or on again */
        RN_CHANGE_ADD,    /* text, as in a chain, behind it */
        RN_CHANGE_REMOVE,
        RN_CHANGE_DUPLICATE,
        RN_CHANGE_MOVE, /* it by count places */
    } kind;
    int count;
    double position;
    const char *text;
    const struct rn_region *region;
    bool again; /* it continues the drag of the change before */
};
