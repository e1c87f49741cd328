/* What an output says of its streams: tags, dispositions and side data of the source's. */
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

#endif
