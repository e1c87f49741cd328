/* SPDX-License-Identifier: MIT */
/* OpenCL devices without OpenCL types: what the rest of the program sees.
 *
 * A device has a context and three in-order queues (upload, run, download). Every OpenCL object
 * that this program creates is counted, and rn_device_close reports those that were not
 * released. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "filters/base/api.h"

RN_API_BEGIN

#define RN_MAX_DEVICES 8 /* that share the frames of an input */

struct rn_device;

struct rn_device_info {
    int index;            /* position in the list of all devices, from 0 */
    int platform, device; /* the two numbers of PLATFORM:DEVICE */
    char name[256], platform_name[128], driver[128], version[256];
    const char *type; /* "gpu", "cpu", "accelerator" */
    int compute_units;
    int64_t global_memory, max_allocation, local_memory; /* bytes */
    int max_work_group;                                  /* work-items */
    bool shared_memory; /* the device computes in host memory: map, do not copy */
};

/* Lists all usable devices. *list: allocated, for the caller to free(). *why: if there are none, a
 * line with the reason (static). Returns their number, 0 if there is no platform or device. */
int rn_device_list(struct rn_device_info **list, const char **why);

/* Loads the drivers in advance: 30 ms for PoCL, with its compiler, and more for GPUs. Call it in
 * the thread that opens devices. */
void rn_devices_load(void);

/* Opens a device. select: NULL or "" = the first GPU, otherwise the first other device, otherwise
 * none; "N" or "PLATFORM:DEVICE" by number; "gpu", "cpu"; part of a name (case does not matter);
 * "none". *dev: NULL means the C reference path ("none", or no selection and no usable device,
 * which is logged as a warning). Returns 0, RN_EDEVICE (no device fits the selection, or the device
 * failed, or gives no answer to what must be known of it), RN_EUSAGE (RUNNEL_FORM in the
 * environment is wrong) or RN_EINTERNAL; errors are logged. */
int rn_device_open(struct rn_device **dev, const char *select);

/* Divides a device into parts of `units` compute units each, at most `most` of them, which compute
 * side by side without sharing a launch. part: room for `most`; closed with rn_device_close, the
 * first one last, before dev is. *n: their number; 0 if the device cannot be divided so, and then
 * nothing is logged. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_device_divide(const struct rn_device *dev, int units, int most, struct rn_device *part[],
                     int *n);

/* Opens the same device once more, with queues and kernels of its own but the same memory and
 * programs, so that another thread can build kernels and try them while this one computes. *beside:
 * closed with rn_device_close before dev is. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged), and
 * *beside is NULL then. */
int rn_device_beside(const struct rn_device *dev, struct rn_device **beside);

/* Closes the device and sets *dev to NULL; NULL is legal. Returns 0, or RN_EINTERNAL (logged) if an
 * OpenCL object was created but not released. */
int rn_device_close(struct rn_device **dev);

const struct rn_device_info *rn_device_info(const struct rn_device *dev);

/* The number of OpenCL objects that are alive. */
int rn_device_live(const struct rn_device *dev);

/* The folder in which built programs are kept for later runs; NULL, as at first: nowhere. Each file
 * is checked in full before it is used. Only programs of PoCL are kept: it runs the compiler's
 * preprocessor over each source to find what it has kept itself, 20 ms a program. Other drivers are
 * as quick by themselves. folder: stays valid. Call before a device is opened. */
void rn_programs_keep_in(const char *folder);

RN_API_END
