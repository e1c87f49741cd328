/* SPDX-License-Identifier: MIT */
/* Models in formats of other programs: the engine, which does without libraries, is given what
 * makes its own format of them. */
#pragma once

#include "filters/base/output/textfile.h"

/* Takes the *size bytes of a file that a row of RN_FILE_MODEL names, and puts others, from malloc,
 * in their place if it knows the format; *contents, from malloc, too, is freed. Any thread. Returns
 * 0; RN_EUSAGE, with why; or another error (logged). */
typedef int rn_param_import(char **contents, size_t *size, char why[RN_TEXT_WHY]);

/* Call it before any chain is read. NULL, as at first: none. */
void rn_param_set_import(rn_param_import *import);
