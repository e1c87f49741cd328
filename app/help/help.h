/* SPDX-License-Identifier: MIT */
/* What the program tells of itself. */
#pragma once

#include "app/run/json.h"
#include "filters/core/chain/stage.h"

/* ---- completion.c: a line that is being typed, and what can stand at its end where it is a stage:
 * filters that fit a word, the parameters of the filter that are not given yet, or the values of a
 * parameter that has choices. All from the registry's tables. */

/* Zeroed: empty. */
struct rn_app_typed {
    char text[512]; /* UTF-8 */
    bool fresh;     /* the next input replaces the text */
};

/* Begins with a text, which the next input replaces. */
void rn_app_typed_begin(struct rn_app_typed *typed, const char *text);

/* Appends input if it fits; removes the last character. */
void rn_app_typed_add(struct rn_app_typed *typed, const char *text);
void rn_app_typed_erase(struct rn_app_typed *typed);

struct rn_ui_command;

struct rn_app_offer {
    const char *name; /* of the filter, parameter or value */
    char note[256];   /* about it; "": nothing */
    bool is_whole;    /* it can be entered as it stands */
    bool head;        /* a title, which cannot be chosen */

    /* Of a command. */
    char keys[96];
    const struct rn_ui_command *command;
    int count; /* its argument */
};

/* Whether a text contains a word, in either case. text: NULL: no. */
bool rn_app_holds(const char *text, const char *word);

/* Offer number n, from 0, the best first, for the end of text. A parameter without choices offers
 * itself, with its range as the note. Returns false if there are fewer offers. */
bool rn_app_completion_offer(const char *text, int n, struct rn_app_offer *offer);

/* Writes offer number n to the end of text, an array of size bytes, and the sign that follows it, =
 * or :. Does not change a text that has no space for it, or nothing to complete. */
void rn_app_completion_take(char *text, size_t size, int n);

/* ---- complete.c: `runnel complete -- WORDS`, for the files in app/packaging/completion */

struct rn_app_command;

/* Prints to stdout what the last word can be, a line each: the whole word, a tab, what it means. A
 * line "//files BEGINNING" stands for names of files, behind that beginning of the word. "//open"
 * comes first where more may follow in the same word, behind a : or a comma. commands: NULL at the
 * end. words: those behind `runnel`, n of them; the last one may be empty. Returns 0. */
int rn_app_complete(const struct rn_app_command *const *commands, int n, char *const *words);

/* ---- describe.c: tells of filters and their parameters in JSON, for scripts, documents and
 * completion. Values are NULL when out of memory. */

/* Whether it is the row `enable`, which is true or false. */
bool rn_app_describe_is_switch(const struct rn_param *row);

/* The value in a stage: a number, true or false, else a text as in a chain (also a number with a
 * unit). */
json_t *rn_app_describe_value(const struct rn_stage *stage, const struct rn_param *row);

/* Adds type (int, float, choice, text, bool), unit, help, fixed and default; of numbers min, max
 * and step, of choices their choices. */
void rn_app_describe_row(json_t **o, const struct rn_stage *stage, const struct rn_param *row);

/* Prints all filters, or the one with this name, to stdout: {"schema": 1, "filters": [{name, help,
 * about, aliases, parameters: [{name, ...}]}]}. Returns 0 or an error (logged). */
int rn_app_describe_filters(const struct rn_stage_desc *only);

/* ---- presets.c: chains by name, for `-f @NAME`: files NAME.chain of the user, in presets beside
 * the other settings (config.h), and those that are installed with the program. One of the user
 * hides an installed one of the same name. */

/* Replaces "@NAME" by "@PATH" of the preset, unless a file NAME is there or the name has a slash or
 * a dot. Other texts, and NULL, stay as they are. Returns 0, RN_EUSAGE if there is neither a file
 * nor a preset, or RN_EINTERNAL (logged). */
int rn_app_preset_resolve(const char **chain);

#define RN_PRESETS_MOST 256
#define RN_PRESET_ABOUT 160 /* bytes */

struct rn_app_preset {
    const char *name, *path; /* live as long as the process */
};

/* Lists the presets, ordered by name. Returns how many there are, or RN_EINTERNAL (logged). */
int rn_app_presets_list(struct rn_app_preset list[RN_PRESETS_MOST]);

/* The first comment of a preset's file, in buf; "": there is none. */
const char *rn_app_preset_about(const struct rn_app_preset *preset, char buf[RN_PRESET_ABOUT]);

/* Prints the presets to stdout, a line each. Returns likewise. */
int rn_app_presets_print(void);
