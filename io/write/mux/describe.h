/* SPDX-License-Identifier: MIT */
/* Copies the description of the source's streams to an output: tags, dispositions, side data,
 * timecode, chapters. Names streams in messages. */
#pragma once

#include <libavformat/avformat.h>

#include "io/common/media.h"
#include "io/containers/table.h"

/* Copies the description of the pictures' stream (language, rotation, disposition...) to video, a
 * stream of the output called name. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_describe_video(const struct rn_io_media *media, const struct rn_container *container,
                            const char *name, AVStream *video);

/* Copies side data to a stream of the output. recoded: NULL if its packets are copied; else only
 * side data that does not depend on the coding is copied. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_copy_side_data(AVStream *to, const AVStream *from, const struct rn_io_media *recoded);

#define RN_STREAM_NAME 100 /* bytes */

/* Writes "stream 1 of the input (audio, opus)" for messages. Returns name. */
const char *rn_write_stream_name(const AVStream *st, char name[RN_STREAM_NAME]);

/* Reports that a stream is not copied to output. why: a clause, such as "its coding is unknown". */
void rn_write_lose_stream(struct rn_losses *losses, const char *output, const AVStream *st,
                          const char *why);

/* True if a chapter overlaps the range of the input that is read. */
bool rn_write_chapter_is_read(const struct rn_io_media *media, const AVChapter *chapter);

/* If the output starts later than the input, sets the tag `timecode` in metadata to the timecode of
 * the first picture; does nothing if there is no valid one. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_timecode_shift(const struct rn_io_media *media, AVDictionary **metadata);

/* Adds the chapters for which rn_write_chapter_is_read. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_add_chapters(const struct rn_io_media *media, AVFormatContext *out);
