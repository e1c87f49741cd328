#include "app/play/panel/typed.h"

#include <stdio.h>
#include <string.h>

void rn_play_typed_begin(struct rn_play_typed *typed, const char *text)
{
    snprintf(typed->text, sizeof typed->text, "%s", text);
    typed->fresh = true;
}

void rn_play_typed_add(struct rn_play_typed *typed, const char *text)
{
    size_t used = typed->fresh ? 0 : strlen(typed->text);
    if (used + strlen(text) < sizeof typed->text)
        snprintf(typed->text + used, sizeof typed->text - used, "%s", text);
    typed->fresh = false;
}

/* One character of UTF-8. */
void rn_play_typed_erase(struct rn_play_typed *typed)
{
    size_t used = strlen(typed->text);
    while (used && (typed->text[--used] & 0xc0) == 0x80)
        continue;
    typed->text[used] = '\0';
    typed->fresh = false;
}
