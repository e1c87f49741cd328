#include "io/write/encode/midstream.h"

#include "io/common/av_versions.h"

#include <inttypes.h>

/* Whole pictures among interlaced ones lose nothing: two fields of one moment. */
static bool other_fields(const AVFrame *first, const AVFrame *now)
{
    return rn_io_is_interlaced(now) && (!rn_io_is_interlaced(first) ||
                                        rn_io_top_field_first(first) != rn_io_top_field_first(now));
}

static bool other_range(const AVFrame *first, const AVFrame *now)
{
    return first->color_range != AVCOL_RANGE_UNSPECIFIED &&
           now->color_range != AVCOL_RANGE_UNSPECIFIED && first->color_range != now->color_range;
}

static bool has_captions(const AVFrame *frame)
{
    return av_frame_get_side_data(frame, AV_FRAME_DATA_A53_CC);
}

void rn_write_midstream_watch(struct rn_write_midstream *m, const AVFrame *first,
                              const AVFrame *props, int64_t index, const char *name,
                              struct rn_losses *losses)
{
    if (!m->fields_said && other_fields(first, props)) {
        m->fields_said = true;
        rn_losses_add(losses, "fields",
                      "'%s': the order of the fields changes at frame %" PRId64
                      ", and is written as that of the first",
                      name, index);
    }
    if (!m->range_said && other_range(first, props)) {
        m->range_said = true;
        rn_losses_add(losses, "range",
                      "'%s': the range of the colours changes at frame %" PRId64
                      ", and is converted to that of the first",
                      name, index);
    }
    if (!m->captions_said && !has_captions(first) && has_captions(props)) {
        m->captions_said = true;
        rn_losses_add(losses, "captions",
                      "'%s': the closed captions in the pictures, from frame %" PRId64
                      " on, are gone",
                      name, index);
    }
}
