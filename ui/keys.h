/* Keys and what they do: one table, from which the events, the help overlay and --help follow. */
#ifndef RN_KEYS_H
#define RN_KEYS_H

enum rn_action {
    RN_ACT_NONE,
    RN_ACT_QUIT,
    RN_ACT_PARAM_NEXT, /* count: 1, or -1 backwards */
    RN_ACT_STEP,       /* change the selected parameter by count steps */
    RN_ACT_RESET,      /* the selected parameter to its default */
    RN_ACT_RESET_ALL,
    RN_ACT_TOGGLE_STAGE, /* the selected parameter's stage on or off */
    RN_ACT_BYPASS,
    RN_ACT_SPLIT,    /* split view on or off */
    RN_ACT_SPLIT_TO, /* the line to position (0..1 of the picture's width): mouse */
    RN_ACT_SPLIT_BY, /* the line by count hundredths */
    RN_ACT_PAUSE,
    RN_ACT_FRAME, /* step by count frames, pausing */
    RN_ACT_SEEK,  /* by count seconds */
    RN_ACT_HOME,
    RN_ACT_FULLSCREEN, /* handled by the window; passed on for the record */
    RN_ACT_TIMES,      /* timing overlay */
    RN_ACT_SCREENSHOT,
    RN_ACT_WRITE_CHAIN,
    RN_ACT_LOOP,
    RN_ACT_HELP,
    RN_ACT_VOLUME, /* by count steps of 5 % */
    RN_ACT_MUTE,
    RN_ACT_REDRAW, /* the window was exposed or resized */
};

struct rn_key {
    const char *keys; /* as people write them: "Tab / Shift+Tab" */
    const char *help; /* what it does, one line */
};

/* For help, in the order of the table; ends with keys NULL. */
extern const struct rn_key rn_key_help[];

#endif
