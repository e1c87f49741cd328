#include "filters/core/device/opencl.h"

#include <assert.h>

struct rn_layout rn_layout(const struct rn_form *form, int w, int h, int bytes, int margin)
{
    assert(w >= 1 && h >= 1 && margin >= 0 && (bytes == 1 || bytes == 2 || bytes == 4));
    int line = 64 / bytes; /* rows begin on a cache line */
    int left = rn_round_up(margin, line);
    /* The slack holds the widest possible vector: a kernel may write samples of another size than
     * it reads. GPUs read the word after it, too. */
    int slack = (rn_form_by_index(form) ? 2 : 1) * form->bytes - 1;
    int stride = rn_round_up(left + w + margin + slack, line);
    return (struct rn_layout){.origin = margin * stride + left,
                              .stride = stride,
                              .bytes = (size_t)stride * (size_t)(h + 2 * margin) * (size_t)bytes};
}

struct rn_dplane rn_dplane_in(const struct rn_form *form, cl_mem mem, int w, int h, int bytes,
                              int margin)
{
    struct rn_layout layout = rn_layout(form, w, h, bytes, margin);
    return (struct rn_dplane){
        mem, layout.origin, layout.stride, w, h, (int)(layout.bytes / (size_t)bytes)};
}

int rn_dplane_create(struct rn_device *dev, struct rn_dplane *plane, int w, int h, int bytes,
                     int margin, cl_mem_flags flags)
{
    struct rn_layout layout = rn_layout(&dev->form, w, h, bytes, margin);
    *plane = rn_dplane_in(&dev->form, NULL, w, h, bytes, margin);
    int err = rn_buffer_create(dev, flags, layout.bytes, &plane->mem);
    if (err)
        return err;
    if (!(err = rn_buffer_clear(dev, plane->mem, layout.bytes)))
        return 0;
    rn_dplane_release(dev, plane);
    return err;
}

void rn_dplane_release(struct rn_device *dev, struct rn_dplane *plane)
{
    rn_buffer_release(dev, &plane->mem);
}
