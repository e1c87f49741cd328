/* What the user's own options of the encoder set of the pictures' description. */
#ifndef RN_IO_WRITE_ENCODE_ASKED_H
#define RN_IO_WRITE_ENCODE_ASKED_H

#include <libavutil/dict.h>

/* Bits of enum rn_io_trait that options, as --codec-opts gives them, set: no loss, whatever
 * becomes of them. */
unsigned rn_write_asked_traits(const AVDictionary *options);

#endif
