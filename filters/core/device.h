/* OpenCL devices as the rest of the program sees them: no OpenCL type appears here.
 *
 * A device has a context and three in-order queues (upload, run, download). Every OpenCL object
 * that this program creates is counted, and rn_device_close reports any that was not released. */
#ifndef RN_DEVICE_H
#define RN_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

struct rn_device;

struct rn_device_info {
    int index;            /* position in the list of all devices, from 0 */
    int platform, device; /* the same as PLATFORM:DEVICE */
    char name[256], platform_name[128], driver[128], version[256];
    const char *type; /* "gpu", "cpu", "accelerator" */
    int compute_units;
    int64_t global_memory, max_allocation, local_memory; /* bytes */
    int max_work_group;                                  /* work-items */
    bool shared_memory; /* the device works in the host's memory: map, do not copy */
};

/* Tells the CPU device how many threads to use, and gives it a place for its compiled kernels where
 * HOME has none. Call once, before any other function of this file and before threads run.
 * threads: 0 = what the environment or the CPU affinity of the process says. */
void rn_device_environment(int threads);

/* Lists all usable devices. *list: allocated, for the caller to free(). Returns their number, 0 if
 * there is no platform or device; a line that says why is in *why (static text) then. */
int rn_device_list(struct rn_device_info **list, const char **why);

/* Opens a device. select: NULL or "" = the first GPU, else the first other device, else none; "N"
 * or "PLATFORM:DEVICE" by number; "gpu", "cpu"; part of a name (case does not matter); "none".
 * *dev: NULL if the C reference path is to be used ("none", or nothing was asked for and there is
 * no device: this is then said in a warning). Returns 0, RN_EUSAGE (a selection that fits no form)
 * or RN_EDEVICE (none fits, or the device failed; logged). */
int rn_device_open(struct rn_device **dev, const char *select);

/* Closes the device and sets *dev to NULL; NULL is legal. Returns 0, or RN_EINTERNAL (logged) if an
 * OpenCL object was created and not released. */
int rn_device_close(struct rn_device **dev);

const struct rn_device_info *rn_device_info(const struct rn_device *dev);

/* True if PoCL would find no linker, which makes it abort the process: look before opening it. */
bool rn_device_linker_missing(void);

/* Number of OpenCL objects that are alive. */
int rn_device_live(const struct rn_device *dev);

#endif
