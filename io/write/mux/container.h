/* Chooses the muxer of an output by its name or by --container, and says what it holds.
 *
 * libavformat's list of a container's codings (avformat_query_codec) is shorter than what its muxer
 * writes: Matroska's leaves out all that it stores the way of AVI and WAV. Others write what no
 * demuxer could name afterwards. So the list is asked first, then the muxer is made to write the
 * header of such a stream to memory, and of the lavish ones the table (io/containers/table.h) lists
 * what they hold. */
#ifndef RN_IO_WRITE_MUX_CONTAINER_H
#define RN_IO_WRITE_MUX_CONTAINER_H

#include <stdbool.h>

#include <libavformat/avformat.h>

/* True for containers of nothing but pictures (GIF, y4m, raw streams). */
bool rn_write_container_is_pictures_only(const AVOutputFormat *of);

/* True if of holds a stream with these parameters. Takes libav's capture of messages (av.h) for
 * itself. */
bool rn_write_container_holds(const AVOutputFormat *of, const AVCodecParameters *par);

/* The same for such a stream in another coding. */
bool rn_write_container_holds_coding(const AVOutputFormat *of, const AVCodecParameters *par,
                                     enum AVCodecID id);

/* True if the lists alone say that of holds a coding. */
bool rn_write_container_lists(const AVOutputFormat *of, enum AVCodecID id);

/* Takes the tag of the source's container out of par where it means something else, or nothing, in
 * this one. */
void rn_write_container_choose_tag(const AVOutputFormat *of, AVCodecParameters *par);

/* Gives sound of unknown layout the usual one of as many channels where of has to name the place of
 * each (PCM in MP4). */
void rn_write_container_choose_layout(const AVOutputFormat *of, AVCodecParameters *par);

/* Makes the muxer of an output called name, without streams or a file, and sets what all outputs of
 * its kind need. streamed: nothing can be written twice. Returns 0, RN_EUSAGE (there is no such
 * container, or it holds no video, or not this way) or RN_EINTERNAL (logged). The caller frees
 * *muxer with avformat_free_context. */
int rn_write_muxer_open(AVFormatContext **muxer, const char *name, const char *container,
                        bool streamed);

#endif
