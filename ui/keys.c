#include "ui/keys.h"

#include "ui/keymap.h"

#include <SDL.h>
#include <stddef.h>
#include <string.h>

/* A row of the help and its bindings:
 *   SYM  a key of any keyboard, by symbol; SHIFT likewise with Shift held;
 *   TEXT what is typed, so that symbols and letters are found on every layout;
 *   ALSO the same without a word in the help; SAID a word in the help without a key.
 * The first argument stands before the key's name in the help. REP: a held key repeats. */
#define REP  true
#define ONCE false

// clang-format off
#define KEY_TABLE(ROW, SYM, SHIFT, TEXT, ALSO, SAID)                                               \
    ROW(SYM("", "Tab", SDLK_TAB, REP, PARAM_NEXT, 1)                                               \
        SHIFT(" / ", "Shift+Tab", SDLK_TAB, REP, PARAM_NEXT, -1),                                  \
        "next / previous parameter")                                                               \
    ROW(SYM("", "Up", SDLK_UP, REP, STEP, 1)                                                       \
        SYM(" / ", "Down", SDLK_DOWN, REP, STEP, -1)                                               \
        TEXT(", ", "+", REP, STEP, 1)                                                              \
        TEXT(" / ", "-", REP, STEP, -1)                                                            \
        ALSO("=", REP, STEP, 1),                                                                   \
        "change it by one step")                                                                   \
    ROW(SHIFT("", "Shift+Up", SDLK_UP, REP, STEP, 10)                                              \
        SHIFT(" / ", "Shift+Down", SDLK_DOWN, REP, STEP, -10),                                     \
        "change it by ten steps")                                                                  \
    ROW(TEXT("", "r", ONCE, RESET, 0),        "reset it to its default")                           \
    ROW(TEXT("", "R", ONCE, RESET_ALL, 0),    "reset all parameters")                              \
    ROW(TEXT("", "x", ONCE, TOGGLE_STAGE, 0), "its stage on / off")                                \
    ROW(TEXT("", "b", ONCE, BYPASS, 0),       "bypass the whole chain")                            \
    ROW(TEXT("", "v", ONCE, SPLIT, 0),        "split view: original | filtered")                   \
    ROW(TEXT("", "<", REP, SPLIT_BY, -1)                                                           \
        TEXT(" / ", ">", REP, SPLIT_BY, 1)                                                         \
        SAID(", mouse"),                      "move the split line")                               \
    ROW(SYM("", "Space", SDLK_SPACE, ONCE, PAUSE, 0), "pause / go on")                             \
    ROW(TEXT("", ".", REP, FRAME, 1)                                                               \
        TEXT(" / ", ",", REP, FRAME, -1),     "next / previous frame")                             \
    ROW(SYM("", "Right", SDLK_RIGHT, REP, SEEK, 5)                                                 \
        SYM(" / ", "Left", SDLK_LEFT, REP, SEEK, -5), "5 s forward / back")                        \
    ROW(SYM("", "Home", SDLK_HOME, ONCE, HOME, 0), "to the beginning")                             \
    ROW(TEXT("", "l", ONCE, LOOP, 0),         "loop on / off")                                     \
    ROW(TEXT("", "i", ONCE, TIMES, 0),        "frame rate and times")                              \
    ROW(TEXT("", "s", ONCE, SCREENSHOT, 0),   "save the filtered frame (PNG)")                     \
    ROW(TEXT("", "w", ONCE, WRITE_CHAIN, 0),  "write the chain to a file")                         \
    ROW(TEXT("", "9", REP, VOLUME, -1)                                                             \
        TEXT(" / ", "0", REP, VOLUME, 1),     "volume down / up")                                  \
    ROW(TEXT("", "m", ONCE, MUTE, 0),         "mute")                                              \
    ROW(TEXT("", "f", ONCE, FULLSCREEN, 1)                                                         \
        SAID(", double-click"),               "fullscreen on / off")                               \
    ROW(SYM("", "Esc", SDLK_ESCAPE, ONCE, FULLSCREEN, 0), "leave fullscreen")                      \
    ROW(TEXT("", "?", ONCE, HELP, 0),         "these keys")                                        \
    ROW(TEXT("", "q", ONCE, QUIT, 0),         "quit")

#define NO_ALSO(name, rep, act, n)
#define NAME_SYM(before, name, key, rep, act, n)  before name
#define NAME_TEXT(before, name, rep, act, n)      before name
#define NAME_SAID(name)                           name
#define HELP_ROW(names, text)                     {names, text},

const struct rn_key rn_key_help[] = {
    KEY_TABLE(HELP_ROW, NAME_SYM, NAME_SYM, NAME_TEXT, NO_ALSO, NAME_SAID)
    {NULL, NULL},
};

#define BIND_ROW(bindings, text)                  bindings
#define BIND_SYM(before, name, key, rep, act, n)   {key, NULL, false, rep, RN_ACT_##act, n},
#define BIND_SHIFT(before, name, key, rep, act, n) {key, NULL, true, rep, RN_ACT_##act, n},
#define BIND_TEXT(before, name, rep, act, n)       {0, name, false, rep, RN_ACT_##act, n},
#define BIND_ALSO(name, rep, act, n)               {0, name, false, rep, RN_ACT_##act, n},
#define NO_SAID(name)

static const struct rn_binding bindings[] = {
    KEY_TABLE(BIND_ROW, BIND_SYM, BIND_SHIFT, BIND_TEXT, BIND_ALSO, NO_SAID)
};
// clang-format on

#define NBINDINGS (sizeof bindings / sizeof bindings[0])

const struct rn_binding *rn_key_by_symbol(int sym, bool shift)
{
    for (size_t i = 0; i < NBINDINGS; i++)
        if (bindings[i].sym && bindings[i].sym == sym && bindings[i].shift == shift)
            return &bindings[i];
    return NULL;
}

const struct rn_binding *rn_key_by_text(const char *text)
{
    for (size_t i = 0; i < NBINDINGS; i++)
        if (bindings[i].text && !strcmp(bindings[i].text, text))
            return &bindings[i];
    return NULL;
}
