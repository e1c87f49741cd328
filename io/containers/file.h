/* Looks at files themselves where libav reads what it can and reports an ordinary end: by the sizes
 * that a format writes down, and by what it repeats. Functions without state; any thread. */
#ifndef RN_IO_CONTAINERS_FILE_H
#define RN_IO_CONTAINERS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavutil/mastering_display_metadata.h>

#include "io/containers/table.h"

struct rn_container_input;

#define RN_LOOP_FOREVER (-1)

/* Returns false if the end of the file is missing by the container's own measure; true if it has
 * none, and for a file that cannot be read. */
bool rn_container_file_is_complete(const struct rn_container *container, const char *path);

/* Whether the index, the tags or the end of the file follow on the last packet, so that none can be
 * missing between them. end: where it ends, in ASF where it begins. False for containers that have
 * no such check, and if the file cannot be read. */
bool rn_container_file_is_filled(const struct rn_container *container, const char *path,
                                 int64_t end);

/* Adds to damage what is missing in the file at path and was passed over without a word. input: all
 * but fd and size, which are set. */
void rn_container_file_find_missing(const struct rn_container *container, const char *path,
                                    struct rn_container_input *input, struct rn_io_damage *damage);

/* How often an animation is shown, by the head of an opened fmt: 1.., RN_LOOP_FOREVER, or 0 if its
 * container does not say. libavformat reads it and does not tell. Leaves fmt where it stands. Call
 * it before packets are read: of a pipe only the first bytes are there to be looked at again. */
int rn_container_loop_count(const AVFormatContext *fmt);

/* Is an image file in memory whole? A PNG has to end with IEND, a JPEG with EOI. True for other
 * codecs. */
bool rn_container_image_is_complete(enum AVCodecID codec, const uint8_t *data, size_t size);

/* False if the GIF ends in this piece of it, which begins with a block or the header, without
 * another picture. Any thread. */
bool rn_container_gif_holds_picture(const uint8_t *data, size_t size);

/* ---- what FFmpeg's decoder of PNG leaves out */

/* Does a PNG of size bytes, at least 8, end with IEND? */
bool rn_container_png_is_complete(const uint8_t *png, size_t size);

/* Reads the chromaticities (chunk cHRM) of the PNG in pkt to m; has_primaries stays 0 if there are
 * none, or pkt is of another codec. */
void rn_container_png_chromaticities(enum AVCodecID codec, const AVPacket *pkt,
                                     AVMasteringDisplayMetadata *m);

/* Gives frame these primaries, as older decoders do, if it has none. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_container_png_describe(AVFrame *frame, const AVMasteringDisplayMetadata *m);

#endif
