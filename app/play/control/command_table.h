/* SPDX-License-Identifier: MIT */
/* The commands of the preview. Each is one row and one function; it then has its keys (and `play
 * --keys`, the help, the file of keys), its name for scripts (--ipc) and for the field of `:`,
 * which completes it.
 * The rows are at the foot of chain_commands.c, view_commands.c, time_commands.c,
 * program_commands.c and script_commands.c; the properties of scripts are in property.c. All
 * functions belong to the player's thread. */
#pragma once

#include <stdint.h>

#include "app/play/remote/remote.h"
#include "filters/core/chain/chain.h"
#include "ui/keys/keymap.h"

struct rn_app_offer;
struct rn_ui_event;

#define RN_WATCH_MOST 64 /* properties observed by a client */

/* What a client observes. Zeroed before the first use. */
struct rn_play_watch {
    struct {
        json_t *id;
        char *name;
        json_t *sent; /* the latest value that the client has; NULL: none yet */
    } seen[RN_WATCH_MOST];
    int n;
};

void rn_play_watch_clear(struct rn_play_watch *watch);

struct rn_play_answer {
    bool done;     /* if not: why */
    bool shows;    /* the answer is sent when the picture is shown */
    int64_t frame; /* that must be shown; -1: any */
    char why[RN_PLAY_WHY];
    json_t *data; /* owned; NULL: none */
};

/* An argument, with the type of its row in rn_ui_command.args. */
struct rn_play_value {
    const json_t *json; /* NULL: no script gives it */
    const char *text;   /* of texts, choices and stages; else NULL */
    double number;      /* of whole numbers and times */
    bool frames;        /* the unit of a time; else seconds */
};

/* A command that is called. Its function returns 0, or an error that ends the player (logged). */
struct rn_play_call {
    struct rn_play *p;
    const struct rn_play_command *command;
    int count; /* the first argument if keys can give it, or its default; or the count of the row */
    struct rn_play_value arg[RN_UI_ARGS];
    struct rn_play_watch *watch; /* of the script; NULL: it is a key */
    struct rn_play_answer *answer;
    char number[RN_UI_ARGS][24]; /* text of stages that are named by their numbers */
};

struct rn_play_command {
    struct rn_ui_command ui; /* first: pointers to it are pointers to this */
    /* One of the five does it; count: as in rn_play_call. What is never refused needs no call; an
     * attempt returns as run does. */
    int (*run)(struct rn_play_call *call);
    int (*attempt)(struct rn_play *p);
    int (*attempt_by)(struct rn_play *p, int count);
    void (*act)(struct rn_play *p);
    void (*act_by)(struct rn_play *p, int count);
    int what;         /* for run: which of the things that it can do */
    const char *also; /* another name, for scripts; NULL: none */
    int least;        /* arguments that a script must give */
};

/* All commands, in the order of the help; NULL ends them. */
const struct rn_ui_command *const *rn_play_commands(void);

/* Execute a command: of a key, whose refusal is said on the screen; of a script, which gets the
 * answer (done and frame -1 before). Return 0, or an error that ends the player (logged). */
int rn_play_run_command(struct rn_play *p, const struct rn_ui_command *command, int count);
int rn_play_run_request(struct rn_play *p, const struct rn_play_request *request,
                        struct rn_play_watch *watch, struct rn_play_answer *answer);

/* Executes a typed line: the name of a command and its arguments, separated by blanks; the last
 * argument is the rest of the line. Says the answer, or the reason of a refusal (*done: false), on
 * the screen. Returns as above. */
int rn_play_command_line(struct rn_play *p, const char *line, bool *done);

/* Finds completion n of the end of such a line, the best first: commands, or values of an argument.
 * Returns false if there are fewer. */
bool rn_play_command_offer(const char *line, int n, struct rn_app_offer *offer);

/* Completes the end of a line, an array of size bytes, by completion n. */
void rn_play_command_complete(char *line, size_t size, int n);

/* Whether a request must wait until the results of those before it are on the screen. */
bool rn_play_command_needs_picture(const struct rn_play_request *request);

/* All commands for scripts: an array of objects. NULL: out of memory. */
json_t *rn_play_command_list(void);

/* Handles an event of the window. Returns 0, or an error that ends the player (logged). */
int rn_play_handle_event(struct rn_play *p, const struct rn_ui_event *event);

/* ---- for the functions of commands */

/* The rows, in the order of the help; a row without a name ends each table. */
extern const struct rn_play_command rn_play_chain_commands[], rn_play_view_commands[],
    rn_play_time_commands[], rn_play_value_commands[], rn_play_program_commands[],
    rn_play_script_commands[];

/* Refuses a call, with the reason. Returns 0. */
int rn_play_refuse(struct rn_play_call *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Refuses a call with the message on the screen as the reason. Returns 0. */
int rn_play_refuse_as_said(struct rn_play_call *call);

/* Goes to other settings by one change; refuses the call if they are refused. */
int rn_play_call_adopt(struct rn_play_call *call, const struct rn_chain *target);

/* ---- properties */

/* The value of a property or parameter, STAGE.PARAM. NULL: no such name, with the reason in why. */
json_t *rn_play_property_get(struct rn_play *p, const char *name, char why[RN_PLAY_WHY]);

/* Sets one for a call, or refuses the call. */
int rn_play_property_set(struct rn_play_call *call, const char *name, const json_t *value);

/* Name and help of property i; NULL: there are fewer. */
const char *rn_play_property_name(int i, const char **help);

/* Names, help, types and ranges: an array of objects. NULL: out of memory. */
json_t *rn_play_property_list(void);

/* What `stats` measures of the picture on the screen, plane by plane, with frame, time, fps and
 * dropped. null: there is no picture now. NULL: out of memory. */
json_t *rn_play_property_stats(struct rn_play *p);

/* ---- named_parameter.c: parameters of the chain by name, for scripts: STAGE.PARAM. STAGE is the
 * label of a stage, its name, or its place from 1 on. Every stage has the parameter `on`, too. */

/* Returns the stage that a text names, from 0, or -1 with the reason in why. */
int rn_play_parameter_stage(const struct rn_chain *chain, const char *text, char why[RN_PLAY_WHY]);

/* Finds a parameter by name. row: of the stage's table, or of the parameters that every stage has.
 * Returns whether it exists. */
bool rn_play_parameter_find(const struct rn_chain *chain, const char *name, int *stage,
                            const struct rn_param **row, char why[RN_PLAY_WHY]);

/* Sets it in a draft that nothing uses yet. Returns whether the value is legal there. */
bool rn_play_parameter_set(struct rn_chain *draft, int stage, const struct rn_param *row,
                           const json_t *value, char why[RN_PLAY_WHY]);

/* Lists all parameters: an array of objects with name, stage (from 1), filter, type (int, float,
 * choice, text, bool), unit, help, fixed, default, value and range (for people). Numbers also have
 * min, max and step, choices their choices. analysis: of the chain. NULL: out of memory. */
json_t *rn_play_parameter_list(const struct rn_chain *chain, const struct rn_analysis *analysis);

/* Writes why a name is unknown, with the nearest of names (NULL ends them):
 * what 'name' (did you mean 'near'?)rest */
void rn_play_unknown(char why[RN_PLAY_WHY], const char *what, const char *name,
                     const char *const *names, const char *rest);
