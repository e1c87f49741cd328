/* Files that are dropped onto the window. */
#ifndef RN_UI_DROP_H
#define RN_UI_DROP_H

#include <SDL.h>
#include <stdbool.h>

/* Zeroed before the first use. */
struct rn_ui_drop {
    char *name; /* of the last one; SDL's */
    int n;      /* of those that were dropped together */
};

/* Whether an event brings a file: drop->name, number *i of those dropped together, from 0. */
bool rn_ui_drop_event(struct rn_ui_drop *drop, const SDL_DropEvent *event, int *i);
void rn_ui_drop_free(struct rn_ui_drop *drop);

#endif
