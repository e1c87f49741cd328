/* SPDX-License-Identifier: MIT */
/* Words of ffmpeg, mpv, ImageMagick and other programs, and what is meant here. */
#pragma once

#include "app/cli.h"

/* What does here what an option does elsewhere; NULL: unknown, or an option. command: that was
 * given. word: with one or two dashes, and what follows behind a sign. The result, which may be in
 * text, is an option, which begins with a dash, or a sentence. */
const char *rn_app_habit(const struct rn_app_command *command, const char *word, char *text,
                         size_t size);

/* The command that is meant by a word that is none, in quotes; NULL: unknown. */
const char *rn_app_habit_command(const char *word);
