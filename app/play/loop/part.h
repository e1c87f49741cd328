/* SPDX-License-Identifier: MIT */
/* A part of the player whose fields its own file alone knows. play.c makes all parts, zeroed, at
 * the start, and releases them at the end. */
#pragma once

#include <stddef.h>

struct rn_play;

struct rn_play_part_type {
    size_t size;
    void (*begin)(void *part);   /* sets what is not zero; NULL: nothing */
    void (*release)(void *part); /* frees what the part owns; NULL: nothing */
    void (*leave)(void *part);   /* likewise, what was made for an input; before release, too */
};

/* The input ends: all parts leave it. */
void rn_play_leave_parts(const struct rn_play *p);

/* Each is defined at the end of its file. */
extern const struct rn_play_part_type rn_play_bar_part, rn_play_build_part, rn_play_compare_part,
    rn_play_difference_part, rn_play_edits_part, rn_play_kept_part, rn_play_message_part,
    rn_play_runners_part, rn_play_panel_part, rn_play_playlist_part, rn_play_presentation_part,
    rn_play_probe_part, rn_play_recording_part, rn_play_reference_part, rn_play_region_part,
    rn_play_renders_part, rn_play_scopes_part, rn_play_sheet_presets_part, rn_play_slices_part,
    rn_play_three_part, rn_play_transport_part, rn_play_cursor_part;
