/* SPDX-License-Identifier: MIT */
/* Says what to do where kernels crash the program.
 *
 * PoCL loads kernels compiled earlier without checking them. A file truncated by a full disk or a
 * crash makes PoCL abort or jump into garbage, in any thread. While kernels are built and run for
 * the first time, a crash removes partial outputs, prints one line and ends the program with status
 * 5. It leaves a mark in the folder of compiled kernels, so that the next run compiles them anew
 * (environment.h); not if the chain has a user's kernel, which most likely is the cause. Crashes
 * at any other time keep their effect. */
#pragma once

#include <stdbool.h>

/* From now on a crash ends the program so, as does a program of kernels/ that does not build though
 * it was compiled earlier. kernel: the file of a user's kernel in the chain; NULL: none. Does
 * nothing under the sanitizers, which take the crashes. Call from the thread that builds kernels,
 * after the device was opened: its driver has set its signal handlers by then. */
void rn_app_kernel_crash_arm(const char *kernel);

/* Gives crashes their former effect. */
void rn_app_kernel_crash_disarm(void);

/* The process is being ended: a crash says nothing from now on. Async-signal-safe. */
void rn_app_kernel_crash_cancel(void);

/* A library ends the process: leaves the mark as a crash would. Returns whether it was left. Any
 * thread. */
bool rn_app_kernel_crash_mark(void);
