/* SPDX-License-Identifier: MIT */
/* Reads the pictures of an input: media files, image sequences, multi-page TIFF, volumes, y4m on
 * stdin, lavfi graphs.
 *
 * A source gives frames in presentation order with their own timestamps, and the packets of other
 * streams in rn_frame.data. It belongs to one thread at a time (the reader). */
#pragma once

#include "io/common/digest.h"
#include "io/common/input.h"

struct rn_io_media;

/* Reads a time as FFmpeg writes them (90, 1:30, 1:30.5, 01:02:03), or a frame index (150f).
 * Returns false if text is neither, or negative. */
bool rn_read_time_parse(const char *text, struct rn_io_time *time);

/* Reads a frame rate: 25, 29.97, 30000/1001, ntsc. Returns false unless it is > 0. */
bool rn_read_rate_parse(const char *text, struct rn_io_rational *rate);

/* Returns true if text describes samples without a header: WxH[xN]:TYPE[+BYTES]. TYPE is u8, s8, or
 * u16, s16, u32, s32, u64, s64, f16, f32, f64 followed by le or be; BYTES are skipped first. */
bool rn_vol_raw_check(const char *text);

/* Returns true if text chooses channels or times: N, A-B, A-, separated by commas, or `all`. */
bool rn_vol_selection_check(const char *text);

/* Reads a number of bytes, at least 32: 5000000, 500k, 20M, 1G. Returns false if text is none. */
bool rn_read_size_parse(const char *text, int64_t *bytes);

/* The bit of enum rn_io_limited of an option, by its name; 0: every input has something for it. */
unsigned rn_read_limited(const char *option);

/* Opens input (see the help of the command line for its forms). Returns 0, RN_EINPUT or RN_EUSAGE
 * (logged in one line). The caller closes *source. */
int rn_read_open(struct rn_read_source **source, const char *input,
                 const struct rn_io_read_opts *opts);
void rn_read_close(struct rn_read_source **source);

/* Those of enum rn_io_limited that the input has nothing for. */
unsigned rn_read_lacks(const struct rn_read_source *source);

const struct rn_io_stream *rn_read_stream_of(const struct rn_read_source *source);

/* What sinks copy (io/common/media.h). Valid as long as the source. */
const struct rn_io_media *rn_read_media(const struct rn_read_source *source);

/* Gets the display window that the file of a scan names: the stored samples shown as black and as
 * white. Returns false if it names none, or the input is no scan. */
bool rn_read_window(const struct rn_read_source *source, double window[2]);

/* Returns true if the pictures read of a scan belong to several channels or points in time, so that
 * adjacent frames are not adjacent in space. Then gets the numbers of both in the whole input. */
bool rn_read_mixes(const struct rn_read_source *source, int64_t *channels, int64_t *times);

/* Reads the next frame: copies its samples into img (whose geometry is the stream's) and fills
 * frame, which owns frame->data. Returns 0, RN_END, or RN_EINPUT (logged) if reading cannot go on.
 * At RN_END frame->data holds the packets behind the last picture, or is NULL. The decoder conceals
 * damaged frames, and they are counted. */
int rn_read_read(struct rn_read_source *source, struct rn_image *img, struct rn_frame *frame);

/* Continues with exactly the first picture whose rn_frame.time is at or after seconds: decodes from
 * the keyframe before it and drops the pictures between. Frame indices continue as if all pictures
 * before had been read (see enum rn_io_index_mode; if the input is no file, by the average rate).
 * Also continues after RN_END. Reader thread. Returns 0; RN_EUSAGE (not logged) if this input
 * cannot seek (a pipe, a generator); RN_EINPUT (logged). seconds < 0 counts as 0. */
int rn_read_seek(struct rn_read_source *source, double seconds);

/* The same, by rn_frame.index: continues with the picture of this index, at least the first one.
 * Waits until the indices are known. Behind the last picture, the next read gives RN_END. */
int rn_read_seek_frame(struct rn_read_source *source, int64_t index);

/* The same, with the last picture; does not rely on the duration in the container. */
int rn_read_seek_last(struct rn_read_source *source);

/* Returns true if the input can seek. Reader thread. */
bool rn_read_can_seek(const struct rn_read_source *source);

/* After RN_END: continues with the pictures whose size or shape ended the stream (RN_CHANGE_SPLIT).
 * Stream and media describe them anew and their times count from 0; indices and rn_frame.start
 * continue. The packets of other streams from there on come with them. No thread may read at the
 * same time, and no sink that was opened before may be used. Returns 0; RN_END if the input has
 * ended or the source was stopped; RN_EINPUT or RN_EINTERNAL (logged). */
int rn_read_resume(struct rn_read_source *source);

/* Call it when reading has ended. Adds pictures of another size or shape to the losses. Returns 0,
 * or RN_EINPUT (logged) if they ended the stream. */
int rn_read_conclude(const struct rn_read_source *source);

/* Whether nothing comes behind what was read. No thread may read at the same time. */
bool rn_read_has_ended(const struct rn_read_source *source);

/* Names the first file of the input that was written to since it was opened, by its size and the
 * time of its last change; NULL: none. What has taken the name of a file that is held open is
 * another file. */
const char *rn_read_changed(const struct rn_read_source *source);

/* What tells the files of the input from others: the MD5 of the sizes, the seconds of the last
 * change and three pieces of all files, as 32 hexadecimal digits: 1 MiB each of the first, middle
 * and last file, 4 KiB of the others. Returns 0, RN_EUSAGE (there is no file), RN_EINPUT or
 * RN_EINTERNAL (logged). */
int rn_read_sign(const struct rn_read_source *source, char md5[RN_DIGEST]);

/* From now on rn_read_read may leave out the samples of a picture that rn_read_samples can read:
 * frame->data->left_out. Reader's thread. */
void rn_read_leave_out(struct rn_read_source *source);

/* Whether rn_read_read will not leave out the samples of what comes next: then all that were left
 * out before are to be read first, so that what is reported comes in order. Reader's thread. */
bool rn_read_is_alone(const struct rn_read_source *source);

/* Reads the samples that were left out of a frame. Any threads, several at once, also beside
 * rn_read_read. Returns false if they are not whole, or there is something to report of them. */
bool rn_read_samples(struct rn_read_source *source, const struct rn_frame *frame,
                     struct rn_image *img);

/* Takes a frame back whose samples rn_read_samples did not get, and then all that came behind it,
 * in their order: rn_read_read reads from the first on once more, and leaves no samples out any
 * more. Reader's thread, while no other reads samples. */
void rn_read_return(struct rn_read_source *source, const struct rn_frame *frame);

/* Makes a blocked rn_read_read return soon with RN_END. Any thread; async-signal-safe. */
void rn_read_interrupt(struct rn_read_source *source);

/* Fills the source's part of the ledger. Any thread. */
void rn_read_ledger(const struct rn_read_source *source, struct rn_io_ledger *ledger);
