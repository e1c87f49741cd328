/* SPDX-License-Identifier: MIT */
/* Handles --codec-opts: the user's options for encoders and containers, by libav's names. */
#pragma once

#include <libavutil/dict.h>

/* Reads the user's codec_opts, k=v:k=v, into *options, which the caller frees, also on failure.
 * text may be NULL. Returns 0 or RN_EUSAGE (logged). */
int rn_write_codec_options_parse(const char *text, AVDictionary **options);

/* Takes `tag` out of options: the container's code for the codec, as four characters (hvc1) or a
 * number. Without one, *tag does not change. Returns 0 or RN_EUSAGE (logged). */
int rn_write_codec_options_take_tag(AVDictionary **options, unsigned *tag);

/* Sets the options that object knows, the unopened context of a codec or container. Refuses a value
 * that its option forbids, and lists the valid ones. name: of the object, for the message. Returns
 * 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_write_codec_options_try(const AVDictionary *options, void *object, const char *name);

/* Refuses options that nothing has taken out. codec, container (may be NULL): for the message.
 * Returns 0 if options is empty, else RN_EUSAGE (logged). */
int rn_write_codec_options_check(const AVDictionary *options, const char *codec,
                                 const char *container);

/* The traits (bits of enum rn_io_trait) that the user's options set, so their change is no loss. */
unsigned rn_write_codec_options_traits(const AVDictionary *options);
