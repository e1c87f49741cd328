#include "io/read/viewing.h"

#include "io/read/media.h"
#include "io/read/orient.h"

#include <libavutil/avstring.h>
#include <libavutil/pixdesc.h>

#include "filters/base/log.h"

void rn_source_viewing(const struct rn_source *source, struct rn_viewing *v)
{
    const struct rn_media *media = rn_source_media(source);
    *v = RN_VIEWING_PLAIN;
    v->oblique = !rn_orient_of_matrix(media->matrix, &v->orient);
}

const char *rn_source_matrix(const struct rn_source *source)
{
    static const char *const names[][2] = {
        [RN_BT601] = {"BT.601", "BT.601 (assumed)"},
        [RN_BT709] = {"BT.709", "BT.709 (assumed)"},
        [RN_BT2020] = {"BT.2020", "BT.2020 (assumed)"},
    };
    const struct rn_stream *s = rn_source_stream(source);
    return names[s->geom.matrix][s->matrix_assumed];
}

void rn_source_announce_matrix(const struct rn_source *source)
{
    const struct rn_stream *s = rn_source_stream(source);
    const struct rn_media *media = rn_source_media(source);
    enum AVColorSpace space = media->first->colorspace;
    const char *matrix = s->geom.matrix == RN_BT709 ? "BT.709" : "BT.601";
    if (!s->matrix_assumed)
        return;
    if (space == AVCOL_SPC_UNSPECIFIED || space == AVCOL_SPC_RESERVED)
        rn_log(RN_LOG_INFO,
               "'%s' does not say how its colours are coded: the matrix of %s is assumed, as its "
               "size suggests",
               media->name, matrix);
    else
        rn_log(RN_LOG_WARNING,
               "'%s': the matrix of its colours, %s, is not known here: that of %s is taken",
               media->name, av_color_space_name(space), matrix);
}

char *rn_viewing_tell(const struct rn_source *source, const struct rn_viewing *v, char *buf,
                      size_t size)
{
    const struct rn_geom *geom = &rn_source_stream(source)->geom;
    *buf = '\0';
    if (geom->fmt.model == RN_YUV)
        av_strlcatf(buf, size, "colours\t%s, %s range\n", rn_source_matrix(source),
                    geom->full_range ? "full" : "limited");
    if (v->oblique)
        av_strlcatf(buf, size, "shown\tas stored, not at an angle\n");
    else if (!rn_orient_is_upright(&v->orient))
        av_strlcatf(buf, size, "shown\t%s\n", rn_orient_name(&v->orient));
    return buf;
}
