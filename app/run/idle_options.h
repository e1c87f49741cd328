/* SPDX-License-Identifier: MIT */
/* Options that have nothing to do in a run: those of the command line are named in a line each,
 * those of the user's settings, which are for all runs, are left out without a word. What an input
 * has nothing for is refused where it is opened (enum rn_io_limited). */
#pragma once

#include "io/write/sink.h"

struct rn_app_session;

/* Sets *write, of the command line, to what of it the output takes: what the settings ask for is
 * left out where rn_write_check_options refuses it, and of codecs where --for chooses them. The
 * input is open, and its chain checked. Returns 0 or an error (logged). */
int rn_app_idle_write(const struct rn_app_session *session, struct rn_write_opts *write);

/* Names the options of the command line that have nothing to do. Likewise. */
void rn_app_idle_tell(const struct rn_app_session *session);
