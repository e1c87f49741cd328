/* What the preview can do, and which keys do it unless somebody wants others (keymap.h): two
 * tables, from which what the keyboard does, the help in the window, that of the command line and
 * the file of keys follow. A new action needs a row in the first, a new key one in the second. */
#ifndef RN_UI_KEYS_KEYS_H
#define RN_UI_KEYS_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum rn_ui_action {
    RN_ACT_NONE,
    RN_ACT_QUIT,
    RN_ACT_PARAM_NEXT, /* count: 1, or -1 backwards */
    RN_ACT_STEP,       /* change the selected parameter by count steps */
    RN_ACT_RESET,      /* the selected parameter to its default */
    RN_ACT_RESET_ALL,
    RN_ACT_UNDO,         /* the last change, count 1; -1 = redo it */
    RN_ACT_STORE,        /* the chain as snapshot number count, from 1 */
    RN_ACT_SNAPSHOT,     /* go to snapshot number count */
    RN_ACT_FLIP,         /* between the chain and the snapshot used last */
    RN_ACT_COMPARE,      /* the picture with that of the snapshot used last */
    RN_ACT_TAKE,         /* the chain that was tuned on this input before */
    RN_ACT_TOGGLE_STAGE, /* the selected stage on or off */
    RN_ACT_STAGE_NEXT,   /* count: 1, or -1 backwards */
    RN_ACT_STAGE,        /* select stage number count, from 1 */
    RN_ACT_REMOVE,       /* the selected stage */
    RN_ACT_DUPLICATE,
    RN_ACT_MOVE, /* it by count places */
    RN_ACT_SOLO, /* those behind it off, or on again */
    RN_ACT_BYPASS,
    RN_ACT_SPLIT,    /* split view on or off */
    RN_ACT_SPLIT_TO, /* the line to position (0..1 of the width that is seen): mouse */
    RN_ACT_SPLIT_BY, /* the line by count hundredths */
    RN_ACT_BESIDE,   /* side by side on or off */
    RN_ACT_DIFFERENCE,
    RN_ACT_GAIN,     /* of the difference, twice as much, count 1; -1 = half */
    RN_ACT_ORIGINAL, /* the next picture to compare with */
    RN_ACT_SWAP,     /* tune the other chain */
    RN_ACT_THREE,    /* three views of a stack, or one */
    RN_ACT_MASK,     /* the filtered picture as a mask over the source, or not */
    RN_ACT_MASK_BY,  /* its opacity by count steps of 10 % */
    RN_ACT_PAUSE,
    RN_ACT_FRAME, /* step by count frames, pausing */
    RN_ACT_SEEK,  /* by count seconds */
    RN_ACT_HOME,
    RN_ACT_INPUT, /* the next of several inputs, count 1; -1 = the one before */
    RN_ACT_END,
    RN_ACT_GO,         /* type a frame or time to go to */
    RN_ACT_SPEED,      /* by count steps of 10 %; 0: back to normal */
    RN_ACT_MARK,       /* what is marked begins here (count 1), ends here (-1), or is cleared (0) */
    RN_ACT_EXPORT,     /* render what is marked to a file */
    RN_ACT_BAR,        /* the seek bar always, or only at the pointer */
    RN_ACT_ZOOM,       /* to count device pixels for one, 0 fits; done by the window, passed on as
                        * news: position is the scale, count 0 if it fits */
    RN_ACT_FULLSCREEN, /* count: 1 toggles, 0 leaves, the help too; done by the window, passed on */
    RN_ACT_TIMES,      /* timing overlay */
    RN_ACT_BOB,        /* fields one after the other, or woven */
    RN_ACT_READOUT,    /* the samples under the pointer, shown or not */
    RN_ACT_COPY,       /* them to the clipboard */
    RN_ACT_SCREENSHOT,
    RN_ACT_WRITE_CHAIN,
    RN_ACT_LOOP,
    RN_ACT_HELP,
    RN_ACT_VOLUME, /* by count steps of 5 % */
    RN_ACT_MUTE,
    RN_ACT_PANEL,       /* the panel on or off */
    RN_ACT_NEW,         /* type a filter to add */
    RN_ACT_TYPE,        /* type a value for the selected parameter */
    RN_ACT_WINDOW_AUTO, /* the samples' window as it is without the mouse */
    RN_ACT_REDRAW,      /* the window was exposed or resized */
    RN_ACT_POINT,       /* the pointer has moved */
    /* A region begins at the pointer (count 1), has a corner there now (0), or is gone (-1). */
    RN_ACT_REGION,
    RN_ACT_CROSS, /* the cross of the panes to the pointer */
    RN_ACT_SLICE, /* step by count slices of a stack, pausing: wheel */
    /* The window of the samples, by the mouse: it begins to change (count 1), or is so far from
     * where that was (0): position in widths of the output to the right, down in its heights. */
    RN_ACT_WINDOW,

    /* By the mouse on the seek bar; position: 0..1 of its length. */
    RN_ACT_BAR_POINT, /* the pointer is there; < 0: not any more */
    RN_ACT_BAR_SEEK,  /* count 1: the button goes down, 0: it is down */

    /* By the mouse in the panel; count: the row. */
    RN_ACT_PANEL_PICK,
    RN_ACT_PANEL_SWITCH, /* its stage on or off */
    RN_ACT_PANEL_TYPE,
    RN_ACT_PANEL_SLIDE, /* by position, in lengths of the bar, from where it was picked */
    RN_ACT_PANEL_STEP,  /* by position, in steps */

    /* While something is typed. */
    RN_ACT_TYPED,    /* text */
    RN_ACT_ERASE,    /* the last character */
    RN_ACT_CHOOSE,   /* the next suggestion, count 1; -1 = the one before */
    RN_ACT_COMPLETE, /* take what is suggested, and type on */
    RN_ACT_ENTER,
    RN_ACT_CANCEL,

    /* By the program itself. */
    RN_ACT_ADD, /* a stage behind the selected one: text, as in a chain */
    RN_ACT_SET, /* the selected parameter to text */

    RN_ACT_DROP, /* a file was dropped: text, number count of those with it, from 0 */

    RN_ACTIONS
};

/* What an action has a name for: in the file of keys, and for other programs. */
struct rn_ui_action_row {
    const char *name;
    enum rn_ui_action action;
    int count;         /* of the event, if no argument is given */
    int min, max;      /* the range of the argument; min == max: it takes none */
    bool repeats;      /* holding the key down repeats it */
    const char *help;  /* one line; "%d" in it stands for the argument, without its sign */
    const char *many;  /* the line where that is not 1; NULL: the same */
    const char *mouse; /* what else than keys does it; NULL: nothing */
};

/* In the order of the help; ends with a name of NULL. */
extern const struct rn_ui_action_row rn_ui_actions[];

/* By its name; NULL if there is none. */
const struct rn_ui_action_row *rn_ui_action_find(const char *name);

/* Whether it takes this argument. Where the range has both signs 0 is no argument, as the sign is
 * the direction. */
bool rn_ui_action_takes(const struct rn_ui_action_row *row, long long argument);

/* Writes the line of its help for an argument. Returns buf. */
char *rn_ui_action_help(const struct rn_ui_action_row *row, int argument, char *buf, size_t size);

/* Which keys do what, if nobody says otherwise: names of key.h, in the order of the help. Ends with
 * a key of NULL. */
struct rn_ui_default_key {
    const char *key, *action;
    int argument; /* 0: none */
};
extern const struct rn_ui_default_key rn_ui_default_keys[];

/* What a game controller does (gamepad.h), for the help. Ends with keys of NULL. */
struct rn_ui_gamepad_line {
    const char *keys, *help;
};
extern const struct rn_ui_gamepad_line rn_ui_gamepad_lines[];

#endif
