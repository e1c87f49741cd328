/* SPDX-License-Identifier: MIT */
/* Stands for libOpenCL, which is loaded when the first function of it is called: without one there
 * are no platforms, and no other function is called. opencl_calls.awk makes the functions. */
#include <dlfcn.h>

#include "filters/core/device/opencl.h"

static void *find(const char *name)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

#define CL_FAILURE        (-1001) /* CL_PLATFORM_NOT_FOUND_KHR */
#define FIND(real, name)  real = real ? real : (__typeof__(real))find(name)
#define STRIKES(category) (!real)

#include "opencl_gen.h"
