/* SPDX-License-Identifier: MIT */
/* Messages that the window shows for a moment, and what is being built. */
#pragma once

#include "ui/keys/key.h"

struct rn_play;
struct rn_play_message;

/* Show for four seconds: a message, with numbers as rn_number_print has them; a logged error as the
 * reason for a refusal (its beginning if it is long); the selected parameter. */
void rn_play_say(struct rn_play *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rn_play_say_refused(struct rn_play *p, const char *error);
void rn_play_say_parameter(struct rn_play *p);

/* Writes the key for a command with its usual argument, as messages name it. Returns buf. */
char *rn_play_key(const struct rn_play *p, const char *name, char buf[RN_KEY_NAME]);

/* Shows the current message for some seconds more. */
void rn_play_extend_message(struct rn_play *p, double seconds);

/* Shows a text for as long as something is built; "": nothing is. */
void rn_play_say_building(struct rn_play *p, const char *text);

/* The latest message, shown or not. */
const char *rn_play_latest_message(const struct rn_play *p);

/* Writes what is shown, a line each: renders, the message, what is built. */
void rn_play_write_messages(struct rn_play *p, const char *renders, char *buf, size_t size);

/* Hints for whoever is new come one after another below the messages, each until it was done once
 * or some seconds are over. How many are over is kept in the folder of the state: none comes again.
 * Tells that a command is done. */
void rn_play_hint_done(struct rn_play *p, const char *command);

/* Redraws the window when the time of the message, or of a hint, is over. */
void rn_play_poll_message(struct rn_play *p);
