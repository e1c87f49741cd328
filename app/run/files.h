/* The files of a run: which it reads, which it writes, and who named them.
 *
 * A slip of the fingers must cost no file. So before a run touches any, it is refused if a file
 * that it would write is one that it reads or writes besides, whatever the two are called: by
 * another spelling, a link, a pattern. What is no regular file (a pipe, /dev/null) may be named
 * more than once. And what only a chain file (-f @FILE) or a replay names is written with
 * --allow-writes alone: -y is a word about the names on the command line. */
#ifndef RN_APP_RUN_FILES_H
#define RN_APP_RUN_FILES_H

#include "app/cli.h"
#include "filters/core/chain/chain.h"

/* Refuses overlaps, files that nobody allowed to write, --on-change split where there are not
 * several media files to write, two kinds of data on stdout, and reports
 * that cannot be written. Call when the chain is complete and before any file is opened.
 * cli: of a command that streams. output: where the pictures go; NULL: to no file.
 * chain: all stages, also those that the command appended.
 * May ask on the terminal whether to overwrite. Logs a refusal in one line. Returns 0, RN_EUSAGE,
 * RN_EOUTPUT or RN_EINTERNAL. */
int rn_app_files_check(const struct rn_app_cli *cli, const char *output,
                       const struct rn_chain *chain);

/* Refuses overlaps with an output whose name was not known then. cli, chain: as above. Returns 0,
 * RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_app_files_check_output(const struct rn_app_cli *cli, const char *output,
                              const struct rn_chain *chain);

/* Refuses reports and tables that belong to the source, which knows more of its files than its name
 * tells. Returns 0 or RN_EUSAGE (logged). */
int rn_app_files_check_source(const struct rn_app_cli *cli, const struct rn_chain *chain,
                              const struct rn_read_source *source);

/* Whether an input that is given by this name again is the same: a file, a folder, or what is made,
 * fetched or listed anew; not stdin, pipes and devices. */
bool rn_app_files_repeatable(const char *input);

/* The name of such an input wherever the program is started: the full one, without links, of what
 * has a name in a folder (patterns and globs too); else the text as it is. The caller frees it.
 * NULL when out of memory. */
char *rn_app_files_canonical(const char *input);

/* True if the run prints data on stdout: pictures or checksums to output (NULL: none), or a table
 * of the chain. */
bool rn_app_files_use_stdout(const struct rn_app_cli *cli, const char *output,
                             const struct rn_chain *chain);

#endif
