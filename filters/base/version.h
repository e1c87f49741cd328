/* SPDX-License-Identifier: MIT */
/* The version of the library and of the program. */
#pragma once

#include "filters/base/api.h"

RN_API_BEGIN

#define RN_VERSION        "0.1.0"
#define RN_VERSION_NUMBER 100 /* 10000 * major + 100 * minor + patch */

/* Those of the library that runs, which may be newer than the headers. */
const char *rn_version(void);
int rn_version_number(void);

RN_API_END
