/* SPDX-License-Identifier: MIT */
/* The loss report: parts of the input that a finished run did not write, such as transparency where
 * a container has no place for it. The finder of a loss adds a line; the program shows the lines
 * after the run, writes them to --metrics, and counts them with --strict. Parts that an option of
 * the user drops are no loss.
 *
 * Any thread may add lines at any time; the lines are read after all adding threads have ended. */
#pragma once

#define RN_MAX_LOSSES 64

struct rn_loss {
    char kind[24];  /* one word, the same in every version: alpha, rotation, tags, ... */
    char text[256]; /* for people: what was lost, where, and what would keep it */
};

struct rn_losses;

/* Makes an empty list. Returns NULL when out of memory. */
struct rn_losses *rn_losses_create(void);

/* Destroys it and sets *losses to NULL. NULL is legal. */
void rn_losses_destroy(struct rn_losses **losses);

/* Adds a line. A known line is not repeated, and lines beyond RN_MAX_LOSSES are only counted.
 * losses NULL: does nothing. fmt: a printf format; text that is too long is cut. */
void rn_losses_add(struct rn_losses *losses, const char *kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The number of lines that can be read, and their number without a limit. NULL has none. */
int rn_losses_count(const struct rn_losses *losses);
int rn_losses_total(const struct rn_losses *losses);

/* Line i, 0..rn_losses_count() - 1, in the order in which they came; valid until the next one. */
const struct rn_loss *rn_losses_get(const struct rn_losses *losses, int i);
