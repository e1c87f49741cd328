/* What the measures of filters/linear/measures.h share. */
#ifndef RN_FILTERS_LINEAR_MEASURING_H
#define RN_FILTERS_LINEAR_MEASURING_H

#include "filters/linear/linear.h"
#include "filters/linear/measures.h"
#include "filters/linear/peers.h"

struct rn_gauge {
    struct rn_device *dev;
    struct rn_linear *linear;
    const struct rn_measure_opts *opts;
    struct rn_peers peers;
    rn_figure_fn *each;
    void *arg;
};

/* One run of what is measured, and the waiting for it. Returns 0 or an error (logged); RN_END:
 * it cannot do this, and is left out. */
typedef int rn_run_fn(struct rn_gauge *m, void *job);

/* Who takes turns: ours, those peers that are not NULL, and what is the floor of ours, if anything
 * is. */
struct rn_turns {
    rn_run_fn *ours, *peer[RN_MEASURE_PEERS], *floor;
};

/* Times all of them in turns: one run each that does not count, then opts->repeats; who takes
 * longer than 4 s runs once. Sets ours and peer of *result, and *floor, the median of its
 * seconds, which may be NULL. Returns 0 or an error. */
int rn_measure_in_turns(struct rn_gauge *m, const struct rn_turns *turns, void *job,
                        struct rn_figure *result, double *floor);

/* Numbers from -0.5 to 0.5, always the same for a seed. Returns NULL (logged) if memory is out. */
float *rn_measure_numbers(size_t n, uint32_t seed);

/* A buffer with n floats; data: may be NULL. *mem: for rn_buffer_release. */
int rn_measure_buffer(struct rn_gauge *m, const float *data, size_t n, cl_mem *mem);

/* Reads n floats from `first` on, after all that was enqueued. */
int rn_measure_read(struct rn_gauge *m, cl_mem mem, size_t first, size_t n, float *data);

/* Measure and report. */
int rn_measure_vectors(struct rn_gauge *m);
int rn_measure_matrices(struct rn_gauge *m);
int rn_measure_pictures(struct rn_gauge *m);

#endif
