/* SPDX-License-Identifier: MIT */
/* The properties of pictures beside their samples, by headers and decoded frames. Inputs and
 * outputs have the same description, so that they can be compared. */
#pragma once

#include <stdbool.h>

#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/mastering_display_metadata.h>

enum rn_io_field_order {
    RN_FIELD_ORDER_UNKNOWN,
    RN_FIELD_ORDER_NONE,
    RN_FIELD_ORDER_TOP,
    RN_FIELD_ORDER_BOTTOM
};

/* 0, or the enum's "unspecified", means unknown; only a matrix of 0 is RGB. */
struct rn_io_traits {
    int w, h;
    AVRational aspect; /* of a sample */
    double rotation;   /* degrees, counter-clockwise */
    enum rn_io_field_order fields;
    enum AVPixelFormat format;
    bool alpha;
    enum AVColorRange range;
    enum AVColorPrimaries primaries;
    enum AVColorTransferCharacteristic transfer;
    enum AVColorSpace matrix;
    enum AVChromaLocation chroma;
    AVMasteringDisplayMetadata mastering; /* has_primaries, has_luminance: whether it is there */
    AVContentLightMetadata light;         /* both 0: not there */
    bool dolby_vision, hdr10_plus, captions, icc;
    int stereo;    /* enum AVStereo3DType + 1 */
    int spherical; /* enum AVSphericalProjection + 1 */
};

/* Returns true for codecs whose matrix is always that of BT.601: JPEG (JFIF), WebP; in image files
 * (file) also JPEG 2000. */
bool rn_io_traits_prescribes_bt601(enum AVCodecID id, bool file);

/* The initial value of every description. */
#define RN_TRAITS_UNKNOWN ((struct rn_io_traits){.matrix = AVCOL_SPC_UNSPECIFIED})

/* Properties that can differ, as bits. */
enum rn_io_trait {
    RN_TRAIT_SIZE = 1 << 0,
    RN_TRAIT_ASPECT = 1 << 1,
    RN_TRAIT_ROTATION = 1 << 2,
    RN_TRAIT_FIELDS = 1 << 3,
    RN_TRAIT_ALPHA = 1 << 4,
    RN_TRAIT_RANGE = 1 << 5,
    RN_TRAIT_COLOUR = 1 << 6, /* primaries, transfer, matrix */
    RN_TRAIT_CHROMA = 1 << 7,
    RN_TRAIT_MASTERING = 1 << 8,
    RN_TRAIT_LIGHT = 1 << 9,
    RN_TRAIT_DOLBY_VISION = 1 << 10,
    RN_TRAIT_HDR10_PLUS = 1 << 11,
    RN_TRAIT_CAPTIONS = 1 << 12,
    RN_TRAIT_ICC = 1 << 13,
    RN_TRAIT_STEREO = 1 << 14,
    RN_TRAIT_SPHERICAL = 1 << 15,
};

/* Sets t, which is RN_TRAITS_UNKNOWN, by the header of a stream of pictures. */
void rn_io_traits_add_stream(struct rn_io_traits *t, const AVStream *st);

/* Adds the properties of a decoded picture that t does not know yet. Its fields and its chroma
 * location replace those of t, because decoders go by them. */
void rn_io_traits_add_frame(struct rn_io_traits *t, const AVFrame *frame);

/* Sets the rotation from a display matrix; NULL: there is none. */
void rn_io_traits_set_matrix(struct rn_io_traits *t, const int32_t *matrix);

/* Returns the properties (bits of enum rn_io_trait) of `was` that `is` contradicts or lacks.
 * Unknown ones cannot be lost. */
unsigned rn_io_traits_differ(const struct rn_io_traits *was, const struct rn_io_traits *is);
