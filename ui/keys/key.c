/* SPDX-License-Identifier: MIT */
#include "ui/keys/keymap.h"

#include <SDL.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "filters/base/text/nearest.h"
#include "filters/base/text/utf8.h"

#define BUTTON(name)    RN_KEY_PAD_BUTTON(SDL_CONTROLLER_BUTTON_##name)
#define AXIS(name, way) RN_KEY_PAD_AXIS(SDL_CONTROLLER_AXIS_##name, way)

/* If a key has two words, the first is printed. */
static const struct {
    const char *word;
    int code;
} words[] = {
    {"Tab", SDLK_TAB},
    {"Enter", SDLK_RETURN},
    {"Esc", SDLK_ESCAPE},
    {"Space", SDLK_SPACE},
    {"Backspace", SDLK_BACKSPACE},
    {"Del", SDLK_DELETE},
    {"Ins", SDLK_INSERT},
    {"Home", SDLK_HOME},
    {"End", SDLK_END},
    {"PgUp", SDLK_PAGEUP},
    {"PgDn", SDLK_PAGEDOWN},
    {"Up", SDLK_UP},
    {"Down", SDLK_DOWN},
    {"Left", SDLK_LEFT},
    {"Right", SDLK_RIGHT},
    {"F1", SDLK_F1},
    {"F2", SDLK_F2},
    {"F3", SDLK_F3},
    {"F4", SDLK_F4},
    {"F5", SDLK_F5},
    {"F6", SDLK_F6},
    {"F7", SDLK_F7},
    {"F8", SDLK_F8},
    {"F9", SDLK_F9},
    {"F10", SDLK_F10},
    {"F11", SDLK_F11},
    {"F12", SDLK_F12},
    {"Menu", SDLK_APPLICATION},
    {"Pause", SDLK_PAUSE},
    {"Print", SDLK_PRINTSCREEN},
    {"AudioPlay", SDLK_AUDIOPLAY},
    {"AudioStop", SDLK_AUDIOSTOP},
    {"AudioNext", SDLK_AUDIONEXT},
    {"AudioPrev", SDLK_AUDIOPREV},
    {"AudioMute", SDLK_AUDIOMUTE},
    {"Return", SDLK_RETURN},
    {"Escape", SDLK_ESCAPE},
    {"Delete", SDLK_DELETE},
    {"Insert", SDLK_INSERT},
    {"PageUp", SDLK_PAGEUP},
    {"PageDown", SDLK_PAGEDOWN},
    {"PadA", BUTTON(A)},
    {"PadB", BUTTON(B)},
    {"PadX", BUTTON(X)},
    {"PadY", BUTTON(Y)},
    {"PadBack", BUTTON(BACK)},
    {"PadGuide", BUTTON(GUIDE)},
    {"PadStart", BUTTON(START)},
    {"PadL", BUTTON(LEFTSTICK)},
    {"PadR", BUTTON(RIGHTSTICK)},
    {"PadLB", BUTTON(LEFTSHOULDER)},
    {"PadRB", BUTTON(RIGHTSHOULDER)},
    {"PadUp", BUTTON(DPAD_UP)},
    {"PadDown", BUTTON(DPAD_DOWN)},
    {"PadLeft", BUTTON(DPAD_LEFT)},
    {"PadRight", BUTTON(DPAD_RIGHT)},
    {"PadLUp", AXIS(LEFTY, -1)},
    {"PadLDown", AXIS(LEFTY, 1)},
    {"PadLLeft", AXIS(LEFTX, -1)},
    {"PadLRight", AXIS(LEFTX, 1)},
    {"PadRUp", AXIS(RIGHTY, -1)},
    {"PadRDown", AXIS(RIGHTY, 1)},
    {"PadRLeft", AXIS(RIGHTX, -1)},
    {"PadRRight", AXIS(RIGHTX, 1)},
    {"PadLT", AXIS(TRIGGERLEFT, 1)},
    {"PadRT", AXIS(TRIGGERRIGHT, 1)},
};
#define WORDS ((int)(sizeof words / sizeof *words))

#define SHARP "Sharp"

static const struct {
    const char *name;
    unsigned mod;
} mods[] = {{"Ctrl+", RN_MOD_CTRL}, {"Alt+", RN_MOD_ALT}, {"Shift+", RN_MOD_SHIFT}};

static int place_of(int code)
{
    int i = 0;
    while (i < WORDS && words[i].code != code)
        i++;
    return i;
}

bool rn_ui_key_has_word(int code)
{
    return place_of(code) < WORDS;
}

bool rn_ui_key_is_pad(const struct rn_ui_key *key)
{
    return key->code >= RN_KEY_PAD && key->code < 2 * RN_KEY_PAD;
}

/* The text after the names of held keys, which *held gets. */
static const char *skip_mods(const char *text, unsigned *held)
{
    *held = 0;
    for (int i = 0; i < (int)(sizeof mods / sizeof *mods); i++) {
        size_t n = strlen(mods[i].name);
        if (strncasecmp(text, mods[i].name, n) != 0 || !text[n] || *held & mods[i].mod)
            continue;
        *held |= mods[i].mod;
        text += n;
        i = -1; /* in any order */
    }
    return text;
}

/* The one character of a text; 0: it is none. */
static int character(const char *text)
{
    uint32_t c;
    size_t n = rn_utf8_decode(text, &c);
    return n && c > ' ' && !text[n] && !rn_utf8_is_control(c) && c != 0xA0 ? (int)c : 0;
}

/* R and Shift+r are the same key: uses the letter that it types. */
static bool settle_letter(struct rn_ui_key *key)
{
    bool combined = key->mods & (RN_MOD_CTRL | RN_MOD_ALT);
    bool ascii = key->code < 0x80;
    if (combined && ascii && isupper(key->code)) {
        key->code = tolower(key->code);
        key->mods |= RN_MOD_SHIFT;
    }
    if (combined || !(key->mods & RN_MOD_SHIFT))
        return true;
    if (!ascii || !isalpha(key->code))
        return false; /* which sign it types depends on the layout */
    key->code = toupper(key->code);
    key->mods = 0;
    return true;
}

bool rn_ui_key_parse(struct rn_ui_key *key, const char *text)
{
    text = skip_mods(text, &key->mods);
    key->code = strcasecmp(text, SHARP) ? character(text) : '#';
    if (key->code)
        return settle_letter(key);
    for (int i = 0; i < WORDS && !key->code; i++)
        key->code = strcasecmp(text, words[i].word) ? 0 : words[i].code;
    return key->code;
}

char *rn_ui_key_print(const struct rn_ui_key *key, char buf[RN_KEY_NAME])
{
    int i = place_of(key->code);
    char sign[RN_UTF8_MOST];
    const char *name = i < WORDS ? words[i].word : key->code == '#' ? SHARP : sign;
    if (name == sign)
        rn_utf8_encode((uint32_t)key->code, sign);
    snprintf(buf, RN_KEY_NAME, "%s%s%s%s", key->mods & RN_MOD_CTRL ? "Ctrl+" : "",
             key->mods & RN_MOD_ALT ? "Alt+" : "", key->mods & RN_MOD_SHIFT ? "Shift+" : "", name);
    return buf;
}

bool rn_ui_key_equal(const struct rn_ui_key *a, const struct rn_ui_key *b)
{
    return a->code == b->code && a->mods == b->mods;
}

const char *rn_ui_key_nearest(const char *text)
{
    const char *names[WORDS + 2];
    unsigned held;
    for (int i = 0; i < WORDS; i++)
        names[i] = words[i].word;
    names[WORDS] = SHARP;
    names[WORDS + 1] = NULL;
    text = skip_mods(text, &held);
    return character(text) ? NULL : rn_nearest(text, names);
}
