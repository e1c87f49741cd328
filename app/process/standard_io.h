/* SPDX-License-Identifier: MIT */
/* Sets up standard input, output and error for every program and command. */
#pragma once

/* Opens the descriptors 0, 1 and 2 where they are closed, so that no later file takes their place.
 * Ignores SIGPIPE and SIGXFSZ: such writes fail with an error that can be reported. Ends the
 * process on failure. Call first, before threads run. */
void rn_app_standard_io_open(void);

/* Flushes stdout. Returns 0, or RN_EOUTPUT if any output was lost, now or earlier (logged, unless
 * the reader has closed the pipe). */
int rn_app_standard_io_flush(void);

/* Flushes at the end of a command. err: its result. Returns err, or if it is 0 the result of
 * rn_app_standard_io_flush. */
int rn_app_standard_io_close(int err);
