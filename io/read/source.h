/* Where pictures come from: media files, image sequences, multi-page TIFF, y4m on stdin, lavfi
 * graphs.
 *
 * A source belongs to one thread at a time (the reader). It gives frames in presentation order with
 * their own timestamps and carries everything else that the input holds along in rn_frame.data. */
#ifndef RN_IO_READ_SOURCE_H
#define RN_IO_READ_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/common/input.h"

struct rn_io_media;

/* Reads a time as FFmpeg writes them (90, 1:30, 1:30.5, 01:02:03), or a frame index (150f).
 * Returns false if text is neither, or negative. */
bool rn_read_time_parse(const char *text, struct rn_io_time *time);

/* Reads a frame rate: 25, 29.97, 30000/1001, ntsc. Returns false unless it is > 0. */
bool rn_read_rate_parse(const char *text, struct rn_io_rational *rate);

/* Does text describe samples without a header: WxHxN:TYPE[+BYTES]? N may be left out; TYPE is u8,
 * s8, or u16, s16, u32, s32, u64, s64, f16, f32, f64 followed by le or be; BYTES are to be left out
 * at the beginning. */
bool rn_vol_raw_check(const char *text);

/* Is text a choice of channels or times: N, A-B, A-, with commas between them, or `all`? */
bool rn_vol_selection_check(const char *text);

/* Reads a number of bytes, at least 32: 5000000, 500k, 20M, 1G. Returns false if text is none. */
bool rn_read_size_parse(const char *text, int64_t *bytes);

/* Opens input (see the help of the command line for its forms). Returns 0, RN_EINPUT or RN_EUSAGE
 * (logged in one line). The caller closes *source. */
int rn_read_open(struct rn_read_source **source, const char *input,
                 const struct rn_io_read_opts *opts);
void rn_read_close(struct rn_read_source **source);

const struct rn_io_stream *rn_read_stream_of(const struct rn_read_source *source);

/* What sinks copy (io/common/media.h). Valid as long as the source. */
const struct rn_io_media *rn_read_media(const struct rn_read_source *source);

/* The window that the file of a scan names: the samples, as stored, to be shown black and white.
 * Returns false if it names none, or the input is no scan. */
bool rn_read_window(const struct rn_read_source *source, double window[2]);

/* Do the pictures of a scan that are read belong to more than one channel or point in time, so that
 * neighbours in the stream are no neighbours in space? Then it sets how many of each there are in
 * the whole input. */
bool rn_read_mixes(const struct rn_read_source *source, int64_t *channels, int64_t *times);

/* Reads the next frame: copies its samples into img (whose geometry is the stream's) and fills
 * frame. frame->data is then the frame's own. Returns 0, RN_END, or RN_EINPUT (logged) where
 * reading cannot go on. At RN_END frame->data holds what stood behind the last picture (or is
 * NULL). Damaged frames are concealed as the decoder does and counted. */
int rn_read_read(struct rn_read_source *source, struct rn_image *img, struct rn_frame *frame);

/* Continues with the first picture whose rn_frame.time is at or after seconds, exactly: what lies
 * between the keyframe before it and the picture is decoded and left out. Frame indices go on as if
 * all before had been read (see enum rn_io_index_mode; of what is no file, by the average rate).
 * After RN_END reading goes on too. Reader thread.
 * Returns 0; RN_EUSAGE (not logged) if this input cannot seek (a pipe, a generator); RN_EINPUT
 * (logged). seconds < 0 counts as 0. */
int rn_read_seek(struct rn_read_source *source, double seconds);

/* The same, with the picture of this number, as rn_frame.index counts, or the first one that there
 * is; whatever their times, and waiting until the numbers are known. Behind the last one: the next
 * read gives RN_END. */
int rn_read_seek_frame(struct rn_read_source *source, int64_t index);

/* The same, with the last picture, whatever the container says of its time. */
int rn_read_seek_last(struct rn_read_source *source);

/* May a seek do anything? Reader thread. */
bool rn_read_can_seek(const struct rn_read_source *source);

/* After RN_END: goes on with the pictures that ended the stream because of their size or shape
 * (RN_CHANGE_SPLIT). They are described anew in stream and media, their times count from 0, and
 * what the other streams hold from then on comes with them; indices and rn_frame.start go on.
 * No thread may read at the same time, and nobody use a sink that was opened before. Returns 0;
 * RN_END if it was the end, or the source was stopped; RN_EINPUT or RN_EINTERNAL (logged). */
int rn_read_resume(struct rn_read_source *source);

/* To be called once reading has ended: adds to the losses what became of pictures of another size
 * or shape. Returns 0, or RN_EINPUT (logged) if they ended the stream. */
int rn_read_conclude(const struct rn_read_source *source);

/* Makes a blocked rn_read_read return soon with RN_END. Any thread; async-signal-safe. */
void rn_read_interrupt(struct rn_read_source *source);

/* Fills the source's part of the ledger. Any thread. */
void rn_read_ledger(const struct rn_read_source *source, struct rn_io_ledger *ledger);

#endif
