/* SPDX-License-Identifier: MIT */
/* Translates SDL's events of the keyboard and of game controllers to bindings of the keymap.
 *
 * A key that types a sign is identified by its text, so that it is the key with that print on every
 * layout. If the text is not bound, the place of the key counts: as a letter or sign of the US
 * layout on layouts without Latin letters (Greek, Russian, Hebrew), or as a digit if digits need
 * Shift (French). Keys with words, and keys with Ctrl or Alt, act when they go down; the others act
 * when their text arrives, which is later. */
#pragma once

#include <SDL.h>

#include "ui/keys/keymap.h"

/* Zeroed at the beginning. */
struct rn_ui_keyboard {
    SDL_Scancode pressed; /* the last key, until its text arrives */
    bool repeat;          /* it is held and repeats */
    bool taken;           /* it acted when it went down: its text is ignored */
};

/* The binding of a key that goes down, or of a text; NULL: none, or none yet. mods: SDL's, of the
 * last key. While the user types, texts for which rn_ui_keyboard_takes returns true are to be
 * ignored; call it once for each text. */
const struct rn_ui_binding *rn_ui_keyboard_down(struct rn_ui_keyboard *keyboard,
                                                const struct rn_ui_keymap *map,
                                                const SDL_KeyboardEvent *event);
const struct rn_ui_binding *rn_ui_keyboard_text(struct rn_ui_keyboard *keyboard,
                                                const struct rn_ui_keymap *map, const char *text,
                                                Uint16 mods);
bool rn_ui_keyboard_takes(struct rn_ui_keyboard *keyboard);

/* A key has gone down while the user types. */
void rn_ui_keyboard_ignore(struct rn_ui_keyboard *keyboard);

/* ---- game controllers as further keys
 *
 * Buttons, sticks and triggers have names of keymap.h. Every device that SDL knows as a controller
 * is taken as soon as it is plugged in. */

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
 * when it is pushed far, and again when it was let go in between. typing: B is Esc. */
struct rn_ui_key rn_ui_gamepads_event(struct rn_ui_gamepads *pads, const SDL_Event *event,
                                      bool typing);

void rn_ui_gamepads_stop(struct rn_ui_gamepads *pads);
