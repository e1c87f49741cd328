#include "io/read/viewing.h"

#include "io/read/media.h"
#include "io/read/orient.h"

#include <stdio.h>

void rn_source_viewing(const struct rn_source *source, struct rn_viewing *v)
{
    const struct rn_media *media = rn_source_media(source);
    *v = RN_VIEWING_PLAIN;
    v->oblique = !rn_orient_of_matrix(media->matrix, &v->orient);
}

char *rn_viewing_tell(const struct rn_viewing *v, char *buf, size_t size)
{
    *buf = '\0';
    if (v->oblique)
        snprintf(buf, size, "shown\tas stored, not at an angle\n");
    else if (!rn_orient_is_upright(&v->orient))
        snprintf(buf, size, "shown\t%s\n", rn_orient_name(&v->orient));
    return buf;
}
