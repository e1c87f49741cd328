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
    size_t whole = 0, frame = 0;
    f->worker = worker;
    f->stop = stop;
    const struct rn_dicom_file *last = NULL;
    for (int i = 0; i < pictures->n; i++) {
        const struct rn_dicom_file *file = pictures->list[i].file;
        if (file != last && !rn_dicom_frames_at(file->path, &file->head))
            whole = FFMAX(whole, rn_dicom_size(&file->head));
        frame = FFMAX(frame, rn_dicom_frame_size(&file->head));
        last = file;
    }
    f->frame = malloc(frame);
    if (!f->frame)
        return rn_fail_memory();
    return whole ? rn_dicom_worker_reserve(worker, whole) : 0;
}

static void forget(struct rn_dicom_frames *f)
{
    if (f->open)
        fclose(f->open);
    f->open = NULL;
    f->pixels = NULL;
    f->of = NULL;
}

void rn_dicom_frames_end(struct rn_dicom_frames *f)
{
    forget(f);
    free(f->frame);
    f->frame = NULL;
}

static void begin_file(struct rn_dicom_frames *f, const struct rn_dicom_file *file, char *why,
                       size_t size)
{
    forget(f);
    f->of = file;
    if (!rn_dicom_is_complete(file->path)) {
        snprintf(why, size, "is cut off at its end");
        return;
    }
    f->at = rn_dicom_frames_at(file->path, &file->head);
    if (!f->at)
        f->pixels = rn_dicom_decode(f->worker, file->path, &file->head, f->stop, why, size);
    else if (!(f->open = fopen(file->path, "rb")))
        snprintf(why, size, "cannot be opened: %s", strerror(errno));
}

const uint8_t *rn_dicom_frames_get(struct rn_dicom_frames *f,
                                   const struct rn_dicom_picture *picture, char *why, size_t size)
{
    size_t bytes = rn_dicom_frame_size(&picture->file->head);
    size_t offset = (size_t)picture->frame * bytes;
    if (f->of != picture->file)
        begin_file(f, picture->file, why, size);
    if (f->pixels)
        return f->pixels + offset;
    if (f->open && !fseeko(f->open, (off_t)(f->at + (int64_t)offset), SEEK_SET) &&
        fread(f->frame, 1, bytes, f->open) == bytes)
        return f->frame;
    if (f->open)
        snprintf(why, size, "cannot be read to its end");
    forget(f); /* after a stop it may be good */
    return NULL;
}

#endif
