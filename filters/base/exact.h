/* Compiler options that would change results. The C references define the samples of every device,
 * bit for bit, so the compiler must not relax their arithmetic. The Makefile puts the necessary
 * flags last; this header rejects a build that overrides them. Contraction of a product and a sum
 * shows in no macro: passing -ffp-contract=off remains the builder's duty. */
#ifndef RN_FILTERS_BASE_EXACT_H
#define RN_FILTERS_BASE_EXACT_H

#include <float.h>

#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__ ||        \
    defined __NO_SIGNED_ZEROS__ || (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__)
#error "results have to be exact: build without -ffast-math, -Ofast and the like"
#endif
#if FLT_EVAL_METHOD != 0
#error "floats have to be computed as floats: build with SSE (-msse2 -mfpmath=sse), not for x87"
#endif

#endif
