/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dlopen's flags */
#include "io/dicom/gdcm/gdcm.h"

#include "io/process/child.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

#define MODULE "runnel-dicom.so"

#pragma weak rn_gdcm_methods /* NULL, unless the program is linked with it */

static const struct rn_dicom_gdcm_module *methods;
static char reason[PATH_MAX + 300];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* RTLD_GLOBAL: preloaded libraries take precedence over GDCM, as if it were linked. */
static void load(void)
{
    char path[PATH_MAX];
    methods = &rn_gdcm_methods;
    if (methods)
        return;
    void *module =
        rn_io_child_beside(MODULE, path) ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL; /* stays */
    const struct rn_dicom_gdcm_module *found = module ? dlsym(module, "rn_gdcm_methods") : NULL;
    if (!module)
        snprintf(reason, sizeof reason, "DICOM is read by " MODULE ": %s", dlerror());
    else if (!found || found->layout != RN_GDCM_LAYOUT)
        snprintf(reason, sizeof reason, "'%s' is of another version: install runnel anew", path);
    else
        methods = found;
}

const struct rn_dicom_gdcm_module *rn_gdcm_load(const char **why)
{
    pthread_once(&once, load);
    if (why)
        *why = reason;
    return methods;
}
