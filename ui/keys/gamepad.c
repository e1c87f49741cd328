#include "ui/keys/gamepad.h"

#include "filters/base/log.h"

#define PUSHED   20000 /* of 32767: from here on a stick counts as pushed */
#define RELEASED 12000 /* and below this no longer */

struct binding {
    int control; /* SDL_GameControllerButton, or SDL_GameControllerAxis */
    int way;     /* of an axis: 1 or -1 */
    const char *action;
    int count;
};

// clang-format off
static const struct binding buttons[] = {
    {SDL_CONTROLLER_BUTTON_DPAD_UP,       0, "step",         1},
    {SDL_CONTROLLER_BUTTON_DPAD_DOWN,     0, "step",         -1},
    {SDL_CONTROLLER_BUTTON_DPAD_RIGHT,    0, "param-next",   1},
    {SDL_CONTROLLER_BUTTON_DPAD_LEFT,     0, "param-next",   -1},
    {SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, 0, "stage-next",   1},
    {SDL_CONTROLLER_BUTTON_LEFTSHOULDER,  0, "stage-next",   -1},
    {SDL_CONTROLLER_BUTTON_A,             0, "pause",        0},
    {SDL_CONTROLLER_BUTTON_B,             0, "bypass",       0},
    {SDL_CONTROLLER_BUTTON_X,             0, "toggle-stage", 0},
    {SDL_CONTROLLER_BUTTON_Y,             0, "split",        0},
    {SDL_CONTROLLER_BUTTON_BACK,          0, "undo",         1},
    {SDL_CONTROLLER_BUTTON_START,         0, "panel",        0},
};

static const struct binding axes[] = {
    {SDL_CONTROLLER_AXIS_LEFTY,           -1, "step",        10},
    {SDL_CONTROLLER_AXIS_LEFTY,           1,  "step",        -10},
    {SDL_CONTROLLER_AXIS_LEFTX,           1,  "seek",        5},
    {SDL_CONTROLLER_AXIS_LEFTX,           -1, "seek",        -5},
    {SDL_CONTROLLER_AXIS_RIGHTX,          1,  "split-by",    5},
    {SDL_CONTROLLER_AXIS_RIGHTX,          -1, "split-by",    -5},
    {SDL_CONTROLLER_AXIS_TRIGGERRIGHT,    1,  "frame",       1},
    {SDL_CONTROLLER_AXIS_TRIGGERLEFT,     1,  "frame",       -1},
};

const struct rn_ui_gamepad_line rn_ui_gamepad_lines[] = {
    {"d-pad",                "up, down: one step; right, left: parameter"},
    {"shoulder buttons",     "next / previous stage"},
    {"A, B, X, Y",           "pause; bypass; its stage on / off; split view"},
    {"Back, Start",          "undo; panel"},
    {"left stick",           "up, down: ten steps; right, left: 5 s"},
    {"right stick",          "right, left: the split line"},
    {"triggers",             "next / previous frame"},
    {NULL, NULL},
};
// clang-format on

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

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

/* ---- what they do */

static bool tell(const struct binding *b, enum rn_ui_action *action, int *count)
{
    const struct rn_ui_action_row *row = rn_ui_action_find(b->action);
    if (!row)
        return false;
    *action = row->action;
    *count = b->count ? b->count : row->count;
    return true;
}

static bool on_button(int button, enum rn_ui_action *action, int *count)
{
    for (int i = 0; i < COUNT(buttons); i++)
        if (buttons[i].control == button)
            return tell(&buttons[i], action, count);
    return false;
}

/* A stick does something once when it is pushed, and again when it was let go in between. */
static bool on_axis(unsigned *pushed, const SDL_ControllerAxisEvent *e, enum rn_ui_action *action,
                    int *count)
{
    for (int i = 0; i < COUNT(axes); i++) {
        int value = axes[i].way * e->value;
        unsigned bit = 1U << i;
        if (axes[i].control != e->axis)
            continue;
        if (value < RELEASED)
            *pushed &= ~bit;
        if (value < PUSHED || *pushed & bit)
            continue;
        *pushed |= bit;
        return tell(&axes[i], action, count);
    }
    return false;
}

bool rn_ui_gamepads_event(struct rn_ui_gamepads *pads, const SDL_Event *e,
                          enum rn_ui_action *action, int *count)
{
    int i;
    switch (e->type) {
    case SDL_CONTROLLERDEVICEADDED:
        add(pads, e->cdevice.which);
        return false;
    case SDL_CONTROLLERDEVICEREMOVED:
        drop(pads, find(pads, e->cdevice.which));
        return false;
    case SDL_CONTROLLERBUTTONDOWN:
        return on_button(e->cbutton.button, action, count);
    case SDL_CONTROLLERAXISMOTION:
        i = find(pads, e->caxis.which);
        return i >= 0 && on_axis(&pads->open[i].pushed, &e->caxis, action, count);
    default:
        return false;
    }
}
