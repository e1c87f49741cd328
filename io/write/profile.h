/* SPDX-License-Identifier: MIT */
/* Delivery profiles (--for): codec, pixel format, container and sound of a media file by what will
 * play it. */
#pragma once

#include "io/write/sink.h"

/* Chooses what opts leaves open for opts->profile, and says in one line what changes in the
 * pictures and in the sound. text: holds options that opts then points to. Without a profile
 * nothing changes. media, geom: as for rn_write_check_options. Returns 0, or RN_EUSAGE (logged) if
 * output is no media file of the profile's containers, or the sides do not suit its format. */
int rn_write_profile_apply(struct rn_write_opts *opts, char text[RN_WRITE_PLAN], const char *output,
                           const struct rn_io_media *media, const struct rn_geom *geom);
