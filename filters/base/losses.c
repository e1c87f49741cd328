/* SPDX-License-Identifier: MIT */
#include "filters/base/losses.h"
#include "filters/base/threads/locked.h"

#include <stdarg.h>

struct rn_losses {
    pthread_mutex_t lock;
    int total;
    struct rn_loss loss[RN_MAX_LOSSES];
};

struct rn_losses *rn_losses_create(void)
{
    struct rn_losses *losses = calloc(1, sizeof *losses);
    if (losses && pthread_mutex_init(&losses->lock, NULL)) {
        free(losses);
        return NULL;
    }
    return losses;
}

void rn_losses_destroy(struct rn_losses **losses)
{
    if (!*losses)
        return;
    pthread_mutex_destroy(&(*losses)->lock);
    free(rn_take_owned(losses));
}

void rn_losses_add(struct rn_losses *losses, const char *kind, const char *fmt, ...)
{
    struct rn_loss loss = {.kind = ""};
    va_list ap;
    if (!losses)
        return;
    snprintf(loss.kind, sizeof loss.kind, "%s", kind);
    va_start(ap, fmt);
    vsnprintf(loss.text, sizeof loss.text, fmt, ap);
    va_end(ap);
    RN_LOCKED(&losses->lock);
    for (int i = 0; i < rn_losses_count(losses); i++)
        if (!strcmp(losses->loss[i].kind, loss.kind) && !strcmp(losses->loss[i].text, loss.text))
            return; /* it is known */
    if (losses->total < RN_MAX_LOSSES)
        losses->loss[losses->total] = loss;
    losses->total++;
}

int rn_losses_count(const struct rn_losses *losses)
{
    int total = rn_losses_total(losses);
    return total < RN_MAX_LOSSES ? total : RN_MAX_LOSSES;
}

int rn_losses_total(const struct rn_losses *losses)
{
    return losses ? losses->total : 0;
}

const struct rn_loss *rn_losses_get(const struct rn_losses *losses, int i)
{
    return &losses->loss[i];
}
