/* SPDX-License-Identifier: MIT */
/* Options of ffmpeg, mpv and ImageMagick, and what is meant here. */
#pragma once

/* What does here what a word of the command line does elsewhere; NULL: unknown, or an option. */
const char *rn_app_habit(const char *word);
