/* SPDX-License-Identifier: MIT */
/* Export markers for the installed headers: declarations between RN_API_BEGIN and RN_API_END can be
 * called from outside the shared library, and from C++. */
#pragma once

#ifdef __cplusplus
#define RN_API_BEGIN                                                                               \
    _Pragma("GCC visibility push(default)") extern "C"                                             \
    {
#define RN_API_END                                                                                 \
    }                                                                                              \
    _Pragma("GCC visibility pop")
#else
#define RN_API_BEGIN _Pragma("GCC visibility push(default)")
#define RN_API_END   _Pragma("GCC visibility pop")
#endif

/* The first member of the structs that callers fill: struct rn_geom geom =
 * {RN_SIZED(struct rn_geom), .w = 640, .h = 480}; all that it does not name is then 0. In C++:
 * rn_geom geom{}; geom.size = sizeof geom; */
#define RN_SIZED(type) .size = sizeof(type)
