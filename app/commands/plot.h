/* SPDX-License-Identifier: MIT */
/* Plots the norms of every frame and the histogram of a run, with the program gnuplot. */
#pragma once

#include "filters/core/chain/measurement.h"

struct rn_app_plot;

/* Begins a plot; call it before the run, as it fails without gnuplot. path: .svg or .png. title:
 * any bytes. Returns 0, RN_EUSAGE for another extension, RN_EOUTPUT without gnuplot (logged). */
int rn_app_plot_open(struct rn_app_plot **plot, const char *path, const char *title);

/* Adds one plane of one frame, in constant memory. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_plot_add(struct rn_app_plot *plot, const struct rn_measure *measure);

/* Draws and writes the file, unless nothing was added. partial: as NAME.partial.EXT. name:
 * receives the name of the file, to be freed; may be NULL. Returns 0, RN_EOUTPUT or RN_EINTERNAL
 * (logged). */
int rn_app_plot_write(struct rn_app_plot *plot, bool partial, char **name);

/* NULL is legal. */
void rn_app_plot_close(struct rn_app_plot **plot);
