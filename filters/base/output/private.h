/* SPDX-License-Identifier: MIT */
/* Folders and files that nobody but this user and root can change: what is executed, loaded or
 * written through lies in such folders only (compiled kernels, settings, keys, sockets).
 *
 * A path is walked name by name, each opened in the folder before it, and what is open is judged:
 * nothing can be put in its place in between. Every folder, and every link on the way, belongs to
 * this user or root (or to the owner of "/": where a container maps no root, that is how root
 * shows), and no other may write to the folder. A group that is the owner's alone is no other. A
 * sticky folder for all (/tmp) is passed through, as nobody can take away what he does not own
 * there. So the path, too, goes on leading there: it may be given to libraries that know no
 * descriptors.
 *
 * Any thread. Nothing is logged; after an error errno is EPERM for what cannot be trusted, or the
 * system's; why: the name at which the way ended, and the reason: "'/home' is another user's". */
#pragma once

#define RN_PRIVATE_WHY 320 /* bytes of the buffer for a reason */

enum rn_private {
    RN_PRIVATE_EXISTING = 0,
    RN_PRIVATE_CREATE = 1, /* what is missing is made, for this user alone, whatever the umask */
    RN_PRIVATE_SHARED = 2, /* the last folder may be a sticky one for all: its files are not ours */
};

/* Opens a folder. flags: of enum rn_private. Returns a descriptor of the caller's, or -1. */
int rn_private_folder(const char *path, int flags, char why[RN_PRIVATE_WHY]);

/* Opens a regular file to read it; trusted links may lead to it. The same for its owner and mode as
 * for folders. Returns a descriptor of the caller's, or -1. */
int rn_private_file(const char *path, char why[RN_PRIVATE_WHY]);

/* The same for a file in a folder that is open; a link there is refused. */
int rn_private_file_in(int folder, const char *name, char why[RN_PRIVATE_WHY]);
