/* What the readers of volumes share: those of arrays (array.c), of TIFF (tiff/tiff.c) and of DICOM
 * (io/dicom/series.c). They know every picture by its number and put its samples straight into the
 * frame that the source goes on with: there are no packets and no decoder.
 *
 * A reader begins with struct rn_vol_reader and fills it in this order: rn_vol_reader_begin,
 * rn_vol_reader_range, rn_vol_reader_format. Its table of functions has the ones that are declared
 * below. */
#ifndef RN_IO_VOLUMES_READER_H
#define RN_IO_VOLUMES_READER_H

#include "io/read/input.h"
#include "io/volumes/volume.h"

struct rn_vol_reader {
    struct rn_read_input base;
    const char *input;
    struct rn_losses *losses;
    const atomic_bool *stop;
    int begin, end, next; /* the pictures to read; end: none any more */
    bool rounded;         /* the loss was reported */

    /* Puts the samples of picture i into frame, which has its buffer, with what was there last.
     * Returns 0; RN_END if nothing of it can be shown: the next one is tried; or an error
     * (logged). */
    int (*fill)(struct rn_vol_reader *reader, int i, AVFrame *frame);

    /* Of a frame. */
    enum AVPixelFormat format;
    int w, h;
    int bytes;
    AVBufferRef *buffer; /* of the last one: used again if nobody holds it */
};

void rn_vol_reader_begin(struct rn_vol_reader *r, const char *input,
                         const struct rn_io_read_opts *opts, const atomic_bool *stop,
                         const struct rn_read_input_ops *ops,
                         int (*fill)(struct rn_vol_reader *reader, int i, AVFrame *frame));

/* Applies --from, --to and --frames to n pictures. what: the word for them in the message. Returns
 * 0, or RN_EUSAGE (logged) if none is left. */
int rn_vol_reader_range(struct rn_vol_reader *r, const struct rn_io_read_opts *opts, int n,
                        const char *what);

/* Sets what frames are like. */
void rn_vol_reader_format(struct rn_vol_reader *r, enum AVPixelFormat format, int w, int h);

/* Floats of which nobody says what is black and white: the picture in the middle of n tells, the
 * same one for every range that is read. What is wrong with it is not counted. Returns 0 or an
 * error (logged). */
int rn_vol_reader_find_range(struct rn_vol_reader *r, struct rn_vol *v, int n);

/* Judges what rn_vol_samples_load found in the samples of a picture, which text names. Returns 0 or
 * RN_EINPUT (logged): floats do not hold them. */
int rn_vol_reader_judge(struct rn_vol_reader *r, unsigned found, enum rn_vol_sample_type type,
                        const char *text);

/* Releases the reader itself too. */
void rn_vol_reader_end(struct rn_vol_reader *r);

/* ---- for the table of functions */

int rn_vol_reader_picture(struct rn_read_input *in, AVFrame *frame);
int rn_vol_reader_seek(struct rn_read_input *in, int64_t target, bool again);
int64_t rn_vol_reader_index(const struct rn_read_input *in, int64_t pts);

#endif
