/* SPDX-License-Identifier: MIT */
/* Lists the contents of an input for users and scripts: its streams and the properties of its
 * pictures, from headers and the first picture alone. */
#pragma once

#include "io/read/source.h"

struct rn_vol; /* io/volumes/volume.h */

/* Texts are NULL where the input does not say, numbers 0; times are NAN. */
struct rn_read_inventory_stream {
    int index;           /* as in --map */
    const char *kind;    /* video, audio, subtitle, data, attachment */
    const char *codec;   /* FFmpeg's name */
    const char *profile; /* such as High */
    const char *language, *title, *file;
    double start, duration; /* seconds */
    int64_t frames;         /* as the container counts them */
    int64_t bit_rate;
    int w, h;
    double rate; /* pictures per second, on average */
    int sample_rate, channels;
    char layout[48]; /* of the channels: stereo, 5.1(side)... */
    int bits;        /* of a sample that is not lossily coded */
    bool pictures;   /* the stream that is filtered */
    bool is_default, is_forced, is_attached;
};

struct rn_read_inventory_tag {
    const char *key, *value;
};

/* Of the pictures. Names are FFmpeg's, "" where nothing is said. */
struct rn_read_inventory_pictures {
    const char *stored; /* the pixel format as decoded */
    const char *range;  /* limited, full */
    const char *primaries, *transfer, *matrix, *chroma;
    const char *fields; /* progressive, top first, bottom first */
    int rotation;       /* clockwise degrees that make them upright, 0..359 */
    int loop_count;     /* of an animation; 0: unknown, -1: forever */
    bool alpha;
    int max_light, average_light;          /* MaxCLL, MaxFALL in cd/m2; 0: unknown */
    double least_luminance, max_luminance; /* of the mastering display, in cd/m2; 0: unknown */
    bool dolby_vision, hdr10_plus, captions, icc;
};

struct rn_read_inventory {
    const char *format; /* FFmpeg's name of the container; NULL: image files, pages or slices */
    int64_t bit_rate;
    double start, duration; /* seconds */
    struct rn_read_inventory_stream *stream;
    int nstreams;
    struct rn_read_inventory_tag *tag; /* of the whole */
    int ntags;
    int chapters, programs;
    struct rn_read_inventory_pictures pictures;
    const struct rn_vol *volume; /* of a scan; else NULL */
};

/* Describes the input of a source; texts belong to the source. Before anything was read from it.
 * Returns 0 or RN_EINTERNAL (logged). The caller frees it. */
int rn_read_inventory_take(struct rn_read_inventory *inventory,
                           const struct rn_read_source *source);
void rn_read_inventory_free(struct rn_read_inventory *inventory);
