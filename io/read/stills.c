#include "io/read/input.h"

void rn_read_stills_begin(struct rn_read_input *p, const struct rn_read_input_ops *ops,
                          const struct rn_io_read_opts *opts)
{
    static const AVCodecParameters no_codec = {.codec_type = AVMEDIA_TYPE_VIDEO};
    p->ops = ops;
    p->par = &no_codec;
    p->video = -1;
    p->container = rn_container_of_input(NULL);
    p->seekable = true;
    p->data = rn_io_frame_data_create();
    p->rate = opts->fps.den ? rn_io_to_av(opts->fps) : (AVRational){25, 1};
    p->time_base = av_inv_q(p->rate);
}
