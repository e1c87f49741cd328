/* What papers and other public sources say of the same measures on their machines. They stand
 * beside our own for the order of magnitude: other devices, other years. */
#ifndef RN_FILTERS_LINEAR_PUBLISHED_H
#define RN_FILTERS_LINEAR_PUBLISHED_H

#include "filters/linear/measures.h"

struct rn_published {
    const char *name, *size; /* of the measure: size NULL = of any */
    const char *figure;      /* with its unit and the device */
    const char *source;
};

/* The next one of a measure after `last`, which is NULL for the first. NULL: no more. */
const struct rn_published *rn_published_next(const struct rn_figure *measure,
                                             const struct rn_published *last);

#endif
