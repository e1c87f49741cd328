/* librunnel: runs pictures through a chain of filters, on any OpenCL device or in plain C, with
 * identical samples, bit for bit. This header includes everything that a program needs:
 *
 *   errors           filters/base/err.h             the codes that functions return
 *   messages         filters/base/log.h             rn_log_set_sink redirects them
 *   pictures         filters/base/image.h           formats, geometry, planes
 *   output files     filters/base/output/outfile.h  whether chains may overwrite tables
 *                                                   (stats=file=...)
 *   devices          filters/core/device/device.h   rn_device_list, rn_device_open
 *   filters          filters/core/chain/stage.h     rn_registry: what there is, and its parameters
 *   parameters       filters/core/chain/param.h     rows: type, range, text of a value
 *   levels           filters/core/chain/level.h     parameters in the unit of an input's samples
 *   chains           filters/core/chain/chain.h     rn_chain_parse, their stages, rn_chain_check
 *   running them     filters/core/runner/runner.h   rn_runner_open, then submit, wait, recycle
 *   on all there is  filters/core/pool/pool.h       the same for all cores of a CPU, or several
 *                                                   devices
 *
 * A program opens a device (or none: NULL is the C reference path), parses a chain, and opens a
 * runner for pictures of one geometry. For each picture it fills a slot, submits it, waits for it,
 * uses the result and recycles the slot. Finally it closes the runner, destroys the chain and
 * closes the device.
 *
 * Functions that can fail return 0 or a negative enum rn_err, and have already logged the reason in
 * one line. Nothing here ends the process, changes its environment, catches signals or prints,
 * except that warnings and errors go to stderr until a sink is set, and stats=file=- to stdout. The
 * sink, the overwrite policy and the interned texts of chains are global to the process; all other
 * state belongs to objects. Use an object from one thread at a time; runner.h says which threads
 * may share a runner. Runners in different threads may share a device and a chain.
 *
 * The text of a chain may name files to read (matrices, kernels, @FILE) and, through `stats`, files
 * to write: do not parse text that you do not trust. PoCL, which runs OpenCL on CPUs, needs `ld` in
 * PATH. */
#ifndef RN_FILTERS_RUNNEL_H
#define RN_FILTERS_RUNNEL_H

#include "filters/base/err.h"
#include "filters/base/image.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/core/chain/chain.h"
#include "filters/core/chain/level.h"
#include "filters/core/device/device.h"
#include "filters/core/pool/pool.h"
#include "filters/core/runner/runner.h"

#endif
