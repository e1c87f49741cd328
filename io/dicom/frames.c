#include "io/dicom/frames.h"

#ifdef RN_HAVE_GDCM

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/dicom/worker.h"
#include "io/volumes/bytes.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/macros.h>

static void close_file(struct rn_dicom_frames *f)
{
    if (!f->bytes)
        return;
    rn_vol_bytes_close(&f->bytes);
    close(f->fd);
}

static void forget(struct rn_dicom_frames *f)
{
    close_file(f);
    f->again = false;
    f->of = NULL;
}

/* Opens the file if its frames lie there as they are in memory. */
static void begin_file(struct rn_dicom_frames *f, const struct rn_dicom_file *file)
{
    const uint16_t one = 1;
    const bool is_little = *(const uint8_t *)&one == 1;
    struct rn_dicom_pixel_data data;
    forget(f);
    f->of = file;
    f->fd = file->head.frames > 1 && file->head.is_plain
                ? open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
                : -1;
    if (f->fd < 0)
        return;
    if (!rn_dicom_find_pixels(f->fd, &data, &f->bytes))
        close(f->fd);
    else if (data.is_compressed || data.is_big == is_little ||
             (uint64_t)data.size < rn_dicom_size(&file->head))
        close_file(f);
    f->at = data.at;
}

int rn_dicom_frames_begin(struct rn_dicom_frames *f, struct rn_dicom_worker *worker,
                          const struct rn_dicom_pictures *pictures, const atomic_bool *stop)
{
    size_t decoded = 0, frame = 0;
    f->worker = worker;
    f->stop = stop;
    for (int i = 0; i < pictures->n; i++) {
        const struct rn_dicom_file *file = pictures->list[i].file;
        if (f->of == file)
            continue;
        begin_file(f, file);
        if (!f->bytes)
            decoded = FFMAX(decoded, rn_dicom_frame_size(&file->head));
        frame = FFMAX(frame, rn_dicom_frame_size(&file->head));
    }
    forget(f);
    f->frame = malloc(frame);
    if (!f->frame)
        return rn_fail_memory();
    return decoded ? rn_dicom_worker_reserve(worker, decoded) : 0;
}

void rn_dicom_frames_end(struct rn_dicom_frames *f)
{
    forget(f);
    free(f->frame);
    f->frame = NULL;
}

static const uint8_t *read_plain(struct rn_dicom_frames *f, size_t bytes, int number, char *why,
                                 size_t size)
{
    if (rn_vol_bytes_read(f->bytes, f->at + (int64_t)bytes * number, f->frame, bytes) == bytes)
        return f->frame;
    snprintf(why, size, "cannot be read to its end");
    return NULL;
}

const uint8_t *rn_dicom_frames_get(struct rn_dicom_frames *f,
                                   const struct rn_dicom_picture *picture, bool *others, char *why,
                                   size_t size)
{
    const struct rn_dicom_file *file = picture->file;
    *others = false;
    if (f->of != file && !rn_dicom_is_complete(file->path)) {
        snprintf(why, size, "is cut off at its end");
        return NULL;
    }
    if (f->of != file)
        begin_file(f, file);
    if (f->bytes)
        return read_plain(f, rn_dicom_frame_size(&file->head), picture->frame, why, size);
    const uint8_t *pixels = rn_dicom_decode(f->worker, file->path, &file->head, picture->frame,
                                            f->again, f->stop, others, why, size);
    f->again = true;
    if (!pixels && !*others)
        forget(f); /* after a stop it may be good */
    return pixels;
}

#endif
