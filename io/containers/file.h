/* SPDX-License-Identifier: MIT */
/* Checks whether files are whole, by the sizes and repetitions that their formats store: libav
 * reads what it can of a damaged file and reports an ordinary end. Stateless; any thread. */
#pragma once

#include <libavutil/mastering_display_metadata.h>

#include "io/containers/table.h"

struct rn_container_input;

#define RN_LOOP_FOREVER (-1)

/* Returns false if the container's check finds that the end of the file is missing; true if there
 * is no check or the file cannot be read. */
bool rn_container_file_is_complete(const struct rn_container *container, const char *path);

/* Returns true if the index, the tags or the end of the file follow on the last packet, so that no
 * packet can be missing between. end: of that packet; in ASF its beginning. Returns false without a
 * check, and if the file cannot be read. */
bool rn_container_file_is_filled(const struct rn_container *container, const char *path,
                                 int64_t end);

/* See first_hole of struct rn_container; INT64_MAX also if the file cannot be read. */
int64_t rn_container_file_first_hole(const struct rn_container *container, const char *path);

/* Adds what libav left out of the file at path without a message. The caller fills input but for fd
 * and size. */
void rn_container_file_find_missing(const struct rn_container *container, const char *path,
                                    struct rn_container_input *input, struct rn_io_damage *damage);

/* Returns how often an animation is shown, by the head of an opened fmt: 1.., RN_LOOP_FOREVER, or 0
 * if its container does not say. libavformat does not pass it on. The position of fmt does not
 * change. Call it before packets are read: of a pipe only the first bytes can be read again. */
int rn_container_loop_count(const AVFormatContext *fmt);

/* Returns false if an image file in memory is cut off: a PNG without IEND, a JPEG without EOI. */
bool rn_container_image_is_complete(enum AVCodecID codec, const uint8_t *data, size_t size);

/* Returns false if this part of a GIF, which begins with the header or a block, reaches the end of
 * the GIF without another picture. */
bool rn_container_gif_holds_picture(const uint8_t *data, size_t size);

/* ---- what FFmpeg's decoder of PNG leaves out: chromaticities, dots per metre */

struct rn_container_png_chunks {
    AVMasteringDisplayMetadata primaries;
    uint32_t dots[2]; /* of columns, rows; 0: unknown */
};

/* Returns true if a PNG of size bytes, at least 8, ends with IEND. */
bool rn_container_png_is_complete(const uint8_t *png, size_t size);

/* Reads them (cHRM, pHYs) of the PNG in pkt to c, which is zero; it stays so if there are none, or
 * pkt is of another codec. */
void rn_container_png_read(enum AVCodecID codec, const AVPacket *pkt,
                           struct rn_container_png_chunks *c);

/* Takes texts and profiles out of a PNG, or the head of an APNG, that inflate to more than
 * RN_CONTAINER_MAX_TEXTS bytes in all, or are more than RN_CONTAINER_MAX_CHUNKS: FFmpeg inflates
 * them without a limit and looks each up among the others. *size shrinks. Returns the number of
 * chunks taken out; 0 for other codecs. */
#define RN_CONTAINER_MAX_TEXTS  (32 << 20)
#define RN_CONTAINER_MAX_CHUNKS 4096
int rn_container_png_limit_texts(enum AVCodecID codec, uint8_t *data, int *size);

/* Gives frame these primaries, as older decoders do, if it has none, and a tag with the dots.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_container_png_describe(AVFrame *frame, const struct rn_container_png_chunks *c);
