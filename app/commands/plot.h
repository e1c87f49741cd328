/* Plots of what was measured: the norms of every frame and the histogram of the whole run, drawn by
 * the program gnuplot, which is needed only for this. */
#ifndef RN_APP_COMMANDS_PLOT_H
#define RN_APP_COMMANDS_PLOT_H

#include "filters/stats.h"

struct rn_app_plot;

/* path: the picture to make, .svg or .png. title: such as the name of the input, any bytes. Looks
 * for gnuplot, so that a run that could not be plotted does not begin. Returns 0; RN_EUSAGE for
 * another extension; RN_EOUTPUT without gnuplot (logged). */
int rn_app_plot_open(struct rn_app_plot **plot, const char *path, const char *title);

/* Adds one plane of one frame. The memory that is needed does not grow with their number. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_app_plot_add(struct rn_app_plot *plot, const struct rn_measure *measure);

/* Draws and writes the file; with partial, under NAME.partial.EXT. name: receives the name of the
 * file, to be freed; may be NULL. Nothing was added: writes nothing. Returns 0, RN_EOUTPUT or
 * RN_EINTERNAL (logged). */
int rn_app_plot_write(struct rn_app_plot *plot, bool partial, char **name);

/* NULL is legal. */
void rn_app_plot_close(struct rn_app_plot **plot);

#endif
