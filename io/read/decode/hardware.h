/* SPDX-License-Identifier: MIT */
/* Decoding by the hardware that FFmpeg knows (--hwdec: cuda, vaapi, vdpau...). Pictures come back
 * into the memory of the system. One thread at a time.
 *
 * By their standards pictures of H.264, HEVC, VP9 and AV1 are the same, bit for bit. Hardware tells
 * of no damage inside of a picture: what is told of it stems from packets and headers alone. */
#pragma once

#include <stdbool.h>

#include <libavcodec/avcodec.h>

/* Opens what `text`, TYPE or TYPE:DEVICE, names. Returns 0, RN_EUSAGE (FFmpeg has no such type) or
 * RN_EDEVICE (logged). The caller releases *device. */
int rn_read_hardware_open(AVBufferRef **device, const char *text);

/* Copies a picture that hardware decoded into the memory of the system; another one stays as it is.
 * Returns 0 or a libav error. */
int rn_read_hardware_fetch(AVFrame *frame);

/* The first picture came, from the hardware or not: says what that costs. name: of the input. */
void rn_read_hardware_tell(const AVCodecContext *dec, const char *text, bool used,
                           const char *name);
