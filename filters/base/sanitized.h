/* SPDX-License-Identifier: MIT */
/* RN_SANITIZED: 1 where the address or the thread sanitizer is built in. Their shadow is memory,
 * they read files, and crashes are theirs to report. */
#pragma once

#ifndef __has_feature /* gcc defines macros instead */
#define __has_feature(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RN_SANITIZED 1
#else
#define RN_SANITIZED 0
#endif
