/* What an output says of its streams: tags, dispositions, side data and timecode of the source's;
 * and how the user is told of a stream. */
#ifndef RN_IO_WRITE_MUX_DESCRIBE_H
#define RN_IO_WRITE_MUX_DESCRIBE_H

#include <libavformat/avformat.h>

#include "io/common/media.h"
#include "io/containers/table.h"

/* Copies what describes the stream of the pictures (language, rotation, disposition...) to video, a
 * stream of the output, a container that is called name. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_describe_video(const struct rn_io_media *media, const struct rn_container *container,
                            const char *name, AVStream *video);

/* Copies side data to a stream of the output. recoded: NULL if its packets are copied; else only
 * what is true of media's pictures, however they are coded, is taken. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_write_copy_side_data(AVStream *to, const AVStream *from, const struct rn_io_media *recoded);

#define RN_STREAM_NAME 100 /* bytes */

/* Writes "stream 1 of the input (audio, opus)" for messages. Returns name. */
const char *rn_write_stream_name(const AVStream *st, char name[RN_STREAM_NAME]);

/* Adds that a stream is not copied to output; why: the half of a sentence. */
void rn_write_lose_stream(struct rn_losses *losses, const char *output, const AVStream *st,
                          const char *why);

/* Does a chapter lie within what is read of the input? */
bool rn_write_chapter_is_read(const struct rn_io_media *media, const AVChapter *chapter);

/* Where the output starts later than the input: sets the tag `timecode` in metadata, if there is
 * one that can be read, to the timecode of the first picture of the output. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_write_timecode_shift(const struct rn_io_media *media, AVDictionary **metadata);

/* Adds the chapters that lie within what is read of the input. Returns 0 or RN_EINTERNAL (logged).
 */
int rn_write_add_chapters(const struct rn_io_media *media, AVFormatContext *out);

#endif
