/* From SDL's events of the keyboard and of game controllers to what the keys in force say.
 *
 * A key that types a sign is known by what it types, so that it is found where it is printed,
 * whatever the layout. Where that is bound to nothing, the key's place says what it is: a letter or
 * sign of the US layout, on layouts without Latin letters (Greek, Russian, Hebrew), and a digit in
 * the row of digits where they need Shift (French). Keys with words, and those held with Ctrl or
 * Alt, mean something as they go down; the others when their text comes, which is later. */
#ifndef RN_UI_KEYS_KEYBOARD_H
#define RN_UI_KEYS_KEYBOARD_H

#include <SDL.h>

#include "ui/keys/keymap.h"

/* Zeroed at the beginning. */
struct rn_ui_keyboard {
    SDL_Scancode pressed; /* last, if its text has not come */
    bool repeat;          /* it did, by being held */
    bool taken;           /* it was, as it went down: its text means no more */
};

/* What a key means that goes down, or a text; NULL: nothing, or nothing yet. mods: SDL's, with the
 * last key. A text while something is typed is to be left out if it belongs to a key that is taken
 * (rn_ui_keyboard_takes, for every such text once). */
const struct rn_ui_binding *rn_ui_keyboard_down(struct rn_ui_keyboard *keyboard,
                                                const struct rn_ui_keymap *map,
                                                const SDL_KeyboardEvent *event);
const struct rn_ui_binding *rn_ui_keyboard_text(struct rn_ui_keyboard *keyboard,
                                                const struct rn_ui_keymap *map, const char *text,
                                                Uint16 mods);
bool rn_ui_keyboard_takes(struct rn_ui_keyboard *keyboard);

/* A key has gone down while something is typed. */
void rn_ui_keyboard_ignore(struct rn_ui_keyboard *keyboard);

/* ---- gamepad.c: game controllers as further keys
 *
 * Buttons, sticks and triggers have names of key.h. Every device that SDL knows as a controller is
 * taken as soon as it is plugged in. */

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
