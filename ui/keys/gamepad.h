/* Game controllers as further keys: buttons, sticks and triggers have names of key.h. Every device
 * that SDL knows as one is taken as soon as it is plugged in. */
#ifndef RN_UI_KEYS_GAMEPAD_H
#define RN_UI_KEYS_GAMEPAD_H

#include <SDL.h>
#include <stdbool.h>

#include "ui/keys/key.h"

#define RN_GAMEPADS 4 /* at a time */

/* Zeroed before the first use. */
struct rn_ui_gamepads {
    bool started;
    struct {
        SDL_GameController *pad;
        unsigned pushed; /* a bit for each way in which a stick or trigger is pushed far */
    } open[RN_GAMEPADS];
};

/* Begins to look for controllers; where that cannot be done, there are none. */
void rn_ui_gamepads_start(struct rn_ui_gamepads *pads);

/* Returns the key that goes down with an event; code 0: none. A stick or trigger goes down once,
 * when it is pushed far, and again when it was let go in between. */
struct rn_ui_key rn_ui_gamepads_event(struct rn_ui_gamepads *pads, const SDL_Event *event);

void rn_ui_gamepads_stop(struct rn_ui_gamepads *pads);

#endif
