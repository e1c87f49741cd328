/* SPDX-License-Identifier: MIT */
/* Writes pictures to media files (with all other streams of the source), to image files, to
 * volumes, as y4m to stdout, to nothing (null:), or as checksums (md5:).
 *
 * Threads: one thread at a time, the writer, calls all functions for a sink. A sink may have
 * threads of its own (encoders, compression), which end before rn_write_close returns.
 *
 * Ownership: a sink copies the description of the input and never sees the source. Constant data
 * that the description points to must outlive the sink. The reader changes media->fmt from the
 * first frame on: only rn_write_open reads it, and rn_write_tail and rn_write_close after the
 * reader has ended. A sink takes the data of frames; images stay the caller's.
 *
 * Order: open, write for each picture, tail, close. After an error only close is allowed. */
#pragma once

#include "filters/base/image.h"
#include "filters/base/losses.h"
#include "io/common/ledger.h"
#include "io/pixels/turn.h"
#include "io/write/sinks/compression.h"

struct rn_io_media; /* io/common/media.h */
struct rn_write_sink;

#define RN_WRITE_PLAN 512 /* bytes of a description */

/* What will play a media file (profile.c). */
enum rn_write_profile {
    RN_PROFILE_NONE,
    RN_PROFILE_WEB,
    RN_PROFILE_PHONE,
    RN_PROFILE_TV,
    RN_PROFILE_ARCHIVE,
    RN_PROFILE_EDIT
};

/* Whether encoders restart at fixed pictures (io/write/encode/encoder.c). */
enum rn_write_grid_mode { RN_GRID_ON, RN_GRID_OFF };

struct rn_write_opts {
    const char *container; /* name or extension; NULL = by the output's name */
    const char *codec;     /* encoder name; NULL = by container */
    enum rn_write_profile profile;
    const char *codec_opts;         /* k=v:k=v for encoder and container; NULL = none */
    int64_t size;                   /* bytes of the file, at most; 0: as it comes */
    struct rn_write_passes *passes; /* for size: io/write/encode/two_pass.h; else NULL */
    enum rn_write_grid_mode grid;
    struct rn_write_cells *cells; /* the output goes there, or comes from there (io/write/cells.h),
                                     instead of the pictures; borrowed; NULL = neither */
    int *cell;                    /* gets, in rn_write_check_options, how many pictures a cell has,
                                     0 = the output cannot be cut; NULL = it is not asked for */
    const char *pix_fmt;          /* pixel format to encode; NULL = nearest to the chain's output */
    const char *audio;            /* copy, none or CODEC[:K=V...]; NULL = copy, or what fits */
    const char *stays;            /* codings that audio leaves as they are: aac,mp3; NULL = none */
    const char *subs;             /* copy, none or CODEC; NULL = copy, or what fits */
    int threads;                  /* encoder threads; 0 = as many as CPUs */
    struct rn_losses *losses;     /* gets what cannot be written; borrowed; may be NULL */
    struct rn_io_ledger *ledger;  /* gets the counts in rn_write_close; borrowed; may be NULL */
    struct rn_write_compression compression; /* of image files */
    bool replace_set; /* numbered files: removes those of an older set that are not replaced */
    const struct rn_pix_orient *turn; /* of images, before encoding; NULL = none */
    const char *made_by;              /* program and filters; NULL = not written */
    char *plan; /* rn_write_check_options describes there what will be written, adds to losses, and
                   logs what rn_write_open would; RN_WRITE_PLAN bytes; NULL = no description */
};

enum rn_write_ending {
    RN_ENDING_COMPLETE, /* gets its final name */
    RN_ENDING_PARTIAL,  /* finished and playable, but as NAME.partial.EXT */
    RN_ENDING_ABANDON,  /* removed */
};

/* False if the pictures are only counted or measured (null:, md5:): nothing holds them. */
bool rn_write_is_kept(const char *output);

/* True if output is the name of one media file. */
bool rn_write_is_file(const char *output, const struct rn_write_opts *opts);

/* True if the name alone tells what output is. */
bool rn_write_is_named(const char *output);

/* The separate file of samples that goes with output; NULL: none. It gets a number if a file of
 * this name exists. The caller frees it. */
char *rn_write_samples_name(const char *output, const struct rn_write_opts *opts);

/* Checks everything that can be checked before kernels are built, without touching output:
 * container, encoder, options and pixel format; a file that exists and may not be overwritten; the
 * input itself; a folder that cannot be written; a stream of the input that the container cannot
 * hold. media: of the input. geom: of the pictures that will be written. Returns 0, RN_EUSAGE or
 * RN_EOUTPUT (logged in one line). */
int rn_write_check_options(const char *output, const struct rn_write_opts *opts,
                           const struct rn_io_media *media, const struct rn_geom *geom);

/* Why what an option asks for does nothing for this output: "no file is written"; NULL: it does.
 * option: codec, codec-opts, pix-fmt, audio, subs, keep-start or replace-set. */
const char *rn_write_idle(const char *output, const struct rn_write_opts *opts,
                          const struct rn_io_media *media, const char *option);

/* Opens output. media is copied. Returns 0, RN_EUSAGE, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_open(struct rn_write_sink **sink, const char *output, const struct rn_write_opts *opts,
                  const struct rn_io_media *media, const struct rn_geom *geom);

/* Writes one picture, of the geometry given to open, and takes frame->data. The caller may change
 * img on return. Returns 0, RN_EUSAGE or RN_EOUTPUT (logged). */
int rn_write_write(struct rn_write_sink *sink, const struct rn_image *img, struct rn_frame *frame);

/* Writes the packets after the last picture (frame->data at RN_END). */
int rn_write_tail(struct rn_write_sink *sink, struct rn_frame *frame);

/* The number of audio packets so far that could not be decoded for conversion. */
int64_t rn_write_damaged(const struct rn_write_sink *sink);

/* Ends the output: drains the encoder, writes the trailer, closes, syncs, renames. Sets *sink to
 * NULL; NULL is legal. Returns 0, or RN_EOUTPUT (logged; no file has the final name then). */
int rn_write_close(struct rn_write_sink **sink, enum rn_write_ending ending);

/* The final name of the output, for messages; NULL for outputs without files. */
const char *rn_write_path(const struct rn_write_sink *sink);

/* ---- profile.c
 *
 * Delivery profiles (--for): codec, pixel format, container and sound of a media file by what will
 * play it. */

/* Chooses what opts leaves open for opts->profile, and says in one line what changes in the
 * pictures and in the sound. text: holds options that opts then points to. Without a profile
 * nothing changes. media, geom: as for rn_write_check_options. Returns 0, or RN_EUSAGE (logged) if
 * output is no media file of the profile's containers, or the sides do not suit its format. */
int rn_write_profile_apply(struct rn_write_opts *opts, char text[RN_WRITE_PLAN], const char *output,
                           const struct rn_io_media *media, const struct rn_geom *geom);
