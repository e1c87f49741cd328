/* Keys, and their names as people write them: Tab, Shift+Up, Alt+5, PgDn, F1, q, Q, +, ?, Space;
 * PadA, PadUp, PadRT: buttons, sticks and triggers of game controllers (gamepad.c).
 *
 * What types a sign is named by that sign, as it is printed on the key: Q, not Shift+q; # begins
 * comments and is called Sharp. All others have words. Ctrl and Alt stand before both; there a
 * letter is what the key types by itself: Ctrl+Shift+z. */
#ifndef RN_UI_KEYS_KEY_H
#define RN_UI_KEYS_KEY_H

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
    unsigned mods; /* what is held; Shift is not where a character says it already */
};

#define RN_KEY_NAME 40 /* bytes of the longest name */

/* Reads a name; words in whatever case. Returns false if there is no such key. */
bool rn_ui_key_parse(struct rn_ui_key *key, const char *text);

/* Writes the name that rn_ui_key_parse reads. Returns buf. */
char *rn_ui_key_print(const struct rn_ui_key *key, char buf[RN_KEY_NAME]);

bool rn_ui_key_equal(const struct rn_ui_key *a, const struct rn_ui_key *b);

/* Whether it has a word, and is found by that on every layout; whether it is of a controller. */
bool rn_ui_key_has_word(int code);
bool rn_ui_key_is_pad(const struct rn_ui_key *key);

/* The word that was meant; NULL: none is near. */
const char *rn_ui_key_nearest(const char *text);

#endif
