/* SPDX-License-Identifier: MIT */
/* librunnel: runs pictures through a chain of filters, on any OpenCL device or in plain C, with
 * identical samples, bit for bit. This header includes everything that a program needs:
 *
 *   version          filters/base/version.h         rn_version, of the library that runs
 *   errors           filters/base/err.h             the codes that functions return
 *   messages         filters/base/log.h             rn_log_set_sink redirects them
 *   pictures         filters/base/image.h           formats, geometry, planes
 *   output files     filters/base/output/outfile.h  whether chains may overwrite tables
 *                                                   (stats=file=...)
 *   devices          filters/core/device/device.h   rn_device_list, rn_device_open
 *   filters          filters/core/chain/stage.h     rn_registry_at: what there is
 *   parameters       filters/core/chain/param.h     rn_param_at: rows: type, range, text of a value
 *   measurements     filters/core/chain/measurement.h  rn_runner_listen: `stats` as numbers
 *   levels           filters/core/chain/level.h     parameters in the unit of an input's samples
 *   chains           filters/core/chain/chain.h     rn_chain_parse, their stages, rn_chain_check
 *   running them     filters/core/runner/runner.h   rn_runner_open, then submit, wait, recycle
 *   on all there is  filters/core/pool/pool.h       the same for all cores of a CPU, or several
 *                                                   devices
 *   arrays           filters/core/pool/exchange.h   the same for pictures in the program's own
 *                                                   memory
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
 * PATH.
 *
 * Arguments are checked before anything is done: NULL, numbers out of range, pictures of another
 * geometry, slots that are not the runner's or come out of turn give RN_EUSAGE, or what stands for
 * "nothing", and one line that names the parameter, what came and what may come. What cannot be
 * seen stays the caller's duty: objects that were closed, and memory behind pointers.
 *
 * Compatibility. Symbols have the version RUNNEL_0. As long as it and the name librunnel.so.0 stay,
 * programs run with each newer library without being built anew:
 *   - functions keep their name, arguments and meaning; new ones are added;
 *   - structs that callers fill on their own (rn_geom, rn_pool_opts) begin with their size, which
 *     RN_SIZED sets, and functions refuse one that they do not know. rn_pool_opts gets members at
 *     its end, 0 is what was done before, and the size tells which ones the caller knows: a smaller
 *     one that was released is taken, a larger one refused;
 *   - structs that the library hands out by pointer (rows, descriptors, measurements, timings) may
 *     grow at the end: do not copy them or step through arrays of them; rn_registry_at and
 *     rn_param_at do that. Those that lie in each other (rn_format, rn_plane, rn_geom, rn_image,
 *     rn_frame, rn_slot) do not change;
 *   - values of enums are added at the end: expect unknown ones.
 * What breaks this gets a new version and a new name. Callbacks of descriptors, and all that is
 * declared in no installed header, are the library's own. */
#pragma once

#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/version.h"
#include "filters/core/chain/level.h"
#include "filters/core/pool/exchange.h"
