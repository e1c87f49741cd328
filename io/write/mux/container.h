/* SPDX-License-Identifier: MIT */
/* Chooses the muxer of an output by its name or by --container, and checks what it holds.
 *
 * libavformat's list of a container's codings (avformat_query_codec) is incomplete: Matroska's
 * lacks everything that is stored the way of AVI and WAV. Other muxers write codings that no
 * demuxer can identify. So the list is asked first, then the muxer writes the header of such a
 * stream to memory; the codings of muxers that accept too much are in the table
 * (io/containers/table.h). */
#pragma once

#include <stdbool.h>

#include <libavformat/avformat.h>

/* True for containers of nothing but pictures (GIF, y4m, raw streams). */
bool rn_write_container_is_pictures_only(const AVOutputFormat *of);

/* True if of holds a stream with these parameters. Uses libav's capture of messages (av.h). */
bool rn_write_container_holds(const AVOutputFormat *of, const AVCodecParameters *par);

/* The same for such a stream in another coding. */
bool rn_write_container_holds_coding(const AVOutputFormat *of, const AVCodecParameters *par,
                                     enum AVCodecID id);

/* True if of holds a coding by the lists alone. */
bool rn_write_container_lists(const AVOutputFormat *of, enum AVCodecID id);

/* Clears the codec tag of the source's container in par if it means something else, or nothing, in
 * this one. */
void rn_write_container_choose_tag(const AVOutputFormat *of, AVCodecParameters *par);

/* Gives sound of unknown layout the usual one for its number of channels if of must specify the
 * place of each (PCM in MP4). */
void rn_write_container_choose_layout(const AVOutputFormat *of, AVCodecParameters *par);

/* Makes the muxer of an output called name, without streams or a file, and sets the options that
 * its container always needs. streamed: the output cannot seek. Returns 0, RN_EUSAGE (no such
 * container, or it cannot hold video, or not in a stream) or RN_EINTERNAL (logged). The caller
 * frees *muxer with avformat_free_context. */
int rn_write_muxer_open(AVFormatContext **muxer, const char *name, const char *container,
                        bool streamed);
