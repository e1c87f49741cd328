/* SPDX-License-Identifier: MIT */
/* Keys, and their names as people write them: Tab, Shift+Up, Alt+5, PgDn, F1, q, Q, +, ?, Space;
 * PadA, PadUp, PadRT: buttons, sticks and triggers of game controllers (keyboard.h).
 *
 * A key that types a sign is named by that sign, as it is printed on the key: Q, not Shift+q; #
 * begins comments, so its name is Sharp. All other keys have words. Ctrl and Alt precede both;
 * after them a letter is what the key types without Shift: Ctrl+Shift+z. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { RN_MOD_CTRL = 1, RN_MOD_ALT = 2, RN_MOD_SHIFT = 4 };

/* Codes of game controllers, beyond all characters and beside those of SDL: a button of SDL's; an
 * axis of SDL's that is pushed up or left (way -1), or down, right or in (way 1). */
#define RN_KEY_PAD                 (1 << 29)
#define RN_KEY_PAD_BUTTON(button)  (RN_KEY_PAD + (button))
#define RN_KEY_PAD_AXIS(axis, way) (RN_KEY_PAD + 256 + 2 * (axis) + ((way) > 0))

struct rn_ui_key {
    int code;      /* a character, or SDL's code of a key that types none */
    unsigned mods; /* held keys, without Shift if the character implies it */
};

#define RN_KEY_NAME 40 /* bytes of the longest name */

/* Reads a name, ignoring the case of words. Returns false if there is no such key. */
bool rn_ui_key_parse(struct rn_ui_key *key, const char *text);

/* Writes the name that rn_ui_key_parse reads. Returns buf. */
char *rn_ui_key_print(const struct rn_ui_key *key, char buf[RN_KEY_NAME]);

bool rn_ui_key_equal(const struct rn_ui_key *a, const struct rn_ui_key *b);

/* True if the key has a word, so it is the same on every layout; if it belongs to a controller. */
bool rn_ui_key_has_word(int code);
bool rn_ui_key_is_pad(const struct rn_ui_key *key);

/* The word most similar to text; NULL: none is similar. */
const char *rn_ui_key_nearest(const char *text);
