/* SPDX-License-Identifier: MIT */
/* What lists of commands offer: the help, and menus for what the mouse points at. Every entry is a
 * command of the table (ui/keys/command.h), with its key. */
#pragma once

#include "ui/window.h"

struct rn_app_offer;

/* Finds entry n, from 0, of a menu, or of the lines of the help: of those that contain a word; with
 * the titles of their groups. Returns false if there are fewer. */
bool rn_play_menu_offer(const struct rn_ui_keymap *keys, enum rn_ui_menu menu, const char *word,
                        int n, struct rn_app_offer *offer);
bool rn_play_help_offer(const struct rn_ui_key_line *lines, int nlines, const char *word, int n,
                        struct rn_app_offer *offer);
