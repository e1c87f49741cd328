/* SPDX-License-Identifier: MIT */
/* Functions of libav whose failure would leave something out of the output without a word, as a
 * lack of memory does: the compiler warns where nobody looks at what they return. The Makefile puts
 * this before every C file of io/ that reads or writes media, so that none can do without. */
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/frame.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>

#define RN_CHECKED(function)                                                                       \
    extern __typeof__(function) function __attribute__((warn_unused_result))

RN_CHECKED(av_dict_copy);
RN_CHECKED(av_dict_parse_string);
RN_CHECKED(av_dict_set); /* it takes memory even to take an entry away */
RN_CHECKED(av_dict_set_int);

RN_CHECKED(av_opt_set);
RN_CHECKED(av_opt_set_bin);
RN_CHECKED(av_opt_set_dict);
RN_CHECKED(av_opt_set_int);
RN_CHECKED(av_opt_set_q);

RN_CHECKED(av_channel_layout_copy);
RN_CHECKED(av_channel_layout_from_string);
RN_CHECKED(av_dynarray_add_nofree);
RN_CHECKED(avcodec_parameters_copy);
RN_CHECKED(avcodec_parameters_from_context);
RN_CHECKED(avcodec_parameters_to_context);

RN_CHECKED(av_frame_copy);
RN_CHECKED(av_frame_copy_props);
RN_CHECKED(av_frame_get_buffer);
RN_CHECKED(av_frame_make_writable);
RN_CHECKED(av_frame_new_side_data);
RN_CHECKED(av_frame_ref);

RN_CHECKED(av_packet_add_side_data);
RN_CHECKED(av_packet_copy_props);
RN_CHECKED(av_packet_make_refcounted);
RN_CHECKED(av_packet_make_writable);
RN_CHECKED(av_packet_new_side_data);
RN_CHECKED(av_packet_ref);

RN_CHECKED(av_interleaved_write_frame);
RN_CHECKED(av_write_frame);
RN_CHECKED(av_write_trailer);
RN_CHECKED(avformat_write_header);

#undef RN_CHECKED
