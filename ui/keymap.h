/* The window's side of the key table: what an event of the keyboard means. */
#ifndef RN_KEYMAP_H
#define RN_KEYMAP_H

#include <stdbool.h>

#include "ui/keys.h"

struct rn_binding {
    int sym;          /* SDL_Keycode, or 0 if the key is known by its text */
    const char *text; /* UTF-8, or NULL */
    bool shift;       /* with sym: Shift is held */
    bool repeat;      /* a held key repeats it */
    enum rn_action action;
    int count; /* RN_ACT_FULLSCREEN: 1 toggles, 0 only leaves */
};

/* NULL if the key means nothing. */
const struct rn_binding *rn_key_by_symbol(int sym, bool shift);
const struct rn_binding *rn_key_by_text(const char *text);

#endif
