/* Programs that earlier runs have built, kept beside those of PoCL: for it alone, which runs the
 * compiler's preprocessor over each source to find what it has kept itself, 20 ms a program. Other
 * drivers are as quick by themselves. */
#ifndef RN_FILTERS_CORE_DEVICE_PROGRAM_KEPT_H
#define RN_FILTERS_CORE_DEVICE_PROGRAM_KEPT_H

#include "filters/core/device/opencl.h"

/* The program of these texts, built with these options for all that dev's owner builds for; the
 * caller counts and releases it. NULL: none is kept, or it is of no use; nothing is logged then. */
cl_program rn_program_recall(struct rn_device *dev, const char *const texts[], int ntexts,
                             const char *options);

/* Keeps a program that was built so. Not to be able to is no failure. */
void rn_program_keep(struct rn_device *dev, const char *const texts[], int ntexts,
                     const char *options, cl_program program);

#endif
