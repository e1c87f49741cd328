/* SPDX-License-Identifier: MIT */
#include "ui/keys/keyboard.h"

#include "filters/base/log.h"

#define PUSHED   20000 /* of 32767: from here on a stick counts as pushed */
#define RELEASED 12000 /* and below this no longer */

/* ---- which there are */

void rn_ui_gamepads_start(struct rn_ui_gamepads *pads)
{
    pads->started = !SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER);
    if (!pads->started)
        rn_log(RN_LOG_DEBUG, "no game controllers: %s", SDL_GetError());
}

static int find(const struct rn_ui_gamepads *pads, SDL_JoystickID id)
{
    for (int i = 0; i < RN_GAMEPADS; i++) {
        SDL_GameController *pad = pads->open[i].pad;
        if (pad && SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pad)) == id)
            return i;
    }
    return -1;
}

static void add(struct rn_ui_gamepads *pads, int device)
{
    int i = 0;
    while (i < RN_GAMEPADS && pads->open[i].pad)
        i++;
    if (i == RN_GAMEPADS || find(pads, SDL_JoystickGetDeviceInstanceID(device)) >= 0)
        return;
    pads->open[i].pad = SDL_GameControllerOpen(device);
    pads->open[i].pushed = 0;
}

static void drop(struct rn_ui_gamepads *pads, int i)
{
    if (i >= 0 && pads->open[i].pad)
        SDL_GameControllerClose(pads->open[i].pad);
    if (i >= 0)
        pads->open[i].pad = NULL;
}

void rn_ui_gamepads_stop(struct rn_ui_gamepads *pads)
{
    for (int i = 0; i < RN_GAMEPADS; i++)
        drop(pads, i);
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
        add(pads, e->cdevice.which);
        break;
    case SDL_CONTROLLERDEVICEREMOVED:
        drop(pads, find(pads, e->cdevice.which));
        break;
    case SDL_CONTROLLERBUTTONDOWN:
        key.code = typing && b == SDL_CONTROLLER_BUTTON_B ? SDLK_ESCAPE : RN_KEY_PAD_BUTTON(b);
        break;
    case SDL_CONTROLLERAXISMOTION:
        i = find(pads, e->caxis.which);
        key.code = i < 0 ? 0 : on_axis(&pads->open[i].pushed, &e->caxis);
        break;
    default:
        break;
    }
    return key;
}
