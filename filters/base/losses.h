/* The loss report: what of the input did not reach the output though the run came to its end, such
 * as transparency that a container has no place for. Whoever finds a loss adds a line; the program
 * shows them after the run, writes them to --metrics, and counts them with --strict. What is lost
 * against the user's own wish (an option that asks for it) is no loss.
 *
 * Any thread may add at any time; nobody reads before those that add have ended. */
#ifndef RN_FILTERS_BASE_LOSSES_H
#define RN_FILTERS_BASE_LOSSES_H

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

/* Adds a line; one that is there already is not repeated, and behind RN_MAX_LOSSES lines they are
 * only counted. losses NULL: nobody wants to know. fmt: a printf format; text that is too long is
 * cut. */
void rn_losses_add(struct rn_losses *losses, const char *kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* How many lines can be read, and how many there would be without a limit. NULL has none. */
int rn_losses_count(const struct rn_losses *losses);
int rn_losses_total(const struct rn_losses *losses);

/* Line i, 0..rn_losses_count() - 1, in the order in which they came; valid until the next one. */
const struct rn_loss *rn_losses_get(const struct rn_losses *losses, int i);

#endif
