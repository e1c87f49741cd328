/* The negative: the largest sample minus the sample. */
#include "filters/core/opencl.h"
#include "filters/core/stage.h"

struct invert {
    int planes;
};

static const struct rn_param params[] = {
    RN_P_PLANES(struct invert),
    RN_P_END,
};

struct priv {
    struct rn_kernel *kernel;
};

static int ref(struct rn_stage *stage, const struct rn_call *call, const struct rn_image *src,
               struct rn_image *dst, int p)
{
    (void)stage, (void)call;
    const struct rn_plane *s = &src->plane[p];
    int bytes = rn_format_bytes(&src->geom.fmt), max = rn_format_max(&src->geom.fmt);
    for (int y = 0; y < s->h; y++)
        for (int x = 0; x < s->w; x++)
            rn_plane_put(&dst->plane[p], bytes, x, y, max - rn_plane_get(s, bytes, x, y));
    return 0;
}

static int prepare(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    return rn_kernel_get(dev, "invert.cl", "invert", rn_format_bytes(&stage->in.fmt),
                         &priv->kernel);
}

static int enqueue(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p)
{
    struct priv *priv = stage->priv;
    const struct rn_dplane *s = &src->plane[p];
    return RN_LAUNCH(cmd, priv->kernel, ((struct rn_area){0, 0, s->w, s->h}), RN_ARG_PLANE(s),
                     RN_ARG_PLANE(&dst->plane[p]), RN_ARG_INT(rn_format_max(&src->geom.fmt)));
}

const struct rn_stage_desc rn_invert = {
    .name = "invert",
    .help = "the negative: largest sample minus sample, in limited range as in full range",
    .params = params,
    .params_size = sizeof(struct invert),
    .priv_size = sizeof(struct priv),
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
};
