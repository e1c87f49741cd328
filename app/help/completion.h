/* SPDX-License-Identifier: MIT */
/* A line that is being typed, and what can stand at its end where it is a stage: filters that fit a
 * word, the parameters of the filter that are not given yet, or the values of a parameter that has
 * choices. All from the registry's tables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
