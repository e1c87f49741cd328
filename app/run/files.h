/* SPDX-License-Identifier: MIT */
/* Checks the files of a run before it touches any: a typing mistake must not destroy a file.
 *
 * A run may not write a file that it also reads or writes elsewhere, whichever names are used:
 * another spelling, a link, a pattern. Pipes and devices may be named more than once. Files that
 * only a chain file (-f @FILE) or a replay names are written with --allow-writes alone: -y covers
 * the names on the command line. */
#pragma once

#include "app/cli.h"
#include "filters/core/chain/chain.h"

/* Refuses overlaps, writes that need --allow-writes, --on-change split without a media file, two
 * kinds of data on stdout, and reports that cannot be written. Call it before any file is opened.
 * cli: of a command that streams. output: NULL = no file. chain: complete, with appended stages.
 * May ask on the terminal whether to overwrite. Returns 0, RN_EUSAGE, RN_EOUTPUT or RN_EINTERNAL
 * (logged in one line). */
int rn_app_files_check(const struct rn_app_cli *cli, const char *output,
                       const struct rn_chain *chain);

/* Refuses overlaps with an output that the run opens later. cli, chain: as above. Returns 0,
 * RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_app_files_check_output(const struct rn_app_cli *cli, const char *output,
                              const struct rn_chain *chain);

/* Refuses reports and tables that are files of the open source, such as segments of a playlist.
 * Returns 0 or RN_EUSAGE (logged). */
int rn_app_files_check_source(const struct rn_app_cli *cli, const struct rn_chain *chain,
                              const struct rn_read_source *source);

struct rn_app_file {
    const char *path; /* lives as long as the process */
    enum rn_app_file_use { RN_APP_FILE_INPUT, RN_APP_FILE_READ, RN_APP_FILE_WRITTEN } use;
};

/* Lists the names that the command line and the chain give: inputs (files, folders, patterns,
 * addresses), what is read before or beside them, and what is written. output: NULL = none. chain:
 * NULL = that of the command line, none of a replay. *files: the caller frees it in any case.
 * Returns how many there are, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_app_files_list(const struct rn_app_cli *cli, const char *output,
                      const struct rn_chain *chain, struct rn_app_file **files);

/* Whether the input can be opened again with the same content: files, folders, addresses and
 * generated input; not stdin, pipes and devices. */
bool rn_app_files_repeatable(const char *input);

/* The name of such an input in any working directory: absolute and without links for files,
 * folders, patterns and globs; else the text itself. The caller frees it. NULL when out of
 * memory. */
char *rn_app_files_canonical(const char *input);

/* True if the run prints data on stdout: pictures, checksums, reports or tables of the chain. */
bool rn_app_files_use_stdout(const struct rn_app_cli *cli, const char *output,
                             const struct rn_chain *chain);

/* ---- confine.c: confines a run before it reads its first byte: what a hostile file makes of a
 * decoder's mistake then reaches neither the user's files nor other programs
 * (io/process/confine.h). */

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
 * RN_EINTERNAL or what rn_app_files_list returns (logged). */
int rn_app_confine(const struct rn_app_cli *cli, const char *output, const struct rn_chain *chain);
