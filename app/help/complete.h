/* SPDX-License-Identifier: MIT */
/* What a shell can put in the place of a word that is being typed: `runnel complete -- WORDS`, for
 * the files in app/packaging/completion. */
#pragma once

#include "app/cli.h"

/* Prints to stdout what the last word can be, a line each: the whole word, a tab, what it means. A
 * line "//files BEGINNING" stands for names of files, behind that beginning of the word. "//open"
 * comes first where more may follow in the same word, behind a : or a comma. commands: NULL at the
 * end. words: those behind `runnel`, n of them; the last one may be empty. Returns 0. */
int rn_app_complete(const struct rn_app_command *const *commands, int n, char *const *words);
