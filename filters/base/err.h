/* SPDX-License-Identifier: MIT */
/* Result codes. Every function that can fail returns 0 or one of these; callers pass a code up
 * unchanged, and `runnel` exits with its negation. The function that detects an error logs it,
 * once, with rn_fail(); its callers do not log it again. */
#pragma once

enum rn_err {
    RN_END = 1,     /* no error: end of the stream, or the queue was closed */
    RN_UNBUILT = 2, /* no error: kernels are missing, and are not to be built here */
    RN_OK = 0,
    RN_EINTERNAL = -1, /* a bug in runnel, or out of memory */
    RN_EUSAGE = -2,    /* command line or chain */
    RN_EINPUT = -3,    /* input unusable */
    RN_EOUTPUT = -4,   /* output failed */
    RN_EDEVICE = -5,   /* device or kernel failed */
    RN_EDAMAGED = -6,  /* finished, but frames of the input were damaged or missing */
};
