/* SPDX-License-Identifier: MIT */
/* Confines a run before it reads its first byte: what a hostile file makes of a decoder's mistake
 * then reaches neither the user's files nor other programs (io/process/confine.h). */
#pragma once

#include "app/cli.h"
#include "filters/core/chain/chain.h"

/* Whether the name of a file says that its reader opens others of its folder. */
bool rn_app_has_siblings(const char *path);

/* Leaves this process:
 *   to read      the files that cli, output and chain name, libraries, drivers and what they read
 *   to write     the folders of the outputs, of compiled kernels and of temporary files
 *   to execute   the linker that PoCL starts, and this program, whose workers read scans
 *   to connect   if an input is an address
 * Threads that read input (rn_io_domain_call, rn_io_domain_narrow) keep of this: the input and
 * libraries to read, this program to execute.
 *
 * Call it when the environment is prepared, and before other threads run. output: NULL = none.
 * chain: NULL = none. Does nothing with --unconfined, if the kernel has no Landlock, or under the
 * sanitizers, which read files when the process ends. Returns 0,
 * RN_EINTERNAL or what rn_app_files_visit returns (logged). */
int rn_app_confine(const struct rn_app_cli *cli, const char *output, const struct rn_chain *chain);
