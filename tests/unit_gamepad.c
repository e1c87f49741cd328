/* SPDX-License-Identifier: MIT */
/* Game controllers, by one that SDL makes up: what is pushed is a key of the keymap. */
#include "tests/unit.h"

#include "app/play/control/command_table.h"
#include "ui/keys/keyboard.h"

static struct rn_ui_gamepads pads;
static struct rn_ui_keymap map;
static SDL_Joystick *joystick;
static int device;
static bool typing;

static int set_up(void **state)
{
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    if (SDL_Init(SDL_INIT_EVENTS))
        return -1;
    rn_ui_keymap_default(&map, rn_play_commands());
    rn_ui_gamepads_start(&pads);
    if (!pads.started)
        return -1;
    device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                       SDL_CONTROLLER_BUTTON_MAX, 0);
    joystick = device < 0 ? NULL : SDL_JoystickOpen(device);
    return joystick ? 0 : -1;
}

static int tear_down(void **state)
{
    if (joystick)
        SDL_JoystickClose(joystick);
    rn_ui_gamepads_stop(&pads);
    SDL_Quit();
    return 0;
}

/* What comes of all that is in the queue: "step 1, pause 0". */
static const char *pump(void)
{
    static char text[512];
    SDL_Event e;
    size_t used = 0;
    *text = '\0';
    SDL_JoystickUpdate();
    while (SDL_PollEvent(&e)) {
        struct rn_ui_key key = rn_ui_gamepads_event(&pads, &e, typing);
        const struct rn_ui_binding *b = key.code ? rn_ui_keymap_find(&map, &key) : NULL;
        if (b)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %d", used ? ", " : "",
                                     b->command->name, b->count);
    }
    return text;
}

static void push(int button, const char *want)
{
    SDL_JoystickSetVirtualButton(joystick, button, 1);
    assert_string_equal(pump(), want);
    SDL_JoystickSetVirtualButton(joystick, button, 0);
    assert_string_equal(pump(), "");
}

TEST(buttons_do_what_keys_do)
{
    pump();
    assert_non_null(pads.open[0].pad);
    push(SDL_CONTROLLER_BUTTON_DPAD_UP, "step 1");
    push(SDL_CONTROLLER_BUTTON_DPAD_LEFT, "param-next -1");
    push(SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, "stage-next 1");
    push(SDL_CONTROLLER_BUTTON_A, "pause 0");
    push(SDL_CONTROLLER_BUTTON_B, "bypass 0");
    push(SDL_CONTROLLER_BUTTON_BACK, "undo 1");
    typing = true;
    push(SDL_CONTROLLER_BUTTON_B, "leave 0"); /* Esc closes what is typed into */
    typing = false;
}

static const char *move(int axis, int value)
{
    SDL_JoystickSetVirtualAxis(joystick, axis, (Sint16)value);
    return pump();
}

/* Once for each push, however it trembles. */
TEST(a_stick_that_is_pushed_does_something_once)
{
    assert_string_equal(move(SDL_CONTROLLER_AXIS_LEFTY, -9000), "");
    assert_string_equal(move(SDL_CONTROLLER_AXIS_LEFTY, -25000), "step 10");
    assert_string_equal(move(SDL_CONTROLLER_AXIS_LEFTY, -32768), "");
    assert_string_equal(move(SDL_CONTROLLER_AXIS_LEFTY, -18000), "");
    assert_string_equal(move(SDL_CONTROLLER_AXIS_LEFTY, -25000), "");
    assert_string_equal(move(SDL_CONTROLLER_AXIS_LEFTY, 0), "");
    assert_string_equal(move(SDL_CONTROLLER_AXIS_LEFTY, 32767), "step -10");
    assert_string_equal(move(SDL_CONTROLLER_AXIS_LEFTY, -32768), "step 10");
    assert_string_equal(move(SDL_CONTROLLER_AXIS_LEFTX, 30000), "seek 5");
    assert_string_equal(move(SDL_CONTROLLER_AXIS_TRIGGERLEFT, 32767), "frame -1");
}

TEST(one_that_is_pulled_out_is_forgotten)
{
    SDL_JoystickClose(joystick);
    joystick = NULL;
    SDL_JoystickDetachVirtual(device);
    pump();
    assert_null(pads.open[0].pad);
}

GROUP(.before_all = set_up, .after_all = tear_down);
