/* A revision: a snapshot of a whole chain's settings and what follows from them for one runner. It
 * never changes once made. Each submitted frame refers to the revision in force at that moment, so
 * a later update never affects it. Reference-counted; the count is changed in the device thread
 * only. */
#ifndef RN_FILTERS_CORE_CHAIN_REVISION_H
#define RN_FILTERS_CORE_CHAIN_REVISION_H

#include "filters/core/runner/placement.h"

struct rn_revision {
    struct rn_analysis analysis; /* refers to copies of the parameters */
    struct rn_placement placement;
    void *params; /* all the copies, one after the other */
    int users;
};

/* Makes a revision of the chain's current settings, for an input of geometry `in`, with one user.
 * Returns 0, RN_EUSAGE or RN_EINTERNAL (logged); *revision is NULL after an error. */
int rn_revision_make(struct rn_revision **revision, const struct rn_chain *chain,
                     const struct rn_geom *in);

/* Sets *user to revision, and releases what it referred to before; either may be NULL. */
void rn_revision_use(struct rn_revision **user, struct rn_revision *revision);

/* Whether a runner that was opened with `first` can compute frames with `next`; for others a runner
 * has to be opened with them. Fits: 0, or RN_EUSAGE (logged with the reason). */
bool rn_revision_is_taken(const struct rn_revision *first, const struct rn_revision *next);
int rn_revision_fits(const struct rn_revision *first, const struct rn_revision *next);

#endif
