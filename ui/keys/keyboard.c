/* SPDX-License-Identifier: MIT */
#include "ui/keys/keyboard.h"

#include "filters/base/text/printable.h"
#include "filters/base/log.h"

static const struct rn_ui_binding *find(const struct rn_ui_keymap *map, int code, unsigned mods)
{
    const struct rn_ui_key key = {.code = code, .mods = mods};
    return code ? rn_ui_keymap_find(map, &key) : NULL;
}

/* ---- places */

/* What the key at a place types on the US layout; 0: nothing. */
static int us_sign(SDL_Scancode place, bool shift)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz1234567890\0\0\0\0\0-=[]\\\\;'`,./";
    static const char shifted[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ!@#$%^&*()\0\0\0\0\0_+{}||:\"~<>?";
    int i = (int)place - SDL_SCANCODE_A;
    if (i < 0 || i >= (int)sizeof plain - 1)
        return 0;
    return shift ? shifted[i] : plain[i];
}

static int digit_at(SDL_Scancode place)
{
    return place >= SDL_SCANCODE_1 && place <= SDL_SCANCODE_0 ? us_sign(place, false) : 0;
}

/* Greek and what follows it in Unicode, but Vietnamese, signs, and the ideographs that an input
 * method makes of several keys. */
static bool is_of_another_script(uint32_t c)
{
    return (c >= 0x370 && c < 0x1E00) || (c >= 0x1F00 && c < 0x2000) || (c >= 0x2C80 && c < 0x3400);
}

/* True if the current layout is known and has no Latin letter. */
static bool has_no_latin(void)
{
    bool known = false, latin = false;
    for (int place = SDL_SCANCODE_A; place <= SDL_SCANCODE_Z; place++) {
        SDL_Keycode code = SDL_GetKeyFromScancode((SDL_Scancode)place);
        known |= code != SDLK_UNKNOWN;
        latin |= code >= SDLK_a && code <= SDLK_z;
    }
    return known && !latin;
}

static int latin_at(SDL_Scancode place, bool shift, uint32_t typed)
{
    return is_of_another_script(typed) || has_no_latin() ? us_sign(place, shift) : 0;
}

/* ---- keys that go down */

/* Tries digits first, with Shift and without: those of the row of digits. */
static const struct rn_ui_binding *find_combined(const struct rn_ui_keymap *map,
                                                 const SDL_Keysym *key, unsigned mods)
{
    const struct rn_ui_binding *found = find(map, key->sym, mods);
    int digit = digit_at(key->scancode);
    found = found ? found : find(map, digit, mods);
    found = found ? found : find(map, digit, mods & ~(unsigned)RN_MOD_SHIFT);
    return found ? found : find(map, latin_at(key->scancode, false, (uint32_t)key->sym), mods);
}

const struct rn_ui_binding *rn_ui_keyboard_down(struct rn_ui_keyboard *k,
                                                const struct rn_ui_keymap *map,
                                                const SDL_KeyboardEvent *event)
{
    const SDL_Keysym *key = &event->keysym;
    int code = key->sym == SDLK_KP_ENTER ? SDLK_RETURN : key->sym;
    unsigned mods = (key->mod & KMOD_CTRL ? RN_MOD_CTRL : 0) |
                    (key->mod & KMOD_LALT ? RN_MOD_ALT : 0) |
                    (key->mod & KMOD_SHIFT ? RN_MOD_SHIFT : 0);
    bool word = rn_ui_key_has_word(code), combined = mods & (RN_MOD_CTRL | RN_MOD_ALT);
    *k = (struct rn_ui_keyboard){.pressed = key->scancode, .repeat = event->repeat};
    if (!(word || combined) || key->mod & (KMOD_RALT | KMOD_GUI))
        return NULL;
    k->taken = !(key->sym & SDLK_SCANCODE_MASK) && key->sym >= ' ';
    return word ? find(map, code, mods) : find_combined(map, key, mods);
}

void rn_ui_keyboard_ignore(struct rn_ui_keyboard *k)
{
    *k = (struct rn_ui_keyboard){.taken = false};
}

/* ---- text */

bool rn_ui_keyboard_takes(struct rn_ui_keyboard *k)
{
    bool taken = k->taken;
    k->taken = false;
    return taken;
}

/* The single character of a text, without Caps Lock; 0: there are several. */
static int character(const char *text, Uint16 mods)
{
    uint32_t c;
    size_t n = rn_utf8_decode(text, &c);
    if (!n || !c || text[n])
        return 0;
    if (mods & KMOD_CAPS && n == 1)
        c = (uint32_t)(SDL_isupper((int)c) ? SDL_tolower((int)c) : SDL_toupper((int)c));
    return (int)c;
}

const struct rn_ui_binding *rn_ui_keyboard_text(struct rn_ui_keyboard *k,
                                                const struct rn_ui_keymap *map, const char *text,
                                                Uint16 mods)
{
    SDL_Scancode place = k->pressed;
    bool shift = mods & KMOD_SHIFT;
    /* Alt on the right is what types signs on many layouts. */
    if (rn_ui_keyboard_takes(k) || mods & (KMOD_CTRL | KMOD_LALT | KMOD_GUI))
        return NULL;
    k->pressed = SDL_SCANCODE_UNKNOWN;
    int code = character(text, mods);
    const struct rn_ui_binding *found = find(map, code, 0);
    if (found || !code || mods & KMOD_RALT)
        return found;
    found = shift ? NULL : find(map, digit_at(place), 0);
    return found ? found : find(map, latin_at(place, shift, (uint32_t)code), 0);
}

/* ---- game controllers */

#define PUSHED   20000 /* of 32767: from here on a stick counts as pushed */
#define RELEASED 12000 /* and below this no longer */

void rn_ui_gamepads_start(struct rn_ui_gamepads *pads)
{
    pads->started = !SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER);
    if (!pads->started)
        rn_log(RN_LOG_DEBUG, "no game controllers: %s", SDL_GetError());
}

static int find_pad(const struct rn_ui_gamepads *pads, SDL_JoystickID id)
{
    for (int i = 0; i < RN_GAMEPADS; i++) {
        SDL_GameController *pad = pads->open[i].pad;
        if (pad && SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pad)) == id)
            return i;
    }
    return -1;
}

static void add_pad(struct rn_ui_gamepads *pads, int device)
{
    int i = 0;
    while (i < RN_GAMEPADS && pads->open[i].pad)
        i++;
    if (i == RN_GAMEPADS || find_pad(pads, SDL_JoystickGetDeviceInstanceID(device)) >= 0)
        return;
    pads->open[i].pad = SDL_GameControllerOpen(device);
    pads->open[i].pushed = 0;
}

static void drop_pad(struct rn_ui_gamepads *pads, int i)
{
    if (i >= 0 && pads->open[i].pad)
        SDL_GameControllerClose(pads->open[i].pad);
    if (i >= 0)
        pads->open[i].pad = NULL;
}

void rn_ui_gamepads_stop(struct rn_ui_gamepads *pads)
{
    for (int i = 0; i < RN_GAMEPADS; i++)
        drop_pad(pads, i);
    if (pads->started)
        SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
    pads->started = false;
}

/* ---- what is pushed */

static int on_axis(unsigned *pushed, const SDL_ControllerAxisEvent *e)
{
    int code = 0;
    for (int way = -1; way <= 1; way += 2) {
        unsigned bit = 1U << (2 * e->axis + (way > 0));
        if (way * e->value < RELEASED)
            *pushed &= ~bit;
        if (way * e->value < PUSHED || *pushed & bit)
            continue;
        *pushed |= bit;
        code = RN_KEY_PAD_AXIS(e->axis, way);
    }
    return code;
}

struct rn_ui_key rn_ui_gamepads_event(struct rn_ui_gamepads *pads, const SDL_Event *e, bool typing)
{
    struct rn_ui_key key = {.code = 0};
    int i, b = e->cbutton.button;
    switch (e->type) {
    case SDL_CONTROLLERDEVICEADDED:
        add_pad(pads, e->cdevice.which);
        break;
    case SDL_CONTROLLERDEVICEREMOVED:
        drop_pad(pads, find_pad(pads, e->cdevice.which));
        break;
    case SDL_CONTROLLERBUTTONDOWN:
        key.code = typing && b == SDL_CONTROLLER_BUTTON_B ? SDLK_ESCAPE : RN_KEY_PAD_BUTTON(b);
        break;
    case SDL_CONTROLLERAXISMOTION:
        i = find_pad(pads, e->caxis.which);
        key.code = i < 0 ? 0 : on_axis(&pads->open[i].pushed, &e->caxis);
        break;
    default:
        break;
    }
    return key;
}
