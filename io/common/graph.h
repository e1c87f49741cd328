/* SPDX-License-Identifier: MIT */
/* Runs libavfilter's filters over pictures of one size and format, or over sound of one kind. One
 * thread at a time. */
#pragma once

#include <libavutil/frame.h>

struct rn_io_graph {
    struct AVFilterGraph *graph; /* NULL: it is not open */
    struct AVFilterContext *in, *out;
};

/* Loads libavfilter, once for the process; any thread. It is not linked: it brings a hundred
 * libraries, and every start would wait for them. The message says which task needs it for which
 * input. Returns 0 or RN_EINPUT (logged). */
int rn_io_graph_load(const char *task, const char *input);

/* Makes a graph of filters (libavfilter's syntax) for pictures like this one, or for sound: where
 * like has a sample rate, a sample format and a layout of channels. It inserts no filters
 * for conversions: formats that the filters do not take are refused. threads: as in the options of
 * a source. The library is loaded. Returns 0, or RN_EUSAGE where it cannot be done (logged).
 * The caller closes it. */
int rn_io_graph_open(struct rn_io_graph *graph, const char *filters, const AVFrame *like,
                     int threads);
void rn_io_graph_close(struct rn_io_graph *graph); /* also one that is not open */

/* Sends a picture, which is empty afterwards, its pts counted in any unit; NULL: there are no more.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_io_graph_send(struct rn_io_graph *graph, AVFrame *frame);

/* Receives one into frame, which is empty; pts counts in halves of that unit. Returns 0, RN_END:
 * none before the next one is sent, or RN_EINTERNAL (logged). */
int rn_io_graph_receive(struct rn_io_graph *graph, AVFrame *frame);
