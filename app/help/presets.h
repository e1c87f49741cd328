/* SPDX-License-Identifier: MIT */
/* Chains by name, for `-f @NAME`: files NAME.chain of the user, in presets beside the other
 * settings (config.h), and those that are installed with the program. One of the user hides an
 * installed one of the same name. */
#pragma once

/* Replaces "@NAME" by "@PATH" of the preset, unless a file NAME is there or the name has a slash or
 * a dot. Other texts, and NULL, stay as they are. Returns 0, RN_EUSAGE if there is neither a file
 * nor a preset, or RN_EINTERNAL (logged). */
int rn_app_preset_resolve(const char **chain);

/* Calls visit with each preset, ordered by name. about: the first comment of the file. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_app_presets_visit(void (*visit)(void *arg, const char *name, const char *about), void *arg);

/* Prints the presets to stdout, a line each. Returns likewise. */
int rn_app_presets_print(void);
