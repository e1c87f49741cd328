/* The commands, each a descriptor at the end of its own file. `play`: see app/play/loop/play.h. */
#pragma once

#include "app/cli.h"

extern const struct rn_app_command rn_app_command_bench;   /* the devices, or a chain */
extern const struct rn_app_command rn_app_command_devices; /* every OpenCL device */
extern const struct rn_app_command rn_app_command_filters; /* the filters and their parameters */
extern const struct rn_app_command rn_app_command_info;    /* what an input holds */
extern const struct rn_app_command rn_app_command_render;  /* from file to file */
extern const struct rn_app_command rn_app_command_stats;   /* measures of every frame */
