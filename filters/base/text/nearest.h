/* SPDX-License-Identifier: MIT */
/* Names that nobody knows: which was meant, and how messages show them. */
#pragma once

/* The entry of names (NULL at the end) with the smallest edit distance to word, ignoring case; NULL
 * if every distance is more than half the word. */
const char *rn_nearest(const char *word, const char *const *names);

#define RN_BRIEF        40                 /* characters of a name that a message shows */
#define RN_BRIEF_TEXT   (4 * RN_BRIEF + 4) /* bytes of the buffers for them */
#define RN_UNKNOWN_TEXT (RN_BRIEF_TEXT + 64 + 24)

/* Copies a text of the user, with ... in place of what is beyond RN_BRIEF characters. */
char *rn_brief(const char *text, char buf[RN_BRIEF_TEXT]);

/* Writes 'name', cut likewise, and (did you mean 'near'?) unless near is NULL. Both return buf. */
char *rn_unknown_name(const char *name, const char *near, char buf[RN_UNKNOWN_TEXT]);
