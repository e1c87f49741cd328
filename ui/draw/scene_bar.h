/* The seek bar: all that drawing it needs to know. */
#ifndef RN_UI_DRAW_SCENE_BAR_H
#define RN_UI_DRAW_SCENE_BAR_H

#include <stdbool.h>

#include "filters/base/screen.h"

/* What it shows; places are those of bar.h. */
struct rn_ui_scene_bar {
    double at;                     /* of the frame that is shown */
    double begin, end;             /* of what is marked; NAN: no such mark */
    bool always;                   /* else only near the pointer */
    const char *label;             /* of the place under the pointer; "" = none */
    const struct rn_screen *thumb; /* the picture there; NULL: none (yet) */
};

#endif
