#include "ui/keys.h"

#include <SDL.h>
#include <string.h>

#define PLAIN RN_MOD_NONE
#define SHIFT RN_MOD_SHIFT
#define ALT   RN_MOD_ALT
enum { ONCE, REPEATS };

// clang-format off
const struct rn_key rn_keys[] = {
    {SDLK_TAB,    NULL, PLAIN, REPEATS, RN_ACT_PARAM_NEXT,   1,
     "Tab / Shift+Tab", "next / previous parameter"},
    {SDLK_TAB,    NULL, SHIFT, REPEATS, RN_ACT_PARAM_NEXT,   -1,  NULL, NULL},
    {SDLK_UP,     NULL, PLAIN, REPEATS, RN_ACT_STEP,         1,
     "Up / Down, + / -", "change it by one step"},
    {SDLK_DOWN,   NULL, PLAIN, REPEATS, RN_ACT_STEP,         -1,  NULL, NULL},
    {0,           "+",  PLAIN, REPEATS, RN_ACT_STEP,         1,   NULL, NULL},
    {0,           "-",  PLAIN, REPEATS, RN_ACT_STEP,         -1,  NULL, NULL},
    {0,           "=",  PLAIN, REPEATS, RN_ACT_STEP,         1,   NULL, NULL},
    {SDLK_UP,     NULL, SHIFT, REPEATS, RN_ACT_STEP,         10,
     "Shift+Up / Shift+Down", "change it by ten steps"},
    {SDLK_DOWN,   NULL, SHIFT, REPEATS, RN_ACT_STEP,         -10, NULL, NULL},
    {SDLK_RETURN, NULL, PLAIN, ONCE,    RN_ACT_TYPE,         0,   "Enter", "type a value for it"},
    {0,           "p",  PLAIN, ONCE,    RN_ACT_PANEL,        0,
     "p", "panel: stages, all parameters, times"},
    {0,           "r",  PLAIN, ONCE,    RN_ACT_RESET,        0,   "r", "reset it to its default"},
    {0,           "R",  PLAIN, ONCE,    RN_ACT_RESET_ALL,    0,   "R", "reset all parameters"},
    {0,           "u",  PLAIN, REPEATS, RN_ACT_UNDO,         1,   "u / U", "undo / redo a change"},
    {0,           "U",  PLAIN, REPEATS, RN_ACT_UNDO,         -1,  NULL, NULL},
    {SDLK_F1,     NULL, PLAIN, ONCE,    RN_ACT_SNAPSHOT,     0,
     "F1 - F4", "go to snapshot A - D"},
    {SDLK_F2,     NULL, PLAIN, ONCE,    RN_ACT_SNAPSHOT,     1,   NULL, NULL},
    {SDLK_F3,     NULL, PLAIN, ONCE,    RN_ACT_SNAPSHOT,     2,   NULL, NULL},
    {SDLK_F4,     NULL, PLAIN, ONCE,    RN_ACT_SNAPSHOT,     3,   NULL, NULL},
    {SDLK_F1,     NULL, SHIFT, ONCE,    RN_ACT_STORE,        0,
     "Shift+F1 - F4", "store the chain as A - D"},
    {SDLK_F2,     NULL, SHIFT, ONCE,    RN_ACT_STORE,        1,   NULL, NULL},
    {SDLK_F3,     NULL, SHIFT, ONCE,    RN_ACT_STORE,        2,   NULL, NULL},
    {SDLK_F4,     NULL, SHIFT, ONCE,    RN_ACT_STORE,        3,   NULL, NULL},
    {SDLK_F5,     NULL, PLAIN, ONCE,    RN_ACT_FLIP,         0,
     "F5", "flip: snapshot used last | chain"},
    {SDLK_F6,     NULL, PLAIN, ONCE,    RN_ACT_COMPARE,      0,
     "F6", "how far their pictures differ"},
    {SDLK_F7,     NULL, PLAIN, ONCE,    RN_ACT_TAKE,         0,
     "F7", "take the chain tuned before"},
    {0,           "x",  PLAIN, ONCE,    RN_ACT_TOGGLE_STAGE, 0,   "x", "its stage on / off"},
    {SDLK_PAGEDOWN, NULL, PLAIN, REPEATS, RN_ACT_STAGE_NEXT, 1,
     "PgDn / PgUp, Alt+1..9", "next / previous stage, by number"},
    {SDLK_PAGEUP, NULL, PLAIN, REPEATS, RN_ACT_STAGE_NEXT,   -1,  NULL, NULL},
    {SDLK_1,      NULL, ALT,   ONCE,    RN_ACT_STAGE,        0,   NULL, NULL},
    {SDLK_2,      NULL, ALT,   ONCE,    RN_ACT_STAGE,        1,   NULL, NULL},
    {SDLK_3,      NULL, ALT,   ONCE,    RN_ACT_STAGE,        2,   NULL, NULL},
    {SDLK_4,      NULL, ALT,   ONCE,    RN_ACT_STAGE,        3,   NULL, NULL},
    {SDLK_5,      NULL, ALT,   ONCE,    RN_ACT_STAGE,        4,   NULL, NULL},
    {SDLK_6,      NULL, ALT,   ONCE,    RN_ACT_STAGE,        5,   NULL, NULL},
    {SDLK_7,      NULL, ALT,   ONCE,    RN_ACT_STAGE,        6,   NULL, NULL},
    {SDLK_8,      NULL, ALT,   ONCE,    RN_ACT_STAGE,        7,   NULL, NULL},
    {SDLK_9,      NULL, ALT,   ONCE,    RN_ACT_STAGE,        8,   NULL, NULL},
    {SDLK_PAGEDOWN, NULL, SHIFT, REPEATS, RN_ACT_MOVE,       1,
     "Shift+PgDn / Shift+PgUp", "move the stage down / up"},
    {SDLK_PAGEUP, NULL, SHIFT, REPEATS, RN_ACT_MOVE,         -1,  NULL, NULL},
    {0,           "n",  PLAIN, ONCE,    RN_ACT_NEW,          0,
     "n", "add a filter behind it: type its name"},
    {0,           "N",  PLAIN, ONCE,    RN_ACT_DUPLICATE,    0,   "N", "duplicate the stage"},
    {SDLK_DELETE, NULL, PLAIN, ONCE,    RN_ACT_REMOVE,       0,   "Del", "remove the stage"},
    {0,           "S",  PLAIN, ONCE,    RN_ACT_SOLO,         0,
     "S", "the chain up to here; again: all of it"},
    {0,           "b",  PLAIN, ONCE,    RN_ACT_BYPASS,       0,   "b", "bypass the whole chain"},
    {0,           "v",  PLAIN, ONCE,    RN_ACT_SPLIT,        0,
     "v", "split view: original | filtered"},
    {0,           "<",  PLAIN, REPEATS, RN_ACT_SPLIT_BY,     -1,
     "< / >, mouse", "move the split line"},
    {0,           ">",  PLAIN, REPEATS, RN_ACT_SPLIT_BY,     1,   NULL, NULL},
    {0,           "1",  PLAIN, ONCE,    RN_ACT_ZOOM,         1,
     "1 / 2 / 3 / 4", "zoom: 1:1 to 4:1"},
    {0,           "2",  PLAIN, ONCE,    RN_ACT_ZOOM,         2,   NULL, NULL},
    {0,           "3",  PLAIN, ONCE,    RN_ACT_ZOOM,         3,   NULL, NULL},
    {0,           "4",  PLAIN, ONCE,    RN_ACT_ZOOM,         4,   NULL, NULL},
    {0,           "z",  PLAIN, ONCE,    RN_ACT_ZOOM,         0,
     "z, wheel, drag", "fit; zoom; pan"},
    {SDLK_SPACE,  NULL, PLAIN, ONCE,    RN_ACT_PAUSE,        0,   "Space", "pause / go on"},
    {0,           ".",  PLAIN, REPEATS, RN_ACT_FRAME,        1,   ". / ,", "next / previous frame"},
    {0,           ",",  PLAIN, REPEATS, RN_ACT_FRAME,        -1,  NULL, NULL},
    {SDLK_RIGHT,  NULL, PLAIN, REPEATS, RN_ACT_SEEK,         5,
     "Right / Left", "5 s forward / back"},
    {SDLK_LEFT,   NULL, PLAIN, REPEATS, RN_ACT_SEEK,         -5,  NULL, NULL},
    {SDLK_HOME,   NULL, PLAIN, ONCE,    RN_ACT_HOME,         0,   "Home", "to the beginning"},
    {0,           "l",  PLAIN, ONCE,    RN_ACT_LOOP,         0,   "l", "loop on / off"},
    {0,           "i",  PLAIN, ONCE,    RN_ACT_TIMES,        0,   "i", "frame rate and times"},
    {0,           "d",  PLAIN, ONCE,    RN_ACT_READOUT,      0,
     "d, Shift+drag", "read samples; measure a region"},
    {0,           "c",  PLAIN, ONCE,    RN_ACT_COPY,         0,
     "c", "copy them to the clipboard"},
    {0,           "s",  PLAIN, ONCE,    RN_ACT_SCREENSHOT,   0,
     "s", "save the filtered frame, upright (PNG)"},
    {0,           "w",  PLAIN, ONCE,    RN_ACT_WRITE_CHAIN,  0,   "w", "write the chain to a file"},
    {0,           "9",  PLAIN, REPEATS, RN_ACT_VOLUME,       -1,  "9 / 0", "volume down / up"},
    {0,           "0",  PLAIN, REPEATS, RN_ACT_VOLUME,       1,   NULL, NULL},
    {0,           "m",  PLAIN, ONCE,    RN_ACT_MUTE,         0,   "m", "mute"},
    {0,           "f",  PLAIN, ONCE,    RN_ACT_FULLSCREEN,   1,
     "f, double-click", "fullscreen on / off"},
    {SDLK_ESCAPE, NULL, PLAIN, ONCE,    RN_ACT_FULLSCREEN,   0,
     "Esc", "clear region, leave fullscreen, help"},
    {0,           "?",  PLAIN, ONCE,    RN_ACT_HELP,         0,   "?", "all keys, page by page"},
    {0,           "q",  PLAIN, ONCE,    RN_ACT_QUIT,         0,   "q", "quit"},
    {0, NULL, PLAIN, ONCE, RN_ACT_NONE, 0, NULL, NULL},
};
// clang-format on

const struct rn_key *rn_key_by_symbol(int symbol, enum rn_mod mod)
{
    for (const struct rn_key *key = rn_keys; key->action; key++)
        if (key->symbol && key->symbol == symbol && key->mod == mod)
            return key;
    return NULL;
}

const struct rn_key *rn_key_by_text(const char *typed)
{
    for (const struct rn_key *key = rn_keys; key->action; key++)
        if (key->typed && !strcmp(key->typed, typed))
            return key;
    return NULL;
}
