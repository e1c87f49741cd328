#include "app/play/view/apart.h"

#include "app/play/view/figures.h"

static int make_room(struct rn_play_apart *apart, const struct rn_geom *geom,
                     const struct rn_pix_viewing *viewing)
{
    struct rn_geom shown;
    rn_play_figures_geom(geom, &shown);
    if (apart->display && rn_geom_equal(&shown, &apart->image.geom))
        return 0;
    rn_play_apart_free(apart);
    int err = rn_image_alloc(&apart->image, &shown);
    return err ? err : rn_pix_display_create(&apart->display, &shown, viewing);
}

int rn_play_apart_make(struct rn_play_apart *apart, const struct rn_image *a,
                       const struct rn_image *b, double limit, const struct rn_pix_viewing *viewing)
{
    int err = make_room(apart, &b->geom, viewing);
    return err ? err : rn_play_figures_picture(a, b, limit, &apart->image);
}

void rn_play_apart_free(struct rn_play_apart *apart)
{
    rn_pix_display_destroy(&apart->display);
    rn_image_free(&apart->image);
    *apart = (struct rn_play_apart){.display = NULL};
}
