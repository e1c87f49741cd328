/* The options that the user gives encoders and containers by the names of libav (--codec-opts). */
#ifndef RN_IO_WRITE_ENCODE_CODEC_OPTIONS_H
#define RN_IO_WRITE_ENCODE_CODEC_OPTIONS_H

#include <libavutil/dict.h>

/* Reads the user's codec_opts, k=v:k=v, into *options, which the caller frees, also on failure.
 * text may be NULL. Returns 0 or RN_EUSAGE (logged). */
int rn_write_codec_options_parse(const char *text, AVDictionary **options);

/* Takes `tag` out of options: how the container names the coding, as four characters (hvc1) or a
 * number; *tag stays as it is where there is none. Returns 0 or RN_EUSAGE (logged). */
int rn_write_codec_options_take_tag(AVDictionary **options, unsigned *tag);

/* Refuses a value that its option forbids, and says what the option takes. object: a codec's or
 * container's context, not yet opened, on which all options that it knows are set; name: its name,
 * for the message. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_write_codec_options_try(const AVDictionary *options, void *object, const char *name);

/* Appends key=value to the option `list`, whose value is options of a library's own (x264-params),
 * unless key stands there already. Returns 0 or a libav error. */
int rn_write_codec_options_add(AVDictionary **options, const char *list, const char *key,
                               const char *value);

/* Refuses what nobody has taken out of options: codec, and container where that is not NULL, are
 * those who do not know it, for the message. Returns 0 if nothing is left, else RN_EUSAGE (logged).
 */
int rn_write_codec_options_check(const AVDictionary *options, const char *codec,
                                 const char *container);

/* The traits (bits of enum rn_io_trait) of the pictures that the user's options set: they are no
 * loss, whatever becomes of them. */
unsigned rn_write_codec_options_traits(const AVDictionary *options);

#endif
