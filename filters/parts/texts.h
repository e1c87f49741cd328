/* SPDX-License-Identifier: MIT */
/* Begins the descriptor of a filter, and names its texts, which are in filters/texts.strings. */
#pragma once

#define RN_FILTER(id)                                                                              \
    extern const char rn_help_##id[], rn_aliases_##id[], rn_about_##id[];                          \
    const struct rn_stage_desc rn_##id
/* Follows ".name =": a first row with a name of its own keeps clang-format at one row a line. */
#define RN_NAMED(id) #id, .help = rn_help_##id, .aliases = rn_aliases_##id, .about = rn_about_##id
