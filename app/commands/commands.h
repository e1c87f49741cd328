/* SPDX-License-Identifier: MIT */
/* The commands, each a descriptor at the end of its own file. */
#pragma once

#include "app/cli.h"

extern const struct rn_app_command rn_app_command_bench;   /* the devices, or a chain */
extern const struct rn_app_command rn_app_command_devices; /* every OpenCL device */
extern const struct rn_app_command rn_app_command_filters; /* the filters and their parameters */
extern const struct rn_app_command rn_app_command_info;    /* what an input holds */
extern const struct rn_app_command rn_app_command_join;    /* puts segments together */
extern const struct rn_app_command rn_app_command_learn;   /* a network from an example */
extern const struct rn_app_command rn_app_command_plan;    /* cuts a render into segments */
extern const struct rn_app_command rn_play_command_play;   /* shows, and keys tune the filters */
extern const struct rn_app_command rn_app_command_render;  /* from file to file */
extern const struct rn_app_command rn_app_command_schema;  /* what JSON is like */
extern const struct rn_app_command rn_app_command_stats;   /* measures of every frame */

/* Print examples of records, after rn_app_json_describe. Return 0 or an error (logged). */
int rn_app_devices_describe(void);
int rn_app_info_describe(void);
int rn_app_folder_describe(void);

/* `render --plan FILE --segment I/N`. Returns as rn_app_run does. */
int rn_app_render_segment(const struct rn_app_cli *cli);

/* `render --segments N`: renders N segments by as many processes of this host, and joins them. Goes
 * on where an earlier one was cut off. Returns likewise. */
int rn_app_render_segments_here(const struct rn_app_cli *cli, int n);
