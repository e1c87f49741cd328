#include "ui/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ONCE, REPEATS };

// clang-format off
const struct rn_action_row rn_actions[] = {
    {"param-next",   RN_ACT_PARAM_NEXT,   1, -1000, 1000, REPEATS, "next / previous parameter",
     "%d parameters on / back", NULL},
    {"step",         RN_ACT_STEP,         1, -1000, 1000, REPEATS, "change it by one step",
     "change it by %d steps", NULL},
    {"type",         RN_ACT_TYPE,         0, 0, 0, ONCE, "type a value for it", NULL, NULL},
    {"panel",        RN_ACT_PANEL,        0, 0, 0, ONCE, "panel: stages, all parameters, times",
     NULL, NULL},
    {"reset",        RN_ACT_RESET,        0, 0, 0, ONCE, "reset it to its default", NULL, NULL},
    {"reset-all",    RN_ACT_RESET_ALL,    0, 0, 0, ONCE, "reset all parameters", NULL, NULL},
    {"undo",         RN_ACT_UNDO,         1, 1, 1, REPEATS, "undo a change", NULL, NULL},
    {"redo",         RN_ACT_UNDO,         -1, -1, -1, REPEATS, "redo it", NULL, NULL},
    {"snapshot",     RN_ACT_SNAPSHOT,     1, 1, 4, ONCE, "go to snapshot A - D", NULL, NULL},
    {"store",        RN_ACT_STORE,        1, 1, 4, ONCE, "store the chain as A - D", NULL, NULL},
    {"flip",         RN_ACT_FLIP,         0, 0, 0, ONCE, "flip: snapshot used last | chain",
     NULL, NULL},
    {"compare",      RN_ACT_COMPARE,      0, 0, 0, ONCE, "how far their pictures differ",
     NULL, NULL},
    {"take",         RN_ACT_TAKE,         0, 0, 0, ONCE, "take the chain tuned before", NULL, NULL},
    {"toggle-stage", RN_ACT_TOGGLE_STAGE, 0, 0, 0, ONCE, "its stage on / off", NULL, NULL},
    {"stage-next",   RN_ACT_STAGE_NEXT,   1, -100, 100, REPEATS, "next / previous stage",
     "%d stages on / back", NULL},
    {"stage",        RN_ACT_STAGE,        1, 1, 100, ONCE, "select a stage by its number",
     NULL, NULL},
    {"move",         RN_ACT_MOVE,         1, -100, 100, REPEATS, "move the stage down / up",
     "move the stage by %d places", NULL},
    {"new",          RN_ACT_NEW,          0, 0, 0, ONCE, "add a filter behind it: type its name",
     NULL, NULL},
    {"duplicate",    RN_ACT_DUPLICATE,    0, 0, 0, ONCE, "duplicate the stage", NULL, NULL},
    {"remove",       RN_ACT_REMOVE,       0, 0, 0, ONCE, "remove the stage", NULL, NULL},
    {"solo",         RN_ACT_SOLO,         0, 0, 0, ONCE, "the chain up to here; again: all of it",
     NULL, NULL},
    {"bypass",       RN_ACT_BYPASS,       0, 0, 0, ONCE, "flip: the original alone", NULL, NULL},
    {"split",        RN_ACT_SPLIT,        0, 0, 0, ONCE, "split view: original | filtered",
     NULL, NULL},
    {"split-by",     RN_ACT_SPLIT_BY,     1, -100, 100, REPEATS, "move the split line, as the mouse",
     NULL, NULL},
    {"beside",       RN_ACT_BESIDE,       0, 0, 0, ONCE, "side by side", NULL, NULL},
    {"difference",   RN_ACT_DIFFERENCE,   0, 0, 0, ONCE, "difference, PSNR and SSIM", NULL, NULL},
    {"gain",         RN_ACT_GAIN,         1, -1, 1, REPEATS, "amplify it more / less", NULL, NULL},
    {"original",     RN_ACT_ORIGINAL,     0, 0, 0, ONCE,
     "original: input, before stage, --versus", NULL, NULL},
    {"swap",         RN_ACT_SWAP,         0, 0, 0, ONCE, "tune the other chain of --versus",
     NULL, NULL},
    {"zoom",         RN_ACT_ZOOM,         1, 1, 64, ONCE, "zoom: 1:1, 2:1 and so on", NULL, NULL},
    {"zoom-fit",     RN_ACT_ZOOM,         0, 0, 0, ONCE, "fit; the wheel zooms, drags move", NULL, "wheel, drag"},
    {"pause",        RN_ACT_PAUSE,        0, 0, 0, ONCE, "pause / go on", NULL, NULL},
    {"frame",        RN_ACT_FRAME,        1, -10, 10, REPEATS, "next / previous frame",
     "%d frames on / back", NULL},
    {"seek",         RN_ACT_SEEK,         5, -86400, 86400, REPEATS, "%d s forward / back",
     NULL, NULL},
    {"home",         RN_ACT_HOME,         0, 0, 0, ONCE, "to the beginning", NULL, NULL},
    {"end",          RN_ACT_END,          0, 0, 0, ONCE, "to the last frame", NULL, NULL},
    {"go",           RN_ACT_GO,           0, 0, 0, ONCE, "go to: type 150f, 1:30, +5, -10f",
     NULL, NULL},
    {"speed",        RN_ACT_SPEED,        1, -44, 44, REPEATS, "10 % faster / slower", NULL, NULL},
    {"speed-normal", RN_ACT_SPEED,        0, 0, 0, ONCE, "normal speed", NULL, NULL},
    {"mark-begin",   RN_ACT_MARK,         1, 1, 1, ONCE, "mark: a part begins here", NULL, NULL},
    {"mark-end",     RN_ACT_MARK,         -1, -1, -1, ONCE, "it ends here, and loops", NULL, NULL},
    {"mark-clear",   RN_ACT_MARK,         0, 0, 0, ONCE, "clear both marks", NULL, NULL},
    {"export",       RN_ACT_EXPORT,       0, 0, 0, ONCE, "render what is marked to a file",
     NULL, NULL},
    {"bar",          RN_ACT_BAR,          0, 0, 0, ONCE, "seek bar (below): always; hover, drag",
     NULL, "mouse"},
    {"input",        RN_ACT_INPUT,        1, -1, 1, ONCE, "next / previous of several inputs",
     NULL, NULL},
    {"loop",         RN_ACT_LOOP,         0, 0, 0, ONCE, "loop on / off", NULL, NULL},
    {"times",        RN_ACT_TIMES,        0, 0, 0, ONCE, "frame rate and times", NULL, NULL},
    {"bob",          RN_ACT_BOB,          0, 0, 0, ONCE, "fields woven, or one by one (bob)",
     NULL, NULL},
    {"readout",      RN_ACT_READOUT,      0, 0, 0, ONCE, "read samples; measure a region",
     NULL, "Shift+drag"},
    {"copy",         RN_ACT_COPY,         0, 0, 0, ONCE, "copy them to the clipboard", NULL, NULL},
    {"screenshot",   RN_ACT_SCREENSHOT,   0, 0, 0, ONCE, "save the filtered frame, upright (PNG)",
     NULL, NULL},
    {"write-chain",  RN_ACT_WRITE_CHAIN,  0, 0, 0, ONCE, "write the chain to a file", NULL, NULL},
    {"volume",       RN_ACT_VOLUME,       1, -20, 20, REPEATS, "volume up / down", NULL, NULL},
    {"mute",         RN_ACT_MUTE,         0, 0, 0, ONCE, "mute", NULL, NULL},
    {"fullscreen",   RN_ACT_FULLSCREEN,   1, 1, 1, ONCE, "fullscreen on / off", NULL,
     "double-click"},
    {"leave",        RN_ACT_FULLSCREEN,   0, 0, 0, ONCE, "clear region, leave fullscreen, help",
     NULL, NULL},
    {"help",         RN_ACT_HELP,         0, 0, 0, ONCE, "all keys, page by page", NULL, NULL},
    {"quit",         RN_ACT_QUIT,         0, 0, 0, ONCE, "quit", NULL, NULL},
    {0},
};

const struct rn_default_key rn_default_keys[] = {
    {"Tab",        "param-next",   1},
    {"Shift+Tab",  "param-next",   -1},
    {"Up",         "step",         1},
    {"Down",       "step",         -1},
    {"+",          "step",         1},
    {"-",          "step",         -1},
    {"=",          "step",         1}, /* where + needs Shift */
    {"Shift+Up",   "step",         10},
    {"Shift+Down", "step",         -10},
    {"Enter",      "type",         0},
    {"p",          "panel",        0},
    {"r",          "reset",        0},
    {"R",          "reset-all",    0},
    {"u",          "undo",         0},
    {"U",          "redo",         0},
    {"F1",         "snapshot",     1},
    {"F2",         "snapshot",     2},
    {"F3",         "snapshot",     3},
    {"F4",         "snapshot",     4},
    {"Shift+F1",   "store",        1},
    {"Shift+F2",   "store",        2},
    {"Shift+F3",   "store",        3},
    {"Shift+F4",   "store",        4},
    {"F5",         "flip",         0},
    {"F6",         "compare",      0},
    {"F7",         "take",         0},
    {"x",          "toggle-stage", 0},
    {"PgDn",       "stage-next",   1},
    {"PgUp",       "stage-next",   -1},
    {"Alt+1",      "stage",        1},
    {"Alt+2",      "stage",        2},
    {"Alt+3",      "stage",        3},
    {"Alt+4",      "stage",        4},
    {"Alt+5",      "stage",        5},
    {"Alt+6",      "stage",        6},
    {"Alt+7",      "stage",        7},
    {"Alt+8",      "stage",        8},
    {"Alt+9",      "stage",        9},
    {"Shift+PgDn", "move",         1},
    {"Shift+PgUp", "move",         -1},
    {"n",          "new",          0},
    {"N",          "duplicate",    0},
    {"Del",        "remove",       0},
    {"S",          "solo",         0},
    {"b",          "bypass",       0},
    {"v",          "split",        0},
    {"Shift+Right", "split-by",    1},
    {"Shift+Left", "split-by",     -1},
    {"V",          "beside",       0},
    {"D",          "difference",   0},
    {"}",          "gain",         1},
    {"{",          "gain",         -1},
    {"o",          "original",     0},
    {"X",          "swap",         0},
    {"1",          "zoom",         1},
    {"2",          "zoom",         2},
    {"3",          "zoom",         3},
    {"4",          "zoom",         4},
    {"z",          "zoom-fit",     0},
    {"Space",      "pause",        0},
    {".",          "frame",        1},
    {",",          "frame",        -1},
    {"Right",      "seek",         5},
    {"Left",       "seek",         -5},
    {"Home",       "home",         0},
    {"End",        "end",          0},
    {"g",          "go",           0},
    {"]",          "speed",        1},
    {"[",          "speed",        -1},
    {"Backspace",  "speed-normal", 0},
    {"a",          "mark-begin",   0},
    {"e",          "mark-end",     0},
    {"A",          "mark-clear",   0},
    {"E",          "export",       0},
    {"T",          "bar",          0},
    {">",          "input",        1},
    {"<",          "input",        -1},
    {"l",          "loop",         0},
    {"i",          "times",        0},
    {"B",          "bob",          0},
    {"d",          "readout",      0},
    {"c",          "copy",         0},
    {"s",          "screenshot",   0},
    {"w",          "write-chain",  0},
    {"0",          "volume",       1},
    {"9",          "volume",       -1},
    {"m",          "mute",         0},
    {"f",          "fullscreen",   0},
    {"Esc",        "leave",        0},
    {"?",          "help",         0},
    {"q",          "quit",         0},
    {NULL, NULL, 0},
};
// clang-format on

const struct rn_action_row *rn_action_find(const char *name)
{
    for (const struct rn_action_row *row = rn_actions; row->name; row++)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

bool rn_action_takes(const struct rn_action_row *row, long long argument)
{
    bool signed_range = row->min < 0 && row->max > 0;
    return row->min != row->max && argument >= row->min && argument <= row->max &&
           (argument || !signed_range);
}

char *rn_action_help(const struct rn_action_row *row, int argument, char *buf, size_t size)
{
    int n = abs(argument);
    const char *text = n != 1 && row->min != row->max && row->many ? row->many : row->help;
    const char *number = strstr(text, "%d");
    if (number)
        snprintf(buf, size, "%.*s%d%s", (int)(number - text), text, n, number + 2);
    else
        snprintf(buf, size, "%s", text);
    return buf;
}
