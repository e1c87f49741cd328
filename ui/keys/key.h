/* Keys, and their names as people write them: Tab, Shift+Up, Alt+5, PgDn, F1, q, Q, +, ?, Space.
 *
 * What types a sign is named by that sign, as it is printed on the key: Q, not Shift+q; # begins
 * comments and is called Sharp. All others have words. Ctrl and Alt stand before both; there a
 * letter is what the key types by itself: Ctrl+Shift+z. */
#ifndef RN_UI_KEYS_KEY_H
#define RN_UI_KEYS_KEY_H

#include <stdbool.h>
#include <stddef.h>

enum { RN_MOD_CTRL = 1, RN_MOD_ALT = 2, RN_MOD_SHIFT = 4 };

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

/* Whether it has a word, and is found by that on every layout. */
bool rn_ui_key_has_word(int code);

/* The word that was meant; NULL: none is near. */
const char *rn_ui_key_nearest(const char *text);

#endif
