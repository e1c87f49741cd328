#include "ui/drop.h"

bool rn_ui_drop_event(struct rn_ui_drop *drop, const SDL_DropEvent *e, int *i)
{
    if (e->type == SDL_DROPBEGIN)
        drop->n = 0;
    if (e->type != SDL_DROPFILE || !e->file)
        return false;
    SDL_free(drop->name);
    drop->name = e->file;
    *i = drop->n++;
    return true;
}

void rn_ui_drop_free(struct rn_ui_drop *drop)
{
    SDL_free(drop->name);
    drop->name = NULL;
}
