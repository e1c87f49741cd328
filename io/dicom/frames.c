#include "io/dicom/frames.h"

#ifdef RN_HAVE_GDCM

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/dicom/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/macros.h>

int rn_dicom_frames_begin(struct rn_dicom_frames *f, struct rn_dicom_worker *worker,
                          const struct rn_dicom_pictures *pictures, const atomic_bool *stop)
{
    size_t decoded = 0, frame = 0;
    f->worker = worker;
    f->stop = stop;
    const struct rn_dicom_file *last = NULL;
    for (int i = 0; i < pictures->n; i++) {
        const struct rn_dicom_file *file = pictures->list[i].file;
        if (file != last && !rn_dicom_frames_at(file->path, &file->head))
            decoded = FFMAX(decoded, rn_dicom_frame_size(&file->head));
        frame = FFMAX(frame, rn_dicom_frame_size(&file->head));
        last = file;
    }
    f->frame = malloc(frame);
    if (!f->frame)
        return rn_fail_memory();
    return decoded ? rn_dicom_worker_reserve(worker, decoded) : 0;
}

static void forget(struct rn_dicom_frames *f)
{
    if (f->open)
        fclose(f->open);
    f->open = NULL;
    f->again = false;
    f->of = NULL;
}

void rn_dicom_frames_end(struct rn_dicom_frames *f)
{
    forget(f);
    free(f->frame);
    f->frame = NULL;
}

static bool begin_file(struct rn_dicom_frames *f, const struct rn_dicom_file *file, char *why,
                       size_t size)
{
    forget(f);
    if (!rn_dicom_is_complete(file->path)) {
        snprintf(why, size, "is cut off at its end");
        return false;
    }
    f->at = rn_dicom_frames_at(file->path, &file->head);
    if (f->at && !(f->open = fopen(file->path, "rb"))) {
        snprintf(why, size, "cannot be opened: %s", strerror(errno));
        return false;
    }
    f->of = file;
    return true;
}

static const uint8_t *read_frame(struct rn_dicom_frames *f, size_t bytes, int number, char *why,
                                 size_t size)
{
    int64_t at = f->at + (int64_t)bytes * number;
    if (!fseeko(f->open, (off_t)at, SEEK_SET) && fread(f->frame, 1, bytes, f->open) == bytes)
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
    if (f->of != file && !begin_file(f, file, why, size))
        return NULL;
    if (f->open)
        return read_frame(f, rn_dicom_frame_size(&file->head), picture->frame, why, size);
    const uint8_t *pixels = rn_dicom_decode(f->worker, file->path, &file->head, picture->frame,
                                            f->again, f->stop, others, why, size);
    f->again = true;
    if (!pixels && !*others)
        forget(f); /* after a stop it may be good */
    return pixels;
}

#endif
